label-verified = verified against the documents
label-partly = the answer is verified against the documents, other sentences are not
label-conversation = from our conversation, not from the documents
label-general = general answer, not from the documents
label-unverified = not verified: check it before you rely on it
label-not_in_documents = not in the documents
label-person = answered by a person, not checked against the documents
mode-quick = quick: free checks and comparison with the documents only, usually 1–2 model calls
mode-balanced = balanced: a judge model decides when the checks cannot, usually 1–3 model calls
mode-careful = careful: a reviewer reads every answer and a critic scores those that are not verified, usually 2–7 model calls
sources = Sources
nearest-sources = Closest passages
you = you
chat-welcome = Ask about your documents. /help lists the commands, Ctrl-D quits.
chat-help =
    /why      how the last answer was made
    /sources  the passages behind it
    /mode     how thoroughly to check: quick, balanced or careful
    /settings where answers come from: /settings documents (only), /settings all
    /reset    forget this conversation
    /quit     leave (or press Ctrl-D)
chat-resumed = Continuing this conversation ({ $messages ->
    [one] 1 message
   *[other] { $messages } messages
}); /reset forgets it.
chat-reset = Forgotten. What would you like to know?
reset-confirm = Forget this conversation for everyone here? This cannot be undone.
reset-admins = In a group, only its administrators and the administrators of this bot can reset the conversation.
group-admins-unknown = I could not find out who administers this group. Please try again in a moment.
chat-mode = Mode: { $description }
chat-mode-unknown = There is no mode { $mode }. Choose one of these:
chat-nothing-yet = There is no answer yet.
chat-unknown-command = There is no command { $command }; /help lists them.
chat-stopped = Stopped. The conversation is saved.
chat-not-stored = The answer could not be saved: { $reason }
chat-bye = Goodbye. The conversation is saved.
step-recall = recalling the conversation
step-classify = reading the message
step-draft = drafting
step-continue = finishing a text that was cut off
step-probe = searching the documents
step-cover = checking whether the documents cover this
step-evaluate = checking
step-judge = asking the judge
step-review = asking the reviewer
step-compare = comparing the versions
step-retrieve = reading the documents
step-read = rereading a passage
step-regenerate = writing from the documents
step-rewrite = searching with other words
step-critique = asking the critic
step-second_opinion = asking a second critic
step-standalone = putting the question into context
step-refine = improving the answer
step-interpret = reading what was said
step-extract = looking for one fact
step-gate_check = checking whether everything is there
step-word = wording the document
model-failed = The model failed: { $reason }
not-checked-yet = ⏳ Not checked yet
progress-reading = reading { $documents ->
    [one] { $documents } document
   *[other] { $documents } documents
}
sources-none = This answer did not use any documents.
tokens-short = { $tokens } tok
duration-milliseconds = { $count } ms
duration-seconds = { $count } s
duration-minutes = { $minutes } min { $seconds } s
duration-hours = { $hours } h { $minutes } min
why-failed = No language model could write an answer, so this is the best I could do without one.
why-small-talk = Small talk: answered directly, without looking anything up.
why-general = The documents do not cover this, so the answer comes from general knowledge.
why-confirmed = The first draft agrees with the documents, so it was kept.
why-read = Written from { $documents ->
    [one] { $documents } document
   *[other] { $documents } documents
}; each numbered citation was checked against its source.
why-corrected = The first draft did not hold up, so the answer was rewritten from { $documents ->
    [one] { $documents } document
   *[other] { $documents } documents
}; each numbered citation was checked against its source.
why-partly = The documents confirm the sentence that answers, but not all the others; those are listed below the answer.
why-conversation = Our conversation says this; the documents do not.
why-unverified = The answer could not be confirmed, so check it before you rely on it.
why-not-found = I searched the documents, and they do not contain the answer.
why-person = A person who knows has answered this.
why-verdict = Verdict: { $quality } ({ $percent } % sure, { $source })
why-details = Steps and figures
why-score = Critic’s score: { $percent } %
why-not-reviewed = Not reviewed.
why-not-reviewed-in-mode = Not reviewed in this mode ({ $mode }).
why-unrefined = Before the critic had it improved:
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
verdict-person = by a person
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
press-gone = This answer is no longer stored, so its buttons have expired.
press-not-yours = Only the person who asked can rate this answer.
press-useful = Thank you! Rated as useful.
press-wrong = Thank you! Rated as wrong. The administrators will see it in their list.
press-taken-back = Rating removed.
press-shown = It is already shown in this chat.
press-sent = I have sent it to you in our private chat.
press-start-first = To get all of it, press Start in a private chat with me: @{ $username }
press-not-to-stop = Only the person who asked or an administrator can stop this answer.
press-finished = This answer is already finished.
press-working = This question is still being answered.
stop-done = { $answers ->
    [one] Stopped.
   *[other] Stopped { $answers } answers.
}
stop-nothing = I am not working on any of your questions here.
answer-stopped = ⏹ Stopped.
answer-caption = 📎 I read only the text, not the attachment.
answer-failed = Sorry, I could not answer this question because of an error on my side. Please ask again later. If it keeps happening, tell an administrator.
command-failed = Sorry, I could not carry out this command because of an error on my side. Please send it again later. If it keeps happening, tell an administrator.
press-failed = Sorry, that did not work because of an error on my side. Please try again later. If it keeps happening, tell an administrator.
ask-how = Write your question after the command: /ask How do I start?
question-too-long = Your question has { $characters } characters; the limit is { $limit }. Please shorten it.
question-unreadable = I cannot read this as text. Please write it as plain text.
question-file = I have not read { $name }. To add it to the documents, reply to it with /add, or send it again with the caption /add.
question-files = I have not read { $name }. To add them to the documents, send them again with the caption /add.
question-unheard = I cannot listen to voice messages: no server that turns speech into text is set up. Please write your question.
refused-private = You do not have access to this bot yet. An administrator can give you access: send them your id, { $user }.
refused-private-groups = I answer only in groups. An administrator of this bot can give you access here too: send them your id, { $user }.
refused-person = An administrator has blocked your access to this bot.
refused-group = This group does not have access to this bot yet. An administrator of the bot can allow it with /allow. The group’s id is { $chat }.
refused-group-admin = This group is not allowed yet, and everyone here would see the answer. Send /allow here to allow it.
refused-anonymous = I cannot tell who you are while you post anonymously. Please write under your own name.
refused-admins-only = Only administrators of this bot can do that.
refused-named-only = You are posting anonymously. Turn off “Remain anonymous” and try again.
refused-yourself = You cannot do that to yourself.
refused-owner-only = Only the owner of this bot can do that.
limit-user-minute = You have reached the limit of questions per minute ({ $limit }). Try again in { $seconds } s.
limit-user-hour = You have reached the limit of questions per hour ({ $limit }). Try again in { $minutes } min ({ $until }).
limit-chat-minute = This chat has reached its limit of questions per minute ({ $limit }). Try again in { $seconds } s.
limit-user-commands = You have reached the limit of commands per minute ({ $limit }). Try again in { $seconds } s.
limit-chat-commands = This chat has reached its limit of commands per minute ({ $limit }). Try again in { $seconds } s.
limit-bot-budget = I have used up my allowance for today. I will answer again from { $until }.
limit-chat-budget = This chat has used up its allowance for today. I will answer again from { $until }.
limit-user-budget = You have used up your allowance for today. I will answer you again from { $until }.
limit-queue = Too many questions are already waiting here ({ $limit }). Please ask again when some of them have been answered.
command-start = what this bot does
command-help = list the commands
command-ask = ask a question: /ask How do I start?
command-mode = how thoroughly to check: quick, balanced or careful
command-model = which model writes the answers
command-settings = what is chosen for this chat, and whether only documents may answer
command-why = how the last answer was made
command-sources = the passages behind the last answer
command-stop = stop the answer in progress
command-reset = forget this conversation
command-language = choose the language I use with you
command-privacy = your stored data: view, export, delete
command-claim = become the owner with the code from the log
command-documents = the documents and their passages
command-add = add a document: send the file with this caption
command-remove = remove an added document: /remove NAME
command-reindex = read the documents again; /reindex rebuild: all of them
command-stats = questions, labels, tokens, cost and time
command-unanswered = questions that the documents did not answer
command-allow = let a person or this group ask: /allow ID
command-deny = block a person or this group: /deny ID
command-admins = list the administrators; the owner adds and removes them
command-health = check that everything works
command-console = open the web console
answer-late = I was offline for a while and could not answer what was asked here. Please ask again if it still matters.
command-late = I was away when you sent { $command }, so it was not carried out. Please send it again if it is still wanted.
admin-second-poller = ⚠️ A second program receives the messages of this bot with the same token, so each of the two misses some of them. Stop one of them, or give one its own token from @BotFather.
admin-failed = ⚠️ I gave up on a question or command because of an error: { $reason }. See the log for details.
admin-gap = ⚠️ I was offline for { $hours } hours. Telegram keeps messages for only 24 hours, so anything sent before that is lost.
admin-spent = ℹ️ The chat { $chat } has used up its tokens for today ({ $tokens }, limits.chat_tokens_per_day). No model will answer there until { $until }.
admin-spent-bot = ℹ️ I have used up my tokens for today ({ $tokens } of { $limit }, limits.bot_tokens_per_day). No model will answer anywhere until { $until }.
admin-nearly-spent-bot = ℹ️ I have used { $tokens } of my { $limit } tokens for today (limits.bot_tokens_per_day). When they are used up, no model will answer until { $until }.
admin-trouble = ⚠️ I cannot accept anything new right now: { $reason }. Everything accepted so far is safe.
admin-well = ✅ I can record work again and am carrying on.
start-what = I am { $name }. I answer questions from { $documents ->
    [0] documents (none have been added yet)
    [one] { $documents } document
   *[other] { $documents } documents
} and check each answer before you rely on it.
start-private = Just send me your question.
start-group = Here, mention @{ $username }, reply to one of my messages, or send /ask and your question.
start-label = Below each answer you see how far you can trust it, and its sources.
start-discreet = I ignore messages that are not addressed to me, and I do not store them.
start-admin = You are an administrator of this bot: send a file with the caption /add to add a document; /health shows whether everything works.
start-help = /help lists the commands.
start-unclaimed = This bot has no owner yet. If it is yours, send /claim and the code from its log.
profile-long = Ask me in your own words. I answer from your team’s documents, name the sources, and check each answer before you rely on it: below it you see how far you can trust it. Press Start, or just send your question.
profile-short = Answers from your team’s documents, with sources, and checks its own answers.
help-title = Commands:
help-admins = For administrators:
command-elsewhere = Please send { $command } in a private chat with me.
confirm-yes = Yes
confirm-no = No
confirm-dropped = Nothing was changed.
press-not-asked = Only the person who sent the command can decide this.
press-too-late = This button has expired. Please send the command again.
mode-title = How thoroughly should I check the answers in this chat?
mode-admins = In a group, only administrators of this bot can choose the mode.
model-title = Which model should write the answers in this chat?
model-usual = as the settings say ({ $name })
model-set = The model is chosen. It writes the answers from now on.
model-gone = This model is no longer offered.
model-none = There is no other model to choose here. The operator lists models in the setting models.choices.
model-unknown = There is no model { $name } to choose. Choose one of these:
model-admins = In a group, only administrators of this bot can choose the model.
settings-title = Settings of this chat:
settings-admins = In a group, only administrators of this bot can change the settings.
settings-choose = Choose: /settings documents or /settings all
documents-only-on = Answers come from the documents only: what only general knowledge could answer is called not in the documents.
documents-only-off = General knowledge may answer too; such an answer is labelled so.
button-documents-only = documents only
mode-name-quick = quick
mode-name-balanced = balanced
mode-name-careful = careful
language-name = English
language-choose = Which language should I use with you? Answers come in the language of the question.
language-unknown = I do not speak { $name }.
language-telegram = same as Telegram
language-set = From now on I will use English with you.
privacy-kept = Data stored about you:
    · messages of our conversations: { $messages }
    · questions in the administrators’ lists: { $questions }
    · records of work for you, with the text of your messages: { $jobs }
    · internal entries about that work: { $others }
    · your name, language and id
    Deleting removes all of it. What remains: totals that name nobody, what administrators decided about your id, and, for two days, the times of your questions and commands. The record of the deletion itself, and records of other people’s messages that quote you, are deleted automatically after { $days } days.
