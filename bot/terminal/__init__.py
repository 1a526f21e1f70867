"""The commands that talk in a terminal; `bot.exit_codes` prints every `ThinkTwiceError` that they raise."""
