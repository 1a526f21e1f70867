"""Read how much memory this process and its children can still use."""

from __future__ import annotations

from pathlib import Path

_MEMINFO = Path("/proc/meminfo")
_CGROUP = Path("/sys/fs/cgroup")


def available_bytes(meminfo: Path = _MEMINFO, cgroup: Path = _CGROUP) -> int | None:
    """Return the smaller of the machine's and the container's free memory; None if neither is known."""
    known = [left for left in (_read_meminfo(meminfo), _read_cgroup(cgroup)) if left is not None]
    return min(known, default=None)


def _read_meminfo(meminfo: Path) -> int | None:
    try:
        lines = meminfo.read_text("ascii").splitlines()
    except (OSError, ValueError):
        return None
    for line in lines:
        name, _, amount = line.partition(":")
        words = amount.split()
        if name == "MemAvailable" and words and words[0].isdigit():
            return int(words[0]) * 1024
    return None


def _read_cgroup(cgroup: Path) -> int | None:
    try:
        limit = (cgroup / "memory.max").read_text("ascii").strip()
        used = (cgroup / "memory.current").read_text("ascii").strip()
        stat = (cgroup / "memory.stat").read_text("ascii")
    except (OSError, ValueError):
        return None
    if not limit.isdigit() or not used.isdigit():
        return None
    # Cached files count as used, but are evicted when memory is needed.
    cached = next((line.split()[1] for line in stat.splitlines() if line.startswith("inactive_file ")), "0")
    return int(limit) - int(used) + (int(cached) if cached.isdigit() else 0)
