no-model-passages = No language model is available right now, so this is no answer of its own. These passages of the documents come closest to the question:
no-model = No language model is available right now, and the documents hold nothing close to this. Please try again later.
nearest = The closest documents: { $sources }.
budget-exhausted = This question used up what one question may cost before there was an answer. Please ask something narrower.
budget-passages = There was no budget left to write an answer to this question. These passages of the documents come closest:
spent-passages = What may be spent here in a day is used up until 00:00 UTC, so this is no answer of its own. These passages of the documents come closest to the question:
spent = What may be spent here in a day is used up until 00:00 UTC, and the documents hold nothing close to this. Please ask again later.
unusable-passages = No usable answer came out of several attempts. These passages of the documents come closest to the question:
