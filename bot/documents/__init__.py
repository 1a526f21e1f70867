"""The documents: the indexed folders, the library that admins change, uploads, the data folder."""
