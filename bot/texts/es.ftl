label-verified = comprobado con los documentos
label-partly = la respuesta está comprobada con los documentos; otras frases, no
label-conversation = de nuestra conversación, no de los documentos
label-general = respuesta general, no de los documentos
label-unverified = sin comprobar: verifíquelo antes de confiar en ello
label-not_in_documents = no está en los documentos
label-person = respondido por una persona, sin comprobar con los documentos
mode-quick = rápido (quick): solo comprobaciones gratuitas y comparación con los documentos, normalmente 1–2 llamadas al modelo
mode-balanced = equilibrado (balanced): si las comprobaciones no bastan, decide un modelo juez, normalmente 1–3 llamadas al modelo
mode-careful = cuidadoso (careful): un revisor lee cada respuesta y un crítico las no verificadas, normalmente 2–7 llamadas al modelo
sources = Fuentes
nearest-sources = Pasajes más cercanos
you = usted
chat-welcome = Pregunte sobre sus documentos. /help muestra los comandos, Ctrl-D sale.
chat-help =
    /why      cómo se llegó a la última respuesta
    /sources  los pasajes en los que se apoya
    /mode     con qué rigor comprobar: quick, balanced o careful
    /settings de dónde salen las respuestas: /settings documents (solo), /settings all
    /reset    olvidar esta conversación
    /quit     salir (también con Ctrl-D)
