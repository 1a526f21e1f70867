label-verified = verified against the documents
label-general = general knowledge or the conversation, not from the documents
label-unverified = not verified: check it before you rely on it
label-not_in_documents = not in the documents
sources = Sources
nearest-sources = Closest passages
you = you
chat-welcome = Ask about your documents. /help lists the commands, Ctrl-D leaves.
chat-help =
    /why      how the last answer came about
    /sources  the passages behind it
    /reset    forget this conversation
    /quit     leave (Ctrl-D does it too)
chat-resumed = Going on with this conversation ({ $messages ->
    [one] 1 message
   *[other] { $messages } messages
}); /reset forgets it.
chat-reset = Forgotten. What would you like to know?
chat-nothing-yet = There is no answer yet.
chat-no-sources = The last answer used no documents.
chat-unknown-command = There is no command { $command }; /help lists them.
chat-stopped = Stopped. The conversation is kept.
chat-not-stored = The answer is not stored: { $reason }
chat-bye = Good-bye. The conversation is kept.
step-recall = remembering the conversation
step-classify = reading the message
step-draft = drafting
step-probe = looking into the documents
step-cover = looking whether the documents cover this
step-evaluate = checking
step-judge = asking the judge
step-retrieve = reading the documents
step-regenerate = writing from the documents
step-rewrite = searching in other words
model-failed = The model failed: { $reason }
