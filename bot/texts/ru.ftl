label-verified = проверено по документам
label-partly = ответ проверен по документам, другие предложения — нет
label-conversation = из нашего разговора, не из документов
label-general = общий ответ, не из документов
label-unverified = не проверено: убедитесь сами, прежде чем полагаться на ответ
label-not_in_documents = в документах этого нет
label-person = ответил человек, с документами не сверено
mode-quick = быстро (quick): только бесплатные проверки и сверка с документами, обычно 1–2 обращения к модели
mode-balanced = взвешенно (balanced): если проверок недостаточно, решает модель-судья, обычно 1–3 обращения к модели
mode-careful = тщательно (careful): каждый ответ читает рецензент, непроверенные — ещё и критик, обычно 2–7 обращений к модели
sources = Источники
nearest-sources = Самые близкие места
you = вы
chat-welcome = Спрашивайте о ваших документах. /help покажет команды, Ctrl-D — выход.
chat-help =
    /why      как получился последний ответ
    /sources  места в документах, на которых он основан
    /mode     насколько строго проверять: quick, balanced или careful
    /settings откуда ответы: /settings documents (только документы), /settings all
    /reset    забыть этот разговор
    /quit     выйти (или Ctrl-D)
chat-resumed = Продолжаем разговор ({ $messages ->
    [one] { $messages } сообщение
    [few] { $messages } сообщения
   *[other] { $messages } сообщений
}); /reset забудет его.
chat-reset = Забыто. Что вы хотите узнать?
reset-confirm = Забыть этот разговор для всех, кто здесь? Вернуть его будет нельзя.
reset-admins = В группе сбросить разговор могут только её администраторы и администраторы этого бота.
group-admins-unknown = Не удалось узнать, кто администратор этой группы. Попробуйте ещё раз чуть позже.
chat-mode = Режим: { $description }
chat-mode-unknown = Режима { $mode } нет. Доступные режимы:
chat-nothing-yet = Ответа ещё не было.
chat-unknown-command = Команды { $command } нет; /help покажет все.
chat-stopped = Остановлено. Разговор сохранён.
chat-not-stored = Ответ не сохранён: { $reason }
chat-bye = До свидания. Разговор сохранён.
step-recall = вспоминаю разговор
step-classify = читаю сообщение
step-draft = пишу черновик
step-continue = дописываю оборванный текст
step-probe = ищу в документах
step-cover = проверяю, есть ли это в документах
step-evaluate = проверяю ответ
step-judge = спрашиваю судью
step-review = спрашиваю рецензента
step-compare = сравниваю варианты
step-retrieve = читаю документы
step-read = перечитываю фрагмент
step-regenerate = пишу ответ по документам
step-rewrite = ищу другими словами
step-critique = спрашиваю критика
step-second_opinion = спрашиваю второго критика
step-standalone = уточняю вопрос по разговору
step-refine = улучшаю ответ
step-interpret = разбор сказанного
step-extract = поиск одного факта
step-gate_check = проверка, всё ли собрано
step-word = излагаю документ
model-failed = Модель не ответила: { $reason }
not-checked-yet = ⏳ Ещё не проверено
progress-reading = читаю { $documents ->
    [one] { $documents } документ
    [few] { $documents } документа
   *[other] { $documents } документов
}
sources-none = Для этого ответа документы не использовались.
tokens-short = { $tokens } ток
duration-milliseconds = { $count } мс
duration-seconds = { $count } с
duration-minutes = { $minutes } мин { $seconds } с
duration-hours = { $hours } ч { $minutes } мин
why-failed = Ни одна модель не смогла написать ответ, поэтому здесь то, что удалось найти без неё.
why-small-talk = Обычная беседа: ответ дан сразу, без поиска в документах.
why-general = В документах об этом ничего нет, поэтому ответ — из общих знаний.
why-confirmed = Первый черновик согласуется с документами, поэтому он оставлен.
why-read = Написано по { $documents ->
    [one] { $documents } документу
   *[other] { $documents } документам
}; каждая ссылка с номером сверена с источником.
why-corrected = Первый черновик не подтвердился, поэтому ответ написан заново по { $documents ->
    [one] { $documents } документу
   *[other] { $documents } документам
}; каждая ссылка с номером сверена с источником.
why-partly = Документы подтверждают предложение, в котором ответ, но не все остальные: неподтверждённые перечислены под ответом.
why-conversation = Об этом уже говорилось в нашем разговоре; в документах этого нет.
why-unverified = Подтвердить ответ не удалось: проверьте его сами, прежде чем на него полагаться.
why-not-found = Документы просмотрены, ответа в них нет.
why-person = На это ответил человек, который знает.
why-verdict = Вывод: { $quality } (уверенность { $percent } %, { $source })
why-details = Шаги и цифры
why-score = Оценка критика: { $percent } %
why-not-reviewed = Рецензент этот ответ не читал.
why-not-reviewed-in-mode = В этом режиме ({ $mode }) рецензента нет.
why-unrefined = До правки по замечаниям критика:
why-calls = { $calls ->
    [one] { $calls } вызов модели
    [few] { $calls } вызова модели
   *[other] { $calls } вызовов модели
}
why-tokens = { $tokens ->
    [one] { $tokens } токен
    [few] { $tokens } токена
   *[other] { $tokens } токенов
}
why-corrections = исправлений: { $count }
why-cost = стоимость: { $cost }
why-savings = Бесплатные проверки сберегли { $calls ->
    [one] { $calls } вызов судьи
    [few] { $calls } вызова судьи
   *[other] { $calls } вызовов судьи
}, около { $tokens } токенов
verdict-rules = по бесплатным правилам
verdict-evidence = сравнением с документами
verdict-judge = по мнению модели-судьи
verdict-person = ответом человека
verdict-reading = по повторному чтению
plain-number = { $value }
plain-percent = { $percent } %
plain-amount = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 9) }
cost-unknown = цена неизвестна
cost-least = не меньше { $cost }
size-bytes = { $count } Б
size-kilobytes = { $count } кБ
size-megabytes = { $count } МБ
size-gigabytes = { $count } ГБ
button-useful = 👍 Полезно
button-wrong = 👎 Неверно
button-sources = 📄 Источники
button-why = 🔎 Почему
button-stop = ⏹ Стоп
button-chosen = ✓ { $button }
press-gone = Этот ответ больше не хранится, поэтому его кнопки не действуют.
press-not-yours = Оценить ответ может только тот, кто спросил.
press-useful = Спасибо! Отмечено как полезное.
press-wrong = Спасибо! Отмечено как неверное. Администраторы увидят это в своём списке.
press-taken-back = Оценка снята.
press-shown = Это уже показано в этом чате.
press-sent = Отправлено вам в личный чат со мной.
press-start-first = Чтобы получить всё, нажмите «Запустить» в личном чате со мной: @{ $username }
press-not-to-stop = Остановить ответ может только тот, кто спросил, или администратор.
press-finished = Этот ответ уже готов.
press-working = На этот вопрос ещё готовится ответ.
stop-done = { $answers ->
    [one] Остановлено.
    [few] Остановлено { $answers } ответа.
   *[other] Остановлено { $answers } ответов.
}
stop-nothing = Сейчас здесь нет ваших вопросов в работе.
answer-stopped = ⏹ Остановлено.
answer-caption = 📎 Прочитан только текст, без вложения.
answer-failed = Извините, не удалось ответить на вопрос из-за ошибки на моей стороне. Спросите позже ещё раз. Если ошибка повторится, сообщите администратору.
command-failed = Извините, не удалось выполнить команду из-за ошибки на моей стороне. Отправьте её позже ещё раз. Если ошибка повторится, сообщите администратору.
press-failed = Извините, не получилось из-за ошибки на моей стороне. Попробуйте позже ещё раз. Если ошибка повторится, сообщите администратору.
ask-how = Напишите вопрос после команды: /ask С чего начать?
question-too-long = В вопросе { $characters } символов, предел — { $limit }. Сократите его, пожалуйста.
question-unreadable = Я не могу прочитать это как текст. Напишите, пожалуйста, обычным текстом.
question-file = Я не читал { $name }. Чтобы добавить его к документам, ответьте на него командой /add или пришлите ещё раз с подписью /add.
question-files = Я не читал { $name }. Чтобы добавить их к документам, пришлите их ещё раз с подписью /add.
question-unheard = Я не могу прослушать голосовое сообщение: сервер для распознавания речи не настроен. Напишите вопрос текстом.
refused-private = У вас пока нет доступа к этому боту. Его может открыть администратор: сообщите ему ваш id, { $user }.
refused-private-groups = Я отвечаю только в группах. Администратор бота может открыть вам доступ и здесь: сообщите ему ваш id, { $user }.
refused-person = Администратор закрыл вам доступ к этому боту.
refused-group = У этой группы пока нет доступа к боту. Администратор бота может открыть его командой /allow. Id группы: { $chat }.
refused-group-admin = Группа ещё не разрешена, а ответ здесь увидят все. Отправьте здесь /allow, чтобы разрешить её.
refused-anonymous = Пока вы пишете анонимно, я не могу понять, кто вы. Пожалуйста, напишите от своего имени.
refused-admins-only = Это могут только администраторы этого бота.
refused-named-only = Вы пишете анонимно. Отключите анонимность и попробуйте ещё раз.
refused-yourself = С самим собой этого сделать нельзя.
refused-owner-only = Это может только владелец этого бота.
limit-user-minute = Вы достигли предела вопросов в минуту ({ $limit }). Спросите снова через { $seconds } с.
limit-user-hour = Вы достигли предела вопросов в час ({ $limit }). Спросите снова через { $minutes } мин ({ $until }).
limit-chat-minute = Этот чат достиг предела вопросов в минуту ({ $limit }). Спросите снова через { $seconds } с.
limit-user-commands = Вы достигли предела команд в минуту ({ $limit }). Попробуйте снова через { $seconds } с.
limit-chat-commands = Этот чат достиг предела команд в минуту ({ $limit }). Попробуйте снова через { $seconds } с.
limit-bot-budget = Мой дневной лимит исчерпан. Я снова отвечу с { $until }.
limit-chat-budget = Этот чат исчерпал дневной лимит. Я снова отвечу с { $until }.
limit-user-budget = Вы исчерпали свой дневной лимит. Я снова отвечу вам с { $until }.
limit-queue = Здесь уже слишком много вопросов в очереди ({ $limit }). Спросите снова, когда на часть из них будет ответ.
command-start = что умеет этот бот
command-help = список команд
command-ask = задать вопрос: /ask Как начать?
command-mode = насколько тщательно проверять ответы
command-model = какая модель пишет ответы
command-settings = что выбрано для этого чата; только ли по документам отвечать
command-why = как получился последний ответ
command-sources = отрывки, на которых основан последний ответ
command-stop = остановить ответ, который готовится
command-reset = забыть этот разговор
command-language = выбрать язык общения со мной
command-privacy = данные о вас: посмотреть, выгрузить, удалить
command-claim = стать владельцем по коду из журнала
command-documents = документы и число отрывков
command-add = добавить документ: пришлите файл с этой подписью
command-remove = удалить добавленный документ: /remove ИМЯ
command-reindex = перечитать документы; /reindex rebuild — все заново
command-stats = вопросы, пометки, токены, стоимость и время
command-unanswered = вопросы, на которые документы не ответили
command-allow = разрешить человеку или этой группе: /allow ID
command-deny = закрыть доступ человеку или этой группе: /deny ID
command-admins = список администраторов; владелец добавляет и убирает их
command-health = проверить, всё ли работает
command-console = открыть веб-консоль
answer-late = Какое-то время я был отключён и не смог ответить на то, о чём здесь спросили. Если это ещё важно, спросите снова.
command-late = Команда { $command } пришла, пока меня не было, и не была выполнена. Если она ещё нужна, отправьте её снова.
admin-second-poller = ⚠️ Сообщения этого бота с тем же токеном получает ещё одна программа, поэтому каждая из двух часть сообщений пропускает. Остановите одну из них или возьмите для неё отдельный токен у @BotFather.
admin-failed = ⚠️ Вопрос или команда не выполнены из-за ошибки: { $reason }. Подробности — в журнале.
admin-gap = ⚠️ Я был отключён { $hours } ч. Telegram хранит сообщения только 24 часа: всё, что отправлено раньше, потеряно.
admin-spent = ℹ️ Чат { $chat } израсходовал токены на сегодня ({ $tokens }, limits.chat_tokens_per_day). До { $until } модель там не отвечает.
admin-spent-bot = ℹ️ Я израсходовал токены на сегодня ({ $tokens } из { $limit }, limits.bot_tokens_per_day). До { $until } модель нигде не отвечает.
admin-nearly-spent-bot = ℹ️ Я израсходовал { $tokens } из { $limit } токенов на сегодня (limits.bot_tokens_per_day). Когда они закончатся, модель не будет отвечать до { $until }.
admin-trouble = ⚠️ Сейчас я не могу принять ничего нового: { $reason }. Всё принятое сохранено.
admin-well = ✅ Работу снова можно записывать; я продолжаю.
start-what = Я { $name }. Отвечаю на вопросы по { $documents ->
    [0] документам (пока не добавлено ни одного)
    [one] { $documents } документу
    [few] { $documents } документам
    [many] { $documents } документам
   *[other] { $documents } документа
} и проверяю каждый ответ, прежде чем вы на него положитесь.
start-private = Просто пришлите мне вопрос.
start-group = Здесь упомяните @{ $username }, ответьте на моё сообщение или напишите /ask и вопрос.
start-label = Под каждым ответом видно, насколько ему можно доверять, и указаны источники.
start-discreet = Сообщения, обращённые не ко мне, я пропускаю и не храню.
start-admin = Вы администратор этого бота: пришлите файл с подписью /add, чтобы добавить документ; /health покажет, всё ли работает.
start-help = /help покажет команды.
start-unclaimed = У этого бота ещё нет владельца. Если он ваш, пришлите /claim и код из его журнала.
profile-long = Спрашивайте своими словами. Я отвечаю по документам вашей команды, называю источники и проверяю каждый ответ, прежде чем вы на него положитесь: под ним видно, насколько ему можно доверять. Нажмите «Запустить» или сразу пришлите вопрос.
profile-short = Отвечает по документам вашей команды, с источниками, и проверяет свои ответы.
help-title = Команды:
help-admins = Для администраторов:
command-elsewhere = Пришлите { $command } мне в личном чате.
confirm-yes = Да
confirm-no = Нет
confirm-dropped = Ничего не изменено.
press-not-asked = Решить может только тот, кто прислал команду.
press-too-late = Эта кнопка устарела. Пришлите команду ещё раз.
mode-title = Насколько тщательно проверять ответы в этом чате?
mode-admins = В группе режим могут выбирать только администраторы этого бота.
model-title = Какая модель должна писать ответы в этом чате?
model-usual = как в настройках ({ $name })
model-set = Модель выбрана. Теперь ответы пишет она.
model-gone = Эта модель больше не предлагается.
model-none = Здесь нет других моделей на выбор. Их список администратор сервера задаёт в настройке models.choices.
model-unknown = Модели { $name } нет в списке. Доступные модели:
model-admins = В группе модель могут выбирать только администраторы этого бота.
settings-title = Настройки этого чата:
settings-admins = В группе настройки могут менять только администраторы этого бота.
settings-choose = На выбор: /settings documents или /settings all
documents-only-on = Ответы — только по документам: о том, на что можно ответить лишь из общих знаний, бот скажет, что в документах этого нет.
documents-only-off = Бот может отвечать и из общих знаний; на таком ответе стоит пометка.
button-documents-only = только документы
mode-name-quick = быстро
mode-name-balanced = взвешенно
mode-name-careful = тщательно
language-name = Русский
language-choose = На каком языке с вами говорить? Ответы приходят на языке вопроса.
language-unknown = Языка { $name } я не знаю.
language-telegram = как в Telegram
language-set = Теперь я говорю с вами по-русски.
privacy-kept = О вас хранится:
    · сообщений наших разговоров: { $messages }
    · вопросов в списках администраторов: { $questions }
    · записей о работе для вас, с текстами ваших сообщений: { $jobs }
    · служебных записей об этой работе: { $others }
    · ваше имя, язык и id
    Удаление убирает всё это. Остаются: суммы без имён, решения администраторов о вашем id и на два дня — время ваших вопросов и команд. Запись о самом удалении и записи о чужих сообщениях, где вас цитируют, удалятся сами через { $days ->
        [one] { $days } день
        [few] { $days } дня
       *[other] { $days } дней
    }.
