label-verified = verified against the documents
label-general = general answer, not from the documents
label-unverified = not verified: check it before you rely on it
label-not_in_documents = not in the documents
mode-quick = quick: free checks and comparison with the documents only, usually 1–2 model calls
mode-balanced = balanced: a judge decides where the checks do not, usually 1–3 model calls
mode-careful = careful: a reviewer reads every answer, a critic those that are not verified, usually 2–7 model calls
sources = Sources
nearest-sources = Closest passages
you = you
chat-welcome = Ask about your documents. /help lists the commands, Ctrl-D leaves.
chat-help =
    /why      how the last answer came about
    /sources  the passages behind it
    /mode     how much checking: quick, balanced or careful
    /reset    forget this conversation
    /quit     leave (Ctrl-D does it too)
chat-resumed = Going on with this conversation ({ $messages ->
    [one] 1 message
   *[other] { $messages } messages
}); /reset forgets it.
chat-reset = Forgotten. What would you like to know?
reset-confirm = Forget this conversation for everybody here? This cannot be undone.
reset-admins = In a group, only its administrators and those of this bot can make me forget the conversation.
group-admins-unknown = Telegram did not tell me just now who administers this group. Please try again in a moment.
chat-mode = Mode: { $description }
chat-mode-unknown = There is no mode { $mode }; there are:
chat-nothing-yet = There is no answer yet.
chat-no-sources = The last answer used no documents.
chat-unknown-command = There is no command { $command }; /help lists them.
chat-stopped = Stopped. The conversation is kept.
chat-not-stored = The answer is not stored: { $reason }
chat-bye = Good-bye. The conversation is kept.
step-recall = remembering the conversation
step-classify = reading the message
step-draft = drafting
step-continue = writing on from the cut
step-probe = looking into the documents
step-cover = looking whether the documents cover this
step-evaluate = checking
step-judge = asking the judge
step-review = asking the reviewer
step-compare = comparing the versions
step-retrieve = reading the documents
step-choose = looking for the sentence that answers
step-read = reading a passage once more
step-regenerate = writing from the documents
step-rewrite = searching in other words
step-critique = asking the critic
step-second_opinion = asking a second critic
step-standalone = reading the question with what was said before
step-refine = refining
model-failed = The model failed: { $reason }
not-checked-yet = ⏳ Not checked yet
progress-reading = reading { $documents ->
    [one] { $documents } document
   *[other] { $documents } documents
}
sources-none = This answer used no documents.
tokens-short = { $tokens } tok
duration-milliseconds = { $count } ms
duration-seconds = { $count } s
duration-minutes = { $minutes } min { $seconds } s
duration-hours = { $hours } h { $minutes } min
why-failed = No language model could write an answer, so this is what could be given all the same.
why-small-talk = Small talk: answered at once, nothing was looked up.
why-general = The documents do not cover this, so it comes from general knowledge or from our conversation.
why-confirmed = The first draft agrees with the documents, so it stayed as it was.
why-read = Written from { $documents ->
    [one] { $documents } document
   *[other] { $documents } documents
}; each number in brackets was checked against its source.
why-corrected = The first draft did not hold up, so the answer was written again from { $documents ->
    [one] { $documents } document
   *[other] { $documents } documents
}; each number in brackets was checked against its source.
why-unverified = The answer could not be confirmed, so check it before you rely on it.
why-not-found = The documents were searched and do not hold the answer.
why-verdict = Verdict: { $quality } ({ $percent } % sure, { $source })
why-score = Critic’s score: { $percent } %
why-calls = { $calls ->
    [one] { $calls } model call
   *[other] { $calls } model calls
}
why-tokens = { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}
why-corrections = corrections: { $count }
why-cost = cost: { $cost }
why-savings = Saved by free checks: { $calls ->
    [one] { $calls } judge call
   *[other] { $calls } judge calls
}, about { $tokens } tokens
verdict-rules = by free rules
verdict-evidence = by comparison with the documents
verdict-judge = by the judge model
verdict-reading = by a second reading
plain-number = { $value }
plain-percent = { $percent }%
plain-amount = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 9) }
cost-unknown = price unknown
cost-least = at least { $cost }
size-bytes = { $count } B
size-kilobytes = { $count } kB
size-megabytes = { $count } MB
size-gigabytes = { $count } GB
button-useful = 👍 Useful
button-wrong = 👎 Wrong
button-sources = 📄 Sources
button-why = 🔎 Why
button-stop = ⏹ Stop
button-chosen = ✓ { $button }
press-gone = This answer is not kept any more, so its buttons can do nothing.
press-not-yours = Only the person who asked can rate this answer.
press-useful = Thank you, noted as useful.
press-wrong = Thank you, noted as wrong. The administrators see it in their list.
press-taken-back = Taken back.
press-shown = It is shown in this chat already.
press-not-to-stop = Only the person who asked, or an administrator, can stop this answer.
press-finished = This answer is finished already.
press-working = This question is still being answered.
stop-done = { $answers ->
    [one] Stopped.
   *[other] Stopped { $answers } answers.
}
stop-nothing = There is nothing to stop: no answer to you is being written here.
answer-stopped = ⏹ Stopped.
answer-caption = 📎 Only the words were read, not what they were sent with.
answer-queued = ⏳ In the queue: { $ahead ->
    [one] one question comes
   *[other] { $ahead } questions come
} before this one.
answer-failed = Sorry, this question could not be answered: something is broken on my side. Please ask again later, and tell the administrators if it goes on.
command-failed = Sorry, this command could not be carried out: something is broken on my side. Please send it again later, and tell the administrators if it goes on.
press-failed = Sorry, that could not be done: something is broken on my side. Please try again later, and tell the administrators if it goes on.
ask-how = Write your question behind the command: /ask How do I start?
question-too-long = The question has { $characters } characters and may have { $limit }. Please ask in fewer words.
question-unreadable = I cannot read this as text. Please send the question as plain text.
question-file = I have not read { $name }. To add it to the documents, reply /add to it, or send it again with the caption /add.
refused-private = I do not know you yet. An administrator of this bot can let you in: give them your id, { $user }.
refused-private-groups = I answer in groups only. An administrator of this bot can let you in here as well: give them your id, { $user }.
refused-person = An administrator of this bot has closed it to you.
refused-group = This group may not ask me yet. An administrator of this bot can allow it with /allow, its id is { $chat }.
refused-group-admin = This group is not allowed yet, and everybody here would read the answer. Send /allow here to allow it.
refused-anonymous = I cannot tell who you are while you write anonymously. Please write under your own name.
refused-admins-only = Only administrators of this bot can do that.
refused-named-only = That needs a person with a name: please turn anonymous writing off and send it again.
refused-yourself = You cannot do that to yourself.
refused-owner-only = Only the owner of this bot can do that.
limit-user-minute = That is the limit of your questions within a minute ({ $limit }). I answer again in { $seconds } s.
limit-user-hour = That is the limit of your questions within an hour ({ $limit }). I answer again in { $minutes } min ({ $until } UTC).
limit-chat-minute = That is the limit of this chat’s questions within a minute ({ $limit }). I answer again in { $seconds } s.
limit-user-commands = That is the limit of your commands within a minute ({ $limit }). I take the next one in { $seconds } s.
limit-chat-commands = That is the limit of this chat’s commands within a minute ({ $limit }). I take the next one in { $seconds } s.
limit-chat-budget = What this chat may use in a day is used up. I answer again from { $until } UTC.
limit-queue = Too many questions are waiting here already ({ $limit }). Please ask again when some of them are answered.
command-start = what this bot does
command-help = the commands
command-ask = ask a question: /ask How do I start?
command-mode = how much checking: quick, balanced or careful
command-why = how the last answer came about
command-sources = the passages behind the last answer
command-stop = stop the answer in progress
command-reset = forget this conversation
command-language = the language I speak to you
command-privacy = what is kept of you: see, export, delete
command-claim = become the owner with the code from the log
command-documents = the documents and their passages
command-add = add a document: send the file with this caption
command-remove = remove an added document: /remove NAME
command-reindex = read the documents again; /reindex rebuild: all of them
command-stats = questions, labels, tokens, cost and time
command-unanswered = what the documents did not answer
command-allow = let a person or this group ask: /allow ID
command-deny = close the bot to a person or this group: /deny ID
command-admins = who may command; the owner adds and removes
command-health = is everything working?
answer-late = I was away for a while, so what you asked here then was not answered. Please ask again what still matters.
command-late = I was away when you sent { $command }, so it was not carried out. Please send it again if it is still wanted.
admin-second-poller = ⚠️ A second program receives the messages of this bot with the same token, so each of the two misses some of them. Stop one of them, or give one its own token from @BotFather.
admin-failed = ⚠️ A question or a command was given up because of an error on my side: { $reason }. The log says more.
admin-gap = ⚠️ I was away for { $hours } hours. Telegram keeps messages for 24 hours only: what was sent before that is lost.
admin-spent = ℹ️ The chat { $chat } has used up its tokens of today ({ $tokens }, limits.chat_tokens_per_day). Until { $until } UTC no model answers there.
admin-trouble = ⚠️ I accept nothing new at the moment: { $reason }. What was accepted is kept.
admin-well = ✅ Work can be recorded again; I go on.
start-what = I am { $name }. I answer questions from { $documents ->
    [0] documents, of which there are none yet
    [one] { $documents } document
   *[other] { $documents } documents
} and check each answer before you rely on it.
start-private = Just write your question.
start-group = Here, mention @{ $username }, reply to one of my messages, or write /ask and your question.
start-label = Below each answer you see how far it can be trusted, and its sources.
start-discreet = What is not addressed to me I neither answer nor keep.
start-admin = You administer this bot: send a file with the caption /add to add a document, /health shows whether everything works.
start-help = /help lists the commands.
start-unclaimed = Nobody owns this bot yet. If it is yours, send /claim and the code from its log.
help-title = What you can send me:
help-admins = For administrators:
command-elsewhere = Please send { $command } to me in our private chat.
confirm-yes = Yes
confirm-no = No
confirm-dropped = Nothing was changed.
press-not-asked = Only the person who sent the command can decide this.
press-too-late = This button can do nothing any more. Please send the command again.
mode-title = How much shall I check the answers in this chat?
mode-admins = In a group, administrators of this bot choose the mode.
mode-name-quick = quick
mode-name-balanced = balanced
mode-name-careful = careful
language-name = English
language-choose = Which language shall I speak to you? Answers come in the language of their question.
language-unknown = I do not speak { $name }.
language-telegram = as in Telegram
language-set = From now on I speak English to you.
privacy-kept = What is kept of you, besides your name, language and id:
    · messages of our conversations: { $messages }
    · questions in the administrators’ lists: { $questions }
    · records of work for you, with the words of your messages: { $jobs }
    · notes on your requests and on what you were told: { $others }

    Deleting takes all of that away, but for sums that name nobody, what administrators decided about your id, and for two days the moments of your questions and commands. The record of the deletion itself, and records of what others send that quote you, disappear by themselves after { $days } days.
