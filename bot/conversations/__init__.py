"""Conversations: the window of history and what is remembered beyond it."""