privacy-export = 📥 Выгрузить файлом
privacy-erase = 🗑 Удалить всё
privacy-exported = Файл уже в этом чате.
privacy-file = Всё, что о вас хранится, в формате JSON.
privacy-confirm = Удалить всё, что о вас хранится? Ответы и команды, которые сейчас выполняются для вас, остановятся. Вернуть ничего нельзя.
privacy-erased = Удалено: сообщения ({ $messages }), вопросы ({ $questions }), записи о работе ({ $jobs }) и всё остальное, что о вас хранилось. Запись об этом удалении и записи о чужих сообщениях, где вас цитируют, удалятся сами через { $days ->
        [one] { $days } день
        [few] { $days } дня
       *[other] { $days } дней
    }.
claim-how = Пришлите /claim и код из журнала работающего бота.
claim-owner = Теперь вы владелец этого бота. Пришлите файл с подписью /add, чтобы добавить документ, или /allow и id, чтобы открыть кому-то доступ; /help покажет всё.
claim-yours = Этот бот уже ваш. Пришлите файл с подписью /add, чтобы добавить документ; /help покажет всё.
claim-wrong = Код неверный. Действующий код — в журнале работающего бота, при каждом запуске он новый.
claim-too-many = Слишком много неверных кодов. Перезапустите бота, чтобы получить новый.
claim-closed = У этого бота уже есть владелец.
claim-not-private = Пришлите /claim мне в личном чате, под своим именем.
allow-how = Пришлите /allow и id, ответьте на сообщение человека командой /allow или пришлите /allow в группе, чтобы разрешить её. `/allow link` создаёт ссылку, по которой войдёт один человек.
allow-link = По этой ссылке войдёт один человек, один раз, до { $day }. Пришлите её только ему: { $link }
deny-how = Пришлите /deny и id, ответьте на сообщение человека командой /deny или пришлите /deny в группе, чтобы закрыть ей доступ.
allow-person = Доступ открыт: { $id }.
allow-group = Доступ открыт группе { $id }.
deny-person = Доступ закрыт: { $id }.
deny-group = Доступ закрыт группе { $id }.
decided-unknown = С этого id ещё ничего не приходило: проверьте, верен ли он.
request-sent = Администраторам передана ваша просьба о доступе. Когда они решат, вы об этом узнаете. Если они спросят ваш id: { $user }.
request-waiting = Администраторы ещё не решили по вашей просьбе. Когда решат, вы об этом узнаете.
request-declined = Администраторы отклонили вашу просьбу о доступе.
request-granted = Теперь у вас есть доступ. Пришлите вопрос; /help показывает, что я умею.
request-title = { $name } просит доступа. Id: { $user }
request-allowed = { $name } просит доступа. Разрешено: { $admin }. Id: { $user }
request-refused = { $name } просит доступа. Отказано: { $admin }; /allow { $user } всё ещё открывает доступ.
request-press-allowed = Доступ открыт.
request-press-refused = Просьба отклонена.
request-was-allowed = У этого человека уже есть доступ (решение: { $admin }).
request-was-refused = Эта просьба уже отклонена (решение: { $admin }). /allow { $user } всё ещё открывает доступ.
request-gone = Этой просьбы больше нет. /allow { $user } открывает доступ.
request-somebody = администратор
button-request-allow = ✅ Разрешить
button-request-refuse = 🚫 Отказать
button-person = 👤 Спросить человека
button-keep-reply = 📌 Сохранить этот ответ
button-reply-nameless = 🙈 Ответить без моего имени
button-reply-named = 👤 Ответить с моим именем
passed-title = { $name } спрашивает, а в документах ответа нет:
passed-again = { $name } спрашивает об этом не первый день, и ответа пока нет:
passed-said = Что я смог сказать:
passed-how = Ответьте на это сообщение. { $name } сразу получит ваш ответ.
passed-nameless = Ответьте на это сообщение, и { $name } получит ваш ответ без вашего имени.
passed-named = Ответьте на это сообщение, и { $name } получит ваш ответ с вашим именем.
passed-sent = Отправлено: { $name }. Отвечать так на этот вопрос и впредь?
passed-done = { $name } получает ответ:
passed-late = Спасибо, но это не отправлено: на вопрос уже ответили, или он отозван.
passed-empty = Напишите ответ текстом: файлы и картинки не передаются.
passed-not-yours = Сохранить этот ответ может только тот, кто его дал, или администратор.
press-person-passed = Вопрос передан. Ответ придёт сюда, как только кто-нибудь ответит.
press-person-waiting = Этот вопрос уже передан тем, кто знает. Ответ придёт сюда.
press-person-replied = На этот вопрос уже ответили.
press-person-nobody = Не указано, кого об этом спрашивать.
admins-title = Владельцы и администраторы:
admins-how = Владелец добавляет администраторов командой /admins add ID и убирает командой /admins remove ID.
role-owner = владелец
role-admin = администратор
admins-confirm-add = Сделать { $id } администратором?
admins-confirm-remove = Лишить { $id } прав администратора?
admins-added = { $id } теперь администратор.
admins-already = { $id } уже администратор.
admins-removed = { $id } больше не администратор.
admins-none = { $id } не администратор. /admins покажет список.
documents-none = Документов пока нет. Чтобы добавить документ, пришлите файл с подписью /add.
documents-title = Файлов: { $documents } (страница { $page } из { $pages })
documents-how = /documents показывает файлы, /documents 2 — вторую страницу.
documents-passages = { $passages ->
    [one] { $passages } отрывок
    [few] { $passages } отрывка
    [many] { $passages } отрывков
   *[other] { $passages } отрывка
}
documents-added = добавлен
documents-more-notes = … и ещё { $notes }
phase-reading = чтение
phase-embedding = подготовка к поиску
phase-writing = сохранение
reindex-began = ⏳ Читаю документы. Вопросы можно задавать и сейчас.
reindex-running = Документы уже читаются: запустил(а) { $who } в { $since }. Дождитесь завершения.
reindex-elsewhere = Документы читает другая программа. Попробуйте ещё раз, когда она закончит.
reindex-failed = Не удалось прочитать документы: { $reason }. Ответы по-прежнему строятся на прочитанном раньше.
reindex-confirm = Прочитать и подготовить все документы заново? Это может быть долго; вопросы можно задавать и в это время.
reindex-how = /reindex читает изменившееся, /reindex rebuild — всё заново.
reindex-done = ✔ Документов: { $documents }, отрывков: { $passages }, за { $seconds }
reindex-changes = новых: { $added } · изменено: { $changed } · удалено: { $removed } · с ошибкой: { $failed }
add-how = Пришлите файл с подписью /add или ответьте на файл командой /add. Наибольший размер: { $size }. Виды файлов: { $endings }. Или отправьте /add с адресом веб-страницы или карты сайта.
add-kind = Файлы такого вида, как { $name }, я не читаю. Читаю: { $endings }.
add-too-big = { $name } слишком велик. Наибольший размер файла: { $size }.
add-gone = Не удалось скачать { $name } из Telegram. Пришлите файл ещё раз.
add-failed = Не удалось сохранить { $name }: { $reason }
add-unreadable = { $name } не удалось прочитать, поэтому он не добавлен: { $reason }
add-not-indexed = { $name } сохранён, но в нём пока нельзя искать: { $reason }. Пришлите позже /reindex.
add-began = ⏳ Читаю { $name } …
add-done = ✔ Добавлен { $name }. Отрывков: { $passages }
add-replaced = ✔ Заменён { $name }. Отрывков: { $passages }
add-confirm = Документ с именем { $name } уже есть. Заменить его?
add-there = { $name } уже есть, этот документ не заменён. Чтобы заменить его, пришлите файл отдельно с подписью /add.
remove-how = Пришлите /remove и имя добавленного документа; /documents покажет их.
correct-how = Ответьте на моё сообщение командой /correct с верным ответом или файлом с подписью /correct. Или пришлите вопрос в первой строке, а ответ под ним: `/correct Какая нужна Java?`, следующая строка `Java 21.`
correct-title = Ответы администраторов
correct-done = Спасибо! Теперь на { $question } я отвечаю так:
correct-replaced = Прежний ответ на этот вопрос заменён.
correct-set = Это действует в чатах с набором документов { $name } и в чатах, где доступны все документы.
correct-undone = Ваш ответ на { $question } отменён. Снова действует то, что было раньше.
correct-gone = Этого ответа больше нет.
button-undo-answer = ↩ Отменить
answers-none = Администраторы ещё не давали ответов.
answers-title = Ответы администраторов: { $answers }
answers-line = · { $question } – { $name }, { $day }
answers-remove = Чтобы удалить ответ, пришлите /remove и его имя.
press-wrong-admin = Отмечено как неверное. Чтобы дать верный ответ, ответьте на моё сообщение командой /correct с текстом или файлом.
command-correct = дать верный ответ на вопрос
command-answers = показать ответы администраторов
remove-confirm = Удалить { $name }? В ответах он больше не будет использоваться.
remove-began = ⏳ Удаляю { $name } …
remove-done = ✔ Удалён { $name }.
remove-not-indexed = { $name } удалён, но ответы ещё могут его использовать: { $reason }. Пришлите позже /reindex.
remove-corpus = { $name } добавлен не командой /add. Он находится в { $path }: удалите его там и пришлите /reindex.
remove-namesake = Добавленный документ с таким именем называется { $name }: чтобы удалить его, пришлите /remove { $name }.
remove-similar = Добавленного документа { $name } нет. Может быть: { $names }?
remove-unknown = Добавленного документа { $name } нет. /documents покажет все.
stats-how = /stats показывает последние 7 дней, /stats 1 — сегодня, /stats 30 — последние 30 дней.
stats-title = Использование: { $period } (UTC)
stats-today = сегодня
stats-days = { $days } дней
stats-nothing = Вопросов не было.
stats-questions = вопросов
stats-people = людей
stats-label-verified = проверено
stats-label-partly = отчасти проверено
stats-label-conversation = из разговора
stats-label-general = общие знания
stats-label-unverified = не проверено
stats-label-not_in_documents = нет в документах
stats-documents = по документам
stats-ratings = полезно / неверно
stats-half = медиана
stats-most = 95 % за
stats-calls = вызовы модели
stats-tokens = токены вх + исх
stats-cost = стоимость
stats-saved = сбережено оценок
saved-checks = проверки формы
saved-evidence = сверка с документами
saved-repairs = исправления
stats-picture-questions = Вопросов в день
stats-picture-seconds = Секунд до ответа
stats-picture-half = медиана
stats-picture-most = 95 % вопросов
unanswered-title = Вопросы, на которые документы не ответили за последние { $days } дней, сначала частые:
digest-title = 📋 За прошлую неделю вопросов: { $questions }. Без ответа или с неверным ответом: { $open }; отмечено читателями как неверное: { $wrong }:
digest-end = Ответьте на такой ответ командой /correct или добавьте документ командой /add. /unanswered показывает последние 30 дней.
unanswered-line = { $count }× { $question } (последний раз: { $last })
unanswered-none = За последние { $days } дней вопросов без ответа нет. Ответы, которые не удалось проверить, здесь не показаны; их считает /stats.
health-title = Состояние:
health-database = база данных
health-jobs = текущая работа
health-given-up = не выполнено
health-documents = документы
health-none = ничего
health-models = модели
health-backlog = ждёт у Telegram
health-machines = машины
health-machine = { $name } (версия { $version }, работ: { $jobs }, последний сигнал { $ago } назад)
health-disk = диск
health-uptime = работает
health-version = версия
health-fine = в порядке
health-silent = нет ответа
health-held = { $documents }, отрывков: { $passages }, версия { $generation }
health-faults = файлов с ошибкой: { $files }; список — в /documents
health-read = последнее чтение: { $at }
health-free = свободно { $size }
skipped-files = Не прочитано: { $files } ({ $count }) – { $reason }
skipped-more = Другие непрочитанные файлы: { $count }
button-file = 📄 [{ $n }] { $name }
press-no-file = Этот файл больше недоступен.
command-sets = выбрать, какие документы доступны чату
sets-how = /sets make ИМЯ ПАПКА_ИЛИ_ШАБЛОН … создаёт набор (например: /sets make hr hr/ "*.pdf"); /sets use ИМЯ – отвечать в этом чате по нему, /sets use ИМЯ ID_ЧАТА – в другом; /sets reset [ID_ЧАТА] возвращает все документы; /sets drop ИМЯ удаляет набор.
sets-none = Наборов документов нет: в каждом чате ответы даются по всем документам.
sets-title = Наборы документов: { $sets }
sets-entry = { $name }: { $patterns } (файлов: { $files })
sets-here = В этом чате ответы даются только по набору { $name }.
sets-here-all = В этом чате ответы даются по всем документам.
sets-used = { $chat }: ответы только по набору { $name }.
sets-reset = { $chat }: ответы по всем документам.
sets-made = ✔ Набор сохранён. Чтобы его включить, отправьте /sets use в нужном чате.
sets-dropped = ✔ Набор { $name } удалён.
sets-in-use = Набор { $name } ещё используется. Сначала сбросьте тот чат или дайте ему другой набор.
sets-unknown = Набора { $name } нет. /sets покажет все.
sets-too-many = Наборов может быть не больше { $most }. Сначала удалите какой-нибудь: /sets drop.
step-assign = читаю вопрос и документы
step-propose = спрашиваю участника
step-peer_review = участник оценивает остальных
step-self_correct = участник исправляет свой ответ
step-conclude = председатель подводит итог
council-stage1 = Ответили { $answered } из { $of } …
council-stage2 = Ответили { $answered } из { $members }; оценивают друг друга: { $done } из { $of } …
council-stage2-5 = Оценки готовы; исправляют ответы: { $done } из { $of } …
council-stage3 = Ответы исправлены; председатель пишет итог …
council-single = Свести ответы воедино никто не смог, поэтому это ответ одного участника: { $seat }.
council-degraded = Совет был неполным: { $faults }.
council-original = { $seat }: первый ответ
council-corrected = { $seat }: исправленный ответ
council-ranking = Как участники ранжировали первые ответы друг друга, до исправлений:
button-ranking = 🏅 Рейтинг
button-members = 👥 Участники
button-fewer = ▴ Свернуть
button-original = { $seat }: исходный
button-corrected = { $seat }: исправленный
council-no-members = Совета пока нет. Укажите участников в настройке `council.members`.
council-admins = Спрашивать совет могут только администраторы этого бота. Отправьте вопрос без /council, и я отвечу.
council-off = В этом чате совет отключён. Администратор бота может включить его командой /council on.
limit-council = В этом чате исчерпан дневной лимит вопросов совету ({ $limit }). Снова спросить можно с { $until }; до тех пор отправляйте вопрос без /council.
council-no-answer = Ни один участник совета не ответил. Спросите позже или отправьте вопрос без /council.
council-switched-on = Теперь в этом чате можно спрашивать совет.
council-switched-off = В этом чате больше нельзя спрашивать совет.
council-how = Напишите вопрос после команды или ответьте на сообщение командой /council: на него ответят несколько моделей ({ $members }), оценят друг друга, исправят свои ответы, и одна подведёт итог. Это дольше обычного ответа. Лимит на чат в день: { $limit }.
council-how-admins = /council off отключает совет в этом чате, /council on снова включает.
command-council = спросить несколько моделей, которые проверяют друг друга: /council ВОПРОС
why-council = Ответ нескольких моделей, которые оценили друг друга и исправили свои ответы; он проверен, как любой другой.
trail-step = Шаг
trail-outcome = Что получилось
trail-tokens = Токены
trail-time = Время
council-original-title = Исходный ответ
council-corrected-title = Исправленный ответ
council-first-kept = Остался первый ответ
council-table = Общий рейтинг первых ответов
council-stage1-title = Этап 1: Первые ответы
council-stage1-what = Каждый участник отвечает сам и не видит ответов других. Номера вроде [1] относятся к фрагментам, которые получили участники; в итоговом ответе источники пронумерованы заново.
council-stage2-title = Этап 2: Оценки
council-stage2-what = Каждый участник оценивает ответы других и расставляет их по местам, не зная, чьи они.
council-stage2-5-title = Этап 2.5: Исправления
council-stage2-5-what = Каждый участник читает, что другие сказали о его ответе, и исправляет его. Отмечены слова, которые есть только в одном из двух текстов.
council-stage3-title = Этап 3: Заключение
council-stage3-what = Председатель сводит исправленные ответы в один. Затем его проверяют, как любой ответ.
council-table-place = Место
council-table-member = Участник
council-table-score = Балл
council-table-votes = Голоса
council-critiques = Что сказали другие
council-at-work = В работе …
council-done = Готово
council-strengths = Сильные стороны:
council-issues = Замечания:
council-as-written = Как было написано, до проверки:
add-pages = Всего добавлено страниц: { $pages }

