"""The Telegram channel: updates in, answers out.

    inbound/     fetches, parses and records updates, and passes them to their handlers
    outbound/    sends messages within Telegram's limits, exactly once
    buttons/     the buttons below messages, and the functions that carry them out
    commands/    one file for each command or family of commands
    rendering/   blocks as text with entities (pure)
    ids          makes the ids of people and chats from the numbers of Telegram, and back
    messenger    implements the service's `Messenger` for Telegram
    services     the running parts, which commands, buttons and notes use
    wiring       says which part takes in which update, and carries out which job

Unless a docstring says otherwise, what writes to a chat raises `ChatGoneError` or, if Telegram rejects it,
`DeliveryError`; what reads or writes the database raises `StorageError`, an `OperatorError`.

To add a command: `commands/__init__.py` says how; the menus, `/help` and the rights follow from its entry. To
add a button: `buttons/table.py` says how.
"""

import os

# Without this, python-telegram-bot warns about the type of `retry_after` at every 429.
os.environ.setdefault("PTB_TIMEDELTA", "1")
