# ruff: noqa: E501  # one phrase a line reads as a table
"""Phrases that a chatbot puts around its answers, as verbose, case-insensitive patterns by language.

To add a language, add a line to each pattern. Add no phrase that can be a part of an answer.
"""

from __future__ import annotations

ASKER = r"user|human|question|пользователь|вопрос|사용자|질문|用户|用户问题|问题|提问|pengguna|pertanyaan|usuario|pregunta"
ANSWERER = (
    r"assistant|ai|bot|(?:final[ ])?answer|response|ассистент|помощник|(?:итоговый[ ])?ответ|답변|답|어시스턴트"
    r"|助手|回答|答案|答|asisten|jawaban|asistente|respuesta"
)

EXCLAMATION = r"""
    (?: sure(?:[ ]thing)? | certainly | of[ ]course | absolutely | great[ ]question | good[ ]question
      | (?:(?:i'd|i[ ]would)[ ]be[ ])?(?:happy|glad)[ ]to[ ](?:help|assist) | (?:my|with)[ ]pleasure | gladly
      | thank(?:s|[ ]you)[ ]for[ ](?:asking|reaching[ ]out|your[ ]question|the[ ]question)
    ) [!.][ \t]*
  | (?: конечно(?:[ ]же)? | разумеется | безусловно | (?:отличный|хороший)[ ]вопрос
      | с[ ](?:удовольствием|радостью)(?:[ ](?:помогу|отвечу))? | рад[а]?[ ](?:помогу|помочь)
      | спасибо[ ]за[ ](?:ваш[ ])?(?:вопрос|обращение) ) [!.][ \t]*
  | (?: 물론(?:입니다|이죠|이에요) | 네,?[ ]?물론입니다 | 알겠습니다 | 좋은[ ]질문(?:입니다|이에요|이네요)
      | (?:네,?[ ]?)?(?:기꺼이[ ])?(?:도와드리겠습니다|도와드릴게요|답변해[ ]?드리겠습니다|안내해[ ]?드리겠습니다)
      | (?:질문|문의)(?:해[ ]?주셔서|[ ]주셔서)?[ ]?감사합니다 ) [!.][ \t]*
  | (?: 当然(?:可以)? | 没问题 | 好的 | (?:这是一?个)?(?:很|非常)?好(?:的)?问题
      | (?:很|非常)?(?:高兴|乐意)(?:能|可以)?(?:为您|为你|帮您|帮你)?(?:解答|回答|效劳|服务|帮助您|帮助你|帮忙)
      | (?:感谢|谢谢)(?:您|你)的?(?:提问|咨询|问题) ) [！!。]\s*
  | (?: tentu(?:[ ]saja)? | baiklah | pertanyaan[ ](?:yang[ ])?(?:bagus|baik)
      | dengan[ ]senang[ ]hati(?:[ ]saya[ ]bantu)? | senang[ ](?:bisa[ ]|dapat[ ])?membantu(?:[ ]anda)?
      | terima[ ]kasih[ ](?:atas|telah)[ ](?:pertanyaan(?:nya|[ ]anda)?|bertanya|menghubungi[ ]kami) ) [!.][ \t]*
  | ¡? (?: claro(?:[ ]que[ ]sí)? | por[ ]supuesto | desde[ ]luego | (?:buena|excelente)[ ]pregunta
      | con[ ](?:mucho[ ])?gusto | encantad[oa][ ]de[ ]ayudar(?:te|le|les)? | será[ ]un[ ]placer
      | gracias[ ]por[ ](?:tu|su|la)[ ](?:pregunta|consulta) | gracias[ ]por[ ](?:preguntar|contactar\p{L}*) ) [!.][ \t]*
"""
"""Politeness before an answer. Some answers consist only of this, so it matches only if more text follows."""

