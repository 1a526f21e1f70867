"""Tables, migrations and repositories.

To add a table: (1) write it down in `tables.py`; (2) write a migration in `migrations/versions/`
and set `migrations.HEAD` to its revision, a test compares both; (3) write a repository with
`from_row`/`to_row` at the edge that returns values of the package whose Protocol it fulfils; (4) when it
knows chats, move its rows in `moves.py`, and when it knows people, show and erase them in `privacy.py`: tests
name every such table.
"""
