"""One router a page; `bot.web` says how a page is added."""
