"""What the doctor says: of every check what was found, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.sentences.language import N_, _, plural

_LAYERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "program": N_("program"),
        "plugins": N_("plugins"),
        "clock": N_("clock"),
        "terminal": N_("terminal"),
        "interface": N_("interface"),
        "port-5353": N_("UDP port 5353"),
        "multicast": N_("multicast"),
        "neighbours": N_("neighbours"),
        "listener": N_("own port"),
        "reachable": N_("reachable"),
        "resolve": N_("name"),
        "route": N_("route"),
        "tcp": N_("TCP"),
        "tls": N_("TLS"),
        "handshake": N_("greeting"),
        "rules": N_("rules"),
    }
)
LAYERS: Final = tuple(_LAYERS)  # in the order in which they are looked at
_MARKS: Final[Mapping[str, str]] = MappingProxyType({"ok": N_("ok"), "fails": N_("FAILS"), "skipped": N_("-")})
_DETAILS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # this program
        "versions": N_("rummy-p2p {program}, protocol {protocol}, Python {python}, zeroconf {zeroconf}, on {system}."),
        "plugins-loaded": N_("Loaded: {names}."),
        "plugin-failed": N_("{name} ({source}) is left out: {why}"),
        "clock-ok": N_("{time}. It need not agree with the others'."),
        "clock-wrong": N_(
            "The clock says {time}, before this program was made. Play works; dates of matches are wrong."
        ),
        "no-terminal": N_("There is no terminal here: the program speaks in lines."),
        "terminal-size": N_("{columns} columns, {lines} lines."),
        "terminal-small": N_("{columns} columns, {lines} lines: the full screen needs 80 and 24."),
        "terminal-colours": N_("{name}: {colours} colours."),
        "terminal-no-colours": N_("{name}: no colours."),
        "suits-ok": N_("The suits ♠ ♥ ♦ ♣ take one column each, as they should."),
        "suits-wide": N_("The suits ♠ ♥ ♦ ♣ take {columns} columns instead of 4: cards would stand askew."),
        "suits-unknown": N_("The terminal does not say how wide the suits ♠ ♥ ♦ ♣ are."),
        "no-utf8": N_("The output is {encoding} and not UTF-8: the suits cannot be shown."),
        "mouse-ok": N_("The mouse works here."),
        "mouse-unknown": N_("The terminal does not say whether it passes the mouse on; most do."),
        "mouse-none": N_("The terminal does not pass the mouse on. Everything can be done with keys."),
        # interfaces
        "used": N_("{name} {address} is used."),
        "not-used": N_("{name} {address} is not used: {why}."),
        "no-interface": N_("No network interface can be used."),
        "no-multicast-interface": N_("No available network interface carries multicast."),
        "loopback-only": N_("Only the loopback is used: programs on this machine find each other, nobody else does."),
        "vpn": N_("A VPN ({name} {address}) takes what is not for the LAN."),
        # mDNS
        "port-shared": N_("UDP port 5353 (mDNS) can be used together with others."),
        "port-taken": N_("Another program holds UDP port 5353 (mDNS) for itself."),
        "port-failed": N_("UDP port 5353 (mDNS) cannot be used: {why}."),
        "multicast-heard": N_("{name} {address}: multicast goes out and comes in; {machines}."),
        "multicast-alone": N_("{name} {address}: multicast goes out, but nobody else was heard."),
        "multicast-deaf": N_(
            "{name} {address}: multicast was sent, and not even this program's own question came back."
        ),
        "multicast-refused": N_("{name} {address}: the system sends no multicast there ({why})."),
        "multicast-no-port": N_("{name} {address}: not tried, since port 5353 is taken."),
        "multicast-dropped": N_(
            "{name} answers at {address} by TCP but is not seen by itself: something on the way drops multicast."
        ),
        "seen": N_("{programs} of this game: {names}."),
        "nobody-seen": N_("No other program of this game is seen."),
        "trouble": N_("{why}"),
        # being reached
        "listens": N_("The program takes connections at {address} port {port}."),
        "deaf": N_("The program cannot even reach itself at {address} port {port}."),
        "nobody-to-ask": N_("Nobody is there who could try to connect to port {port} of this machine."),
        "called-back": N_("{name} could connect to port {port} of this machine."),
        "not-reached": N_("{name} could not connect to port {port} of this machine, although this one reaches {name}."),
        "no-word": N_("{name} did not say whether it could connect to port {port}."),
        "not-asked": N_("{name} could not be asked to connect to port {port}: {why}"),
        # the way to one peer
        "unknown-peer": N_(
            "Nobody called {host} is seen on this network, and it is neither an address nor a join code."
        ),
        "resolved": N_("{host} is {address}."),
        "no-such-host": N_("{host} is the name of no machine that is known here ({why})."),
        "same-network": N_("{address} is on your own network, reached from {source}."),
        "other-network": N_("{address} is on another network, reached from {source} through a router."),
        "no-route": N_("There is no way from here to {address}."),
        "through-vpn": N_("Traffic to {address} goes through the VPN {name} instead of the LAN."),
        "connected": N_("{address} port {port} took the connection after {ms} ms."),
        "refused": N_("{address} is there, but nobody listens at port {port}."),
        "refused-all": N_("{address} is there, but nobody listens at any port that this program takes by itself."),
        "nobody-there": N_("The machine {address} does not answer on your own network at all ({why})."),
        "no-answer": N_("The machine {address} is there, but what is sent to its port {port} is dropped ({why})."),
        "no-answer-near": N_("{address} port {port} on your own network does not answer ({why})."),
        "no-answer-far": N_("{address} port {port} on another network does not answer ({why})."),
        "no-tls": N_("{address} port {port} does not speak TLS 1.3 ({why})."),
        "wrong-pin": N_("{address} port {port} shows another certificate than the one that was asked for ({pin}...)."),
        "tls-pinned": N_("{version}, and the certificate is the one that was asked for."),
        "tls-unpinned": N_("{version}; the certificate ({pin}...) could not be compared: no pin was given."),
        "no-greeting": N_("The greeting failed: {why}"),
        "greeted": N_("It is {nick} ({words}), protocol {version}."),
        "no-table": N_("{nick} has no table open."),
        "rules-same": N_("{title}: {rules}; your rules are the same."),
        "rules-missing": N_("{title}: {rules}; some of these rules are not installed here."),
        "rules-different": N_("{title}: {rules}; your rules of that name differ."),
    }
)
_FIXES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "plugin": N_("Run: rummy-p2p variants check FILE, or take the file away."),
        "clock": N_("Set the clock of this machine."),
        "small": N_("Make the window larger, or play with --plain."),
        "suits": N_("Play with --ascii, or choose another font in the terminal."),
        "utf8": N_("Play with --ascii, or use a locale with UTF-8."),
        "no-interface": N_("Join a network (Wi-Fi, cable, hotspot), or choose an interface with --interface."),
        "vpn-on": N_(
            "If tables do not show, end the VPN while you play, or allow local traffic in its settings "
            "(often called split tunnel or LAN access)."
        ),
        "port-taken": N_(
            "End the program that holds it (sudo ss -ulpn 'sport = 5353' shows it), or join by address or code."
        ),
        "multicast-refused": N_(
            "Choose another interface with --interface, or add a route: sudo ip route add 224.0.0.0/4 dev {name}. "
            "Joining by address or code works without."
        ),
        "multicast-alone": N_(
            "That is normal when nobody else is there. If others are there: their firewall or yours drops UDP 5353, "
            "or the Wi-Fi keeps its guests apart. To open it here: {command}"
        ),
        "multicast-dropped": N_(
            "Open UDP 5353 in the firewalls of both machines (here: {command}). If that does not help, the access "
            "point or switch drops multicast: join by address or code, which works."
        ),
        "nobody-seen": N_(
            "If somebody has a table open: rummy-p2p join --scan searches the network, and its address or code "
            "always works."
        ),
        "by-code": N_("Join by address or code; the host's program shows both."),
        "deaf": N_("A firewall on this machine blocks its own traffic. To open it: {command}"),
        "open-firewall": N_(
            "If others cannot connect to you, the firewall of this machine is in the way. Open it: {command}"
        ),
        "give-address": N_(
            "Give the address with its port, as the host's program shows it: rummy://192.168.1.23:28660"
        ),
        "same-network": N_(
            "Bring both machines into the same network: the same Wi-Fi (not the guest one), the same switch, or the "
            "hotspot of one of them."
        ),
        "vpn-off": N_("End the VPN while you play, or allow local traffic in its settings."),
        "refused": N_("Is the program still running there, and the port right? Ask for the address or code again."),
        "isolated": N_(
            "It is off or asleep, has another address now, or the Wi-Fi keeps its guests apart (AP isolation, guest "
            "network). Use the main Wi-Fi, a cable, or the hotspot of one of you."
        ),
        "firewall-there": N_(
            "The firewall of that machine is in the way. Run rummy-p2p doctor there: it tells the command. {commands}"
        ),
        "firewall-or-isolated": N_(
            "The firewall of that machine, or a Wi-Fi that keeps its guests apart, is in the way. Run rummy-p2p doctor "
            "there: it tells the command. {commands}"
        ),
        "no-tls": N_(
            "That is a program other than this game, or one that is not working properly. Compare address and port."
        ),
        "ask-again": N_("Ask for the address or code again: the program may have been reinstalled, or is another one."),
        "greet-again": N_("Try again in a moment; if it stays so, restart the program there."),
        "update": N_("Update the older of the two programs (rummy-p2p --version tells which)."),
        "other-address": N_("Give the address of another player: this one is yours."),
        "rules": N_("rummy-p2p join tells what is missing or differs, and how to get it."),
    }
)


def layer_text(layer: str) -> str:
    """Return what a layer is called."""
    return _(_LAYERS[layer])


def mark_text(mark: str) -> str:
    """Return what stands before a line: that a thing is ok, fails, or could not be looked at."""
    return _(_MARKS[mark])


def detail_text(code: str, facts: Mapping[str, str | int]) -> str:
    """Return what was found."""
    filled = dict(facts)
    if "others" in facts:
        filled["machines"] = plural("one machine answers", "{n} machines answer", int(facts["others"]))
    if "count" in facts:
        filled["programs"] = plural("one program", "{n} programs", int(facts["count"]))
    return _(_DETAILS[code]).format_map(filled)


def fix_text(code: str, facts: Mapping[str, str | int]) -> str:
    """Return what to do about it; empty for nothing."""
    return _(_FIXES[code]).format_map(facts) if code else ""


def verdict(failed: int, first: str) -> str:
    """Return the last line: all is well, or which layer to begin with."""
    if not failed:
        return _("All that could be looked at works.")
    many = plural("One thing does not work.", "{n} things do not work.", failed)
    return _("{many} Begin with: {layer}.").format(many=many, layer=layer_text(first))
