"""What every channel needs and no channel owns. It imports no channel and no store.

    incoming       what people sent, as values
    access         who may ask and command; rights decides (pure), owner_claim makes the first owner
    limits         how much may be asked
    admission      a question comes in: kept or refused, and who waits is told so
    answering      one question on its way: engine, delivery, memory; history is what was said before it
    apologies      a question was given up
    stopping       answers are stopped
    interviews     guided interviews; interview_values, interview_reports, mission_packs belong to them
    explanations   what stands behind an answer
    people, keys   what is kept of chats, people and questions, and under which keys
    stores         what is asked of the store; `bot.storage` fulfils it
    messenger      the way out, which each channel implements

To add a channel that talks in chats: parse what comes in into the values of `incoming`, implement
`messenger.Messenger`, put both together as `bot.telegram.wiring` does, start it in `bot.serve`, and name it
in `bot.statistics.values.Channel` and in `keys`. Ids of chats and people are numbers so far.
"""
