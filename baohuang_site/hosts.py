"""The names and private addresses this machine answers to, so that a club's server is reachable in its own network.

Only loopback, link-local and private-network addresses are ever returned: a public name has to be set on purpose.
"""

from __future__ import annotations

import ipaddress
import socket

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def private_addresses() -> list[str]:
    """Addresses of this machine in private networks, as they stand in a URL."""
    found: dict[str, None] = {}
    # connecting a datagram socket sends nothing; it only asks the system which of its addresses it would use
    for family, target in ((socket.AF_INET, "10.255.255.255"), (socket.AF_INET, "192.168.255.255")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                found[probe.getsockname()[0]] = None
        except OSError:
            continue
    try:
        for entry in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            found[str(entry[4][0]).partition("%")[0]] = None
    except OSError:
        pass
    return [url for url in map(_in_url, found) if url]


def own_names() -> list[str]:
    """Everything a browser in the same network may call this machine."""
    host = socket.gethostname().lower()
    names = [*LOOPBACK, *private_addresses()]
    if host and host not in names:
        short = host.partition(".")[0]
        names += [host, f"{short}.local"]
    return names


def _in_url(address: str) -> str:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if not ip.is_private or ip.is_loopback or ip.is_unspecified:
        return ""
    return f"[{ip}]" if ip.version == 6 else str(ip)
