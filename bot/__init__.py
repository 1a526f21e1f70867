"""The application around the engine: command line, conversations, storage, delivery."""