# Guided interviews.
command-interview = начать или продолжить опрос
command-status = как далеко продвинулся опрос
command-undo = отменить последний ответ
command-skip = оставить вопрос открытым
command-later = спросить об этом позже
command-back = вернуться к предыдущему вопросу
command-cancel = закончить опрос; сначала спросит
command-finish = завершить опрос
command-export = получить опрос файлом
interview-choose = Какой опрос провести?
interview-skip = Пропустить
interview-back = Назад
interview-finish = Завершить
interview-report = Опрос «{ $title }» завершён ({ $name }): выяснено { $done } из { $total }.
interview-report-due = Когда опрос закончится, отчёт о нём получат те, кто с ним работает.
interview-notes = Примечания:
interview-none-open = Открытого опроса нет. /interview начнёт новый.
interview-progress = { $title }: выяснено { $done } из { $total }
interview-besides = Кроме того
interview-no-value = нет
interview-missing = Ещё не хватает:
interview-talk = Ход разговора
interview-user = Вы
interview-assistant = Бот
interview-system = Система
interview-status-collecting = Сведения собираются.
interview-status-gating = Все сведения есть; осталась последняя проверка.
interview-status-ready = Всё собрано.
interview-status-blocked = Больше вопросов задавать нельзя.
interview-fact-confirmed = сказано вами
interview-fact-proposed = нужно подтвердить
interview-fact-disputed = противоречие
interview-fact-not-applicable = этого нет
interview-fact-open = не выяснено
interview-complete = Всё собрано. /finish завершит опрос, /export выгрузит его; новое сообщение что-то изменит.
interview-unchecked = Всё собрано, но последнюю проверку провести не удалось. /finish повторит её.
interview-blocked = Вопросов больше нет: недостающее оставлено открытым или спрошено достаточно часто. Напишите, что можете добавить, напишите «продолжить», чтобы я спросил снова, или завершите опрос командой /finish.
interview-why = Почему спрашиваю: { $why }
interview-why-asked = О чём спрашивали модель:
interview-why-no-model = модель не спрашивали: ответ понятен и без неё
interview-why-unusable = ответов, которые нельзя было использовать и которые запрошены заново: { $count }
interview-why-noted = Что записано:
interview-why-quoted = { $title }: { $value }, потому что вы сказали «{ $quote }»
interview-why-assumed = { $title }: { $value }; сами вы этого не говорили, поэтому вас попросят подтвердить
interview-why-none = { $title }: нет, потому что вы сказали «{ $quote }»
interview-why-gone = { $title }: снято, нужен новый ответ
interview-why-refused = Что не принято:
interview-dropped-confirmed = вы подтвердили другое значение, изменить его может только ваш ответ на вопрос
interview-dropped-moves-confirmed = это сдвинуло бы то, что вы подтвердили
interview-dropped-same-value = это значение уже записано
interview-dropped-erases-without-quote = модель хотела это удалить, а вы такого не говорили
interview-dropped-outside = это не относится к собираемым сведениям
interview-dropped-impossible = такое значение там невозможно; если вы это сказали, оно записано как примечание
interview-dropped-not-there = удалять было нечего
interview-why-disputed = { $title }: записано «{ $held }», а теперь вы сказали «{ $said }»; вас спросят, что верно
interview-why-decided = Что ещё решено:
interview-why-words = модель сказала о своём ответе: «{ $words }»
interview-why-objection = при последней проверке модель возразила: «{ $title }»
interview-why-passed = последняя проверка не нашла возражений
interview-why-unchecked =
    { $code ->
        [max_loops] последняя проверка ещё впереди: больше обращений к модели за один ответ не допускается
        [model_unavailable] последняя проверка ещё впереди: модель не отвечает
        [budget_exhausted] последняя проверка ещё впереди: она обошлась бы слишком дорого
       *[other] последняя проверка ещё впереди: ответ модели нельзя было использовать
    }