ANNOUNCEMENT = r"""
    (?: (?:let|allow)[ ]me[ ](?:to[ ])?(?:explain|clarify|elaborate|answer|help|break[ ](?:it|this|that)[ ]down|walk[ ]you[ ]through|look[ ]into|check)
      | i(?:'ve|’ve|[ ]have)[ ](?:looked|gone|searched|read|checked|reviewed|examined)[ ](?:(?:through|over|into|up)[ ])?(?:the|your|all|our)[ ]
        (?:\p{L}+[ ])?(?:documents?|documentation|passages?|files?|context|handbook|sources?|information|knowledge[ ]base)
      | i[ ](?:understand|see)[ ](?:your[ ]question|what[ ]you(?:'re|’re|[ ]are)[ ]asking) | (?:thanks|thank[ ]you)[ ]for[ ](?:waiting|your[ ]patience)
      | i(?:'ll|’ll|[ ]will)[ ](?:be[ ](?:happy|glad)[ ]to[ ])?(?:explain|help[ ]you|answer|walk[ ]you[ ]through)
    ) [^.!?:\n\p{N}]{0,40} [.!:] [ \t]*
  | (?: (?:давайте|позвольте)[ ](?:мне[ ])?(?:разбер[её]м|объясн|поясн|рассмотр|уточн|расскаж|отвеч|помог|посмотр|провер)\p{L}*
      | я[ ](?:просмотрел|проверил|изучил|прочитал|проанализировал)а?[ ](?:\p{L}+[ ]){0,2}(?:документ|материал|источник|файл|справочник|контекст)\p{L}*
      | (?:я[ ])?(?:понимаю|понял|поняла)[ ](?:ваш|твой)[ ]вопрос | спасибо[ ]за[ ](?:ожидание|терпение) | сейчас[ ](?:объясню|расскажу|поясню|отвечу)
    ) [^.!?:\n\p{N}]{0,40} [.!:] [ \t]*
  | (?: (?:제가[ ])?(?:자세히[ ]|간단히[ ])?(?:설명|안내|답변|정리|확인)(?:해|하여)?[ ]?(?:드리겠습니다|드릴게요)
      | (?:제가[ ])?(?:문서|자료|내용|핸드북)[를을들]{0,2}[ ](?:모두[ ])?(?:살펴보았습니다|살펴봤습니다|확인했습니다|검토했습니다|찾아보았습니다)
      | (?:질문을|문의를)[ ](?:이해했습니다|잘[ ]받았습니다) | 기다려[ ]?주셔서[ ]감사합니다 ) [.!:] [ \t]*
  | (?: (?:请)?(?:让|容)我(?:来)?(?:为您|为你|给您|给你)?(?:详细|简单|先)?(?:解释|说明|回答|分析|介绍|看看|查一?下|帮您|帮你)(?:一下)?
      | 我(?:已经|已|刚刚)?(?:为您|为你|帮您|帮你)?(?:查阅|查看|阅读|检查|搜索|浏览)了?(?:所有|全部|相关|这些)?(?:的)?(?:文档|资料|文件|手册|材料)
      | 我(?:理解|明白)(?:了)?(?:您|你)的(?:问题|意思) | (?:感谢|谢谢)(?:您|你)?的?(?:耐心)?等(?:待|候) ) [^。！：:\n\p{N}]{0,10} [。！：:]\s*
  | (?: (?:mari|izinkan)[ ](?:saya[ ])?(?:jelaskan|bantu|uraikan|menjelaskan|membantu|jawab|periksa|lihat)
      | saya[ ](?:sudah|telah)[ ](?:memeriksa|membaca|mencari|meninjau|melihat)[ ](?:\p{L}+[ ]){0,2}(?:dokumen|berkas|sumber|panduan|informasi)(?:nya)?
      | saya[ ](?:mengerti|paham|memahami)[ ](?:pertanyaan|maksud) | terima[ ]kasih[ ](?:atas[ ]kesabaran|sudah[ ]menunggu|telah[ ]menunggu)
      | saya[ ]akan[ ](?:jelaskan|menjelaskan|bantu|membantu|jawab|menjawab)
    ) [^.!?:\n\p{N}]{0,40} [.!:] [ \t]*
  | (?: ¡? (?:déjame|déjeme|permíteme|permítame|voy[ ]a)[ ](?:explic|aclar|ayud|respond|revis|ver|cont|detall)\p{L}*
      | he[ ](?:revisado|buscado|consultado|leído|comprobado|examinado)[ ](?:\p{L}+[ ]){0,2}(?:documentos?|documentación|archivos?|fuentes?|manual|información)
      | (?:entiendo|comprendo)[ ](?:tu|su)[ ]pregunta | gracias[ ]por[ ](?:esperar|(?:tu|su|la)[ ](?:paciencia|espera))
    ) [^.!?:\n\p{N}]{0,40} [.!:] [ \t]*
"""
"""A first sentence in which a chatbot announces its answer."""

