"""The open knowledge base: right passages, in any language, whatever else goes on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rag.errors import KnowledgeError, ModelUnavailableError
from rag.knowledge.embedder import Vectors
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.selection import parts
from rag.knowledge.sync import sync
from rag.settings import Knowledge, Models
from rag.values import DocumentSet, Passage, PassageId
from tests.support.knowledge import Workshop, make_workshop

JAVA = "# Set-up\n\nFxStore needs Java 17."
HOLIDAY = "# Holidays\n\nVacation is requested two weeks ahead."
PAY = "# Pay\n\nSalaries are paid on the last Friday."


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    made = make_workshop(tmp_path, monkeypatch)
    made.write(setup=JAVA, holidays=HOLIDAY, pay=PAY)
    made.sync()
    return made


async def sources(base: KnowledgeBase, *queries: str) -> list[str]:
    return [hit.passage.source for hit in (await base.search(queries)).hits]


async def test_a_hit_carries_what_the_evidence_needs(workshop: Workshop) -> None:
    base = workshop.open()
    result = await base.search(["Which Java does FxStore need?"])
    hit = result.hits[0]
    assert (hit.passage.source, hit.passage.document, hit.passage.section) == ("setup.md", "Set-up", "Set-up")
    assert hit.passage.text == "FxStore needs Java 17."
    assert 0 < hit.passage.score <= 1
    assert hit.word_score > 0
    assert 0 < hit.similarity <= 1
    assert [hit.passage.score for hit in result.hits] == sorted(
        (hit.passage.score for hit in result.hits), reverse=True
    )
    base.close()


async def test_a_document_is_its_stored_passages_in_their_order(workshop: Workshop) -> None:
    rules = [f"Rule {number}: everybody keeps to it, on every day of the year." for number in range(80)]
    workshop.write(rules="\n\n".join(rules))
    workshop.sync()
    base = workshop.open()
    found = await base.document("rules.md")
    assert len(found) > 1
    assert {passage.source for passage in found} == {"rules.md"}
    first = [min(rules.index(rule) for rule in rules if rule in passage.text) for passage in found]
    assert first == sorted(first)
    assert await base.document("nowhere.md") == ()
    base.close()


async def test_words_that_introduce_a_section_are_found_under_their_own_heading(workshop: Workshop) -> None:
    # Its passages are neighbours of one section, so they are joined.
    steps = "\n\n".join(f"Step {number}: press the button with the number {number}." for number in range(60))
    workshop.write(guide=f"# Buttons\n\nButtons need a licence of FxStore.\n\n## Order\n\n{steps}\n")
    workshop.sync()
    base = workshop.open()
    read = await base.retrieve(["Which licence do the buttons need? Step 1: press the button"])
    (passage,) = [passage for passage in read if "licence" in passage.text]
    assert "+" in passage.id
    assert passage.section == "Buttons > Order"
    assert passage.section_of("Buttons need a licence of FxStore.") == "Buttons"
    assert passage.section_of("press the button with the number 1.") == "Buttons > Order"
    base.close()


async def test_limit_and_exclusion_are_kept(workshop: Workshop) -> None:
    base = workshop.open()
    first = (await base.search(["Java"], limit=1)).hits
    assert len(first) == 1
    rest = (await base.search(["Java"], exclude=[first[0].passage.id])).hits
    assert first[0].passage.id not in {hit.passage.id for hit in rest}
    base.close()


async def test_scores_do_not_depend_on_how_many_passages_are_asked_for(workshop: Workshop) -> None:
    workshop.write(**{f"note{number}": f"# Note {number}\n\nLift {number} stops." for number in range(130)})
    workshop.sync()
    base = workshop.open()
    few = (await base.search(["Which lift stops at 7?"], limit=5)).hits
    many = (await base.search(["Which lift stops at 7?"], limit=125)).hits
    assert [hit.passage for hit in many[:5]] == [hit.passage for hit in few]
    base.close()


async def test_what_is_left_after_an_exclusion_is_still_told_apart_by_meaning(workshop: Workshop) -> None:
    said = "lift stair ramp hall door gate yard roof wall"
    workshop.write(**{f"note{n}": f"# Note {n}\n\n{said[: 5 * n]}" for n in range(1, 10)})
    workshop.sync()
    base = workshop.open()
    found = (await base.search(["liftstairramphalldoorgateyardroofwall"])).hits
    read = [hit.passage.id for hit in sorted(found, key=lambda hit: -hit.similarity)[:7]]
    left = (await base.search(["liftstairramphalldoorgateyardroofwall"], exclude=read)).hits
    assert not any(hit.word_score for hit in left)
    assert left[0].similarity == max(hit.similarity for hit in left)
    assert left[0].passage.score > left[-1].passage.score
    assert (await base.search(["lift"], exclude=[PassageId(str(n)) for n in range(99)])).hits
    base.close()


async def test_later_queries_help_but_weigh_less(workshop: Workshop) -> None:
    base = workshop.open()
    assert (await sources(base, "salaries friday", "java fxstore"))[:2] == ["pay.md", "setup.md"]
    assert (await sources(base, "java fxstore", "salaries friday"))[:2] == ["setup.md", "pay.md"]
    base.close()


async def test_no_query_finds_nothing(workshop: Workshop) -> None:
    base = workshop.open()
    assert (await base.search([])).hits == ()
    assert await base.retrieve([]) == ()
    base.close()


async def test_an_empty_knowledge_base_finds_nothing(tmp_path: Path, workshop: Workshop) -> None:
    base = KnowledgeBase.open(tmp_path / "empty", Knowledge(), Models())
    assert base.is_empty
    result = await base.search(["Java"])
    assert result.hits == ()
    assert (await base.embed_texts(["a", "b"])).shape == (2, 64)
    assert base.rarity(["java"]) == {"java": 1.0}
    base.close()


async def test_a_new_generation_is_found_without_opening_again(workshop: Workshop) -> None:
    base = workshop.open()
    assert "visa.md" not in await sources(base, "visa")
    workshop.write(visa="# Visa\n\nThe company pays for the visa.")
    (workshop.corpus / "setup.md").unlink()
    workshop.sync()
    assert (await sources(base, "visa"))[0] == "visa.md"
    assert "setup.md" not in await sources(base, "Java")
    assert base.stats().generation == 2
    assert base.rarity(["visa"])["visa"] < 1
    base.close()


async def test_document_whose_file_has_changed_or_gone_since_it_was_read_is_told(workshop: Workshop) -> None:
    workshop.write(office="# Office\n\nIt opens at 8:30.", bikes="# Bikes\n\nRack 77.", gone="# Gone\n\nOld.")
    workshop.sync()
    base = workshop.open()
    keys = ["office.md", "bikes.md", "gone.md", "unknown.md"]
    assert not await base.find_changed(keys)
    workshop.write(office="# Office\n\nIt opens at 9:45.", bikes="# Bikes\n\nRack 77.")
    (workshop.corpus / "gone.md").unlink()
    assert await base.find_changed(keys) == {"office.md", "gone.md"}
    workshop.sync()
    assert not await base.find_changed(keys)
    workshop.corpus.rename(workshop.corpus.with_name("away"))
    assert not await base.find_changed(keys)
    base.close()


def test_stats_say_what_there_is(workshop: Workshop) -> None:
    base = workshop.open()
    stats = base.stats()
    assert (stats.documents, stats.chunks, stats.generation) == (3, 3, 1)
    assert stats.embedding == "minilm"
    assert stats.languages == {"en": 1.0}
    assert not base.is_empty
    base.close()


def test_main_language_is_that_of_nearly_all_documents(workshop: Workshop) -> None:
    base = workshop.open()
    assert base.main_language == "en"
    spanish = "Los empleados tienen un descuento en los alquileres, y sus familiares también lo tienen. " * 40
    workshop.write(descuentos=spanish)
    workshop.sync()
    base.refresh()
    assert base.main_language == base.within(DocumentSet(("pay.md",))).main_language == "es"
    workshop.write(rules="Everybody keeps to the rules of the house on every day of the year. " * 40)
    workshop.sync()
    base.refresh()
    assert base.main_language == "en"  # there are two
    base.close()


def test_rare_terms_are_rarer(workshop: Workshop) -> None:
    base = workshop.open()
    rarity = base.rarity(["java", "are", "nowhere"])
    assert rarity["java"] <= rarity["nowhere"] == 1.0
    base.close()


async def test_retrieve_joins_neighbours_and_keeps_to_the_settings(workshop: Workshop) -> None:
    steps = "\n\n".join(f"Step {number} of the webhook. " + "Do it with care. " * 12 for number in range(12))
    workshop.settings = Knowledge(chunk_tokens=60, top_k=3)
    workshop.write(webhook=f"# Webhook\n\n{steps}")
    workshop.sync()
    base = workshop.open()
    passages = await base.retrieve(["step 4 of the webhook", "step 5 of the webhook"])
    assert len(parts(passage.id for passage in passages)) == 3
    assert passages[0].source == "webhook.md"
    assert any("+" in passage.id for passage in passages)
    again = await base.retrieve(["step 4 of the webhook"], exclude=[passage.id for passage in passages])
    assert not parts(passage.id for passage in again) & parts(passage.id for passage in passages)
    base.close()


async def test_passages_of_the_previous_turn_are_read_again_in_a_follow_up(workshop: Workshop) -> None:
    workshop.settings = Knowledge(top_k=1)
    base = workshop.open()
    (pay,) = await base.retrieve(["salaries"])
    assert pay.source == "pay.md"
    (alone,) = await base.retrieve(["and who is it requested from?"])
    assert alone.source == "holidays.md"
    workshop.settings = Knowledge(top_k=2)
    base.close()
    base = workshop.open()
    carried = await base.retrieve(["explain that in more detail please"], carried=[pay])
    assert "pay.md" in {passage.source for passage in carried}
    gone = Passage(PassageId("gone"), "Gone", "", "gone")
    assert "gone" not in {passage.id for passage in await base.retrieve(["java"], carried=[gone])}
    base.close()


async def test_a_clear_hit_beats_what_is_carried(workshop: Workshop) -> None:
    workshop.settings = Knowledge(top_k=1)
    base = workshop.open()
    (pay,) = await base.retrieve(["salaries"])
    (best,) = await base.retrieve(["Which Java does FxStore need?"], carried=[pay])
    assert best.source == "setup.md"
    base.close()


def test_another_embedding_in_the_settings_is_refused(workshop: Workshop) -> None:
    workshop.settings = Knowledge(embedding="multilingual")
    with pytest.raises(KnowledgeError, match=r"AnswerEngine\.sync\(rebuild=True\)"):
        workshop.open()


def test_another_version_of_the_embedding_is_refused(workshop: Workshop) -> None:
    workshop.embedder = HashedEmbedder(fingerprint="hashed-2")
    with pytest.raises(KnowledgeError, match=r"another version .* `AnswerEngine\.sync\(rebuild=True\)"):
        workshop.open()


async def test_a_running_search_refuses_a_generation_of_another_embedding(workshop: Workshop) -> None:
    workshop.settings = Knowledge(embedding="minilm")
    base = workshop.open()
    await base.search(["Java"])
    workshop.settings = Knowledge(embedding="multilingual")
    workshop.embedder = HashedEmbedder(fingerprint="hashed-2", dimension=32)
    workshop.sync()
    with pytest.raises(KnowledgeError, match=r"AnswerEngine\.sync\(rebuild=True\)"):
        await base.search(["Java"])
    base.close()


class DeadEmbedder(HashedEmbedder):
    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        raise ModelUnavailableError


async def test_words_answer_while_the_embedding_server_is_down(workshop: Workshop) -> None:
    workshop.embedder = DeadEmbedder()
    base = workshop.open()
    result = await base.search(["Which Java does FxStore need?"])
    assert [hit.passage.source for hit in result.hits] == ["setup.md"]
    assert result.hits[0].similarity == 0.0
    base.close()


def test_any_question_can_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop = make_workshop(tmp_path, monkeypatch)
    workshop.write(setup=JAVA, holidays=HOLIDAY)
    workshop.sync()
    base = workshop.open()

    @settings(suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(st.text(max_size=60), max_size=3))
    @example(['" OR 1', "NEAR(", "\0", "\ud800"])
    @example(["word " * 20_000])
    def ask(queries: list[str]) -> None:
        result = base._search(queries, 5, set())
        assert len(result.hits) <= 5
        base._retrieve(queries, (), set())

    ask()
    base.close()


RUSSIAN = {
    "Отпуск согласуют с руководителем за две недели до начала.": "когда согласовать отпуск с начальником?",
    "Сервер слушает порт 8443 и требует доверенный сертификат.": "какой порт слушает сервер?",
    "Зарплата приходит на карту в последнюю пятницу месяца.": "в какой день приходит зарплата?",
    "Пропуск в офис выдаёт охрана на первом этаже.": "кто выдаёт пропуск в офис?",
    "Резервные копии базы снимаются каждую ночь в три часа.": "как часто снимаются резервные копии?",
    "Больничный лист отправляют в отдел кадров в тот же день.": "куда отправить больничный лист?",
    "Ноутбук заменяют раз в три года по заявке.": "как часто меняют ноутбук?",
    "Командировку оплачивают по чекам в течение недели.": "как оплачивают командировку?",
}
CHINESE = {
    "年假需要提前两周向主管申请。": "年假怎么申请？",
    "服务器监听8443端口，需要受信任的证书。": "服务器监听哪个端口？",
    "工资在每月最后一个星期五发放。": "工资什么时候发放？",
    "门禁卡由一楼的保安发放。": "门禁卡在哪里领？",
    "数据库每天凌晨三点备份。": "数据库什么时候备份？",
    "病假条当天交给人事部。": "病假条交给谁？",
    "笔记本电脑每三年更换一次。": "笔记本电脑多久更换？",
    "出差费用凭发票在一周内报销。": "出差费用如何报销？",
}


@pytest.mark.parametrize("embedding", ["minilm", "multilingual"])
@pytest.mark.parametrize("corpus", [RUSSIAN, CHINESE], ids=["russian", "chinese"])
async def test_no_embedding_drags_other_languages_down(
    tmp_path: Path, corpus: dict[str, str], embedding: str
) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number, text in enumerate(corpus):
        (folder / f"{number}.md").write_text(text, "utf-8")
    chosen = Knowledge(embedding=embedding)
    sync(tmp_path / "data", [folder], chosen, Models())
    base = KnowledgeBase.open(tmp_path / "data", chosen, Models(), use_chroma=False)
    found = [(await base.search([question])).hits[0].passage.text for question in corpus.values()]
    right = np.mean([text == expected for text, expected in zip(found, corpus, strict=True)])
    assert right == 1.0
    base.close()


@pytest.mark.parametrize(
    ("embedding", "known"), [("minilm", ["en"]), ("multilingual", ["en", "ru", "zh", "ko"])]
)
def test_languages_that_an_embedding_knows(tmp_path: Path, embedding: str, known: list[str]) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "en.md").write_text("The server listens on port 8443.", "utf-8")
    chosen = Knowledge(embedding=embedding)
    sync(tmp_path / "data", [folder], chosen, Models())
    base = KnowledgeBase.open(tmp_path / "data", chosen, Models(), use_chroma=False)
    questions = {
        "en": "Which port does the server listen on?",
        "ru": "Какой порт слушает сервер?",
        "zh": "服务器监听哪个端口？",
        "ko": "서버는 어느 포트를 듣습니까?",
    }
    assert [language for language, question in questions.items() if base.knows(question)] == known
    base.close()


async def test_auto_takes_the_embedding_of_the_corpus(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "en.md").write_text("The server listens on port 8443 and needs a certificate.", "utf-8")
    sync(tmp_path / "data", [folder], Knowledge(), Models())
    base = KnowledgeBase.open(tmp_path / "data", Knowledge(), Models(), use_chroma=False)
    assert base.stats().embedding == "minilm"

    (folder / "ru.md").write_text(" ".join(RUSSIAN), "utf-8")
    sync(tmp_path / "data", [folder], Knowledge(), Models())
    hits = (await base.search(["какой порт слушает сервер?"])).hits
    assert hits[0].passage.source == "ru.md"
    assert base.stats().embedding == "multilingual"
    assert set(base.stats().languages) == {"en", "ru"}
    base.close()
