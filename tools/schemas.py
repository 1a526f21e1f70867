"""Writes the JSON Schema files of interviews from the classes that define the documents.

python -m tools.schemas
"""

from __future__ import annotations

import json
from pathlib import Path

from rag.interview import documents

FOLDER = Path(documents.__file__).parent / "schemas"
SCHEMAS: dict[str, type[documents.Document]] = {
    "pre_skeleton_state": documents.State,
    "llm_step_output": documents.StepOutput,
}
VERSION = "1.0.0"


def render_schemas() -> dict[Path, str]:
    """Return the text of each schema file by its path."""
    return {
        FOLDER / f"{name}.schema.json": json.dumps(
            documents.schema_of(document, name, VERSION), ensure_ascii=False, indent=2
        )
        + "\n"
        for name, document in SCHEMAS.items()
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in render_schemas().items():
        path.write_text(text, encoding="utf-8")
