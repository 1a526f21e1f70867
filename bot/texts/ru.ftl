label-verified = проверено по документам
label-general = общие знания или разговор, не из документов
label-unverified = не проверено: убедитесь сами, прежде чем полагаться
label-not_in_documents = в документах этого нет
sources = Источники
nearest-sources = Самые близкие места
you = вы
chat-welcome = Спрашивайте о ваших документах. /help покажет команды, Ctrl-D — выход.
chat-help =
    /why      как получился последний ответ
    /sources  места в документах, на которых он стоит
    /reset    забыть этот разговор
    /quit     выйти (или Ctrl-D)
chat-resumed = Продолжаем разговор ({ $messages ->
    [one] { $messages } сообщение
    [few] { $messages } сообщения
   *[other] { $messages } сообщений
}); /reset забудет его.
chat-reset = Забыто. Что вы хотите узнать?
chat-nothing-yet = Ответа ещё не было.
chat-no-sources = Последний ответ обошёлся без документов.
chat-unknown-command = Команды { $command } нет; /help покажет все.
chat-stopped = Остановлено. Разговор сохранён.
chat-not-stored = Ответ не сохранён: { $reason }
chat-bye = До свидания. Разговор сохранён.
step-recall = вспоминаю разговор
step-classify = читаю сообщение
step-draft = пишу черновик
step-probe = заглядываю в документы
step-cover = смотрю, есть ли это в документах
step-evaluate = проверяю
step-judge = спрашиваю судью
step-retrieve = читаю документы
step-regenerate = пишу по документам
step-rewrite = ищу другими словами
model-failed = Модель не ответила: { $reason }
