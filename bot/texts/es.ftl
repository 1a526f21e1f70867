label-verified = comprobado con los documentos
label-general = respuesta general, no de los documentos
label-unverified = sin comprobar: verifíquelo antes de confiar en ello
label-not_in_documents = no está en los documentos
mode-quick = rápido (quick): solo comprobaciones gratuitas y comparación con los documentos, normalmente 1–2 llamadas al modelo
mode-balanced = equilibrado (balanced): un juez decide cuando las comprobaciones no bastan, normalmente 1–3 llamadas al modelo
mode-careful = cuidadoso (careful): un revisor lee cada respuesta y un crítico las no verificadas, normalmente 2–7 llamadas al modelo
sources = Fuentes
nearest-sources = Pasajes más cercanos
you = usted
chat-welcome = Pregunte sobre sus documentos. /help muestra los comandos, Ctrl-D sale.
chat-help =
    /why      cómo se llegó a la última respuesta
    /sources  los pasajes en los que se apoya
    /mode     cuánto comprobar: quick, balanced o careful
    /reset    olvidar esta conversación
    /quit     salir (también con Ctrl-D)
chat-resumed = Seguimos con esta conversación ({ $messages ->
    [one] 1 mensaje
   *[other] { $messages } mensajes
}); /reset la olvida.
chat-reset = Olvidado. ¿Qué le gustaría saber?
reset-confirm = ¿Olvidar esta conversación para todos los que están aquí? No se puede deshacer.
reset-admins = En un grupo, solo sus administradores y los de este bot pueden hacerme olvidar la conversación.
group-admins-unknown = Telegram no me ha dicho ahora quién administra este grupo. Inténtelo de nuevo dentro de un momento.
chat-mode = Modo: { $description }
chat-mode-unknown = No existe el modo { $mode }; hay estos:
chat-nothing-yet = Todavía no hay ninguna respuesta.
chat-no-sources = La última respuesta no usó documentos.
chat-unknown-command = No existe el comando { $command }; /help muestra los que hay.
chat-stopped = Detenido. La conversación se conserva.
chat-not-stored = La respuesta no se ha guardado: { $reason }
chat-bye = Hasta luego. La conversación se conserva.
step-recall = recordando la conversación
step-classify = leyendo el mensaje
step-draft = escribiendo un borrador
step-continue = continuando desde el corte
step-probe = consultando los documentos
step-cover = viendo si los documentos tratan de esto
step-evaluate = comprobando
step-judge = preguntando al juez
step-review = preguntando al revisor
step-compare = comparando las versiones
step-retrieve = leyendo los documentos
step-choose = buscando la frase que responde
step-read = leyendo otra vez un pasaje
step-regenerate = escribiendo a partir de los documentos
step-rewrite = buscando con otras palabras
step-critique = preguntando al crítico
step-second_opinion = preguntando a un segundo crítico
step-standalone = leyendo la pregunta con lo que se dijo antes
step-refine = mejorando
model-failed = El modelo ha fallado: { $reason }
not-checked-yet = ⏳ Aún sin comprobar
progress-reading = leyendo { $documents ->
    [one] { $documents } documento
   *[other] { $documents } documentos
}
sources-none = Esta respuesta no usó documentos.
tokens-short = { $tokens } tok
duration-milliseconds = { $count } ms
duration-seconds = { $count } s
duration-minutes = { $minutes } min { $seconds } s
duration-hours = { $hours } h { $minutes } min
why-failed = Ningún modelo pudo escribir una respuesta; esto es lo que se pudo dar de todos modos.
why-small-talk = Charla informal: se respondió al momento, sin consultar nada.
why-general = Los documentos no tratan de esto; la respuesta viene del conocimiento general o de nuestra conversación.
why-confirmed = El primer borrador coincide con los documentos, así que quedó como estaba.
why-read = Escrita a partir de { $documents ->
    [one] { $documents } documento
   *[other] { $documents } documentos
}; cada número entre corchetes se comprobó en su fuente.
why-corrected = El primer borrador no se sostuvo, así que la respuesta se escribió de nuevo a partir de { $documents ->
    [one] { $documents } documento
   *[other] { $documents } documentos
}; cada número entre corchetes se comprobó en su fuente.
why-unverified = No se pudo confirmar la respuesta: compruébela antes de confiar en ella.
why-not-found = Se buscó en los documentos y la respuesta no está en ellos.
why-verdict = Veredicto: { $quality } ({ $percent } % de seguridad, { $source })
why-score = Nota del crítico: { $percent } %
why-calls = { $calls ->
    [one] { $calls } llamada al modelo
   *[other] { $calls } llamadas al modelo
}
why-tokens = { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}
why-corrections = correcciones: { $count }
why-cost = coste: { $cost }
why-savings = Las comprobaciones gratuitas ahorraron { $calls ->
    [one] { $calls } llamada al juez
   *[other] { $calls } llamadas al juez
}, unos { $tokens } tokens
verdict-rules = por reglas gratuitas
verdict-evidence = por comparación con los documentos
verdict-judge = según el modelo juez
verdict-reading = según una segunda lectura
plain-number = { $value }
plain-percent = { $percent } %
plain-amount = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 9) }
cost-unknown = precio desconocido
cost-least = al menos { $cost }
size-bytes = { $count } B
size-kilobytes = { $count } kB
size-megabytes = { $count } MB
size-gigabytes = { $count } GB
button-useful = 👍 Útil
button-wrong = 👎 Incorrecta
button-sources = 📄 Fuentes
button-why = 🔎 Por qué
button-stop = ⏹ Parar
button-chosen = ✓ { $button }
press-gone = Esta respuesta ya no se conserva, así que sus botones no hacen nada.
press-not-yours = Solo quien preguntó puede valorar esta respuesta.
press-useful = Gracias, anotada como útil.
press-wrong = Gracias, anotada como incorrecta. Los administradores la ven en su lista.
press-taken-back = Valoración retirada.
press-shown = Ya se muestra en este chat.
press-not-to-stop = Solo quien preguntó, o un administrador, puede parar esta respuesta.
press-finished = Esta respuesta ya está terminada.
press-working = Todavía se está respondiendo a esta pregunta.
stop-done = { $answers ->
    [one] Parado.
   *[other] Se pararon { $answers } respuestas.
}
stop-nothing = No hay nada que detener: aquí no se está escribiendo ninguna respuesta para usted.
answer-stopped = ⏹ Parado.
answer-caption = 📎 Solo se leyeron las palabras, no lo que se envió con ellas.
answer-queued = ⏳ En la cola: antes { $ahead ->
    [one] se responde una pregunta
   *[other] se responden { $ahead } preguntas
}.
answer-failed = Lo siento, no se pudo responder a esta pregunta: algo falla por mi parte. Vuelva a preguntar más tarde y avise a los administradores si sigue igual.
command-failed = Lo siento, no se pudo ejecutar esta orden: algo falla por mi parte. Vuelva a enviarla más tarde y avise a los administradores si sigue igual.
press-failed = Lo siento, no se pudo hacer: algo falla por mi parte. Inténtelo más tarde y avise a los administradores si sigue igual.
ask-how = Escriba la pregunta detrás del comando: /ask ¿Cómo empiezo?
question-too-long = La pregunta tiene { $characters } caracteres y puede tener { $limit }. Pregunte con menos palabras.
question-unreadable = No puedo leer esto como texto. Envíe la pregunta como texto normal.
question-file = No he leído { $name }. Para añadirlo a los documentos, responda /add a ese mensaje o envíelo otra vez con el pie /add.
refused-private = Todavía no le conozco. Un administrador de este bot puede darle acceso: dígale su id, { $user }.
refused-private-groups = Solo respondo en grupos. Un administrador de este bot puede darle acceso también aquí: dígale su id, { $user }.
refused-person = Un administrador de este bot le ha cerrado el acceso.
refused-group = Este grupo todavía no puede preguntarme. Un administrador del bot puede permitirlo con /allow; el id del grupo es { $chat }.
refused-group-admin = Este grupo todavía no está permitido, y aquí todos leerían la respuesta. Envíe /allow aquí para permitirlo.
refused-anonymous = Mientras escriba de forma anónima no puedo saber quién es. Escriba con su propio nombre, por favor.
refused-admins-only = Eso solo lo pueden hacer los administradores de este bot.
refused-named-only = Para eso hace falta una persona con nombre: desactive el anonimato y vuelva a enviarlo, por favor.
refused-yourself = No puede hacerse eso a sí mismo.
refused-owner-only = Eso solo lo puede hacer el propietario de este bot.
limit-user-minute = Ese es el límite de sus preguntas en un minuto ({ $limit }). Volveré a responder en { $seconds } s.
limit-user-hour = Ese es el límite de sus preguntas en una hora ({ $limit }). Volveré a responder en { $minutes } min ({ $until } UTC).
limit-chat-minute = Ese es el límite de preguntas de este chat en un minuto ({ $limit }). Volveré a responder en { $seconds } s.
limit-user-commands = Ese es el límite de sus comandos en un minuto ({ $limit }). Aceptaré el siguiente en { $seconds } s.
limit-chat-commands = Ese es el límite de comandos de este chat en un minuto ({ $limit }). Aceptaré el siguiente en { $seconds } s.
limit-chat-budget = Este chat ha agotado lo que puede usar en un día. Volveré a responder a partir de las { $until } UTC.
limit-queue = Ya hay demasiadas preguntas esperando aquí ({ $limit }). Vuelva a preguntar cuando algunas tengan respuesta, por favor.
command-start = qué hace este bot
command-help = los comandos
command-ask = hacer una pregunta: /ask ¿Cómo empiezo?
command-mode = cuánto se comprueba: rápido, equilibrado o cuidadoso
command-why = cómo surgió la última respuesta
command-sources = los pasajes en que se basa la última respuesta
command-stop = detener la respuesta en curso
command-reset = olvidar esta conversación
command-language = el idioma en que le hablo
command-privacy = qué se guarda de usted: ver, exportar, borrar
command-claim = hacerse propietario con el código del registro
command-documents = los documentos y sus pasajes
command-add = añadir un documento: envíe el archivo con este pie
command-remove = quitar un documento añadido: /remove NOMBRE
command-reindex = releer los documentos; /reindex rebuild: todos
command-stats = preguntas, etiquetas, tokens, coste y tiempo
command-unanswered = lo que los documentos no respondieron
command-allow = permitir a una persona o a este grupo: /allow ID
command-deny = cerrar el bot a una persona o a este grupo: /deny ID
command-admins = quién manda; el propietario añade y quita
command-health = ¿funciona todo?
answer-late = Estuve fuera un tiempo y sus preguntas de este chat son de entonces. Vuelva a preguntar lo que siga siendo importante.
command-late = Estaba fuera cuando envió { $command }, así que no se ejecutó. Envíelo de nuevo si todavía hace falta.
admin-second-poller = ⚠️ Otro programa recibe los mensajes de este bot con el mismo token, de modo que cada uno de los dos se pierde algunos. Detenga uno de ellos o dele su propio token de @BotFather.
admin-failed = ⚠️ Se abandonó una pregunta o un comando por un error de mi parte: { $reason }. El registro dice más.
admin-gap = ⚠️ Estuve fuera { $hours } horas. Telegram guarda los mensajes solo 24 horas: lo enviado antes se perdió.
admin-spent = ℹ️ El chat { $chat } ha gastado sus tokens de hoy ({ $tokens }, limits.chat_tokens_per_day). Hasta las { $until } UTC allí no responde ningún modelo.
admin-trouble = ⚠️ Por ahora no acepto nada nuevo: { $reason }. Lo aceptado está guardado.
admin-well = ✅ El trabajo se puede registrar de nuevo; continúo.
start-what = Soy { $name }. Respondo preguntas a partir de { $documents ->
    [0] documentos, que todavía no hay
    [one] { $documents } documento
   *[other] { $documents } documentos
} y compruebo cada respuesta antes de que confíe en ella.
start-private = Solo escriba su pregunta.
start-group = Aquí, mencione a @{ $username }, responda a uno de mis mensajes o escriba /ask y su pregunta.
start-label = Debajo de cada respuesta ve cuánto puede confiar en ella y sus fuentes.
start-discreet = Lo que no va dirigido a mí, ni lo respondo ni lo guardo.
start-admin = Administra este bot: envíe un archivo con el pie /add para añadir un documento; /health muestra si todo funciona.
start-help = /help muestra los comandos.
start-unclaimed = Este bot aún no tiene propietario. Si es suyo, envíe /claim y el código de su registro.
help-title = Lo que puede enviarme:
help-admins = Para administradores:
command-elsewhere = Envíeme { $command } en nuestro chat privado.
confirm-yes = Sí
confirm-no = No
confirm-dropped = No se cambió nada.
press-not-asked = Solo puede decidirlo quien envió el comando.
press-too-late = Este botón ya no sirve. Envíe el comando otra vez.
mode-title = ¿Cuánto compruebo las respuestas en este chat?
mode-admins = En un grupo, el modo lo eligen los administradores de este bot.
mode-name-quick = rápido
mode-name-balanced = equilibrado
mode-name-careful = cuidadoso
language-name = Español
language-choose = ¿En qué idioma le hablo? Las respuestas llegan en el idioma de la pregunta.
language-unknown = No hablo { $name }.
language-telegram = como en Telegram
language-set = A partir de ahora le hablo en español.
privacy-kept = Lo que se guarda de usted, además de su nombre, idioma e id:
    · mensajes de nuestras conversaciones: { $messages }
    · preguntas en las listas de los administradores: { $questions }
    · registros del trabajo hecho para usted, con las palabras de sus mensajes: { $jobs }
    · notas sobre sus solicitudes y sobre lo que se le dijo: { $others }

    Al borrar desaparece todo eso, salvo sumas que no nombran a nadie, lo que los administradores decidieron sobre su id y, durante dos días, los momentos de sus preguntas y comandos. El registro del propio borrado y los de mensajes ajenos que le citan desaparecen solos al cabo de { $days } días.
