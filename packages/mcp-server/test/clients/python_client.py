"""Talks to a Pagetree server by Python's official MCP client, and prints what it was answered as one line of JSON."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


def connection():
    """To the server at an address, or to a command that is started."""
    if sys.argv[1].startswith("http://"):
        return streamable_http_client(sys.argv[1])
    return stdio_client(StdioServerParameters(command=sys.argv[1], args=sys.argv[2:]))


async def main() -> None:
    async with connection() as (read, write, *_), ClientSession(read, write) as session:
        greeting = await session.initialize()
        tools = await session.list_tools()
        written = await session.call_tool("write_page", {"path": "Tea", "content": "Black tea."})
        refused = await session.call_tool("write_page", {"path": "Tea", "content": "Green tea."})
        resource = await session.read_resource("wiki://main/page/Tea")
        prompt = await session.get_prompt("resolve_conflict", {"path": "Tea"})
        print(
            json.dumps(
                {
                    "instructions": greeting.instructions,
                    "tools": [tool.name for tool in tools.tools],
                    "written": written.model_dump(mode="json", by_alias=True),
                    "refused": refused.model_dump(mode="json", by_alias=True),
                    "resource": resource.contents[0].text,
                    "prompt": prompt.messages[0].content.text,
                }
            )
        )


asyncio.run(main())
