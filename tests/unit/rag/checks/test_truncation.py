from __future__ import annotations

import time

import pytest

from rag import checks
from rag.checks import truncation
from rag.checks.subject import Subject
from rag.values import FinishReason


def _truncated(text: str, language: str = "en", finish_reason: FinishReason = "stop") -> str:
    found = checks.run(text, language=language, finish_reason=finish_reason)
    return next((str(f.description) for f in found if f.kind == "truncated" and f.severity == "critical"), "")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param("en", "It needs Java 17. You also have to set", id="en"),
        pytest.param("ru", "Нужна Java 17. Ещё необходимо указать", id="ru"),
        pytest.param("ko", "Java 17이 필요합니다. 그리고 설정 파일에서", id="ko"),
        pytest.param("zh", "需要 Java 17。另外还必须设置", id="zh"),
        pytest.param("zh", "如果数据库被锁定，说明另一个进程正在", id="zh-after-a-comma"),
        pytest.param("id", "Perlu Java 17. Selain itu Anda harus mengatur", id="id"),
        pytest.param("es", "Necesita Java 17. Además hay que configurar", id="es"),
        pytest.param("en", "It needs Java 17 and the", id="ends-with-an-article"),
        pytest.param("en", "This sentence ends without", id="one-line-preposition"),
        pytest.param("en", "The server keeps every backup for", id="one-line-en"),
        pytest.param("ru", "Сервер хранит каждую резервную копию ещё", id="one-line-ru"),
        pytest.param("es", "El servidor guarda cada copia durante", id="one-line-es"),
        pytest.param("id", "Server menyimpan setiap cadangan selama", id="one-line-id"),
        pytest.param("ko", "서버는 매일 밤 모든 데이터베이스의 백업을 다른 건물에", id="one-line-ko"),
        pytest.param("zh", "服务器每天夜里把所有数据库备份到另外一栋楼，并且在", id="one-line-zh"),
        pytest.param("ja", "サーバーを再起動し、ログを確認して", id="one-line-ja"),
        pytest.param("en", "The steps are:", id="colon"),
        pytest.param("zh", "步骤如下：", id="wide-colon"),
        pytest.param("en", "First, stop the server,", id="comma"),
        pytest.param("en", "Stop the server (it takes a", id="bracket"),
        pytest.param("zh", "停止服务器（大约需要", id="wide-bracket"),
        pytest.param("en", "It listens on port 8080 [1", id="citation"),
        pytest.param("en", "Open **Settings and", id="emphasis"),
        pytest.param("en", "Then run `make de", id="inline-code"),
        pytest.param("en", "Run this.\n\n```sh\nmake", id="code-block"),
        pytest.param("en", "- Stop it.\n- Start it.\n-", id="bullet"),
        pytest.param("ru", "1. Остановите.\n2. Запустите.\n3.", id="number"),
        pytest.param("en", "- Stop the server.\n- Start the", id="last-point"),
        pytest.param("en", "Some text first.\n\n## Set-up", id="heading"),
        pytest.param("en", "| a | b |\n| --- | --- |\n| 1 | tw", id="table-row"),
    ],
)
def test_a_text_that_stops_is_truncated(language: str, text: str) -> None:
    assert _truncated(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param("en", "11", id="number"),
        pytest.param("en", "11.", id="number-with-full-stop"),
        pytest.param("en", "Java 17", id="name"),
        pytest.param("en", "Fred J. Perry", id="initial"),
        pytest.param("en", "Red dye No. 3", id="abbreviation"),
        pytest.param("en", "A23a", id="code-name"),
        pytest.param("en", "It needs Java 17", id="short-sentence"),
        pytest.param("en", "Java 17 or newer", id="few-words"),
        pytest.param("en", "The head of finance at our office in Porto", id="one-line-name"),
        pytest.param("en", "Every employee has 27 days of leave and 5", id="one-line-figure"),
        pytest.param("en", "the head of finance at our office", id="one-line-no-sentence"),
        pytest.param("en", "The states of a case: open, map, close, done", id="one-line-list"),
        pytest.param("ru", "Не больше двадцати символов", id="few-words-ru"),
        pytest.param("zh", "每天夜里三点一刻", id="few-words-zh"),
        pytest.param("zh", "镰仓时代以后直至近代传入日本的汉字音", id="phrase-zh"),
        pytest.param("en", "- Java 17\n- 4 GB of memory", id="list-without-stops"),
        pytest.param("en", "1. Stop it\n2. Start it", id="numbered-list"),
        pytest.param("en", "Run this.\n\n```sh\nmake demo\n```", id="code-block"),
        pytest.param("en", "It is fast. Run `make demo`", id="ends-with-code"),
        pytest.param("en", "It is described. See https://a.example/x", id="ends-with-an-address"),
        pytest.param("en", "It is done! 🎉", id="emoji"),
        pytest.param("en", "It is done. Great :)", id="emoticon"),
        pytest.param("en", "| a | b |\n| --- | --- |\n| 1 | 2 |", id="table"),
        pytest.param("en", "It listens on port 8080. [1]", id="citation-behind-the-stop"),
        pytest.param("en", "It listens on port 8080 [1].", id="citation-before-the-stop"),
        pytest.param("en", "He said: “It works.”", id="quote"),
        pytest.param("en", "It works (see the notes).", id="bracket"),
        pytest.param("en", "**It works.**", id="bold"),
        pytest.param("en", "It works.\n\n---", id="rule"),
        pytest.param("en", "It works. Really?", id="question"),
        pytest.param("en", "It works…", id="ellipsis"),
        pytest.param("ru", "Да, работает.", id="ru"),
        pytest.param("ko", "Java 17이 필요합니다. 그다음 다시 시작하세요", id="ko-verb-without-stop"),
        pytest.param("zh", "需要 Java 17。", id="zh"),
        pytest.param("zh", "北京", id="zh-name"),
        pytest.param("zh", "真的吗？", id="zh-question"),
        pytest.param("zh", "厦村河、石埗引水道及田心水道", id="zh-list"),
        pytest.param("th", "ต้องใช้ Java 17 ขึ้นไป แล้วเริ่มเซิร์ฟเวอร์ใหม่", id="thai-has-no-stop"),
        pytest.param("hi", "Java 17 चाहिए। सर्वर फिर से शुरू करें।", id="hindi-danda"),
        pytest.param("es", "¿De verdad? ¡Sí!", id="es"),
        pytest.param("id", "Ya, bisa.", id="id"),
    ],
)
def test_a_complete_text_is_not_truncated(language: str, text: str) -> None:
    assert _truncated(text, language) == ""


def test_the_token_limit_means_truncated_whatever_the_text_looks_like() -> None:
    assert _truncated("It needs Java 17.") == ""
    assert "token limit" in _truncated("It needs Java 17.", finish_reason="length")


def test_the_finding_points_at_the_line_that_stops() -> None:
    text = "Stop the server.\nThen wait for the"
    (finding,) = checks.run(text, language="en")
    assert text[finding.start : finding.end] == "Then wait for the"


@pytest.mark.parametrize("markers", ["[1], [2]", "[1], [2] and [3]", "[1]; [2]", "[1]、[2]"])
def test_markers_with_commas_behind_the_last_sentence_are_no_cut(markers: str) -> None:
    assert checks.run(f"FxStore needs Java 17. {markers}", language="en", passage_count=3) == ()


@pytest.mark.parametrize(
    "tail", ["</answer>", "<|im_end|>", "</s>", "\nUser: and?\nAssistant: so", "<think>more of it"]
)
def test_what_hangs_on_the_end_does_not_hide_that_the_answer_is_complete(tail: str) -> None:
    text = f"Sure! You are very welcome.{tail}"
    assert {found.kind for found in checks.run(text, language="en")} <= {"leftover", "thoughts"}


def test_what_hangs_on_the_end_does_not_hide_that_the_answer_is_cut() -> None:
    text = "The first step is to open it. Then you have to look for the</answer>"
    assert "truncated" in {found.kind for found in checks.run(text, language="en")}


@pytest.mark.parametrize(
    "text",
    ["[1]" * 1_300 + " done", "[1] " * 1_000 + "x", "Java 17 is needed [1]," + " " * 4_000 + "and [2] x"],
    ids=["markers", "markers with spaces", "spaces before a last word"],
)
def test_a_reply_of_markers_takes_no_time(text: str) -> None:
    started = time.thread_time()
    list(truncation.find(Subject.of(text, "en", "stop", "", 5)))
    assert time.thread_time() - started < 10
