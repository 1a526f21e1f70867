"""Usage statistics: values, periods, groups of similar questions, a picture.

The figures come from `bot.storage.answered`. To add one: (1) a column in `bot.storage.tables` with its
migration, filled in by `StoredAnswers.record`; (2) a field in `values.Statistics`; (3) its sum in
`bot.storage.sums`; (4) a line in `bot.terminal.stats` and in the text of the admins' chat.
"""
