"""The buttons below the bot's messages.

table          every button: who may press it, how its argument is read, what carries it out
dispatch       rights, then the function of the table
keyboard       the buttons under answers
answers        useful, wrong, sources, why, stop
explanations   `/why` and `/sources`, as buttons and as commands
confirming     commands that wait for a yes
choices        mode and language
"""
