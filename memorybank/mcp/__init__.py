"""The MCP server: the bank as tools and resources for agents that ask, over standard input and output (extra `memorybank[mcp]`)."""
