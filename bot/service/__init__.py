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

    explanations     finds the answer that somebody wants explained; `answer_view` and `council_view` word it
    languages        the language of messages to a person; `modes` finds a mode by the name that was typed
    given_answers    the place of answers that administrators gave
    digest           when the weekly digest is due

What stands outside, as protocols and values:

    stores           the store; `bot.storage` implements it
    messenger        sending; each channel that talks in chats implements it
    people, errors   values about chats, people and questions, and the errors of both protocols

To add a channel that talks in chats:

    1. Name the channel in `Channel` and in the patterns of `keys.py`, and make the ids of its people and
       chats with `keys.peer` and `keys.group`, as `bot.telegram.ids` does. Ids of messages and topics are
       numbers: a channel that has others counts its own.
    2. Write a section of settings in `bot/settings/sections.py`, with a field in `bot/settings/tree.py`,
       where `has_bot` says whether a channel is set up; a key that is sent to an address goes into
       `sources.py`.
    3. Write its room, ``bot/NAME``: parse its updates into the values of `incoming`, implement
       `messenger.Messenger`, and combine both with the parts that all channels share (`bot.parts`), as
       `bot.telegram.wiring` does. The kinds of its jobs must differ from those of other channels.
    4. Open it in `bot/serve.py`, add the work of its jobs to `_works` there, and hand its failed jobs to it
       in `failed`; a webhook is a route in `bot/serve_http.py`.
    5. Name the room in the layers of `pyproject.toml`, and its library where `telegram` is forbidden there;
       add a check of its settings to `bot/doctor/checks.py` and to the handbook.
"""
