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

To add a channel that talks in chats: parse its updates into the values of `incoming`, implement
`messenger.Messenger`, put both together with the parts that all channels share (`bot.parts`) as
`bot.telegram.wiring` does, start it in `bot.serve`, and name it in `bot.statistics.values.Channel` and in
`keys`. Ids of chats and people are numbers so far.
"""
