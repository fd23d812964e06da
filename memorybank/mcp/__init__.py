"""The MCP server: offers the bank to agents as tools and resources over standard input and output (extra `memorybank[mcp]`)."""