OPENER = r"""
    (?: sure | certainly | of[ ]course | absolutely | okay | ok | great | alright )
      [,!.]? [ ] (?= here(?:'s|’s|[ ]is|[ ]are) )
  | here(?:'s|’s|[ ]is) [ ] (?:an?|the|your|my)
      [ ] (?:(?:corrected|revised|final|improved|rewritten|updated|short|detailed|brief|possible)[ ])?
      (?:answer|response|reply|draft|version) (?:[ ](?:to|for|of)[ ](?:your|the)[ ](?:question|answer))? \s* :
  | here(?:'s|’s|[ ]is)[ ]what[ ]i(?:'ve|’ve|[ ]have)?[ ](?:found|could[ ]find|know|can[ ]tell)[^:.\n]{0,30} :
  | based[ ]on[ ]the[ ](?:provided|given|above)[ ](?:passages?|documents?|context|information),[ ]
  | (?: конечно | разумеется | хорошо | безусловно ) [,!.]? [ ] (?= вот[ ] )
  | вот [ ] (?:(?:исправленный|итоговый|краткий|подробный|ваш|мой|обновл[её]нный)[ ])? ответ
      (?:[ ]на[ ](?:ваш[ ])?вопрос)? \s* :
  | вот [ ] (?:\p{L}+[ ])? (?:вариант|версия|текст) [ ] ответа \s* :
  | вот,?[ ]что[ ](?:я[ ]|мне[ ]|удалось[ ]|могу[ ]){0,3}(?:наш[её]л|нашла|найти|знаю|сказать)[^:.\n]{0,30} :
  | (?: 물론(?:입니다|이죠) | 네 | 알겠습니다 ) [,!.] [ ] (?= 다음은 | 여기 )
  | (?: 다음은 | 여기 ) [ ] (?:(?:수정된|최종|요청하신)[ ])? 답변 (?:입니다|이에요|이[ ]있습니다) \s* [:.]
  | (?:(?:수정된|최종|요청하신)[ ])? 답변은[ ]다음과[ ]같습니다 \s* [:.]
  | (?:제가[ ])?(?:확인한|찾은|알아본|조사한)[ ](?:내용|결과|정보)(?:은|는)[ ]다음과[ ]같습니다 \s* [:.]
  | (?: 好的 | 当然(?:可以)? | 没问题 ) [，,！!。] \s* (?= 以下是 | 下面是 | 这是 | 这里是 )
  | (?: 以下是 | 下面是 | 这是 ) (?:我的|您的|修改后的|最终|对您问题的)? (?:回答|答案|回复|版本) \s* [：:]
  | (?: 以下是 | 下面是 | 这是 ) 我 (?:所|能)?(?:找到|查到|了解到|知道)的?(?:内容|信息|结果|资料)? \s* [：:]
  | (?: tentu(?:[ ]saja)? | baik(?:lah)? | oke ) [,!.] [ ] (?= berikut | ini )
  | berikut [ ] (?:adalah[ ]|ini[ ])? jawaban(?:nya)? (?:[ ](?:saya|akhir|singkat|lengkap|untuk[ ]pertanyaan[ ]anda))? \s* :
  | berikut [ ] (?:adalah[ ]|ini[ ])? (?:versi[ ])? jawaban [ ] yang [ ] (?:sudah[ ]|telah[ ])? \p{L}+ \s* :
  | berikut [ ] (?:adalah[ ]|ini[ ])? (?:hasil|informasi|hal) [ ] yang [ ] (?:dapat[ ]|bisa[ ])? saya [ ] (?:temukan|ketahui|dapatkan|peroleh) \s* :
  | ¡? (?: claro(?:[ ]que[ ]sí)? | por[ ]supuesto | desde[ ]luego ) [,!.] [ ] (?= aquí )
  | aquí [ ] (?:está|tienes|tiene) [ ] (?:la|una|tu|su|mi) [ ] (?:respuesta|versión) (?:[ ](?:corregida|final|breve|detallada|revisada|mejorada))? (?:[ ]de[ ](?:la|tu|su)[ ]respuesta)? \s* :
  | (?:esto[ ]es|aquí[ ](?:está|tienes|tiene)) [ ] lo [ ] que [ ] (?:he[ ]|pude[ ])? (?:encontr\p{L}+|hall\p{L}+|sé) [^:.\n]{0,30} :
"""
"""A phrase that introduces an answer and has no content of its own."""

