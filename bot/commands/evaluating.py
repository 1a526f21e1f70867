"""``thinktwice evaluate``: quality on labelled sets, as tables or JSON."""

from __future__ import annotations
