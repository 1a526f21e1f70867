"""What goes out to Telegram, within its limits and exactly once.

messages         the messages of an answer, recorded one by one
live_progress    the placeholder that shows how far an answer is
sender           one message sent, edited or deleted, whatever Telegram says
lost_messages    finds messages that Telegram took without our learning their ids
retries          one call, repeated as its error allows
send_queue       which call may go next
rate_limits      how long a call has to wait (pure)
telegram_errors  what each of Telegram's errors means (pure)
notes            apologies to askers, alerts to admins
"""