privacy-export = 📥 Export as a file
privacy-erase = 🗑 Delete everything
privacy-exported = The file is in this chat.
privacy-file = Everything that is kept of you, as JSON.
privacy-confirm = Delete everything that is kept of you? What is being done for you stops. This cannot be undone.
privacy-erased = Deleted: messages ({ $messages }), questions ({ $questions }), records of work ({ $jobs }), and everything else that was kept of you. The record of this deletion, and records of what others send that quote you, disappear by themselves after { $days } days.
claim-how = Send /claim and the code that stands in the log of the running bot.
claim-owner = You are the owner of this bot now. Send a file with the caption /add to add a document, /allow and an id to let people in; /help lists everything.
claim-yours = You own this bot already, so there is nothing to claim. Send a file with the caption /add to add a document; /help lists everything.
claim-wrong = This code is wrong. The right one stands in the log of the running bot, and each start makes a new one.
claim-too-many = Too many wrong codes. A restart of the bot makes a new one.
claim-closed = This bot has an owner already.
claim-not-private = Please send /claim to me in our private chat, under your own name.
allow-how = Send /allow and an id, reply /allow to a message of a person, or send /allow in a group to allow the group.
deny-how = Send /deny and an id, reply /deny to a message of a person, or send /deny in a group to close it.
allow-person = { $id } may ask now.
allow-group = The group { $id } may ask now.
deny-person = { $id } may not ask any more.
deny-group = The group { $id } may not ask any more.
decided-unknown = Nothing has ever come from this id, so check that it is right.
admins-title = Who may command:
admins-how = The owner adds with /admins add ID and removes with /admins remove ID.
role-owner = owner
role-admin = administrator
admins-confirm-add = Make { $id } an administrator?
admins-confirm-remove = Make { $id } no longer an administrator?
admins-added = { $id } is an administrator now.
admins-already = { $id } is an administrator already.
admins-removed = { $id } is no administrator any more.
admins-none = { $id } is no administrator. /admins lists them.
documents-none = There are no documents yet. Send a file with the caption /add.
documents-title = Files: { $documents } (page { $page } of { $pages })
documents-how = /documents lists the files, /documents 2 shows the second page.
documents-passages = { $passages ->
    [one] { $passages } passage
   *[other] { $passages } passages
}
documents-added = added in Telegram
documents-more-notes = … and { $notes } more
phase-reading = reading
phase-embedding = comparing
phase-writing = writing
reindex-began = ⏳ Reading the documents. Questions go on meanwhile.
reindex-running = The documents are being read already: { $who } began it at { $since }. Please wait until it is done.
reindex-elsewhere = Another program is reading the documents. Please try again when it is done.
reindex-failed = The documents could not be read: { $reason }. What was read before still answers.
reindex-confirm = Read and prepare all documents again? That can take long; questions go on meanwhile.
reindex-how = /reindex reads what has changed, /reindex rebuild reads everything again.
reindex-done = ✔ Documents: { $documents }, passages: { $passages }, in { $seconds }
reindex-changes = new: { $added } · changed: { $changed } · removed: { $removed } · files with faults: { $failed }
add-how = Send a file with the caption /add, or reply /add to a file. It may have up to { $size } and one of these endings: { $endings }.
add-kind = { $name } is of a kind that I cannot read. I read { $endings }.
add-too-big = { $name } is too big: a file may have up to { $size }.
add-gone = Telegram did not hand out { $name }. Please send the file again.
add-failed = { $name } could not be stored: { $reason }
add-unreadable = { $name } cannot be read, so it is not among the documents: { $reason }
add-not-indexed = { $name } is stored, but not searched yet: { $reason }. Send /reindex later.
add-began = ⏳ Reading { $name } …
add-done = ✔ Added { $name }. Passages: { $passages }
add-replaced = ✔ Replaced { $name }. Passages: { $passages }
add-confirm = There is a document { $name } already. Replace it?
remove-how = Send /remove and the name of a document that was added in Telegram; /documents lists them.
remove-confirm = Remove { $name }? Answers will not use it any more.
remove-began = ⏳ Removing { $name } …
remove-done = ✔ Removed { $name }.
remove-not-indexed = { $name } is deleted, but answers may still use it: { $reason }. Send /reindex later.
remove-corpus = { $name } was not added in Telegram. It lies in { $path }: delete it there, then send /reindex.
remove-namesake = The document of that name that was added in Telegram is called { $name }: send /remove { $name } to remove it.
remove-similar = There is no added document { $name }. Did you mean: { $names }?
remove-unknown = There is no added document { $name }. /documents lists all of them.
stats-how = /stats shows 7 days, /stats 1 today, /stats 30 thirty days.
stats-title = Questions and what they took: { $period } (UTC)
stats-today = today
stats-days = { $days } days
stats-nothing = Nothing was asked.
stats-questions = questions
stats-people = people
stats-label-verified = verified
stats-label-general = general
stats-label-unverified = not verified
stats-label-not_in_documents = not in documents
stats-documents = used documents
stats-half = half within
stats-most = 19 of 20 within
stats-calls = model calls
stats-tokens = tokens in + out
stats-cost = cost
stats-saved = judge calls saved
saved-checks = free checks
saved-evidence = evidence
saved-repairs = repairs
stats-picture-questions = Questions a day
stats-picture-seconds = Seconds to the answer
stats-picture-half = half of the questions
stats-picture-most = 19 of 20
unanswered-title = What the documents did not answer in { $days } days, most frequent first:
unanswered-line = { $count }× { $question } (last: { $last })
unanswered-none = In { $days } days no question was found that the documents do not answer. Answers that nobody could check are not counted here; /stats counts them.
health-title = How I am:
health-database = database
health-jobs = work in progress
health-given-up = given up
health-documents = documents
health-none = none
health-models = models
health-backlog = waiting at Telegram
health-disk = disk
health-uptime = running for
health-version = version
health-fine = fine
health-silent = no answer
health-held = { $documents ->
    [one] { $documents } document
   *[other] { $documents } documents
}, { $passages ->
    [one] { $passages } passage
   *[other] { $passages } passages
}, version { $generation }
health-faults = files with faults: { $files }; /documents names them
health-free = { $size } free
