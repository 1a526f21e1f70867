"""``thinktwice pack new``: drafts a mission pack from a form or a document."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import yaml

from bot.settings.tree import Settings
from rag.errors import InputError, OperatorError
from rag.interview.drafting import draft_pack
from rag.interview.missions import load_mission
from rag.knowledge.reading import DocumentReader
from rag.knowledge.sources import KINDS, Source


def new(overrides: dict[str, object], file: Path, folder: Path | None) -> int:
    """Write a pack into a folder, and say where it is.

    Args:
        folder: The folder of the pack, which must not exist yet; None: one beside the form.

    Raises:
        ThinkTwiceError: the file cannot be read, holds no blank, or the folder cannot be written.
    """
    kind = KINDS.get(file.suffix.lower())
    if kind is None or not file.is_file():
        raise InputError(f"{file} is no document that can be read; name a Word, PDF or text file")
    name = re.sub(r"[^a-z0-9]+", "_", file.stem.lower()).strip("_")
    name = name if name[:1].isalpha() else f"pack_{name}".rstrip("_")
    target = folder or file.with_name(name)
    stat = file.stat()
    source = Source(file.name, file, stat.st_size, stat.st_mtime_ns, kind)
    with DocumentReader(Settings.load(**overrides).knowledge) as reader:
        content = reader.load(source)
    mission, schema = draft_pack(name, file.stem, content)
    try:
        target.mkdir(parents=True)
        written = yaml.safe_dump(mission, allow_unicode=True, sort_keys=False, width=100)
        (target / "mission.yaml").write_text(written, encoding="utf-8")
        (target / "domain.schema.json").write_text(
            json.dumps(schema, ensure_ascii=False, indent=2) + "\n", encoding="utf-8"
        )
    except OSError as exc:
        raise OperatorError(f"{target} cannot be written ({exc.strerror}); name another folder") from exc
    load_mission(target)
    facts = len(mission["titles"])
    sys.stdout.write(
        f"{target / 'mission.yaml'}: {facts} facts. Correct titles and texts there, name the folder above it "
        f"in interviews.packs, and hold it: thinktwice interview {name}\n"
    )
    return 0
