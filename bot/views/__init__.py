"""Results as blocks, for every channel. It knows no channel; HTML is a format that several channels need.

`blocks` is what can be drawn; there is one renderer each: `bot.telegram.rendering.blocks`, `html` here, and
`bot.terminal.drawing`.

To add a kind of work: write its result as a frozen value, a function here that returns its blocks in the
reader's language, and a line in `bot.views.results`. Channels draw what `view` returns.
"""
