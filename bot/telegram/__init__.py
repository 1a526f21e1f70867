"""The Telegram channel: updates in, answers out.

    updates.py     a raw update -> what it means (pure), with addressing.py and origins.py
    access.py      who may ask and command, decided in rights.py (pure); claims.py makes the first owner
    limits.py      how much may be asked; a refusal is told once
    intake.py      records every update before Telegram may forget it, and starts its durable work
    answering.py   one question on its way: placeholder, progress, engine, delivery, memory
    delivery.py    everything that is sent, within Telegram's limits, chat by chat
    rendering/     answers, sources and trails as text with entities (pure)
    commands/      one file a command or a family of them

To add a command: write it in `commands/`, list it in `commands/__init__.py`, and give it a description in
every message catalogue; the menus, `/help` and the rights follow from that entry.
"""

import os

# python-telegram-bot asks for it: otherwise every 429 brings a warning about the type of `retry_after`.
os.environ.setdefault("PTB_TIMEDELTA", "1")
