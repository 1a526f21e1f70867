"""Whether there is room on the disk to go on."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_NEEDED_BYTES = 1 << 20


def has_room(folder: Path) -> bool:
    """Try to write a file of the size that the next steps may need; blocking.

    Asking the file system how much is free would not know of quotas.
    """
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_NEEDED_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        return False
    return True
