"""Tables, migrations and repositories.

To add a table: (1) declare it in `tables.py`; (2) write a migration in `migrations/versions/` and set
`migrations.HEAD` to its revision (a test compares both), and `OLDEST` too if older programs cannot work on
the new form; (3) write a repository with `from_row`/`to_row` at the edge that returns values of the package
whose Protocol it implements; (4) if its rows name chats, move them in `chat_migration.py`, and if they name
people, show and erase them in `privacy.py` (tests list every such table).
"""
