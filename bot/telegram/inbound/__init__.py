"""What comes in from Telegram: fetched or pushed, parsed, recorded, and handed to its handler.

polling, webhook   the two ways in which updates arrive
inbox              records every update before Telegram may forget it
parsing            a raw update as a value (pure), with identities and mentions
lanes              which updates wait for each other
router             a recorded update, to the handler of its kind
membership         the bot was added, removed, blocked, or its group moved
last_contact       when Telegram was last heard from
"""
