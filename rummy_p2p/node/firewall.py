"""Which firewall this system has, as far as that can be seen without asking it, and the command that opens our ports.

Nothing here changes anything: the commands are for the player to run.
"""

import sys
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Final

from rummy_p2p.protocol.joincode import HOME_PORTS


class Firewall(Enum):
    """The firewalls whose commands are known."""

    UFW = "ufw"
    FIREWALLD = "firewalld"
    WINDOWS = "Windows"
    MACOS = "macOS"
    OTHER = "iptables"


_COMMANDS: Final[Mapping[Firewall, str]] = {
    Firewall.UFW: "sudo ufw allow {ports}/tcp && sudo ufw allow 5353/udp",
    Firewall.FIREWALLD: "sudo firewall-cmd --add-port={dashed}/tcp --add-service=mdns",
    Firewall.WINDOWS: (
        'netsh advfirewall firewall add rule name="rummy-p2p" dir=in action=allow protocol=TCP localport={dashed} '
        '&& netsh advfirewall firewall add rule name="rummy-p2p mDNS" dir=in action=allow protocol=UDP localport=5353'
    ),
    Firewall.MACOS: (
        "sudo /usr/libexec/ApplicationFirewall/socketfilterfw --add '{program}' "
        "&& sudo /usr/libexec/ApplicationFirewall/socketfilterfw --unblockapp '{program}'"
    ),
    Firewall.OTHER: (
        "sudo iptables -I INPUT -p tcp --dport {ports} -j ACCEPT "
        "&& sudo iptables -I INPUT -p udp --dport 5353 -j ACCEPT"
    ),
}


def find_firewall(platform: str = sys.platform, root: Path = Path("/")) -> Firewall:
    """The firewall that is switched on here; OTHER on a Linux where neither of the two usual ones is."""
    if platform == "win32":
        return Firewall.WINDOWS
    if platform == "darwin":
        return Firewall.MACOS
    if _ufw_is_on(root):
        return Firewall.UFW
    return Firewall.FIREWALLD if (root / "run" / "firewalld").exists() else Firewall.OTHER


def _ufw_is_on(root: Path) -> bool:
    try:
        text = (root / "etc" / "ufw" / "ufw.conf").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(line.replace(" ", "").lower() == "enabled=yes" for line in text.splitlines())


def opening(firewall: Firewall, port: int) -> str:
    """The command that lets others in at the port of this program, and mDNS."""
    first, last = (HOME_PORTS[0], HOME_PORTS[-1]) if port in HOME_PORTS or not port else (port, port)
    ports = str(first) if first == last else f"{first}:{last}"
    return _COMMANDS[firewall].format(ports=ports, dashed=ports.replace(":", "-"), program=sys.executable)
