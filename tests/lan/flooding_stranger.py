"""A stranger that announces very many tables by mDNS, none of which is there.

    python flooding_stranger.py ADDRESS COUNT

Says ``flooding`` when all are announced, and announces them until it is ended.
"""

from __future__ import annotations

import asyncio
import random
import socket
import sys
import time

from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from rummy_p2p.node.announcement import SERVICE_TYPE, Announcement, TableInfo, TableState, to_txt


def table(number: int) -> Announcement:
    """The n-th peer with a table of its own."""
    dice = random.Random(number)
    words = [dice.randbytes(32).hex() for _ in range(4)]
    offered = TableInfo(words[2], f"Table {number}", "rummy-no", words[3], 1, 6, TableState.OPEN, ())
    return Announcement(f"Nobody{number}", words[0], words[1], 1024 + number, 1, offered)


async def flood(address: str, count: int) -> None:
    mdns = AsyncZeroconf(interfaces=[address])
    infos = [
        AsyncServiceInfo(
            SERVICE_TYPE,
            each.instance,
            port=each.port,
            properties=to_txt(each),
            addresses=[socket.inet_aton(address)],
            server=f"nobody{number}.local.",
        )
        for number, each in enumerate(map(table, range(count)))
    ]
    for info in infos:
        await mdns.async_register_service(info, cooperating_responders=True)
    print("flooding", flush=True)
    while True:
        await asyncio.to_thread(time.sleep, 0.5)
        for info in random.Random(1).sample(infos, min(50, count)):
            await mdns.async_update_service(info)


if __name__ == "__main__":
    asyncio.run(flood(sys.argv[1], int(sys.argv[2])))
