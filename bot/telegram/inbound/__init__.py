"""Updates from Telegram: fetched or pushed, parsed, recorded, and passed to their handlers.

polling, webhook   the two ways in which updates arrive
inbox              records every update before it is confirmed to Telegram
parsing            parses a raw update into a value (pure), with identities and mentions
lanes              decides which updates wait for each other
router             passes a recorded update to the handler of its kind
last_contact       stores when Telegram last answered
"""
