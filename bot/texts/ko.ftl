label-verified = 문서와 대조해 확인함
label-general = 문서가 아닌 일반 지식 또는 대화 내용
label-unverified = 확인되지 않음: 믿기 전에 직접 확인하세요
label-not_in_documents = 문서에 없음
mode-quick = quick: 무료 검사와 문서 대조만, 보통 모델 호출 1~2회
mode-balanced = balanced: 검사로 정해지지 않으면 심판이 판단, 보통 모델 호출 1~3회
mode-careful = careful: 모든 답변을 검토자가 읽고, 확인되지 않은 답변은 비평가도 읽음, 보통 모델 호출 2~7회
sources = 출처
nearest-sources = 가장 가까운 부분
you = 나
chat-welcome = 문서에 대해 물어보세요. /help로 명령을 볼 수 있고 Ctrl-D로 나갑니다.
chat-help =
    /why      마지막 답변이 나온 과정
    /sources  답변의 근거가 된 부분
    /mode     검사 정도: quick, balanced, careful
    /reset    이 대화 잊기
    /quit     나가기 (Ctrl-D도 가능)
chat-resumed = 이 대화를 이어 갑니다(메시지 { $messages }개). /reset을 입력하면 잊습니다.
chat-reset = 잊었습니다. 무엇이 궁금하신가요?
chat-mode = 모드: { $description }
chat-mode-unknown = { $mode } 모드는 없습니다. 다음 모드가 있습니다:
chat-nothing-yet = 아직 답변이 없습니다.
chat-no-sources = 마지막 답변에는 문서를 사용하지 않았습니다.
chat-unknown-command = { $command } 명령은 없습니다. /help로 명령을 볼 수 있습니다.
chat-stopped = 중지했습니다. 대화는 보관됩니다.
chat-not-stored = 답변이 저장되지 않았습니다: { $reason }
chat-bye = 안녕히 가세요. 대화는 보관됩니다.
step-recall = 대화를 떠올리는 중
step-classify = 메시지를 읽는 중
step-draft = 초안을 쓰는 중
step-continue = 끊긴 곳부터 이어 쓰는 중
step-probe = 문서를 살펴보는 중
step-cover = 문서에 관련 내용이 있는지 보는 중
step-evaluate = 확인하는 중
step-judge = 심사 모델에 묻는 중
step-review = 검토자에게 묻는 중
step-compare = 두 답변을 비교하는 중
step-retrieve = 문서를 읽는 중
step-regenerate = 문서를 바탕으로 쓰는 중
step-rewrite = 다른 말로 검색하는 중
step-critique = 비평가에게 묻는 중
step-second_opinion = 두 번째 비평가에게 묻는 중
step-refine = 다듬는 중
model-failed = 모델이 답하지 못했습니다: { $reason }
not-checked-yet = ⏳ 아직 확인 전입니다
progress-reading = { $documents ->
   *[other] 문서 { $documents }개를 읽는 중
}
sources-none = 이 답변에는 문서를 사용하지 않았습니다.
tokens-short = { $tokens } 토큰
duration-milliseconds = { $count } ms
duration-seconds = { $count }초
duration-minutes = { $minutes }분 { $seconds }초
duration-hours = { $hours }시간 { $minutes }분
why-failed = 답변을 쓸 수 있는 언어 모델이 없어서, 그래도 드릴 수 있는 내용을 보여 드립니다.
why-small-talk = 가벼운 대화라서 찾아보지 않고 바로 답했습니다.
why-general = 문서에서 다루지 않는 내용이라 일반 지식이나 지금까지의 대화를 바탕으로 답했습니다.
why-confirmed = 첫 초안이 문서와 일치해서 그대로 두었습니다.
why-read = { $documents ->
   *[other] 문서 { $documents }개를 바탕으로 썼으며, 괄호 안의 번호는 모두 출처와 대조했습니다.
}
why-corrected = { $documents ->
   *[other] 첫 초안이 맞지 않아 문서 { $documents }개를 바탕으로 다시 썼으며, 괄호 안의 번호는 모두 출처와 대조했습니다.
}
why-unverified = 답변을 확인하지 못했습니다. 믿기 전에 직접 확인하세요.
why-not-found = 문서를 찾아보았지만 답이 없습니다.
why-verdict = 판정: { $quality } (확신 { $percent }%, { $source })
why-score = 비평 점수: { $percent }%
why-calls = { $calls ->
   *[other] 모델 호출 { $calls }회
}
why-tokens = { $tokens ->
   *[other] { $tokens } 토큰
}
why-corrections = 수정 { $count }회
why-cost = 비용: { $cost }
why-savings = { $calls ->
   *[other] 무료 검사로 심사 호출 { $calls }회, 약 { $tokens } 토큰을 아꼈습니다
}
quality-adequate = 좋음
quality-needs_docs = 문서가 필요함
quality-hallucination = 문서에 없는 내용을 주장함
quality-off_topic = 질문에서 벗어남
quality-unchecked = 평가하지 않음
verdict-rules = 무료 규칙으로 판단
verdict-evidence = 문서와 비교해 판단
verdict-judge = 심사 모델이 판단
plain-number = { $value }
button-useful = 👍 유용해요
button-wrong = 👎 틀렸어요
button-sources = 📄 출처
button-why = 🔎 이유
button-stop = ⏹ 중지
button-chosen = ✓ { $button }
press-gone = 이 답변은 더 이상 보관되지 않아 버튼이 동작하지 않습니다.
press-not-yours = 질문한 사람만 이 답변을 평가할 수 있습니다.
press-useful = 감사합니다. 유용한 답변으로 기록했습니다.
press-wrong = 감사합니다. 틀린 답변으로 기록했습니다. 관리자 목록에 표시됩니다.
press-taken-back = 평가를 취소했습니다.
press-shown = 이 대화에 이미 표시되어 있습니다.
press-not-to-stop = 질문한 사람이나 관리자만 이 답변을 중지할 수 있습니다.
press-finished = 이 답변은 이미 완료되었습니다.
press-working = 이 질문에 아직 답변하는 중입니다.
stop-done = { $answers ->
   *[other] 답변 { $answers }개를 중지했습니다.
}
stop-nothing = 여기에서 답변 중인 질문이 없습니다.
answer-stopped = ⏹ 중지했습니다.
answer-arriving = ✍ 곧 답변이 표시됩니다 …
answer-queued = ⏳ 대기 중: { $ahead ->
   *[other] 앞에 질문 { $ahead }개가 있습니다
}. 답변은 여기에 표시됩니다.
answer-failed = 죄송합니다. 제 쪽에 문제가 있어 이 질문에 답하지 못했습니다. 나중에 다시 질문해 주시고, 계속되면 관리자에게 알려 주세요.
ask-how = 명령 뒤에 질문을 적어 주세요: /ask 어떻게 시작하나요?
question-too-long = 질문이 { $characters }자인데 { $limit }자까지 가능합니다. 더 짧게 질문해 주세요.
question-unreadable = 텍스트로 읽을 수 없습니다. 질문을 일반 텍스트로 보내 주세요.
refused-private = 아직 등록되지 않은 분입니다. 이 봇의 관리자에게 회원님의 ID { $user }을(를) 알려 주시면 사용할 수 있습니다.
refused-private-groups = 저는 그룹에서만 답합니다. 이 봇의 관리자에게 회원님의 ID { $user }을(를) 알려 주시면 여기서도 사용할 수 있습니다.
refused-person = 이 봇의 관리자가 회원님의 사용을 막았습니다.
refused-group = 이 그룹에서는 아직 질문할 수 없습니다. 봇 관리자가 /allow 명령으로 허용할 수 있습니다. 그룹 ID: { $chat }
refused-group-admin = 이 그룹은 아직 허용되지 않았고, 답은 여기 있는 모두가 읽게 됩니다. 허용하려면 여기서 /allow 를 보내세요.
refused-anonymous = 익명으로 쓰시면 누구신지 알 수 없습니다. 본인 이름으로 써 주세요.
refused-admins-only = 이 봇의 관리자만 할 수 있습니다.
refused-named-only = 이름이 있는 사람만 할 수 있습니다. 익명을 끄고 다시 보내 주세요.
refused-yourself = 자기 자신에게는 할 수 없습니다.
refused-owner-only = 이 봇의 소유자만 할 수 있습니다.
limit-user-minute = 1분 동안 질문 { $limit }개를 하셨습니다. { $seconds }초 뒤에 다시 답합니다.
limit-user-hour = 1시간 동안 질문 { $limit }개를 하셨습니다. { $until } UTC부터 다시 답합니다.
limit-chat-minute = 이 대화방에서 1분 동안 질문 { $limit }개가 있었습니다. { $seconds }초 뒤에 다시 답합니다.
limit-chat-budget = 이 대화방의 하루 사용량을 모두 썼습니다. { $until } UTC부터 다시 답합니다.
limit-queue = 여기에는 이미 질문 { $limit }개가 기다리고 있습니다. 몇 개가 답변된 뒤에 다시 질문해 주세요.
command-start = 이 봇이 하는 일
command-help = 명령어 목록
command-ask = 질문하기: /ask 어떻게 시작하나요?
command-mode = 답변 확인 정도: 빠름, 균형, 꼼꼼함
command-why = 마지막 답변이 나온 과정
command-sources = 마지막 답변의 근거 구절
command-stop = 작성 중인 답변 멈추기
command-reset = 이 대화 잊기
command-language = 제가 사용하는 언어
command-privacy = 보관된 내 정보: 보기, 내보내기, 삭제
command-claim = 로그의 코드로 소유자 되기
command-documents = 문서와 구절 수
command-add = 문서 추가: 이 설명을 달아 파일 전송
command-remove = 추가한 문서 삭제: /remove 이름
command-reindex = 문서 다시 읽기; /reindex rebuild: 전부 새로
command-stats = 질문, 표시, 토큰, 비용, 시간
command-unanswered = 문서가 답하지 못한 질문
command-allow = 사람이나 이 그룹 허용: /allow ID
command-deny = 사람이나 이 그룹 차단: /deny ID
command-admins = 관리자 목록; 소유자가 추가·삭제
command-health = 모두 정상인가요?
answer-late = 제가 한동안 자리를 비웠고, 이 질문은 그때의 것입니다. 아직 필요하시면 다시 질문해 주세요.
admin-failed = ⚠️ 제 쪽의 오류로 질문 또는 명령을 처리하지 못했습니다: { $reason }. 자세한 내용은 로그에 있습니다.
admin-gap = ⚠️ 제가 { $hours }시간 동안 자리를 비웠습니다. Telegram은 메시지를 24시간만 보관하므로 그 전에 보낸 것은 사라졌습니다.
admin-trouble = ⚠️ 지금은 새로운 것을 받지 않습니다: { $reason }. 이미 받은 것은 보관되어 있습니다.
admin-well = ✅ 작업을 다시 기록할 수 있어 계속합니다.
