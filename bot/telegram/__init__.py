"""The Telegram channel: updates in, answers out.

    inbound/     fetching, parsing and recording updates, and handing them to their handlers
    outbound/    everything that is sent, within Telegram's limits, exactly once
    buttons/     the buttons below messages, and what pressing each does
    commands/    one file a command or a family of commands
    rendering/   answers, sources and trails as text with entities (pure)
    messenger    how the service writes to Telegram's chats
    wiring       puts the channel together

To add a command: `commands/__init__.py` says how; the menus, `/help` and the rights follow from its entry.
"""

import os

# python-telegram-bot asks for it: otherwise every 429 brings a warning about the type of `retry_after`.
os.environ.setdefault("PTB_TIMEDELTA", "1")