AS_A_MODEL = r"""
    (?:as|being)[ ]an?[ ] (?:(?:large|helpful|virtual)[ ])?
      (?: (?:ai|artificial[ ]intelligence)(?:[ ](?:language[ ]model|model|assistant|chatbot|bot))? | language[ ]model | chatbot )
      (?:[ ](?:developed|created|trained|made)[ ]by[ ]\p{L}+(?:[ ]\p{L}+)?)? ,[ ]
  | (?:как|будучи)[ ] (?:(?:большая|большой|искусственн\p{L}+)[ ])?
      (?: языков(?:ая|ой)[ ]модель(?:ю)?(?:[ ]ии)? | ии(?:-(?:модель|ассистент|помощник))? | искусственный[ ]интеллект
        | модель[ ]искусственного[ ]интеллекта | чат-бот ) ,[ ]
  | (?:저는[ ])? (?:ai|인공지능)?[ ]?(?:언어[ ]모델|어시스턴트|챗봇) (?:로서|으로서|이므로|이기[ ]때문에) ,?[ ]
  | (?:作为|身为) (?:一个|一名|一款)? (?:ai|人工智能|大型?)?(?:大?语言模型|助手|聊天机器人|模型|人工智能) [，,]\s*
  | sebagai[ ] (?:sebuah[ ])? (?: model[ ]bahasa(?:[ ]ai)? | (?:asisten|model)[ ](?:ai|virtual) | ai | kecerdasan[ ]buatan ) ,[ ]
  | como[ ] (?:un[ ]|una[ ])? (?: modelo[ ]de[ ]lenguaje(?:[ ]de[ ](?:ia|inteligencia[ ]artificial))?
      | (?:asistente|modelo)[ ](?:de[ ]ia|virtual|de[ ]inteligencia[ ]artificial) | ia | inteligencia[ ]artificial ) ,[ ]
"""
"""The clause in which a model introduces itself; the sentence is complete without it."""

