"""Sends to Telegram, within its limits and exactly once.

messages         sends the messages of an answer, recorded one by one
live_progress    shows the progress of an answer in a draft
progress_calls   makes single calls that show progress: in a message, in a draft, or "typing"
sender           sends, edits and deletes single messages, and handles Telegram's errors
lost_messages    finds messages that Telegram accepted but whose ids did not arrive
retries          repeats a call as its errors allow
send_queue       decides which call goes next
rate_limits      computes how long a call has to wait (pure)
telegram_errors  classifies Telegram's errors (pure)
notes            apologises to askers, and alerts admins
"""
