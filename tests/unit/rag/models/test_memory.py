"""Free memory is what the machine and the container both leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.models.embedded import available_bytes


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).write_text(text, "ascii")
    return folder


MEMINFO = "MemTotal:       4000 kB\nMemFree:         100 kB\nMemAvailable:   2000 kB\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"meminfo": MEMINFO}, 2000 * 1024, id="machine"),
        pytest.param(
            {"meminfo": MEMINFO, "memory.max": "max\n", "memory.current": "5\n", "memory.stat": ""},
            2000 * 1024,
            id="container without a limit",
        ),
        pytest.param(
            {
                "meminfo": MEMINFO,
                "memory.max": "1000000\n",
                "memory.current": "900000\n",
                "memory.stat": "anon 1\ninactive_file 50000\n",
            },
            150_000,  # 1,000,000 - 900,000 + 50,000 of cached files
            id="container with a limit",
        ),
        pytest.param({"meminfo": "nonsense\nMemAvailable: ? kB"}, None, id="unreadable"),
        pytest.param({}, None, id="another system"),
    ],
)
def test_available_memory(tmp_path: Path, files: dict[str, str], expected: int | None) -> None:
    folder = written(tmp_path, files)
    assert available_bytes(folder / "meminfo", folder) == expected
