"""The parts that every channel needs and no channel owns. It imports no channel and no store.

    incoming       what people sent, as values
    access         who may ask and command; rights decides (pure), owner_claim makes the first owner
    limits         how much may be asked
    admission      accepts or refuses an incoming question, and tells askers who have to wait
    answering      answers one question: engine, delivery, memory; history loads the earlier messages
    apologies      ends a question whose job was given up
    stopping       stops answers
    interviews     guided interviews; interview_values, interview_reports, mission_packs belong to them
    explanations   finds the answer that somebody wants explained; answer_view words what it shows
    languages      the language of messages to a person; modes finds a mode by the name that somebody typed
    people, keys   values stored about chats, people and questions, and the keys of stored texts
    stores         protocols of the store; `bot.storage` implements them
    messenger      protocol for sending, which each channel implements

To add a channel that talks in chats, see first whether its ids fit: the ids of people, chats and messages
are numbers so far, here (`incoming`, `keys`) and in the tables of `bot.storage`. Then:

    1. Give its conversations and people keys of their own in `keys.py`, and name the channel in `Channel` of
       `bot/statistics/values.py`.
    2. Write a section of settings in `bot/settings/sections.py`, with a field in `bot/settings/tree.py`.
    3. Parse its updates into the values of `incoming`, and implement `messenger.Messenger`.
    4. Combine both with the parts that all channels share (`bot.parts`), as `bot.telegram.wiring` does.
    5. Open it in `bot/serve.py`, and add the work of its jobs to `_works` there.
"""