CLOSER = r"""
    (?:i[ ])?hope[ ](?:this|that|it)[ ](?:helps|is[ ]helpful|answers)[^.!?\n]{0,60}
  | (?:please[ ])?(?:let[ ]me[ ]know|feel[ ]free[ ]to[ ](?:ask|reach[ ]out|let[ ]me[ ]know)|don't[ ]hesitate[ ]to[ ]ask)[^.!?\n]{0,120}
  | if[ ]you[ ](?:have|need|want)[ ](?:any[ ])?[^.,!?\n]{0,60},[ ](?:please[ ])?(?:feel[ ]free|let[ ]me[ ]know|don't[ ]hesitate|just[ ]ask|i'm[ ]here)[^.!?\n]{0,100}
  | (?:is[ ]there|was[ ]there)[ ]anything[ ]else[ ][^?\n]{0,80}
  | (?:please[ ])?(?:tell|ask|message|contact)[ ]me[ ](?:if|whenever|any[ ]?time|should)[^.!?\n]{0,80} | (?:just|simply)[ ]ask[ ]if[^.!?\n]{0,60}
  | i(?:'m|’m|[ ]am)[ ](?:always[ ])?here[ ](?:if|to[ ]help|whenever)[^.!?\n]{0,60} | happy[ ]to[ ]help[^.!?\n]{0,60}
  | надеюсь,[ ](?:это|мой[ ]ответ|эта[ ]информация)[ ](?:вам[ ])?(?:поможет|помогло|помог|помогла)[^.!?\n]{0,60}
  | если[ ]у[ ](?:вас|тебя)[ ](?:есть|появятся|возникнут|остались|будут)[ ][^.!?\n]{0,40}вопрос\p{L}*,[ ](?:не[ ]стесняйтесь|обращайтесь|спрашивайте|дайте[ ]знать|задавайте|я[ ])[^.!?\n]{0,80}
  | (?:обращайтесь|спрашивайте),[ ]если[^.!?\n]{0,60} | дайте[ ]знать,[ ]если[^.!?\n]{0,80}
  | (?:пишите|напишите|скажите|сообщите|спросите),[ ]если[ ](?:вам[ ]|у[ ]вас[ ]|будут[ ]|есть[ ]|остались[ ]|появятся[ ]|возникнут[ ]|будет[ ]|ещё[ ])*(?:нужн|понадоб|потребу|вопрос|подробн|(?:не)?понятн|что\b)[^.!?\n]{0,60}
  | (?:могу[ ]ли[ ]я|чем)[ ](?:ещ[её][ ]|я[ ]|могу[ ]|чем-(?:нибудь|то|либо)[ ]){0,4}(?:помочь|быть[ ]полез(?:ен|на))[^.!?\n]{0,30}
  | 도움이[ ](?:되셨기를|되었기를|되셨길|되었으면|되길|되기를)[^.!?\n]{0,20}
  | (?:추가|더|다른)[ ]?(?:질문|궁금한|도움)[^.!?\n]{0,40}(?:말씀해|물어보|알려|문의해)[ ]?[^.!?\n]{0,20}
  | (?:더[ ])?(?:궁금한|모르는|필요한|불분명한)[ ](?:점|것|내용|사항)[^.!?\n]{0,30}(?:말씀해|물어|알려|문의해|질문해)[ ]?[^.!?\n]{0,20}
  | (?:더[ ])?(?:자세한|상세한|많은)[ ](?:내용|정보|설명|사항)[이가은는을]?[^.!?\n]{0,20}(?:말씀해|알려|물어|문의해|질문해|요청해)[ ]?[^.!?\n]{0,20}
  | (?:더|추가로|다른)[ ](?:제가[ ])?도와[ ]?드릴[ ](?:일|것|부분|사항|게)[^.!?\n]{0,20}
  | 希望(?:这|以上|我的回答)[^。！？\n]{0,10}(?:帮助|有帮助|帮到您|帮到你)[^。！？\n]{0,10}
  | 还?有(?:什么|其他|任何)[^。！？\n]{0,15}(?:帮您|帮你|帮到您|帮助您|为您|效劳)[^。！？\n]{0,10}
  | 如?有(?:任何|其他|不清楚|不明白|疑问|问题)[^。！？\n]{0,15}[，,]\s*(?:请|欢迎)?(?:随时|继续|告诉我|提问|问我|联系我)[^。！？\n]{0,15}
  | (?:如|若)?(?:您|你)?(?:还)?(?:需要|想要|想了解)(?:更多|进一步|其他|详细)[^。！？\n]{0,12}[，,]\s*(?:请|欢迎)?(?:随时)?(?:告诉我|联系我|提问|问我|告知)[^。！？\n]{0,15}
  | 如果(?:您|你)?(?:还)?(?:有|需要)[^。！？\n]{0,20}[，,]\s*(?:请|欢迎)?(?:随时|告诉我|提问|问我|联系我)[^。！？\n]{0,20}
  | semoga[ ](?:ini[ ]|jawaban[ ]ini[ ]|informasi[ ]ini[ ])?(?:bisa[ ]|dapat[ ])?(?:membantu|bermanfaat)[^.!?\n]{0,40}
  | (?:jika|kalau|bila)[ ](?:anda[ ]|kamu[ ]|ada[ ]|memiliki[ ]|masih[ ]|punya[ ]){1,3}[^.!?\n]{0,40},?[ ](?:silakan|jangan[ ]ragu|beri[ ]tahu[ ]saya|tanyakan)[^.!?\n]{0,60}
  | (?:beri[ ]tahu|beritahu|hubungi|tanya(?:kan)?|kabari)[ ](?:ke[ ])?saya[ ](?:jika|kalau|bila|apabila)[^.!?\n]{0,60}
  | jangan[ ]ragu[ ](?:untuk[ ])?(?:bertanya|menghubungi|tanya)[^.!?\n]{0,60} | saya[ ]siap[ ]membantu[^.!?\n]{0,40}
  | (?:apakah[ ])?(?:masih[ ])?ada[ ](?:hal[ ]lain|lagi|yang[ ]lain)[ ]yang[ ](?:bisa|dapat)[ ]saya[ ]bantu[^.!?\n]{0,30}
  | ¿?hay[ ]algo[ ]más[ ]en[ ](?:lo[ ])?que[ ][^.!?\n]{0,20}ayudar\p{L}*[^.!?\n]{0,30}
  | estoy[ ]aquí[ ](?:para|si)[ ][^.!?\n]{0,50}
  | ¡?espero[ ]que[ ](?:esto[ ]|te[ ]|le[ ]|les[ ]|la[ ]respuesta[ ]|esta[ ]información[ ]){1,3}(?:ayude|sirva|sea[ ]útil)[^.!?\n]{0,40}
  | si[ ](?:tienes|tiene|necesitas|necesita)[ ][^.!?\n]{0,60},[ ](?:no[ ]dudes|no[ ]dude|házmelo|hágamelo|avísame|pregúntame|estoy[ ]aquí)[^.!?\n]{0,60}
  | (?:dime|díme|dígame|avísame|avíseme|pregúntame|házmelo[ ]saber)[ ](?:si|cuando)[^.!?\n]{0,60}
  | no[ ]dud(?:es|e)[ ]en[ ](?:preguntar|consultar|decírmelo)[^.!?\n]{0,60}
"""
"""Politeness after an answer."""

