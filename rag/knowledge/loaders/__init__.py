"""One module a format: bytes in, sections out.

To add a format: write a module here whose function takes the file and returns a `Content`, give its
endings a kind in `rag.knowledge.sources`, and call it from `rag.knowledge.loaders.worker`, which runs in a
child process with limits.
"""