chat-resumed = Seguimos con esta conversación ({ $messages ->
    [one] 1 mensaje
   *[other] { $messages } mensajes
}); /reset la olvida.
chat-reset = Olvidado. ¿Qué le gustaría saber?
reset-confirm = ¿Olvidar esta conversación para todos los que están aquí? No se puede deshacer.
reset-admins = En un grupo, solo sus administradores y los de este bot pueden reiniciar la conversación.
group-admins-unknown = No he podido averiguar quién administra este grupo. Inténtelo de nuevo dentro de un momento.
chat-mode = Modo: { $description }
chat-mode-unknown = No existe el modo { $mode }. Elija uno de estos:
chat-nothing-yet = Todavía no hay ninguna respuesta.
chat-unknown-command = No existe el comando { $command }; /help muestra los que hay.
chat-stopped = Detenido. La conversación se conserva.
chat-not-stored = No se ha podido guardar la respuesta: { $reason }
chat-bye = Hasta luego. La conversación se conserva.
step-recall = recordando la conversación
step-classify = leyendo el mensaje
step-draft = escribiendo un borrador
step-continue = terminando un texto cortado
step-probe = buscando en los documentos
step-cover = comprobando si los documentos tratan de esto
step-evaluate = comprobando la respuesta
step-judge = preguntando al juez
step-review = preguntando al revisor
step-compare = comparando las versiones
step-retrieve = leyendo los documentos
step-read = releyendo un pasaje
step-regenerate = escribiendo la respuesta a partir de los documentos
step-rewrite = buscando con otras palabras
step-critique = preguntando al crítico
step-second_opinion = preguntando a un segundo crítico
step-standalone = situando la pregunta en su contexto
step-refine = mejorando la respuesta
step-interpret = lectura de lo dicho
step-extract = búsqueda de un dato
step-gate_check = comprobación de que está todo
step-word = redactando el documento
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
why-failed = Ningún modelo pudo escribir una respuesta; esto es lo mejor que pude hacer sin él.
why-small-talk = Charla informal: se respondió directamente, sin consultar nada.
why-general = Los documentos no tratan de esto; la respuesta viene del conocimiento general.
why-confirmed = El primer borrador coincide con los documentos, así que se mantuvo.
why-read = Escrita a partir de { $documents ->
    [one] { $documents } documento
   *[other] { $documents } documentos
}; cada cita numerada se comprobó con su fuente.
why-corrected = El primer borrador no se sostuvo, así que la respuesta se escribió de nuevo a partir de { $documents ->
    [one] { $documents } documento
   *[other] { $documents } documentos
}; cada cita numerada se comprobó con su fuente.
why-partly = Los documentos confirman la frase que responde, pero no todas las demás; las que no, se indican debajo de la respuesta.
why-conversation = Lo dice nuestra conversación; los documentos, no.
why-unverified = No se pudo confirmar la respuesta: compruébela antes de confiar en ella.
why-not-found = Se buscó en los documentos y no contienen la respuesta.
why-person = A esto ha respondido una persona que lo sabe.
why-verdict = Veredicto: { $quality } ({ $percent } % de seguridad, { $source })
why-details = Pasos y cifras
why-score = Nota del crítico: { $percent } %
why-not-reviewed = No se revisó.
why-not-reviewed-in-mode = No se revisa en este modo ({ $mode }).
why-unrefined = Antes de mejorarla según el crítico:
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
verdict-person = por una persona
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
press-gone = Esta respuesta ya no se guarda, así que sus botones han caducado.
press-not-yours = Solo quien preguntó puede valorar esta respuesta.
press-useful = ¡Gracias! Marcada como útil.
press-wrong = ¡Gracias! Marcada como incorrecta. Los administradores la verán en su lista.
press-taken-back = Valoración retirada.
press-shown = Ya se muestra en este chat.
press-sent = Se lo he enviado en nuestro chat privado.
press-start-first = Para recibirlo todo, pulse Iniciar en un chat privado conmigo: @{ $username }
press-not-to-stop = Solo quien preguntó o un administrador puede parar esta respuesta.
press-finished = Esta respuesta ya está terminada.
press-working = Todavía se está respondiendo a esta pregunta.
stop-done = { $answers ->
    [one] Parado.
   *[other] Se pararon { $answers } respuestas.
}
stop-nothing = Ahora no estoy respondiendo a ninguna pregunta suya aquí.
answer-stopped = ⏹ Parado.
answer-caption = 📎 Solo he leído el texto, no el archivo adjunto.
answer-failed = Lo siento, no he podido responder a esta pregunta por un error mío. Vuelva a preguntar más tarde. Si sigue ocurriendo, avise a un administrador.
command-failed = Lo siento, no he podido ejecutar este comando por un error mío. Envíelo de nuevo más tarde. Si sigue ocurriendo, avise a un administrador.
press-failed = Lo siento, no ha funcionado por un error mío. Inténtelo más tarde. Si sigue ocurriendo, avise a un administrador.
ask-how = Escriba la pregunta después del comando: /ask ¿Cómo empiezo?
question-too-long = La pregunta tiene { $characters } caracteres; el límite es { $limit }. Acórtela, por favor.
question-unreadable = No puedo leer esto como texto. Escríbalo como texto normal.
question-file = No he leído { $name }. Para añadirlo a los documentos, responda a ese mensaje con /add o envíelo otra vez con el pie /add.
question-files = No he leído { $name }. Para añadirlos a los documentos, envíelos otra vez con el pie /add.
question-unheard = No puedo escuchar mensajes de voz: no hay configurado ningún servidor que convierta la voz en texto. Escriba su pregunta.
refused-private = Todavía no tiene acceso a este bot. Un administrador puede dárselo: envíele su id, { $user }.
refused-private-groups = Solo respondo en grupos. Un administrador de este bot puede darle acceso también aquí: envíele su id, { $user }.
refused-person = Un administrador ha bloqueado su acceso a este bot.
refused-group = Este grupo todavía no tiene acceso a este bot. Un administrador del bot puede permitirlo con /allow. El id del grupo es { $chat }.
refused-group-admin = Este grupo todavía no está permitido, y aquí todos verían la respuesta. Envíe /allow aquí para permitirlo.
refused-anonymous = Mientras escriba de forma anónima no puedo saber quién es. Escriba con su propio nombre, por favor.
refused-admins-only = Eso solo lo pueden hacer los administradores de este bot.
refused-named-only = Está escribiendo de forma anónima. Desactive el anonimato e inténtelo de nuevo.
refused-yourself = No puede hacerse eso a sí mismo.
refused-owner-only = Eso solo lo puede hacer el propietario de este bot.
limit-user-minute = Ha alcanzado el límite de preguntas por minuto ({ $limit }). Inténtelo de nuevo en { $seconds } s.
limit-user-hour = Ha alcanzado el límite de preguntas por hora ({ $limit }). Inténtelo de nuevo en { $minutes } min ({ $until }).
limit-chat-minute = Este chat ha alcanzado su límite de preguntas por minuto ({ $limit }). Inténtelo de nuevo en { $seconds } s.
limit-user-commands = Ha alcanzado el límite de comandos por minuto ({ $limit }). Inténtelo de nuevo en { $seconds } s.
limit-chat-commands = Este chat ha alcanzado su límite de comandos por minuto ({ $limit }). Inténtelo de nuevo en { $seconds } s.
limit-bot-budget = He agotado mi límite de hoy. Volveré a responder a partir de las { $until }.
limit-chat-budget = Este chat ha agotado su límite de hoy. Volveré a responder a partir de las { $until }.
limit-user-budget = Ha agotado su límite de hoy. Volveré a responderle a partir de las { $until }.
limit-queue = Ya hay demasiadas preguntas en espera aquí ({ $limit }). Vuelva a preguntar cuando se hayan respondido algunas.
command-start = qué hace este bot
command-help = lista de comandos
command-ask = hacer una pregunta: /ask ¿Cómo empiezo?
command-mode = con qué rigor se comprueba: rápido, equilibrado o cuidadoso
command-model = qué modelo escribe las respuestas
command-settings = qué está elegido en este chat y si solo responden los documentos
command-why = cómo se llegó a la última respuesta
command-sources = los pasajes en que se basa la última respuesta
command-stop = detener la respuesta en curso
command-reset = olvidar esta conversación
command-language = elegir el idioma que uso con usted
command-privacy = sus datos guardados: ver, exportar, borrar
command-claim = hacerse propietario con el código del registro
command-documents = los documentos y sus pasajes
command-add = añadir un documento: envíe el archivo con este pie
command-remove = quitar un documento añadido: /remove NOMBRE
command-reindex = releer los documentos; /reindex rebuild: todos
command-stats = preguntas, etiquetas, tokens, coste y tiempo
command-unanswered = preguntas que los documentos no respondieron
command-allow = permitir a una persona o a este grupo: /allow ID
command-deny = bloquear a una persona o a este grupo: /deny ID
command-admins = lista de administradores; el propietario los añade y quita
command-health = comprobar que todo funciona
command-console = abrir la consola web
answer-late = Estuve desconectado un tiempo y no pude responder a lo que se preguntó aquí. Si todavía importa, pregunte de nuevo.
command-late = Estaba fuera cuando envió { $command }, así que no se ejecutó. Envíelo de nuevo si todavía hace falta.
admin-second-poller = ⚠️ Otro programa recibe los mensajes de este bot con el mismo token, de modo que cada uno de los dos se pierde algunos. Detenga uno de ellos o dele su propio token de @BotFather.
admin-failed = ⚠️ Se abandonó una pregunta o un comando por un error: { $reason }. Consulte el registro.
admin-gap = ⚠️ Estuve desconectado { $hours } horas. Telegram guarda los mensajes solo 24 horas: lo enviado antes se ha perdido.
admin-spent = ℹ️ El chat { $chat } ha gastado sus tokens de hoy ({ $tokens }, limits.chat_tokens_per_day). Hasta las { $until } allí no responde ningún modelo.
admin-spent-bot = ℹ️ He gastado mis tokens de hoy ({ $tokens } de { $limit }, limits.bot_tokens_per_day). Hasta las { $until } no responde ningún modelo en ningún chat.
admin-nearly-spent-bot = ℹ️ He gastado { $tokens } de mis { $limit } tokens de hoy (limits.bot_tokens_per_day). Cuando se agoten, no responderá ningún modelo hasta las { $until }.
admin-trouble = ⚠️ Ahora mismo no puedo aceptar nada nuevo: { $reason }. Todo lo aceptado está a salvo.
admin-well = ✅ El trabajo se puede registrar de nuevo; continúo.
start-what = Soy { $name }. Respondo preguntas a partir de { $documents ->
    [0] documentos (todavía no se ha añadido ninguno)
    [one] { $documents } documento
   *[other] { $documents } documentos
} y compruebo cada respuesta antes de que confíe en ella.
start-private = Solo tiene que enviarme su pregunta.
start-group = Aquí, mencione a @{ $username }, responda a uno de mis mensajes o envíe /ask y su pregunta.
start-label = Debajo de cada respuesta ve cuánto puede confiar en ella y sus fuentes.
start-discreet = No respondo ni guardo los mensajes que no van dirigidos a mí.
start-admin = Usted es administrador de este bot: envíe un archivo con el pie /add para añadir un documento; /health muestra si todo funciona.
start-help = /help muestra los comandos.
start-unclaimed = Este bot aún no tiene propietario. Si es suyo, envíe /claim y el código de su registro.
profile-long = Pregunte con sus propias palabras. Respondo a partir de los documentos de su equipo, nombro las fuentes y compruebo cada respuesta antes de que confíe en ella: debajo ve cuánto puede confiar. Pulse Iniciar o envíe su pregunta.
profile-short = Responde a partir de los documentos de su equipo, con fuentes, y comprueba sus respuestas.
help-title = Comandos:
help-admins = Para administradores:
command-elsewhere = Envíeme { $command } en nuestro chat privado.
confirm-yes = Sí
confirm-no = No
confirm-dropped = No se cambió nada.
press-not-asked = Solo puede decidirlo quien envió el comando.
press-too-late = Este botón ha caducado. Envíe el comando otra vez.
mode-title = ¿Con qué rigor debo comprobar las respuestas en este chat?
mode-admins = En un grupo, solo los administradores de este bot pueden elegir el modo.
model-title = ¿Qué modelo debe escribir las respuestas en este chat?
model-usual = según los ajustes ({ $name })
model-set = Modelo elegido. A partir de ahora escribe las respuestas.
model-gone = Este modelo ya no se ofrece.
model-none = Aquí no hay otro modelo que elegir. El operador enumera los modelos en el ajuste models.choices.
model-unknown = No hay ningún modelo { $name } que elegir. Elija uno de estos:
model-admins = En un grupo, solo los administradores de este bot pueden elegir el modelo.
settings-title = Ajustes de este chat:
settings-admins = En un grupo, solo los administradores de este bot pueden cambiar los ajustes.
settings-choose = Elija: /settings documents o /settings all
documents-only-on = Las respuestas salen solo de los documentos: de lo que solo el conocimiento general podría responder se dice que no está en ellos.
documents-only-off = También puede responder el conocimiento general; tal respuesta lleva su etiqueta.
button-documents-only = solo documentos
mode-name-quick = rápido
mode-name-balanced = equilibrado
mode-name-careful = cuidadoso
language-name = Español
language-choose = ¿En qué idioma le hablo? Las respuestas llegan en el idioma de la pregunta.
language-unknown = No hablo { $name }.
language-telegram = como en Telegram
language-set = A partir de ahora le hablo en español.
privacy-kept = Datos guardados sobre usted:
    · mensajes de nuestras conversaciones: { $messages }
    · preguntas en las listas de los administradores: { $questions }
    · registros del trabajo hecho para usted, con el texto de sus mensajes: { $jobs }
    · entradas internas de ese trabajo: { $others }
    · su nombre, idioma e id
    Al borrar desaparece todo. Quedan: totales que no nombran a nadie, lo que los administradores decidieron sobre su id y, durante dos días, las horas de sus preguntas y comandos. El registro del propio borrado y los de mensajes ajenos que le citan se borran solos al cabo de { $days } días.
