"""The buttons below the bot's messages.

table          every button: who may press it, how its argument is read, which function carries it out
dispatch       checks rights, then calls the function of the table
keyboard       the buttons under answers
answers        carries out useful, wrong, sources, why, stop
explanations   `/why` and `/sources`, as buttons and as commands
confirming     asks for confirmation of a command
"""
