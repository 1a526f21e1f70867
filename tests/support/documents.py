"""Three short documents that programs under test answer from."""

from __future__ import annotations

from pathlib import Path

DOCUMENTS = {
    "java.md": "# FxStore\n\n## Requirements\n\nFxStore needs Java 17. Older versions of Java do not start it.\n",
    "leave.md": "# Leave\n\nEverybody has 28 days of paid leave a year. Ask Dana Whitfield for approval.\n",
    "backup.md": "# Backup\n\nThe backup of the archive server runs every night at 02:30 and takes 40 minutes.\n",
}


def write_documents(folder: Path) -> None:
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