privacy-export = 📥 Export as a file
privacy-erase = 🗑 Delete everything
privacy-exported = The file is in this chat.
privacy-file = Everything stored about you, as JSON.
privacy-confirm = Delete everything stored about you? Any answer or command in progress for you will be stopped. This cannot be undone.
privacy-erased = Deleted: messages ({ $messages }), questions ({ $questions }), records of work ({ $jobs }), and everything else stored about you. The record of this deletion, and records of other people’s messages that quote you, are deleted automatically after { $days } days.
claim-how = Send /claim and the code from the log of the running bot.
claim-owner = You are now the owner of this bot. Send a file with the caption /add to add a document, or /allow and an id to give someone access; /help lists everything.
claim-yours = You already own this bot. Send a file with the caption /add to add a document; /help lists everything.
claim-wrong = Wrong code. The current code is in the log of the running bot and changes with each start.
claim-too-many = Too many wrong codes. Restart the bot to get a new code.
claim-closed = This bot already has an owner.
claim-not-private = Please send /claim in a private chat with me, under your own name.
allow-how = Send /allow and an id, reply to a person’s message with /allow, or send /allow in a group to allow the group. `/allow link` makes a link that lets one person in.
allow-link = This link lets one person in, once, until { $day }. Send it to that person alone: { $link }
deny-how = Send /deny and an id, reply to a person’s message with /deny, or send /deny in a group to block the group.
allow-person = Access granted to { $id }.
allow-group = Access granted to the group { $id }.
deny-person = Access removed for { $id }.
deny-group = Access removed for the group { $id }.
decided-unknown = I have never received anything from this id, so check that it is correct.
request-sent = I have asked the administrators to give you access. You will hear from me when they have decided. If they ask for your id: { $user }.
request-waiting = The administrators have not decided about your request yet. You will hear from me when they have.
request-declined = The administrators have declined your request for access.
request-granted = You now have access. Send me your question; /help lists what I can do.
request-title = { $name } asks for access. Id: { $user }
request-allowed = { $name } asked for access. Allowed by { $admin }. Id: { $user }
request-refused = { $name } asked for access. Refused by { $admin }; /allow { $user } still gives access.
request-press-allowed = Access granted.
request-press-refused = Request refused.
request-was-allowed = This person already has access (decided by { $admin }).
request-was-refused = This request was already refused (decided by { $admin }). /allow { $user } still gives access.
request-gone = This request no longer exists. /allow { $user } gives access.
request-somebody = an administrator
button-request-allow = ✅ Allow
button-request-refuse = 🚫 Refuse
button-person = 👤 Ask a person
button-keep-reply = 📌 Keep this answer
button-reply-nameless = 🙈 Answer without my name
button-reply-named = 👤 Answer with my name
passed-title = { $name } asks, and the documents do not answer it:
passed-again = { $name } asked this earlier, and nobody has answered yet:
passed-said = What I could say:
passed-how = Reply to this message with the answer. { $name } gets it at once.
passed-nameless = Reply to this message, and { $name } gets your answer without your name.
passed-named = Reply to this message, and { $name } gets your answer with your name.
passed-sent = Sent to { $name }. Shall I answer this question with it from now on?
passed-done = { $name } has an answer:
passed-late = Thank you, but this was not sent: the question already has an answer, or was withdrawn.
passed-empty = Write the answer as text: files and pictures are not passed on.
passed-not-yours = Only the person who answered, or an administrator, can keep this answer.
press-person-passed = Passed on. The answer comes here as soon as somebody replies.
press-person-waiting = This question is already with the people who know. Their answer comes here.
press-person-replied = This question has already been answered.
press-person-nobody = Nobody is set up to be asked about this.
admins-title = Owners and administrators:
admins-how = The owner adds administrators with /admins add ID and removes them with /admins remove ID.
role-owner = owner
role-admin = administrator
admins-confirm-add = Make { $id } an administrator?
admins-confirm-remove = Remove { $id } from the administrators?
admins-added = { $id } is now an administrator.
admins-already = { $id } is already an administrator.
admins-removed = { $id } is no longer an administrator.
admins-none = { $id } is not an administrator. /admins lists them.
documents-none = There are no documents yet. To add one, send a file with the caption /add.
documents-title = Files: { $documents } (page { $page } of { $pages })
documents-how = /documents lists the files; /documents 2 shows the second page.
documents-passages = { $passages ->
    [one] { $passages } passage
   *[other] { $passages } passages
}
documents-added = added
documents-more-notes = … and { $notes } more
phase-reading = reading
phase-embedding = preparing the search
phase-writing = saving
reindex-began = ⏳ Reading the documents. You can keep asking questions.
reindex-running = The documents are already being read: { $who } started it at { $since }. Please wait until it has finished.
reindex-elsewhere = Another program is reading the documents. Please try again when it has finished.
reindex-failed = The documents could not be read: { $reason }. Answers still use what was read before.
reindex-confirm = Read and prepare all documents again? This can take a long time; questions are still answered meanwhile.
reindex-how = /reindex reads what has changed; /reindex rebuild reads everything again.
reindex-done = ✔ Documents: { $documents }, passages: { $passages }, in { $seconds }
reindex-changes = new: { $added } · changed: { $changed } · removed: { $removed } · failed: { $failed }
add-how = Send a file with the caption /add, or reply to a file with /add. Maximum size: { $size }. File types: { $endings }. Or send /add with the address of a web page or sitemap.
add-kind = I cannot read files of the type of { $name }. I can read { $endings }.
add-too-big = { $name } is too big. The maximum size is { $size }.
add-gone = I could not download { $name } from Telegram. Please send the file again.
add-failed = { $name } could not be saved: { $reason }
add-unreadable = { $name } could not be read, so it was not added: { $reason }
add-not-indexed = { $name } is saved, but cannot be searched yet: { $reason }. Send /reindex later.
add-began = ⏳ Reading { $name } …
add-done = ✔ Added { $name }. Passages: { $passages }
add-replaced = ✔ Replaced { $name }. Passages: { $passages }
add-confirm = A document named { $name } already exists. Replace it?
add-there = { $name } already exists and was not replaced. To replace it, send it by itself with the caption /add.
remove-how = Send /remove and the name of an added document; /documents lists them.
correct-how = Reply to one of my answers with /correct and the right answer, or with a file that has the caption /correct. Or send the question in the first line and its answer below: `/correct Which Java do we need?`, next line `Java 21.`
correct-title = Answers by administrators
correct-done = Thank you! From now on I answer { $question } with:
correct-replaced = It replaces an earlier answer to this question.
correct-set = It applies in chats with the document set { $name }, and in chats that may use all documents.
correct-undone = Your answer to { $question } was taken back. What applied before applies again.
correct-gone = This answer is no longer there.
button-undo-answer = ↩ Undo
answers-none = No administrator has given an answer yet.
answers-title = Answers by administrators: { $answers }
answers-line = · { $question } – { $name }, { $day }
answers-remove = To remove one, send /remove and its name.
press-wrong-admin = Rated as wrong. To give the right answer, reply to my answer with /correct and the right text, or with a file.
command-correct = give the right answer to a question
command-answers = list the answers that administrators gave
remove-confirm = Remove { $name }? Answers will no longer use it.
remove-began = ⏳ Removing { $name } …
remove-done = ✔ Removed { $name }.
remove-not-indexed = { $name } is deleted, but answers may still use it: { $reason }. Send /reindex later.
remove-corpus = { $name } was not added by /add. It is stored in { $path }: delete it there, then send /reindex.
remove-namesake = The added document of that name is called { $name }: send /remove { $name } to remove it.
remove-similar = There is no added document { $name }. Did you mean: { $names }?
remove-unknown = There is no added document { $name }. /documents lists all of them.
stats-how = /stats shows the last 7 days, /stats 1 today, /stats 30 the last 30 days.
stats-title = Usage: { $period } (UTC)
stats-today = today
stats-days = { $days } days
stats-nothing = No questions were asked.
stats-questions = questions
stats-people = people
stats-label-verified = verified
stats-label-partly = verified in part
stats-label-conversation = conversation
stats-label-general = general
stats-label-unverified = not verified
stats-label-not_in_documents = not in documents
stats-documents = used documents
stats-ratings = useful / wrong
stats-half = median
stats-most = 95 % within
stats-calls = model calls
stats-tokens = tokens in + out
stats-cost = cost
stats-saved = judge calls saved
saved-checks = free checks
saved-evidence = evidence
saved-repairs = repairs
stats-picture-questions = Questions a day
stats-picture-seconds = Seconds to the answer
stats-picture-half = median
stats-picture-most = 95 % of the questions
unanswered-title = Questions that the documents did not answer in the last { $days } days, most frequent first:
digest-title = 📋 The last week: { $questions } questions. { $open } of them were not answered or answered wrongly; readers marked { $wrong } as wrong:
digest-end = Reply to such an answer with /correct, or add a document with /add. /unanswered lists the last 30 days.
unanswered-line = { $count }× { $question } (last: { $last })
unanswered-none = No unanswered questions in the last { $days } days. Answers that could not be checked are not listed here; /stats counts them.
health-title = Status:
health-database = database
health-jobs = work in progress
health-given-up = failed work
health-documents = documents
health-none = none
health-models = models
health-backlog = waiting at Telegram
health-machines = machines
health-machine = { $name } (version { $version }, jobs: { $jobs }, last heartbeat { $ago } ago)
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
health-faults = failed files: { $files }; /documents lists them
health-read = last read { $at }
health-free = { $size } free
skipped-files = Not read: { $files } ({ $count }) – { $reason }
skipped-more = Other files that were not read: { $count }
button-file = 📄 [{ $n }] { $name }
press-no-file = This file is no longer available.
command-sets = choose which documents a chat may use
sets-how = /sets make NAME FOLDER_OR_PATTERN … makes a set (for example: /sets make hr hr/ "*.pdf"); /sets use NAME answers this chat from it, /sets use NAME CHAT_ID another one; /sets reset [CHAT_ID] goes back to all documents; /sets drop NAME deletes a set.
sets-none = There are no document sets, so every chat is answered from all documents.
sets-title = Document sets: { $sets }
sets-entry = { $name }: { $patterns } (files: { $files })
sets-here = This chat is answered from the set { $name } only.
sets-here-all = This chat is answered from all documents.
sets-used = { $chat } is answered from { $name } only.
sets-reset = { $chat } is answered from all documents.
sets-made = ✔ The set is saved. To use it, send /sets use in the chat.
sets-dropped = ✔ The set { $name } is deleted.
sets-in-use = A chat still uses the set { $name }. Reset that chat or give it another set first.
sets-unknown = There is no set { $name }. /sets lists them.
sets-too-many = There can be at most { $most } sets. Delete one with /sets drop first.
step-assign = reading the question and the documents
step-propose = asking a member
step-peer_review = having a member review the others
step-self_correct = having a member correct its answer
step-conclude = having the chairman conclude
council-stage1 = { $answered } of { $of } have answered …
council-stage2 = { $answered } of { $members } have answered; reviewing each other: { $done } of { $of } …
council-stage2-5 = Reviewed; correcting their answers: { $done } of { $of } …
council-stage3 = Corrected; the chairman is writing the answer …
council-single = No one could bring the answers together, so this is the answer of one member: { $seat }.
council-degraded = The council was not complete: { $faults }.
council-original = { $seat }: the first answer
council-corrected = { $seat }: the corrected answer
council-ranking = How the members ranked each other’s first answers, before they were corrected:
button-ranking = 🏅 Ranking
button-members = 👥 Members
button-fewer = ▴ Close
button-original = { $seat }: original
button-corrected = { $seat }: corrected
council-no-members = There is no council yet. Name its members in the setting `council.members`.
council-admins = Only administrators of this bot can ask the council. Send your question without /council to get an answer.
council-off = The council is switched off in this chat. An administrator of the bot can switch it on with /council on.
limit-council = This chat has reached its limit of questions to the council per day ({ $limit }). It can ask again from { $until }; until then send your question without /council.
council-no-answer = None of the council’s members answered. Please ask again later, or send your question without /council.
council-switched-on = The council can now be asked in this chat.
council-switched-off = The council can no longer be asked in this chat.
council-how = Write your question after the command, or reply to a message with /council: several models ({ $members }) answer it, review each other and correct themselves, and one draws the conclusion. That takes longer than a single answer. Limit per chat and day: { $limit }.
council-how-admins = /council off switches it off in this chat, /council on switches it on again.
command-council = ask several models that check each other: /council QUESTION
why-council = The answer of several models that reviewed and corrected each other; it was checked like any answer.
trail-step = Step
trail-outcome = What came out
trail-tokens = Tokens
trail-time = Time
council-original-title = Original Response
council-corrected-title = Corrected Response
council-first-kept = First answer kept
council-table = Common ranking of the first answers
council-stage1-title = Stage 1: First Answers
council-stage1-what = Each member answers on its own, without seeing the others. Numbers such as [1] are those of the passages that the members were given; the final answer counts its sources anew.
council-stage2-title = Stage 2: Reviews
council-stage2-what = Each member judges and ranks the answers of the others, without knowing whose they are.
council-stage2-5-title = Stage 2.5: Self-Corrections
council-stage2-5-what = Each member reads what the others said of its answer and corrects it. Words that only one of the two texts has are marked.
council-stage3-title = Stage 3: Conclusion
council-stage3-what = The chairman draws one answer from the corrected ones. It is then checked like any answer.
council-table-place = Place
council-table-member = Member
council-table-score = Score
council-table-votes = Votes
council-critiques = What the others said
council-at-work = At work …
council-done = Done
council-strengths = Strengths:
council-issues = Issues:
council-as-written = As it was written, before it was checked:
add-pages = Pages added in all: { $pages }

