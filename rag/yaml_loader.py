"""The loader for YAML files: it creates only plain values, and is written in C where PyYAML has that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    SafeLoader = yaml.SafeLoader
else:
    SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str) -> Any:  # noqa: ANN401 - any plain value
    """Parse YAML.

    Raises:
        yaml.YAMLError: The text is not YAML.
    """
    return yaml.load(text, SafeLoader)  # noqa: S506 - a safe loader
