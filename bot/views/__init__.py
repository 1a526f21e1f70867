"""Results as blocks, for every channel. It knows no channel; HTML is a format that several channels need.

    blocks      what can be drawn, by one renderer each: `bot.telegram.rendering.blocks`, `html` here,
                `bot.terminal.drawing`
    markdown    Markdown, which models write, as blocks
    progress    work that goes on, from its events
    answers, councils, interviews, statistics, indexing     the kinds of results

To add a kind of work: write its result as a frozen value, a function here that returns its blocks in the
reader's language, and a line in `bot.views.results`. Channels draw what `view` returns.
"""
