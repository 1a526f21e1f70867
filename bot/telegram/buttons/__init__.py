"""The buttons below the bot's messages.

keyboard       the buttons of each message, and what each carries
presses        useful, wrong, stop
explanations   `/why` and `/sources`, as buttons and as commands
confirming     commands that wait for a yes
choices        mode and language
"""
