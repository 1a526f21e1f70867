"""A refusal to help is told from an answer that says that it knows none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.models.refusals import is_refusal

REFUSALS = """\
I’m sorry, but I can’t help with that.
I'm sorry, but I can't comply with that.
I'm unable to assist with that request.
I'm unable to assist with this request as it violates my guidelines.
I'm sorry, but I can't assist with that request. I can't provide instructions for making weapons.
Sorry, I can't do that.
As an AI language model, I cannot generate explicit content.
Es tut mir leid, aber dabei kann ich nicht helfen.
Tut mir leid, ich kann dir dabei nicht helfen.
Je suis désolé, mais je ne peux pas vous aider avec cela.
Lo siento, no puedo ayudar con eso.
Desculpe, mas não posso ajudar com isso.
Mi dispiace, ma non posso aiutarti con questo.
Het spijt me, maar daar kan ik je niet mee helpen.
Przykro mi, ale nie mogę w tym pomóc.
К сожалению, я не могу помочь с этим.
Извините, но я не могу вам с этим помочь.
Я не могу обсуждать эту тему. Давайте поговорим о чём-нибудь ещё.
На жаль, я не можу допомогти з цим запитом.
Съжалявам, но не мога да помогна с това.
Žao mi je, ali ne mogu da vam pomognem sa tim.
Üzgünüm, bu isteğe yardımcı olamam.
Xin lỗi, tôi không thể giúp bạn với điều này.
Maaf, saya tidak dapat membantu dengan itu.
很抱歉，我无法满足您的请求。
對不起，我無法協助這個請求。
你好，这个问题我暂时无法回答，让我们换个话题再聊聊吧。
申し訳ありませんが、そのリクエストにはお応えできません。
죄송하지만 해당 요청은 도와드릴 수 없습니다.
Не люблю менять тему разговора, но вот сейчас тот самый случай.
I'm sorry, but I can't help with that. Is there anything else that you want to know?
I'm sorry, but I can't help with that, but I'd be happy to help with something else.
I'm sorry, but I can't assist with that. If you have any other questions, feel free to ask!
Es tut mir leid, aber dabei kann ich nicht helfen. Kann ich dir mit etwas anderem helfen?
К сожалению, я не могу помочь с вашим запросом. Это противоречит моим правилам.
抱歉，我无法协助处理这个请求。您还有其他问题吗？
unsafe
""".splitlines()
ANSWERS = """\
The documents do not say it.
I'm sorry, but I don't have information about that.
I can't help with that because I don't have any information about it.
I'm sorry, I can't answer that: the passages do not mention it.
Sorry, I can't help with that. The documents do not say how long it takes.
I can't help with finding the port; please check the manual.
Unfortunately, we cannot do this before May [1].
I can't do that trick, but 45 days is the limit.
Guests cannot be helped with this on Sundays.
It is unsafe.
К сожалению, в документах нет этой информации.
К сожалению, я не могу ответить: в документах этого нет.
Lo siento, no tengo esa información.
很抱歉，文档中没有提到。
抱歉，我无法回答这个问题，因为文档没有说明。
죄송하지만 문서에 나와 있지 않습니다.
Es tut mir leid, das steht nicht in den Dokumenten.
Üzgünüm, belgelerde bu bilgi yok.
申し訳ありませんが、文書には記載がありません。
Unfortunately, I can't help with this, but the manual says that the port is 8080.
Unfortunately, I can't help with this, but the manual says that it is the blue port.
I can't help with this, ask Anna Berg.
I can't help with this. It is illegal to park in the yard.
I'm sorry, I can't help with this. Anna can help you with other things.
Sorry, I can't help with that. That is the explicit lock of the harmful queue.
I'm sorry, I can't help with this. The person in charge is Anna Berg, room 12, phone 555-100.
I'm sorry, I can't help with this. The person in charge is Anna Berg.
I can't help with this, but company policy says that visitors ring the bell.
К сожалению, я не могу помочь с этим. Парковка бесплатна по воскресеньям с 8 до 20 часов.
К сожалению, я не могу помочь с этим. Парковка бесплатна по воскресеньям.
Dabei kann ich nicht helfen. Der Eingang ist neben der Kantine.
Je ne peux pas vous aider avec cela. Le parking est gratuit le dimanche.
Lo siento, no puedo ayudar con eso. El aparcamiento es gratuito los domingos.
죄송하지만 해당 요청은 도와드릴 수 없습니다. 주차는 일요일에 무료입니다.
申し訳ありませんが、そのリクエストにはお応えできません。駐車場は日曜日は無料です。
申し訳ありませんが、そのリクエストにはお応えできませんが、駐車場は無料です。
К сожалению, я не могу помочь с этим, обратитесь к Анне Берг.
我无法满足您的请求，会议室在三楼。
Maaf, saya tidak dapat membantu dengan itu. Parkir gratis pada hari Minggu.
Üzgünüm, bu isteğe yardımcı olamam. Otopark pazar günleri ücretsizdir.
很抱歉，我无法满足您的请求。停车场周日免费。
I must decline your kind invitation to the dinner on Friday, because I am away.
Unfortunately, I must refuse the delivery, because two boxes are broken.
The pledge says: "I won't do anything that violates company policies."
I won't do anything that violates company policies.
I cannot create explicit foreign keys in SQLite after the table exists; use a new table.
I cannot provide support for Windows 7 any more, but Windows 10 is supported until 2025.
I cannot comply before Monday.
“换个话题”的英文是 change the subject。
我们先换个话题：会议室在三楼。
Не люблю менять тему разговора — так начинается рассказ.
""".splitlines()


@pytest.mark.parametrize("reply", [*REFUSALS, "unsafe\nS2", "unsafe\nS1,S10"])
def test_refusal_to_help_is_recognised(reply: str) -> None:
    assert is_refusal(reply)


@pytest.mark.parametrize("reply", ["", *ANSWERS, f"{REFUSALS[0]} {'But it takes 45 days. ' * 40}"])
def test_answer_is_no_refusal(reply: str) -> None:
    assert not is_refusal(reply)


@given(st.text())
def test_any_text_can_be_asked_about(text: str) -> None:
    is_refusal(text)
