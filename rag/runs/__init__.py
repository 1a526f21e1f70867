"""What every engine is made of: work that has steps, and the texts that the steps compare.

work         any work made of steps: costs, trace, events and model calls
run          one question: the tools of its steps, and how thoroughly it is checked
layers       which layers check an answer, by mode and settings
candidates   a text with its verdict, and its label (pure)
weighing     whether a verdict is accepted, judged, or checked against the documents (pure)
replacement  whether one version of an answer can replace another (pure)
"""
