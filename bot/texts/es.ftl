label-verified = comprobado con los documentos
label-general = conocimiento general o la propia conversación, no los documentos
label-unverified = sin comprobar: verifíquelo antes de confiar en ello
label-not_in_documents = no está en los documentos
sources = Fuentes
nearest-sources = Pasajes más cercanos
you = usted
chat-welcome = Pregunte sobre sus documentos. /help muestra los comandos, Ctrl-D sale.
chat-help =
    /why      cómo se llegó a la última respuesta
    /sources  los pasajes en los que se apoya
    /reset    olvidar esta conversación
    /quit     salir (también con Ctrl-D)
chat-resumed = Seguimos con esta conversación ({ $messages ->
    [one] 1 mensaje
   *[other] { $messages } mensajes
}); /reset la olvida.
chat-reset = Olvidado. ¿Qué le gustaría saber?
chat-nothing-yet = Todavía no hay ninguna respuesta.
chat-no-sources = La última respuesta no usó documentos.
chat-unknown-command = No existe el comando { $command }; /help muestra los que hay.
chat-stopped = Detenido. La conversación se conserva.
chat-not-stored = La respuesta no se ha guardado: { $reason }
chat-bye = Hasta luego. La conversación se conserva.
step-recall = recordando la conversación
step-classify = leyendo el mensaje
step-draft = escribiendo un borrador
step-probe = consultando los documentos
step-cover = viendo si los documentos tratan de esto
step-evaluate = comprobando
step-judge = preguntando al juez
step-retrieve = leyendo los documentos
step-regenerate = escribiendo a partir de los documentos
step-rewrite = buscando con otras palabras
model-failed = El modelo ha fallado: { $reason }
