from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rag.language.units import units
from rag.reasons import Reason, as_written
from rag.runs.candidates import Candidate
from rag.runs.replacement import patch_objection, refinement_objection
from rag.values import Citation, Draft, Evidence, Passage, PassageId, Verdict

ADEQUATE = Verdict("adequate", as_written("supported"), 0.9, "evidence")
EVIDENCE = Evidence(covered=0.9, supported=0.8, relevance=0.7)
CITED = tuple(Citation(n, "a.md", "", "quote", PassageId(f"p{n}")) for n in (1, 2))


def candidate(text: str, evidence: Evidence | None = EVIDENCE, *citations: Citation) -> Candidate:
    return Candidate(Draft(text), ADEQUATE, evidence, citations, is_covered=True)


def objection(before: str, after: str, language: str = "en") -> str:
    return _said(patch_objection(candidate(before), candidate(after), language))


def _said(found: Reason | None) -> str:
    return "" if found is None else str(found)


@pytest.mark.parametrize(
    ("before", "after", "language"),
    [
        pytest.param("It needs **Java 17.", "It needs Java 17.", "en", id="bold"),
        pytest.param("It needs Java 17. It needs Java 17.", "It needs Java 17.", "en", id="said twice"),
        pytest.param("It  needs java 17", "It needs Java 17.", "en", id="spelling"),
        pytest.param("Нужна Java 17 , не ниже", "Нужна Java 17, не ниже.", "ru", id="Russian"),
        pytest.param("需要 Java 17 ，不能更低", "需要 Java 17，不能更低。", "zh", id="Chinese"),
        pytest.param("자바 17이 필요합니다 .", "자바 17이 필요합니다.", "ko", id="Korean"),
        pytest.param("Perlu Java 17 , bukan 11", "Perlu Java 17, bukan 11.", "id", id="Indonesian"),
        pytest.param("Hace falta Java 17 , no 11", "Hace falta Java 17, no 11.", "es", id="Spanish"),
        pytest.param(
            "Restart the servre tonight and wait until everybody has left the building.",
            "Restart the server tonight and wait until everybody has left the building.",
            "en",
            id="a typing error",
        ),
        pytest.param(
            "Перезапустите севрер сегодня вечером, когда последний сотрудник покинет здание.",
            "Перезапустите сервер сегодня вечером, когда последний сотрудник покинет здание.",
            "ru",
            id="Russian typing error",
        ),
        pytest.param(
            "请今晚重启服务气，并等待所有同事离开办公大楼之后再关闭网络电源。",
            "请今晚重启服务器，并等待所有同事离开办公大楼之后再关闭网络电源。",
            "zh",
            id="Chinese typing error",
        ),
        pytest.param(
            "Restart the 服务器 tonight and wait until everybody has left.",
            "Restart the server tonight and wait until everybody has left.",
            "en",
            id="a stray word of another script",
        ),
    ],
)
def test_repair_of_form_is_accepted(before: str, after: str, language: str) -> None:
    assert objection(before, after, language) == ""


@pytest.mark.parametrize(
    ("before", "after", "language", "says"),
    [
        pytest.param("It needs Java 17.", "It needs Java 11.", "en", "changed", id="number"),
        pytest.param("It needs Java 17.", "It needs Java.", "en", "changed", id="number gone"),
        pytest.param("It needs Java.", "It needs Java 17.", "en", "changed", id="number added"),
        pytest.param("Use port 80, then 90.", "Use port 90, then 80.", "en", "changed", id="swapped"),
        pytest.param("Due on 7 February 2023.", "Due on 8 February 2023.", "en", "changed", id="date"),
        pytest.param("Run `make test` now.", "Run `make install` now.", "en", "changed", id="command"),
        pytest.param("Ask Anna Berg about it.", "Ask Boris Lund about it.", "en", "changed", id="name"),
        pytest.param("You must restart it.", "You must not restart it.", "en", "no elsewhere", id="denied"),
        pytest.param("Это не нужно делать.", "Это нужно делать.", "ru", "no elsewhere", id="Russian not"),
        pytest.param("不需要重启服务器。", "需要重启服务器。", "zh", "no elsewhere", id="Chinese not"),
        pytest.param("Only admins may delete it.", "All admins may delete it.", "en", "else", id="who"),
        pytest.param("Do it before you deploy.", "Do it after you deploy.", "en", "else", id="when"),
        pytest.param(
            "Сохраните это до запуска.", "Сохраните это после запуска.", "ru", "else", id="Russian when"
        ),
        pytest.param(
            "Con sesión iniciada.", "Sin sesión iniciada.", "es", "no elsewhere", id="Spanish without"
        ),
        pytest.param(
            "Anna Berg reports to Boris Lund.", "Boris Lund reports to Anna Berg.", "en", "order", id="names"
        ),
        pytest.param(
            "Do not restart the server, but restart the client.",
            "Restart the server, but do not restart the client.",
            "en",
            "order",
            id="denied elsewhere",
        ),
        pytest.param(
            "Сервер шлёт ключ клиенту.", "Клиент шлёт ключ серверу.", "ru", "order", id="Russian roles"
        ),
        pytest.param(
            "不需要重启服务器，需要重启客户端。",
            "需要重启服务器，不需要重启客户端。",
            "zh",
            "order",
            id="Chinese not moved",
        ),
        pytest.param(
            "서버를 재시작하지 마세요. 클라이언트를 재시작하세요.",
            "서버를 재시작하세요. 클라이언트를 재시작하지 마세요.",
            "ko",
            "order",
            id="Korean not moved",
        ),
        pytest.param(
            "Jangan hapus berkas lama, hapus folder baru.",
            "Hapus berkas lama, jangan hapus folder baru.",
            "id",
            "order",
            id="Indonesian not moved",
        ),
        pytest.param(
            "El cliente envía la clave al servidor.",
            "El servidor envía la clave al cliente.",
            "es",
            "order",
            id="Spanish roles",
        ),
        pytest.param(
            "The metal that is liquid at room temperature is mercury, as any school book says.",
            "The metal that is liquid at room temperature is iron, as any school book says.",
            "en",
            "exchanged",
            id="another word in its place",
        ),
        pytest.param(
            "Ключ отправляет клиент каждую ночь, когда сеть свободна.",
            "Ключ отправляет сервер каждую ночь, когда сеть свободна.",
            "ru",
            "exchanged",
            id="another Russian word",
        ),
        pytest.param(
            "每天凌晨由客户发送密钥，网络空闲时再次发送。",
            "每天凌晨由服务发送密钥，网络空闲时再次发送。",
            "zh",
            "exchanged",
            id="another Chinese word",
        ),
        pytest.param("Only admins may delete it.", "Admins may delete it.", "en", "only", id="only gone"),
        pytest.param("You may restart the server.", "You must restart the server.", "en", "else", id="may"),
        pytest.param(
            "Удалять могут только админы.", "Удалять могут админы.", "ru", "only", id="Russian only"
        ),
        pytest.param("别重启服务器。", "重启服务器。", "zh", "no elsewhere", id="Chinese do not"),
        pytest.param("只有管理员可以删除。", "管理员可以删除。", "zh", "only", id="Chinese only"),
        pytest.param(
            "Server tak perlu dimatikan.", "Server perlu dimatikan.", "id", "no elsewhere", id="tak"
        ),
        pytest.param("Hanya admin boleh menghapus.", "Admin boleh menghapus.", "id", "only", id="hanya"),
        pytest.param("Solo los jefes pueden borrar.", "Los jefes pueden borrar.", "es", "only", id="solo"),
        pytest.param(
            "관리자만 삭제할 수 있습니다.", "관리자 삭제할 수 있습니다.", "ko", "", id="Korean only"
        ),
        pytest.param(
            "Open the settings, choose the account, press delete and confirm the dialogue.",
            "Open the settings.",
            "en",
            "words are gone",
            id="most of it gone",
        ),
        pytest.param(
            "Open the settings and confirm.",
            "Open the settings and confirm. Then celebrate wildly with colleagues.",
            "en",
            "something else",
            id="something added",
        ),
    ],
)
def test_repair_that_changes_what_is_said_is_refused(
    before: str, after: str, language: str, says: str
) -> None:
    found = objection(before, after, language)
    assert found
    assert says in found


def test_repair_may_drop_a_sentence_with_all_its_small_words() -> None:
    kept = "Restart the server tonight and wait until everybody has left the building."
    assert objection(f"{kept} I can only hope it helps.", kept) == ""


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        pytest.param("Only admins may delete it.", "Admins may delete it.", "only", id="only"),
        pytest.param("Save it before the deployment.", "Save it after the deployment.", "before", id="when"),
        pytest.param("The server is not restarted.", "The server is restarted.", "not", id="denied"),
        pytest.param("You can restart it in the menu.", "Restart it in the menu.", "", id="wording"),
    ],
)
def test_rewriting_that_bends_a_rule_is_refused_unless_the_documents_say_so(
    before: str, after: str, says: str
) -> None:
    found = _said(refinement_objection(candidate(before), candidate(after), "en"))
    assert says in found
    assert bool(found) == bool(says)
    source = Passage(PassageId("p1"), "a.md", "", f"The rules. {after}")
    shown = replace(candidate(before), draft=Draft(before, (source,)))
    assert _said(refinement_objection(shown, candidate(after), "en")) == ""


WORDS = [
    "It",
    "needs",
    "the",
    "server",
    "port",
    "version",
    "Java",
    "before",
    "every",
    "release",
    "and",
    "then",
    "restarts",
    "at",
    "once",
]
figures = st.integers(2, 99_999).map(str)
texts = st.lists(st.sampled_from(WORDS) | figures, min_size=2, max_size=14).map(" ".join)


@given(texts)
def test_same_text_is_never_worse(text: str) -> None:
    assert objection(text, text) == ""


@given(texts, figures, figures, texts)
def test_repair_that_changes_a_number_is_always_refused(start: str, old: str, new: str, end: str) -> None:
    before, after = f"{start} about {old} or so. {end}.", f"{start} about {new} or so. {end}."
    stated = [unit.normal for unit in units(before, "en") if unit.kind == "number"]
    assume([unit.normal for unit in units(after, "en") if unit.kind == "number"] != stated)
    assert objection(before, after)


@given(st.sets(st.sampled_from(CITED)), st.sets(st.sampled_from(CITED)))
def test_version_that_loses_a_citation_is_always_refused(before: set[Citation], after: set[Citation]) -> None:
    old = candidate("It needs Java 17 [1][2].", EVIDENCE, *before)
    new = candidate("It needs Java 17 [1][2].", EVIDENCE, *after)
    for objected in (patch_objection(old, new, "en"), refinement_objection(old, new, "en")):
        assert (_said(objected) == "a citation is gone") == (not before <= after)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        pytest.param({"supported": 0.7}, "passages carry less", id="less supported"),
        pytest.param({"conflicts": ("11",)}, "no passage states", id="a new conflict"),
        pytest.param({"refusal": 0.9}, "declines", id="declines now"),
        pytest.param({"relevance": 0.4}, "less to the point", id="less to the point"),
        pytest.param({"supported_by_history": -0.1}, "conversation carries less", id="less from the history"),
        pytest.param({"supported": 0.95}, "", id="better supported"),
        pytest.param({"supported": 0.79}, "", id="the same within tolerance"),
    ],
)
def test_version_that_the_evidence_finds_weaker_is_refused(changed: dict[str, object], says: str) -> None:
    after = candidate("It needs Java 17.", replace(EVIDENCE, **changed))  # type: ignore[arg-type]  # by name
    found = _said(refinement_objection(candidate("It needs Java 17."), after, "en"))
    assert says in found
    assert bool(found) == bool(says)


def test_version_that_cannot_be_compared_is_refused() -> None:
    assert refinement_objection(candidate("A."), candidate("B.", None), "en")
    assert _said(refinement_objection(candidate("A.", None), candidate("B.", None), "en")) == ""


def test_version_with_a_fault_is_refused_with_its_fault() -> None:
    fault = Verdict("unchecked", as_written("written in German"), 1.0, "rules")
    after = replace(candidate("Es."), verdict=fault, is_defective=True)
    assert _said(refinement_objection(candidate("It."), after, "en")) == "written in German"


def test_version_in_which_free_checks_find_something_new_is_refused() -> None:
    before = replace(candidate("It."), flags=("nothing under “Set-up”",))
    assert _said(refinement_objection(before, replace(candidate("It is."), flags=before.flags), "en")) == ""
    assert refinement_objection(before, replace(candidate("It is."), flags=("a placeholder",)), "en")


def test_version_that_the_evaluation_finds_worse_is_refused_unless_a_judge_has_spoken() -> None:
    worse = replace(candidate("B."), verdict=Verdict("needs_docs", as_written("vague"), 0.9, "evidence"))
    assert "vague" in _said(refinement_objection(candidate("A."), worse, "en"))
    judged = replace(candidate("A."), verdict=Verdict("adequate", as_written("fine"), 0.9, "judge"))
    assert _said(refinement_objection(judged, worse, "en")) == ""