interview-why-limits = больше вопросов задавать нельзя; ещё открыто: { $titles }
interview-why-left-open = вы не знаете «{ $title }»: вопрос остаётся открытым и больше не задаётся
interview-why-no-turn = В этом опросе ещё ничего не сказано.
interview-undone = Отменено.
interview-finished = Опрос завершён. /export выгрузит его.
interview-close = Закрыть как есть
interview-go-on = Продолжить
interview-closed = Опрос закрыт как есть. /export выгрузит его.
interview-list-button = Мои опросы
interview-list = Ваши опросы в этом чате:
interview-list-empty = В этом чате нет сохранённых опросов.
interview-list-open = { $title }, { $at }: решено { $done } из { $total }, открыт
interview-list-closed = { $title }, { $at }: решено { $done } из { $total }, завершён
interview-delete-button = Удалить { $number }
interview-delete-confirm = Удалить этот опрос вместе со всем, что в нём сказано? Вернуть его будет нельзя. Отчёт, который уже получили другие, останется у них.
interview-deleted = Опрос удалён, как и файлы и сводка, которые я вам отправил. Остальные сообщения в этом чате останутся, пока вы их не удалите.
interview-file = Опрос в виде данных
interview-page = Опрос в виде страницы
paper-docx = Документ для Word
paper-pdf = Документ в PDF
paper-gaps = В документе не заполнено: { $titles }
paper-faults = Что не так с документом:
interview-terminal = Отвечайте своими словами или номером варианта. /status, /why, /undo, /document, /finish, /export ПАПКА, /quit
interview-session = Опрос { $id }; --session продолжит его.
interview-halted =
    { $code ->
        [model_unavailable] Ваше сообщение сохранено, но обработать его не удалось: модель не отвечает. Отправьте следующее, и я обработаю оба.
        [budget_exhausted] Ваше сообщение сохранено, но обработать его не удалось: это потребовало бы слишком много. Отправьте следующее, и я обработаю оба.
       *[other] Ваше сообщение сохранено, но обработать его не удалось: ответ модели нельзя было использовать. Отправьте следующее, и я обработаю оба.
    }
console-link = По этой ссылке вы войдёте в веб-консоль. Она сработает один раз в течение { $minutes } мин; никому её не передавайте:
    { $link }
console-local = Ссылка открывается на компьютере, где я работаю. Чтобы открыть консоль с другого, задайте настройку console.public_url.
console-off = Веб-консоль отключена (настройка console.enabled).

matrix-encrypted = Я не могу читать зашифрованные сообщения. Напишите мне в комнате без сквозного шифрования: отключите его в своём клиенте при создании комнаты.
talk-privacy = `/privacy delete` удаляет всё это без повторного вопроса.
talk-add-how = Отправьте файл в комнате, где мы одни, или в любой другой с подписью /add. Максимальный размер: { $size }. Типы файлов: { $endings }.
talk-add-gone = Не удалось загрузить { $name }. Отправьте файл ещё раз.
