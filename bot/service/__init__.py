"""The parts that every channel needs and no channel owns. It imports no channel and no store.

What comes in, and whether it is taken:

    incoming         what people sent, as values
    keys             the channels, the ids of people and chats, and the keys of stored texts
    access           who may ask and command; `rights` decides (pure), `owner_claim` makes the first owner
    access_requests  strangers who ask for access; `strangers` limits what of theirs is recorded
    limits           how much may be asked; `interview_limits` and `councils` for the dearer kinds of work
    admission        accepts or refuses an incoming question, and tells askers who have to wait
    plain_questions  finds a question to nobody in a group that the documents clearly answer
    logins           one-time links and tokens of the console

What answers:

    answering        answers one question: engine, delivery, memory; `history` loads the earlier messages
    runs             the events of answers, councils and interviews, for whoever watches
    interviews       guided interviews; `interview_*` and `mission_packs` belong to them
    voice_questions  turns a recording into text
    stopping         stops answers
    apologies        ends a question whose job was given up
    spending         counts the tokens of jobs
    fence            keeps a machine from acting that its fleet may declare dead

What is said about answers:

    explanations     finds the answer that somebody wants explained; `bot.views` words it
    languages        the language of messages to a person; `modes` finds a mode by the name that was typed
    given_answers    the place of answers that administrators gave
    digest           when the weekly digest is due

What stands outside, as protocols and values:

    stores           the store; `bot.storage` implements it
    messenger        sending; each channel that talks in chats implements it
    people, errors   values about chats, people and questions, and the errors of both protocols

"To add a channel" is in CONTRIBUTING.md.
"""