# Guided interviews.
command-interview = begin or resume a guided interview
command-status = how far the interview is
command-undo = take the last answer back
command-skip = leave the open question open
command-later = be asked the open question later
command-back = go back to the question before
command-cancel = end the interview; it asks first
command-finish = finish the interview
command-export = get the interview as a file
interview-choose = Which interview do you want to hold?
interview-skip = Skip
interview-back = Back
interview-finish = Finish
interview-report = { $name } has finished “{ $title }”: { $done } of { $total } settled.
interview-report-due = When the interview ends, a report of it goes to those who work with it.
interview-notes = Notes:
interview-none-open = No interview is open. /interview begins one.
interview-progress = { $title }: { $done } of { $total } settled
interview-besides = Besides
interview-no-value = there is none
interview-missing = Still missing:
interview-talk = What was said
interview-user = You
interview-assistant = Bot
interview-system = System
interview-status-collecting = Facts are being collected.
interview-status-gating = All facts are there; the last check is still to come.
interview-status-ready = Everything is there.
interview-status-blocked = No more questions may be asked.
interview-fact-confirmed = said by you
interview-fact-proposed = to be confirmed
interview-fact-disputed = contradictory
interview-fact-not-applicable = there is none
interview-fact-open = open
interview-complete = Everything is there. /finish ends the interview, /export hands it out; another message changes it.
interview-unchecked = Everything is there, but the last check could not be made. /finish tries it again.
interview-blocked = Nothing more is asked: what is missing was left open, or asked often enough. Write what you can add, write “continue” to be asked again, or end it with /finish.
interview-why = Why I ask: { $why }
interview-why-asked = What a model was asked:
interview-why-no-model = no model was asked: the answer was understood without one
interview-why-unusable = replies that could not be used and were asked for again: { $count }
interview-why-noted = What was noted:
interview-why-quoted = { $title }: { $value }, because you said “{ $quote }”
interview-why-assumed = { $title }: { $value }; you did not say this yourself, so you are asked to confirm it
interview-why-none = { $title }: there is none, because you said “{ $quote }”
interview-why-gone = { $title }: taken away, to be answered anew
interview-why-refused = What was not taken over:
interview-dropped-confirmed = you have confirmed another value, and only your answer to a question can change it
interview-dropped-moves-confirmed = it would have moved something that you have confirmed
interview-dropped-same-value = this value was noted already
interview-dropped-erases-without-quote = the model wanted to delete it, and you did not say so
interview-dropped-outside = it is outside what is collected
interview-dropped-impossible = it is not possible there; it is kept as a note if you said it
interview-dropped-not-there = there was nothing to delete
interview-why-disputed = { $title }: “{ $held }” is noted, and now you said “{ $said }”; you are asked which one is right
interview-why-decided = What else was decided:
interview-why-words = the model said of its reply: “{ $words }”
interview-why-objection = at the last check the model objected: “{ $title }”
interview-why-passed = the last check found nothing that speaks against it
interview-why-unchecked =
    { $code ->
        [max_loops] the last check is still to come: no more model calls were allowed in this turn
        [model_unavailable] the last check is still to come: the model does not answer
        [budget_exhausted] the last check is still to come: it would have taken too much
       *[other] the last check is still to come: the model’s reply could not be used
    }
