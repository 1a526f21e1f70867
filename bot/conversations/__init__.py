"""Conversations: the window of recent messages, and the summary of the earlier ones."""