privacy-export = 📥 Exportar en un archivo
privacy-erase = 🗑 Borrar todo
privacy-exported = El archivo está en este chat.
privacy-file = Todo lo que se guarda sobre usted, en JSON.
privacy-confirm = ¿Borrar todo lo que se guarda sobre usted? Las respuestas y comandos en curso para usted se detienen. No se puede deshacer.
privacy-erased = Borrado: mensajes ({ $messages }), preguntas ({ $questions }), registros de trabajo ({ $jobs }) y todo lo demás que se guardaba sobre usted. El registro de este borrado y los de mensajes ajenos que le citan se borran solos al cabo de { $days } días.
claim-how = Envíe /claim y el código del registro del bot en marcha.
claim-owner = Ahora es usted el propietario de este bot. Envíe un archivo con el pie /add para añadir un documento, o /allow y un id para dar acceso a alguien; /help lo muestra todo.
claim-yours = Este bot ya es suyo. Envíe un archivo con el pie /add para añadir un documento; /help lo muestra todo.
claim-wrong = Código incorrecto. El código actual está en el registro del bot en marcha y cambia con cada arranque.
claim-too-many = Demasiados códigos incorrectos. Reinicie el bot para obtener otro.
claim-closed = Este bot ya tiene propietario.
claim-not-private = Envíeme /claim en nuestro chat privado, con su nombre.
allow-how = Envíe /allow y un id, responda con /allow a un mensaje de la persona o envíe /allow en un grupo para permitirlo. `/allow link` crea un enlace que da acceso a una persona.
allow-link = Este enlace da acceso a una persona, una sola vez, hasta el { $day }. Envíelo solo a esa persona: { $link }
deny-how = Envíe /deny y un id, responda con /deny a un mensaje de la persona o envíe /deny en un grupo para bloquearlo.
allow-person = Acceso concedido a { $id }.
allow-group = Acceso concedido al grupo { $id }.
deny-person = Acceso retirado a { $id }.
deny-group = Acceso retirado al grupo { $id }.
decided-unknown = Nunca he recibido nada de este id: compruebe que es correcto.
request-sent = He pedido a los administradores que le den acceso. Le avisaré cuando decidan. Si le preguntan su id: { $user }.
request-waiting = Los administradores aún no han decidido sobre su solicitud. Le avisaré cuando lo hagan.
request-declined = Los administradores han rechazado su solicitud de acceso.
request-granted = Ya tiene acceso. Envíeme su pregunta; /help muestra lo que puedo hacer.
request-title = { $name } pide acceso. Id: { $user }
request-allowed = { $name } pidió acceso. Permitido por { $admin }. Id: { $user }
request-refused = { $name } pidió acceso. Rechazado por { $admin }; /allow { $user } todavía da acceso.
request-press-allowed = Acceso concedido.
request-press-refused = Solicitud rechazada.
request-was-allowed = Esta persona ya tiene acceso (decidió { $admin }).
request-was-refused = Esta solicitud ya fue rechazada (decidió { $admin }). /allow { $user } todavía da acceso.
request-gone = Esta solicitud ya no existe. /allow { $user } da acceso.
request-somebody = un administrador
button-request-allow = ✅ Permitir
button-request-refuse = 🚫 Rechazar
button-person = 👤 Preguntar a una persona
button-keep-reply = 📌 Guardar esta respuesta
button-reply-nameless = 🙈 Responder sin mi nombre
button-reply-named = 👤 Responder con mi nombre
passed-title = { $name } pregunta, y los documentos no lo responden:
passed-again = { $name } preguntó esto antes, y nadie ha respondido todavía:
passed-said = Lo que pude decir:
passed-how = Responde a este mensaje con la respuesta. { $name } la recibe al instante.
passed-nameless = Responde a este mensaje, y { $name } recibe tu respuesta sin tu nombre.
passed-named = Responde a este mensaje, y { $name } recibe tu respuesta con tu nombre.
passed-sent = Enviado a { $name }. ¿Respondo así a esta pregunta a partir de ahora?
passed-done = { $name } ya tiene respuesta:
passed-late = Gracias, pero esto no se ha enviado: la pregunta ya tiene respuesta o se ha retirado.
passed-empty = Escribe la respuesta como texto: los archivos y las imágenes no se transmiten.
passed-not-yours = Solo quien respondió, o un administrador, puede guardar esta respuesta.
press-person-passed = Enviada. La respuesta llegará aquí en cuanto alguien conteste.
press-person-waiting = Las personas que lo saben ya tienen esta pregunta. Su respuesta llegará aquí.
press-person-replied = Esta pregunta ya tiene respuesta.
press-person-nobody = No se ha indicado a quién preguntar sobre esto.
admins-title = Propietarios y administradores:
admins-how = El propietario añade administradores con /admins add ID y los quita con /admins remove ID.
role-owner = propietario
role-admin = administrador
admins-confirm-add = ¿Hacer administrador a { $id }?
admins-confirm-remove = ¿Quitar a { $id } de los administradores?
admins-added = { $id } es ahora administrador.
admins-already = { $id } ya es administrador.
admins-removed = { $id } ya no es administrador.
admins-none = { $id } no es administrador. /admins muestra la lista.
documents-none = Todavía no hay documentos. Para añadir uno, envíe un archivo con el pie /add.
documents-title = Archivos: { $documents } (página { $page } de { $pages })
documents-how = /documents muestra los archivos; /documents 2, la segunda página.
documents-passages = { $passages ->
    [one] { $passages } pasaje
   *[other] { $passages } pasajes
}
documents-added = añadido
documents-more-notes = … y { $notes } más
phase-reading = lectura
phase-embedding = preparación de la búsqueda
phase-writing = guardado
reindex-began = ⏳ Leyendo los documentos. Puede seguir preguntando.
reindex-running = Ya se están leyendo los documentos: lo inició { $who } a las { $since }. Espere a que termine.
reindex-elsewhere = Otro programa está leyendo los documentos. Inténtelo cuando termine.
reindex-failed = No se pudieron leer los documentos: { $reason }. Las respuestas siguen usando lo leído antes.
reindex-confirm = ¿Leer y preparar todos los documentos de nuevo? Puede tardar mucho; mientras tanto se siguen respondiendo preguntas.
reindex-how = /reindex lee lo que ha cambiado, /reindex rebuild lo lee todo de nuevo.
reindex-done = ✔ Documentos: { $documents }, pasajes: { $passages }, en { $seconds }
reindex-changes = nuevos: { $added } · cambiados: { $changed } · quitados: { $removed } · fallidos: { $failed }
add-how = Envíe un archivo con el pie /add o responda a un archivo con /add. Tamaño máximo: { $size }. Tipos de archivo: { $endings }. O envíe /add con la dirección de una página web o de un mapa del sitio.
add-kind = No puedo leer archivos como { $name }. Puedo leer { $endings }.
add-too-big = { $name } es demasiado grande. El tamaño máximo es { $size }.
add-gone = No he podido descargar { $name } de Telegram. Envíe el archivo otra vez.
add-failed = No se pudo guardar { $name }: { $reason }
add-unreadable = No se ha podido leer { $name }, así que no se ha añadido: { $reason }
add-not-indexed = { $name } está guardado, pero aún no se puede buscar en él: { $reason }. Envíe /reindex más tarde.
add-began = ⏳ Leyendo { $name } …
add-done = ✔ Añadido { $name }. Pasajes: { $passages }
add-replaced = ✔ Reemplazado { $name }. Pasajes: { $passages }
add-confirm = Ya existe un documento llamado { $name }. ¿Reemplazarlo?
add-there = { $name } ya existe y no se ha sustituido. Para sustituirlo, envíelo solo con el pie /add.
remove-how = Envíe /remove y el nombre de un documento añadido; /documents los muestra.
correct-how = Responda a una de mis respuestas con /correct y la respuesta correcta, o con un archivo con el texto /correct. O envíe la pregunta en la primera línea y su respuesta debajo: `/correct ¿Qué Java necesitamos?`, línea siguiente `Java 21.`
correct-title = Respuestas de los administradores
correct-done = ¡Gracias! A partir de ahora respondo a { $question } con:
correct-replaced = Sustituye una respuesta anterior a esta pregunta.
correct-set = Vale en los chats con el conjunto de documentos { $name } y en los que pueden usar todos los documentos.
correct-undone = Su respuesta a { $question } se ha retirado. Vuelve a valer lo anterior.
correct-gone = Esta respuesta ya no existe.
button-undo-answer = ↩ Deshacer
answers-none = Ningún administrador ha dado una respuesta todavía.
answers-title = Respuestas de los administradores: { $answers }
answers-line = · { $question } – { $name }, { $day }
answers-remove = Para quitar una, envíe /remove y su nombre.
press-wrong-admin = Marcada como incorrecta. Para dar la respuesta correcta, responda a mi respuesta con /correct y el texto o un archivo.
command-correct = dar la respuesta correcta a una pregunta
command-answers = ver las respuestas de los administradores
remove-confirm = ¿Quitar { $name }? Las respuestas dejarán de usarlo.
remove-began = ⏳ Quitando { $name } …
remove-done = ✔ Quitado { $name }.
remove-not-indexed = { $name } está borrado, pero las respuestas aún pueden usarlo: { $reason }. Envíe /reindex más tarde.
remove-corpus = { $name } no se añadió con /add. Está en { $path }: bórrelo allí y envíe /reindex.
remove-namesake = El documento añadido con ese nombre se llama { $name }: envíe /remove { $name } para quitarlo.
remove-similar = No hay un documento añadido { $name }. ¿Quiso decir: { $names }?
remove-unknown = No hay un documento añadido { $name }. /documents los muestra todos.
stats-how = /stats muestra los últimos 7 días, /stats 1 hoy, /stats 30 los últimos 30 días.
stats-title = Uso: { $period } (UTC)
stats-today = hoy
stats-days = { $days } días
stats-nothing = No hubo preguntas.
stats-questions = preguntas
stats-people = personas
stats-label-verified = verificadas
stats-label-partly = comprobadas en parte
stats-label-conversation = conversación
stats-label-general = generales
stats-label-unverified = sin verificar
stats-label-not_in_documents = no están
stats-documents = con documentos
stats-ratings = útiles / equivocadas
stats-half = mediana
stats-most = 95 % en
stats-calls = llamadas
stats-tokens = tokens ent + sal
stats-cost = coste
stats-saved = juicios ahorrados
saved-checks = comprobaciones de forma
saved-evidence = cotejo con los documentos
saved-repairs = reparaciones
stats-picture-questions = Preguntas al día
stats-picture-seconds = Segundos hasta la respuesta
stats-picture-half = mediana
stats-picture-most = 95 % de las preguntas
unanswered-title = Preguntas que los documentos no respondieron en los últimos { $days } días, primero las más frecuentes:
digest-title = 📋 La última semana: { $questions } preguntas. Sin respuesta o con respuesta incorrecta: { $open }; marcadas como incorrectas por los lectores: { $wrong }:
digest-end = Responda a esas respuestas con /correct o añada un documento con /add. /unanswered muestra los últimos 30 días.
unanswered-line = { $count }× { $question } (última vez: { $last })
unanswered-none = No hay preguntas sin respuesta en los últimos { $days } días. Las respuestas que no se pudieron comprobar no aparecen aquí; las cuenta /stats.
health-title = Estado:
health-database = base de datos
health-jobs = trabajo en curso
health-given-up = trabajo fallido
health-documents = documentos
health-none = nada
health-models = modelos
health-backlog = en espera en Telegram
health-machines = máquinas
health-machine = { $name } (versión { $version }, trabajos: { $jobs }, última señal hace { $ago })
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
health-faults = archivos fallidos: { $files }; /documents los muestra
health-read = última lectura: { $at }
health-free = { $size } libres
skipped-files = Sin leer: { $files } ({ $count }) – { $reason }
skipped-more = Otros archivos sin leer: { $count }
button-file = 📄 [{ $n }] { $name }
press-no-file = Este archivo ya no está disponible.
command-sets = elegir qué documentos puede usar un chat
sets-how = /sets make NOMBRE CARPETA_O_PATRÓN … crea un conjunto (por ejemplo: /sets make rrhh rrhh/ "*.pdf"); /sets use NOMBRE responde en este chat solo con él, /sets use NOMBRE ID_DEL_CHAT en otro; /sets reset [ID_DEL_CHAT] vuelve a todos los documentos; /sets drop NOMBRE elimina un conjunto.
sets-none = No hay conjuntos de documentos, así que todos los chats usan todos los documentos.
sets-title = Conjuntos de documentos: { $sets }
sets-entry = { $name }: { $patterns } (archivos: { $files })
sets-here = En este chat solo se responde con el conjunto { $name }.
sets-here-all = En este chat se responde con todos los documentos.
sets-used = { $chat }: solo se responde con { $name }.
sets-reset = { $chat }: se responde con todos los documentos.
sets-made = ✔ El conjunto está guardado. Para usarlo, envíe /sets use en el chat.
sets-dropped = ✔ El conjunto { $name } se ha eliminado.
sets-in-use = Un chat todavía usa el conjunto { $name }. Restablezca ese chat o asígnele otro conjunto primero.
sets-unknown = No hay ningún conjunto { $name }. /sets los muestra.
sets-too-many = Puede haber { $most } conjuntos como máximo. Elimine uno antes con /sets drop.
step-assign = leyendo la pregunta y los documentos
step-propose = preguntando a un miembro
step-peer_review = un miembro evalúa a los demás
step-self_correct = un miembro corrige su respuesta
step-conclude = el presidente concluye
council-stage1 = Han respondido { $answered } de { $of } …
council-stage2 = Han respondido { $answered } de { $members }; se evalúan entre sí: { $done } de { $of } …
council-stage2-5 = Evaluadas; corrigen sus respuestas: { $done } de { $of } …
council-stage3 = Corregidas; el presidente redacta la respuesta …
council-single = Nadie pudo reunir las respuestas, así que esta es la de un solo miembro: { $seat }.
council-degraded = El consejo no estuvo completo: { $faults }.
council-original = { $seat }: la primera respuesta
council-corrected = { $seat }: la respuesta corregida
council-ranking = Cómo clasificaron los miembros las primeras respuestas de los demás, antes de corregirlas:
button-ranking = 🏅 Clasificación
button-members = 👥 Miembros
button-fewer = ▴ Cerrar
button-original = { $seat }: original
button-corrected = { $seat }: corregida
council-no-members = Todavía no hay consejo. Indique sus miembros en el ajuste `council.members`.
council-admins = Solo los administradores de este bot pueden preguntar al consejo. Envíe su pregunta sin /council para obtener una respuesta.
council-off = El consejo está desactivado en este chat. Un administrador del bot puede activarlo con /council on.
limit-council = Este chat ha alcanzado su límite diario de preguntas al consejo ({ $limit }). Podrá volver a preguntar a partir de las { $until }; hasta entonces, envíe su pregunta sin /council.
council-no-answer = Ningún miembro del consejo respondió. Vuelva a preguntar más tarde o envíe su pregunta sin /council.
council-switched-on = Ahora se puede preguntar al consejo en este chat.
council-switched-off = Ya no se puede preguntar al consejo en este chat.
council-how = Escriba su pregunta después del comando, o responda a un mensaje con /council: varios modelos ({ $members }) la responden, se evalúan entre sí y se corrigen, y uno concluye. Tarda más que una sola respuesta. Límite por chat y día: { $limit }.
council-how-admins = /council off lo desactiva en este chat; /council on lo vuelve a activar.
command-council = preguntar a varios modelos que se revisan entre sí: /council PREGUNTA
why-council = La respuesta de varios modelos que se evaluaron y corrigieron; se comprobó como cualquier otra.
trail-step = Paso
trail-outcome = Resultado
trail-tokens = Tokens
trail-time = Tiempo
council-original-title = Respuesta original
council-corrected-title = Respuesta corregida
council-first-kept = Se mantiene la primera respuesta
council-table = Clasificación común de las primeras respuestas
council-stage1-title = Etapa 1: Primeras respuestas
council-stage1-what = Cada miembro responde por su cuenta, sin ver a los demás. Los números como [1] son los de los pasajes que recibieron los miembros; la respuesta final numera de nuevo sus fuentes.
council-stage2-title = Etapa 2: Evaluaciones
council-stage2-what = Cada miembro evalúa y ordena las respuestas de los demás sin saber de quién son.
council-stage2-5-title = Etapa 2.5: Autocorrecciones
council-stage2-5-what = Cada miembro lee lo que los demás dijeron de su respuesta y la corrige. Se marcan las palabras que solo tiene uno de los dos textos.
council-stage3-title = Etapa 3: Conclusión
council-stage3-what = El presidente reúne las respuestas corregidas en una sola, que después se comprueba como cualquier otra.
council-table-place = Puesto
council-table-member = Miembro
council-table-score = Puntuación
council-table-votes = Votos
council-critiques = Lo que dijeron los demás
council-at-work = En curso …
council-done = Hecho
council-strengths = Puntos fuertes:
council-issues = Problemas:
council-as-written = Tal como se escribió, antes de comprobarla:
add-pages = Páginas añadidas en total: { $pages }

