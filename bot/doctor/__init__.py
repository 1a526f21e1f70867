"""``thinktwice doctor``: is the set-up sound?

checks   one check a part; start here to add one
report   the findings as a list in the terminal, or as JSON
"""
