"""Talks to a Pagetree server by Python's official MCP client, and prints what it was answered as one line of JSON."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
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
