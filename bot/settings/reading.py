"""Reads settings from strings, as a variable of the environment gives them: lists, networks, a time zone."""

from __future__ import annotations

import ipaddress
import json
import os
import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def read_paths(value: object) -> object:
    """Read a corpus given as one string: a JSON list, or paths with the system's separator between."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        return json.loads(value)
    return [part for part in value.split(os.pathsep) if part]


def read_ids(value: object) -> object:
    """Read ids given as one string: separated by commas or white space, or a JSON list."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        return json.loads(value)
    return value.replace(",", " ").split()


def read_hosts(value: object) -> object:
    """Read names of hosts given as one string: separated by commas or white space, or a JSON list."""
    found = read_ids(value)
    return [str(host).strip().casefold() for host in found] if isinstance(found, list | tuple) else found


def read_origin(value: object) -> object:
    """Read the address of a server, whatever slash is at its end; raise `ValueError` if it is none."""
    if not isinstance(value, str):
        return value
    if not re.fullmatch(r"(?:https?://[^/?#\s]+)?", address := value.strip().rstrip("/")):
        raise ValueError(f"'{value}' is no address: write it like https://matrix.example.org")
    return address


def read_experts(value: object) -> object:
    """Read who knows: numbers of people or groups, each alone or behind a document set, ``hr=-100123``.

    Raises:
        ValueError: one of them names nobody.
    """
    found = read_ids(value)
    if not isinstance(found, list | tuple):
        return found
    for one in map(str, found):
        if not re.fullmatch(r"(?:[^=]+=)?-?[1-9][0-9]{0,15}", one):
            raise ValueError(f"'{one}' is nobody: write the number of a person or a group, or SET=NUMBER")
    return [str(one) for one in found]


def read_networks(value: object) -> object:
    """Read IP addresses and networks, separated like ids; raise `ValueError` for what is neither."""
    found = read_ids(value)
    if not isinstance(found, list | tuple):
        return found
    return [str(ipaddress.ip_network(str(network).strip())) for network in found]


def check_zone(name: str) -> str:
    """Return the name of a time zone; raise `ValueError` if there is no such zone."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(
            "there is no such time zone: write an IANA name such as Europe/Madrid, Asia/Seoul or UTC"
        ) from None
    return name
