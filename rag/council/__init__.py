"""The council: models answer, criticise each other anonymously, correct themselves, and one concludes.

    values       what each stage leaves, as values that can be stored and shown
    anonymity    which letter stands for whose answer, for each reviewer
    ballots      reads a review; only an exact ranking of the shown letters counts
    aggregation  the rankings of all reviewers as one
    feedback     what a member is told of its peers' reviews
    corrections  whether a correction may replace the answer it was made from

These modules are pure: nothing in them asks a model.
"""
