"""What a channel that talks in plain messages gets without writing it: see `bot.matrix` for one.

`messenger` replies, where the channel says how a message is sent; `desk` puts together what answers one,
and what ends it when that fails; `commands` are the commands, from rights to replies.
"""
