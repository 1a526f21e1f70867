"""Tables, migrations and repositories."""