# Guided interviews.
command-interview = empezar o continuar una entrevista guiada
command-status = cómo va la entrevista
command-undo = deshacer la última respuesta
command-skip = dejar abierta la pregunta
command-later = preguntarlo más tarde
command-back = volver a la pregunta anterior
command-cancel = terminar la entrevista; antes pregunta
command-finish = terminar la entrevista
command-export = recibir la entrevista como archivo
interview-choose = ¿Qué entrevista quiere hacer?
interview-skip = Saltar
interview-back = Atrás
interview-finish = Terminar
interview-report = { $name } ha terminado «{ $title }»: { $done } de { $total } resueltos.
interview-report-due = Cuando termine la entrevista, quienes trabajan con ella recibirán un informe.
interview-notes = Notas:
interview-none-open = No hay ninguna entrevista abierta. /interview empieza una.
interview-progress = { $title }: { $done } de { $total } aclarados
interview-besides = Además
interview-no-value = no hay
interview-missing = Todavía falta:
interview-talk = Lo que se dijo
interview-user = Usted
interview-assistant = Bot
interview-system = Sistema
interview-status-collecting = Se están recogiendo los datos.
interview-status-gating = Están todos los datos; falta la última comprobación.
interview-status-ready = Está todo.
interview-status-blocked = Ya no se pueden hacer más preguntas.
interview-fact-confirmed = dicho por usted
interview-fact-proposed = por confirmar
interview-fact-disputed = contradictorio
interview-fact-not-applicable = no hay
interview-fact-open = pendiente
interview-complete = Está todo. /finish termina la entrevista, /export la entrega; otro mensaje la cambia.
interview-unchecked = Está todo, pero no se pudo hacer la última comprobación. /finish lo intenta de nuevo.
interview-blocked = No pregunto más: lo que falta quedó abierto o ya se preguntó bastante. Escriba lo que pueda añadir, escriba «continuar» para que vuelva a preguntar, o termine con /finish.
interview-why = Por qué lo pregunto: { $why }
interview-why-asked = Qué se preguntó a un modelo:
interview-why-no-model = no se preguntó a ningún modelo: la respuesta se entendió sin él
interview-why-unusable = respuestas que no se pudieron usar y se pidieron de nuevo: { $count }
interview-why-noted = Qué se anotó:
interview-why-quoted = { $title }: { $value }, porque usted dijo «{ $quote }»
interview-why-assumed = { $title }: { $value }; usted no lo dijo, así que se le pide que lo confirme
interview-why-none = { $title }: no hay, porque usted dijo «{ $quote }»
interview-why-gone = { $title }: se quitó, para responderlo de nuevo
interview-why-refused = Qué no se aceptó:
interview-dropped-confirmed = usted confirmó otro valor, y solo su respuesta a una pregunta puede cambiarlo
interview-dropped-moves-confirmed = habría movido algo que usted confirmó
interview-dropped-same-value = este valor ya estaba anotado
interview-dropped-erases-without-quote = el modelo quería borrarlo, y usted no lo dijo
interview-dropped-outside = está fuera de lo que se recoge
interview-dropped-impossible = ese valor no es posible ahí; si usted lo dijo, se guarda como nota
interview-dropped-not-there = no había nada que borrar
interview-why-disputed = { $title }: está anotado «{ $held }» y ahora usted dijo «{ $said }»; se le pregunta cuál es correcto
interview-why-decided = Qué más se decidió:
interview-why-words = el modelo dijo de su respuesta: «{ $words }»
interview-why-objection = en la última comprobación el modelo objetó: «{ $title }»
interview-why-passed = la última comprobación no encontró objeciones
interview-why-unchecked =
    { $code ->
        [max_loops] falta la última comprobación: en este turno no se permiten más llamadas al modelo
        [model_unavailable] falta la última comprobación: el modelo no responde
        [budget_exhausted] falta la última comprobación: habría costado demasiado
       *[other] falta la última comprobación: la respuesta del modelo no se pudo usar
    }
