"""The council: models answer, criticise each other anonymously, correct themselves, and one concludes.

    workflow     the council from beginning to end: start here
    propose      stage 1: every member answers by itself
    review       stage 2: every member criticises and ranks the others' answers
    correct      stage 2.5: every member corrects its own answer
    conclude     stage 3: the chairman writes the answer
    members      how a member is asked, and what it may do wrong

Pure:

    values       what each stage leaves, as values that can be stored and shown
    anonymity    which letter stands for whose answer, for each reviewer
    ballots      reads a review; only an exact ranking of the shown letters counts
    aggregation  the rankings of all reviewers as one
    feedback     what a member is told of its peers' reviews
    corrections  whether a correction may replace the answer it was made from
"""

STEPS = ("assign", "propose", "peer_review", "self_correct", "conclude")
"""Names of the steps of a council, besides those that check its conclusion."""