interview-why-limits = no more questions may be asked; still open: { $titles }
interview-why-left-open = you do not know “{ $title }”: it stays open, and nobody asks for it again
interview-why-no-turn = Nothing has been said in this interview yet.
interview-undone = Taken back.
interview-finished = The interview is finished. /export hands it out.
interview-close = Close it as it is
interview-go-on = Go on
interview-closed = The interview is closed as it is. /export hands it out.
interview-list-button = My interviews
interview-list = Your interviews in this chat:
interview-list-empty = No interview is kept in this chat.
interview-list-open = { $title }, { $at }: { $done } of { $total } settled, open
interview-list-closed = { $title }, { $at }: { $done } of { $total } settled, finished
interview-delete-button = Delete { $number }
interview-delete-confirm = Delete this interview with everything that was said in it? It cannot be brought back. A report that others have got stays with them.
interview-deleted = The interview is deleted, and so are the files and the summary that I had sent you. The other messages in this chat stay until you delete them.
interview-file = The interview as data
interview-page = The interview as a page
paper-docx = The document for Word
paper-pdf = The document as a PDF
paper-gaps = The document has gaps: { $titles }
paper-faults = What is wrong with the document:
interview-terminal = Answer in your own words or with the number of a choice. /status, /why, /undo, /document, /finish, /export FOLDER, /quit
interview-session = Interview { $id }; --session goes on with it.
interview-halted =
    { $code ->
        [model_unavailable] Your message is kept, but I could not work on it: the model does not answer. Send the next one, and I work on both.
        [budget_exhausted] Your message is kept, but I could not work on it: it would have taken too much. Send the next one, and I work on both.
       *[other] Your message is kept, but I could not work on it: the model’s reply could not be used. Send the next one, and I work on both.
    }
console-link = This link logs you in to the web console. It works once, within { $minutes } minutes; pass it on to nobody:
    { $link }
console-local = It opens on the machine that I run on. To open the console elsewhere, set console.public_url.
console-off = The web console is switched off (setting console.enabled).

matrix-encrypted = I cannot read encrypted messages. Write to me in a room without end-to-end encryption: switch it off where your client creates the room.
talk-privacy = `/privacy delete` deletes all of it, without asking again.
talk-add-how = Send a file in a room with me alone, or anywhere with the caption /add. Maximum size: { $size }. File types: { $endings }.
talk-add-gone = I could not download { $name }. Please send the file again.