interview-why-limits = no se pueden hacer más preguntas; queda abierto: { $titles }
interview-why-left-open = usted no sabe «{ $title }»: queda pendiente y no se vuelve a preguntar
interview-why-no-turn = Todavía no se ha dicho nada en esta entrevista.
interview-undone = Deshecho.
interview-finished = La entrevista ha terminado. /export la entrega.
interview-close = Cerrarla como está
interview-go-on = Continuar
interview-closed = La entrevista se ha cerrado como está. /export la entrega.
interview-list-button = Mis entrevistas
interview-list = Sus entrevistas en este chat:
interview-list-empty = No se guarda ninguna entrevista en este chat.
interview-list-open = { $title }, { $at }: { $done } de { $total } resueltos, abierta
interview-list-closed = { $title }, { $at }: { $done } de { $total } resueltos, terminada
interview-delete-button = Borrar { $number }
interview-delete-confirm = ¿Borrar esta entrevista con todo lo que se dijo en ella? No se podrá recuperar. El informe que otros ya recibieron se queda con ellos.
interview-deleted = La entrevista se ha borrado, igual que los archivos y el resumen que le envié. Los demás mensajes de este chat se quedan hasta que usted los borre.
interview-file = La entrevista como datos
interview-page = La entrevista como página
paper-docx = El documento para Word
paper-pdf = El documento en PDF
paper-gaps = Falta en el documento: { $titles }
paper-faults = Qué falla en el documento:
interview-terminal = Responda con sus palabras o con el número de una opción. /status, /why, /undo, /document, /finish, /export CARPETA, /quit
interview-session = Entrevista { $id }; --session continúa con ella.
interview-halted =
    { $code ->
        [model_unavailable] Su mensaje se ha guardado, pero no pude procesarlo: el modelo no responde. Envíe el siguiente y procesaré los dos.
        [budget_exhausted] Su mensaje se ha guardado, pero no pude procesarlo: habría costado demasiado. Envíe el siguiente y procesaré los dos.
       *[other] Su mensaje se ha guardado, pero no pude procesarlo: la respuesta del modelo no se pudo usar. Envíe el siguiente y procesaré los dos.
    }
console-link = Con este enlace entras en la consola web. Sirve una sola vez durante { $minutes } minutos; no se lo pases a nadie:
    { $link }
console-local = Se abre en el equipo en el que funciono. Para abrir la consola desde otro lugar, define console.public_url.
console-off = La consola web está desactivada (ajuste console.enabled).

matrix-encrypted = No puedo leer mensajes cifrados. Escríbame en una sala sin cifrado de extremo a extremo: desactívelo donde su cliente crea la sala.
talk-privacy = `/privacy delete` lo borra todo, sin volver a preguntar.
talk-add-how = Envíe un archivo en una sala en la que estemos solos, o en cualquier otra con el texto /add. Tamaño máximo: { $size }. Tipos de archivo: { $endings }.
talk-add-gone = No he podido descargar { $name }. Envíe el archivo otra vez.
