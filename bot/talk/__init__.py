"""What a channel that talks in plain messages gets without writing it: see `bot.matrix` for one.

messenger.py  replies, where the channel says how one message is sent
desk.py       what answers a message, and what ends it when that fails
commands.py   the commands, from rights to replies
"""