COURTEOUS_DENIAL = r"""
    \b(?:do[ ]not|don't|don’t|never)[ ]hesitate\b | \bno[ ](?:problem|worries)\b
  | \bне[ ](?:стесня|сомнева|медл)\p{L}* | \bнепонятн\p{L}*
  | \bno[ ]dud\p{L}* | \bno[ ]qued\p{L}+[ ]clar\p{L}+ | \bjangan[ ](?:ragu|sungkan|segan)\b
  | 没问题 | 不(?:清楚|明白|客气) | 불분명한
"""
"""Polite phrases with a negation that denies nothing ("don't hesitate", "no problem")."""

SOMEBODY = r"""
    (?<=\s)(?!I\b|Anda\b|OK\b)[\p{Lu}&&[\p{Latin}\p{Cyrillic}]]\p{L}*
  | \b(?:contact|reach[ ]out[ ]to|ask|consult)[ ](?:your|the|our|an?)[ ] | \bhubungi[ ](?!saya|kami)
  | (?<!\p{L})к[ ](?!нам|мне)\p{L}{3,}
  | (?<![저제])(?:에게?|께|[팀터]으?로)[ ](?:[^.!?\n]{0,8}[ ])?(?:문의|연락|물어|질문|말씀|알려)
  | (?:联系|聯繫|告知|咨询)(?!我|。|！|$)
"""
"""Names somebody else to ask. A closing phrase with such a name carries information, so it stays."""

PLACEHOLDER = r"""
    [\[［【] [ \t]* (?:
      (?:insert|your|enter|add|fill[ ]in|placeholder|name[ ]of)\b
      | (?:вставьте|вставить|укажите|введите|заполните|ваш[аеи]?|ваше)\b
      | (?:masukkan|sisipkan|isikan|isi|nama[ ]anda)\b
      | (?:inserte|inserta|insertar|introduzca|escriba|rellene|tu[ ]nombre|su[ ]nombre)\b
      | 请?(?:插入|填写|输入|在此) | 您的 | 你的 | 此处
    ) [^\[\]\n]{0,60} [\]］】] (?!\()
  | \[ [^\[\]\n]{0,30} (?:입력|삽입|기입) [^\[\]\n]{0,20} \] (?!\()
  | [\[［【] [^\[\]\n\p{N}]{0,30} (?:
        \b(?:placeholder|to[ ]be[ ](?:added|filled(?:[ ]in)?|completed|inserted)) | 추후[ ]?작성 | 待补充|待填写|待完善|占位符?
      | \b(?:diisi|dilengkapi|por[ ]completar) ) [ \t]* [\]］】] (?![(\[:])
  | [\[［【] [^\[\]\n\p{N}]{1,30} (?<!click|look|see|tap|press|start|нажмите|смотрите|clic|pulse|klik) [ ]
      (?:(?:goes[ ])?here|здесь|сюда|di[ ]sini|aquí|자리|여기) [ \t]* [\]］】] (?![(\[:])
  | [\[［【] [ \t]* (?:здесь|сюда|тут|aquí|di[ ]sini|여기)[ ] [^\[\]\n\p{N}]{1,40} [\]］】] (?![(\[:])
  | \blorem[ ]ipsum\b
"""
"""A field of a template that was not filled in."""

CONTROL = r"""
    \b(?: (?:click|tap|press|select|choose|pick|hit|button|tab|menu|field|checkbox|item)
      | (?:нажм|нажа|нажим|кликн|выбер|выбра|кнопк|пол[еяю]\b|вкладк|меню|пункт|раздел)\p{L}*
      | (?:puls[ea]|presion[ea]|clic|seleccion[ea]|elij[ea]|elige|botón|pestaña|menú|campo|casilla)
      | (?:klik|tekan|pilih|tombol|menu|tab|kolom) ) \b
  | [点點]击? | 點擊 | 按下? | 单击 | 选择 | 按钮 | 菜单 | 버튼 | 메뉴 | 탭
"""
"""Words before the name of a button: in "press [Your orders]" the brackets are not a placeholder."""

