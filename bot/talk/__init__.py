"""What a channel that talks in plain messages gets without writing it: see `bot.matrix` for one.

`messenger` replies, where the channel says how a message is sent; `desk` puts together what answers one,
and what ends it when that fails; `orders` are commands as every channel knows them, Telegram too, and
`commands` those of plain messages, from rights to replies.
"""
