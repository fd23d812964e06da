"""Serves the tools and resources of the table over standard input and output. Only this module knows the SDK (`mcp` ≥ 2).

Standard output carries the protocol and nothing else: while serving, the SDK keeps the pipe for itself, and file descriptor 1 is
standard error. Standard input is read here, because the SDK neither limits nor answers a line that is not a message. The facade is
imported when the first tool is called. The bank is opened again for each call, so that settings and notes are current.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar, cast

import anyio
import anyio.to_thread
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from memorybank import __version__
from memorybank.mcp import lines, table

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.errors import MemorybankError
    from memorybank.mcp.answers import ToolRequest
    from memorybank.mcp.table import ToolSpec


class ServerSetting(NamedTuple):
    """How a server answers.

    open_bank: called for every request
    role: role of the agent; None shows only what everybody may see
    allow_write: whether to offer the tools that write
    typed: returns the typed error for an exception
    """

    open_bank: Callable[[], "Bank"]
    role: str | None
    allow_write: bool
    typed: Callable[[BaseException], "MemorybankError"]


_Context = ServerRequestContext[Any]
_Result = TypeVar("_Result")
_MARKDOWN = "text/markdown"


def serve(setting: ServerSetting) -> None:
    """Answer until the client closes its end. Raises BrokenPipeError if it closed only the end that it reads."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the reader waits in a thread that only this interrupts; writes need no cleanup
    try:
        asyncio.run(_serve(server(setting), _take_standard_input()))
    except BaseExceptionGroup as group:  # the SDK's tasks wrap it in groups
        if group.split(BrokenPipeError)[1] is None:
            raise BrokenPipeError from group
        raise


async def _serve(built: "Server[Any]", source: BinaryIO) -> None:
    incoming_lines = _IncomingLines(source)
    async with stdio_server(stdin=cast("anyio.AsyncFile[str]", incoming_lines)) as (incoming, outgoing):
        incoming_lines.send = outgoing.send
        with redirect_stdout(sys.stderr):  # unflushed prints would reach the pipe when the SDK restores it
            await built.run(incoming, outgoing, built.create_initialization_options())


def _take_standard_input() -> BinaryIO:
    """Return the client's end of the pipe. File descriptor 0 becomes empty, so that nothing that a handler starts can read a message."""
    source = os.fdopen(os.dup(0), "rb")
    empty, other_end = os.pipe()
    os.dup2(empty, 0)
    os.close(empty)
    os.close(other_end)
    return source


class _IncomingLines:
    """The lines that are messages, for the SDK; every other line is answered with its error.

    send: sends a message to the client; set before the SDK asks for the first line
    """

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self.send: Callable[[SessionMessage], Awaitable[None]]

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await anyio.to_thread.run_sync(lines.next_line, self._source):
            fault = line if isinstance(line, lines.LineFault) else lines.fault_of(line)
            if fault is None:
                assert isinstance(line, bytes)
                yield line.decode()
            else:
                error = types.ErrorData(code=fault.code, message=fault.message)
                await self.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=fault.id, error=error)))


def server(setting: ServerSetting) -> "Server[Any]":
    """Return the server, without a transport."""
    handlers = _Handlers(setting)
    return Server(
        table.NAME,
        version=__version__,
        title="memorybank",
        instructions=table.INSTRUCTIONS + (table.WRITING if setting.allow_write else ""),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )


class _Handlers:
    """The handlers of the protocol. One thread answers one request after another, because the caches of the bank belong to that thread."""

    def __init__(self, setting: ServerSetting) -> None:
        self._setting = setting
        self._tools = {tool.name: tool for tool in table.offered(allow_write=setting.allow_write)}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="memorybank")

    async def list_tools(self, context: _Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_as_tool(tool) for tool in self._tools.values()])

    async def call_tool(self, context: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name!a}")
        try:
            result = await self._answer(lambda request: request.call(tool, params.arguments or {}))
        except Exception as error:
            return types.CallToolResult(content=[types.TextContent(text=self._sentence(error))], is_error=True)
        return types.CallToolResult(content=[types.TextContent(text=result.text)], structured_content=result.fields)

    async def list_resources(self, context: _Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        cursor = params.cursor if params is not None else None
        if cursor is not None and not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
            raise MCPError(types.INVALID_PARAMS, "there is no such page")
        page, following = await self._answer_or_raise(lambda request: request.resources(int(cursor or 0)))
        own = [
            types.Resource(name=each.name, uri=each.uri, description=each.description, mime_type=_MARKDOWN) for each in table.RESOURCES if not each.is_template
        ]
        found = [types.Resource(name=name, uri=uri, mime_type=_MARKDOWN) for name, uri in page]
        return types.ListResourcesResult(resources=found if cursor else own + found, next_cursor=None if following is None else str(following))

    async def list_templates(self, context: _Context, params: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        templates = [
            types.ResourceTemplate(name=each.name, uri_template=each.uri, description=each.description, mime_type=_MARKDOWN)
            for each in table.RESOURCES
            if each.is_template
        ]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def read_resource(self, context: _Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        text = await self._answer_or_raise(lambda request: request.resource(params.uri))
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=params.uri, mime_type=_MARKDOWN, text=text)])

    async def _answer_or_raise(self, question: Callable[["ToolRequest"], _Result]) -> _Result:
        """Answer a request whose failure is an error of the protocol."""
        try:
            return await self._answer(question)
        except Exception as error:
            raise MCPError(types.INVALID_PARAMS, self._sentence(error)) from None

    async def _answer(self, question: Callable[["ToolRequest"], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer_in_thread, question)

    def _answer_in_thread(self, question: Callable[["ToolRequest"], _Result]) -> _Result:
        from memorybank.mcp.answers import ToolRequest

        return question(ToolRequest(self._setting.open_bank(), self._setting.role))

    def _sentence(self, error: Exception) -> str:
        """Return an error and its next step as one line for an agent."""
        from memorybank.injection import one_line

        known = self._setting.typed(error)
        return one_line(f"{known.message}; {known.next_step}" if known.next_step else known.message)


def _as_tool(tool: "ToolSpec") -> types.Tool:
    """Return a tool as clients receive it. Without an output schema, and without hints that say nothing about a tool that only reads (ADR 0066)."""
    hints = types.ToolAnnotations(read_only_hint=not tool.writes, open_world_hint=False)
    if tool.writes:
        hints = hints.model_copy(update={"destructive_hint": False, "idempotent_hint": not tool.adds})
    return types.Tool(name=tool.name, title=tool.title, description=tool.description, input_schema=tool.input_schema, annotations=hints)