TO_DO = r"""
    [\[(（［【<] [ \t]* (?:TODO|FIXME|TBD|XXX) \b [^\[\]()（）<>\n]{0,60} [\])）］】>] (?!\()
  | \b(?:TODO|FIXME) [ ]? [:：] [^.!?。！？\n]*
  | (?<= \b(?:is|are|was|es|son|adalah|ialah|это) [ ] | [:：=—–是为] [ ]? )
    (?<! \b(?:status|state|column|stage|label|tag|estado|статус) [ ]? (?:\p{L}+[ ] | [:：=—–] [ ]?) | 状态 [:：是为]? [ ]? )
    (?:TODO|FIXME|XXX) (?= [ \t]* (?: [.,;!?。，；！？)] | $ ) )
"""
"""A note that something is still to be written, in capitals."""

DISCLAIMER = r"""
    \bplease[ ](?:verify|double-check)[ ](?:it|this|that|these|the[ ](?:information|details?|answer|figures?))\b
  | \b(?:i|this|it|that|the[ ](?:information|answer|details?)|some[ ]details)[ ](?:may|might|could)[ ]
      (?:not[ ]be[ ](?:fully[ ]|entirely[ ]|completely[ ])?(?:accurate|correct|complete|current|reliable|up[ -]to[ -]date)
        | be[ ](?:out[ -]?of[ -]?date|out-?dated|inaccurate|incomplete|incorrect|wrong|mistaken))\b
  | \bi[ ](?:cannot|can't|can’t|am[ ]unable[ ]to|do[ ]not|don't|don’t)[ ](?:guarantee|verify|confirm|ensure|have[ ]access)\b
  | \bconsult[ ](?:an?|your|the)[ ](?:\p{L}+[ ])?(?:professional|expert|specialist|doctor|lawyer)\b
  | \bdisclaimer[ ]*: | \bmy[ ]knowledge[ ]cut-?off\b
  | (?<!\p{L})(?:я[ ])?не[ ]могу[ ](?:гарантировать|подтвердить|проверить)
  | (?:информация|сведения|данные|ответ|это)[ ](?:может|могут)[ ]быть[ ](?:неточн|устарел|неполн|ошибочн)\p{L}*
  | проконсультируйтесь[ ]с[ ] | обратитесь[ ]к[ ](?:специалист|эксперт|врач|юрист)\p{L}*
  | рекоменду(?:ю|ем|ется)[ ](?:проверить|уточнить|перепроверить)[ ](?:эт|информаци|данные|сведени)\p{L}*
  | 정확하지[ ]않을[ ]수 | (?:정확|완전|최신|신뢰)\p{Hangul}*[ ]보장(?:할[ ]수[ ]없|하지[ ]않|해[ ]?드릴[ ]수[ ]없) | (?:전문가|변호사|의사)(?:와|에게|의)[ ][^.\n]{0,12}(?:상담|문의|확인)
  | (?:信息|答案|回答|内容|以上)[^。\n]{0,6}(?:可能|或许)(?:不准确|不完整|已?过时|有误) | (?:我们?|(?<!\p{Han}))(?:无法|不能)(?:保证|确认|核实)
  | (?:请|建议)(?:您|你)?(?:咨询|向)[^。\n]{0,10}(?:专业|专家|律师|医生)
  | mungkin[ ](?:tidak[ ]akurat|sudah[ ]usang|tidak[ ]lengkap|kurang[ ]tepat)
  | saya[ ]tidak[ ]dapat[ ](?:menjamin|memastikan|memverifikasi)
  | konsultasikan[ ]dengan[ ](?:ahli|dokter|pengacara|profesional|pakar)
  | (?:información|respuesta|datos|esto)[ ](?:puede|podría|pueden|podrían)[ ](?:no[ ]ser[ ](?:exact|precis|correct|complet|actual)
      | (?:estar[ ](?:desactualizad|incomplet)|ser[ ](?:inexact|incorrect|incomplet)))\p{L}*
  | no[ ]puedo[ ](?:garantizar|verificar|confirmar)
  | consult[ae][ ](?:a|con)[ ]un[ao]?[ ](?:profesional|experto|especialista|médico|abogado)
"""
"""Disclaimers: the answer may be wrong, or somebody else should be asked.

Notices ("please note that …") and rules ("badges may not be lent") are not disclaimers.
"""
