"""A program for test_crowd_lan: announces COUNT tables under names that begin with PREFIX, until stdin ends. With a
third word they are inventions: nobody is at their addresses, and every second one changes its text all the time.
"""

import asyncio
import hashlib
import itertools
import socket
import sys

from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from rummy_p2p.node.announcement import SERVICE_TYPE, Announcement, TableInfo, TableState, to_txt

OWN = sys.argv[3] if len(sys.argv) > 3 else ""


def info(prefix: str, number: int, port: int, count: int) -> AsyncServiceInfo:
    nick = f"{prefix}{number}"
    own = hashlib.sha256(nick.encode()).hexdigest()
    table = TableInfo(own[:32], f"Table {nick}", "rummy-no", "3c" * 32, 1, 4, TableState.OPEN, ())
    said = Announcement(nick, own, "2b" * 32, port, 1, table)
    return AsyncServiceInfo(
        SERVICE_TYPE,
        said.instance,
        port=port,
        properties=to_txt(said, count),
        server=f"rummy-{own[:16]}.local.",
        addresses=[socket.inet_aton(f"10.77.0.{100 + number % 100}" if OWN else "10.77.0.2")],
    )


async def main(prefix: str, count: int) -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "0.0.0.0", 0)  # noqa: S104 - it stands in a namespace
    port = server.sockets[0].getsockname()[1]
    async with AsyncZeroconf() as mdns:
        said = [info(prefix, number, port, 0) for number in range(count)]
        sent = [await mdns.async_register_service(each, cooperating_responders=True) for each in said]
        print(flush=True)
        change = asyncio.create_task(keep_changing(mdns, prefix, count, port))
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        change.cancel()
        await asyncio.gather(change, *sent, return_exceptions=True)
    server.close()


async def keep_changing(mdns: AsyncZeroconf, prefix: str, count: int, port: int) -> None:
    if OWN:
        for turn in itertools.count(1):
            await mdns.async_update_service(info(prefix, 2 * turn % count, port, turn))
            await asyncio.sleep(0.02)


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
