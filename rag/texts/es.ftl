no-model-passages = Ahora mismo no hay ningún modelo de lenguaje disponible, así que esto no es una respuesta propia. Estos pasajes de los documentos son los más cercanos a la pregunta:
no-model = Ahora mismo no hay ningún modelo de lenguaje disponible y los documentos no contienen nada parecido. Inténtelo más tarde.
nearest = Los documentos más cercanos: { $sources }.
budget-exhausted = Esta pregunta agotó su límite antes de obtener una respuesta. Haga una pregunta más concreta.
budget-passages = No quedó presupuesto para escribir una respuesta a esta pregunta. Estos pasajes de los documentos son los más cercanos:
spent-passages = Lo que aquí se puede gastar en un día está agotado hasta las 00:00 UTC, así que esto no es una respuesta propia. Estos pasajes de los documentos son los más cercanos a la pregunta:
spent = Lo que aquí se puede gastar en un día está agotado hasta las 00:00 UTC y los documentos no contienen nada parecido. Inténtelo más tarde.
unusable-passages = Tras varios intentos no salió ninguna respuesta utilizable. Estos pasajes de los documentos son los más cercanos a la pregunta:
