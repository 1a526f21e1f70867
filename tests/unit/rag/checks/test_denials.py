"""What the documents forbid or lack is an answer like any other, in whatever words it is denied."""

from __future__ import annotations

import pytest

from rag import checks

DENIALS = {
    "en": [
        "Guests cannot see these data.",
        "Guests have no access to these data.",
        "Employees cannot answer customers by e-mail.",
        "The server does not provide any details in the log.",
        "The trial version does not include support.",
    ],
    "ru": [
        "Гости не могут видеть эти данные.",
        "У гостей нет доступа к этим данным.",
        "Сотрудники не могут отвечать клиентам по почте.",
        "Сервер не указывает причину в журнале.",
        "Пробная версия не содержит поддержки.",
    ],
    "zh": [
        "访客无法访问这些数据。",
        "访客没有权限查看这些数据。",
        "员工不能通过邮件回复客户。",
        "服务器日志中不提供原因。",
        "试用版不包含电话支持。",
    ],
    "ko": [
        "방문자는 이 데이터를 볼 수 없습니다.",
        "방문자에게는 이 데이터에 대한 권한이 없습니다.",
        "직원은 이메일로 고객에게 답변할 수 없습니다.",
        "서버 로그에는 이유가 나오지 않습니다.",
        "체험판에는 전화 지원이 포함되지 않습니다.",
    ],
    "id": [
        "Tamu tidak dapat melihat data ini.",
        "Tamu tidak memiliki akses ke data ini.",
        "Karyawan tidak boleh menjawab pelanggan lewat surel.",
        "Server tidak menyebutkan alasannya dalam log.",
        "Versi percobaan tidak mencakup dukungan telepon.",
    ],
    "es": [
        "Los invitados no pueden ver estos datos.",
        "Los invitados no tienen acceso a estos datos.",
        "Los empleados no pueden responder a los clientes por correo.",
        "El servidor no indica el motivo en el registro.",
        "La versión de prueba no incluye soporte telefónico.",
    ],
}


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, texts in DENIALS.items() for text in texts]
)
def test_a_denial_is_an_answer_to_every_free_check(language: str, text: str) -> None:
    assert checks.run(f"{text} [1]", language=language, passage_count=1) == ()