privacy-export = 📥 Exportar en un archivo
privacy-erase = 🗑 Borrar todo
privacy-exported = El archivo está en este chat.
privacy-file = Todo lo que se guarda de usted, en JSON.
privacy-confirm = ¿Borrar todo lo que se guarda de usted? El trabajo en curso para usted se detiene. No se puede deshacer.
privacy-erased = Borrado: mensajes ({ $messages }), preguntas ({ $questions }), registros de trabajo ({ $jobs }) y todo lo demás que se guardaba de usted. El registro de este borrado y los de mensajes ajenos que le citan desaparecen solos al cabo de { $days } días.
claim-how = Envíe /claim y el código que está en el registro del bot en marcha.
claim-owner = Ahora es usted el propietario de este bot. Envíe un archivo con el pie /add para añadir un documento y /allow con un id para dejar entrar a alguien; /help lo muestra todo.
claim-yours = Este bot ya es suyo, no hay nada que reclamar. Envíe un archivo con el pie /add para añadir un documento; /help lo muestra todo.
claim-wrong = Este código es incorrecto. El correcto está en el registro del bot en marcha, y cada arranque crea otro.
claim-too-many = Demasiados códigos incorrectos. Al reiniciar el bot se crea otro.
claim-closed = Este bot ya tiene propietario.
claim-not-private = Envíeme /claim en nuestro chat privado, con su nombre.
allow-how = Envíe /allow y un id, responda /allow a un mensaje de la persona o envíe /allow en un grupo para permitirlo.
deny-how = Envíe /deny y un id, responda /deny a un mensaje de la persona o envíe /deny en un grupo para cerrarlo.
allow-person = { $id } ya puede preguntar.
allow-group = El grupo { $id } ya puede preguntar.
deny-person = { $id } ya no puede preguntar.
deny-group = El grupo { $id } ya no puede preguntar.
decided-unknown = Nunca ha llegado nada de este id: compruebe que es correcto.
admins-title = Quién manda:
admins-how = El propietario añade con /admins add ID y quita con /admins remove ID.
role-owner = propietario
role-admin = administrador
admins-confirm-add = ¿Hacer administrador a { $id }?
admins-confirm-remove = ¿Quitar a { $id } de los administradores?
admins-added = { $id } ya es administrador.
admins-already = { $id } ya es administrador.
admins-removed = { $id } ya no es administrador.
admins-none = { $id } no es administrador. /admins muestra la lista.
documents-none = Todavía no hay documentos. Envíe un archivo con el pie /add.
documents-title = Archivos: { $documents } (página { $page } de { $pages })
documents-how = /documents muestra los archivos, /documents 2 la segunda página.
documents-passages = { $passages ->
    [one] { $passages } pasaje
   *[other] { $passages } pasajes
}
documents-added = añadido en Telegram
documents-more-notes = … y { $notes } más
phase-reading = lectura
phase-embedding = preparación
phase-writing = escritura
reindex-began = ⏳ Leyendo los documentos. Mientras tanto se puede preguntar.
reindex-running = Ya se están leyendo los documentos: lo empezó { $who } a las { $since }. Espere a que termine.
reindex-elsewhere = Otro programa está leyendo los documentos. Inténtelo cuando termine.
reindex-failed = No se pudieron leer los documentos: { $reason }. Lo leído antes sigue respondiendo.
reindex-confirm = ¿Leer y preparar todos los documentos de nuevo? Puede tardar; mientras tanto se puede preguntar.
reindex-how = /reindex lee lo que ha cambiado, /reindex rebuild lo lee todo de nuevo.
reindex-done = ✔ Documentos: { $documents }, pasajes: { $passages }, en { $seconds }
reindex-changes = nuevos: { $added } · cambiados: { $changed } · quitados: { $removed } · archivos con fallos: { $failed }
add-how = Envíe un archivo con el pie /add o responda /add a un archivo. Puede tener hasta { $size } y una de estas extensiones: { $endings }.
add-kind = { $name } es de un tipo que no puedo leer. Leo { $endings }.
add-too-big = { $name } es demasiado grande: un archivo puede tener hasta { $size }.
add-gone = Telegram no entregó { $name }. Envíe el archivo otra vez.
add-failed = No se pudo guardar { $name }: { $reason }
add-unreadable = { $name } no se puede leer, así que no está entre los documentos: { $reason }
add-not-indexed = { $name } está guardado, pero aún no se busca en él: { $reason }. Envíe /reindex más tarde.
add-began = ⏳ Leyendo { $name } …
add-done = ✔ Añadido { $name }. Pasajes: { $passages }
add-replaced = ✔ Reemplazado { $name }. Pasajes: { $passages }
add-confirm = Ya hay un documento { $name }. ¿Reemplazarlo?
remove-how = Envíe /remove y el nombre de un documento añadido en Telegram; /documents los muestra.
remove-confirm = ¿Quitar { $name }? Las respuestas ya no lo usarán.
remove-began = ⏳ Quitando { $name } …
remove-done = ✔ Quitado { $name }.
remove-not-indexed = { $name } está borrado, pero las respuestas aún pueden usarlo: { $reason }. Envíe /reindex más tarde.
remove-corpus = { $name } no se añadió en Telegram. Está en { $path }: bórrelo allí y envíe /reindex.
remove-namesake = El documento de ese nombre añadido en Telegram se llama { $name }: envíe /remove { $name } para quitarlo.
remove-similar = No hay un documento añadido { $name }. ¿Quiso decir: { $names }?
remove-unknown = No hay un documento añadido { $name }. /documents los muestra todos.
stats-how = /stats muestra 7 días, /stats 1 hoy, /stats 30 treinta días.
stats-title = Preguntas y lo que costaron: { $period } (UTC)
stats-today = hoy
stats-days = { $days } días
stats-nothing = No se preguntó nada.
stats-questions = preguntas
stats-people = personas
stats-label-verified = verificadas
stats-label-general = generales
stats-label-unverified = sin verificar
stats-label-not_in_documents = no están
stats-documents = con documentos
stats-half = la mitad en
stats-most = 19 de 20 en
stats-calls = llamadas
stats-tokens = tokens ent + sal
stats-cost = coste
stats-saved = juicios ahorrados
saved-checks = comprobaciones de forma
saved-evidence = cotejo con los documentos
saved-repairs = reparaciones
stats-picture-questions = Preguntas al día
stats-picture-seconds = Segundos hasta la respuesta
stats-picture-half = la mitad de las preguntas
stats-picture-most = 19 de 20
unanswered-title = Lo que los documentos no respondieron en { $days } días, lo más frecuente primero:
unanswered-line = { $count }× { $question } (última vez: { $last })
unanswered-none = En { $days } días no se halló ninguna pregunta que los documentos no respondan. Las respuestas que nadie pudo comprobar no cuentan aquí; las cuenta /stats.
health-title = Cómo estoy:
health-database = base de datos
health-jobs = trabajo en curso
health-given-up = abandonado
health-documents = documentos
health-none = nada
health-models = modelos
health-backlog = en espera en Telegram
health-disk = disco
health-uptime = en marcha
health-version = versión
health-fine = bien
health-silent = sin respuesta
health-held = { $documents ->
    [one] { $documents } documento
   *[other] { $documents } documentos
}, { $passages ->
    [one] { $passages } pasaje
   *[other] { $passages } pasajes
}, versión { $generation }
health-faults = archivos con fallos: { $files }; /documents los nombra
health-free = { $size } libres
