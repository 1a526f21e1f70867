label-verified = 문서와 대조해 확인함
label-general = 문서가 아닌 일반적인 답변
label-unverified = 확인되지 않음: 믿기 전에 직접 확인하세요
label-not_in_documents = 문서에 없음
mode-quick = 빠름(quick): 무료 검사와 문서 대조만, 보통 모델 호출 1~2회
mode-balanced = 균형(balanced): 검사로 정해지지 않으면 심사 모델이 판단, 보통 모델 호출 1~3회
mode-careful = 꼼꼼함(careful): 모든 답변을 검토자가 읽고, 확인되지 않은 답변은 비평가도 읽음, 보통 모델 호출 2~7회
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
reset-confirm = 여기 있는 모든 사람의 이 대화를 잊을까요? 되돌릴 수 없습니다.
reset-admins = 그룹에서는 그룹 관리자와 이 봇의 관리자만 대화를 초기화할 수 있습니다.
group-admins-unknown = 이 그룹의 관리자가 누구인지 확인하지 못했습니다. 잠시 후 다시 시도해 주세요.
chat-mode = 모드: { $description }
chat-mode-unknown = { $mode } 모드는 없습니다. 다음 중에서 고르세요:
chat-nothing-yet = 아직 답변이 없습니다.
chat-no-sources = 마지막 답변에는 문서를 사용하지 않았습니다.
chat-unknown-command = { $command } 명령은 없습니다. /help로 명령을 볼 수 있습니다.
chat-stopped = 중지했습니다. 대화는 보관됩니다.
chat-not-stored = 답변을 저장하지 못했습니다: { $reason }
chat-bye = 안녕히 가세요. 대화는 보관됩니다.
step-recall = 대화를 떠올리는 중
step-classify = 메시지를 읽는 중
step-draft = 초안을 쓰는 중
step-continue = 끊긴 글을 마저 쓰는 중
step-probe = 문서를 검색하는 중
step-cover = 문서에 관련 내용이 있는지 확인하는 중
step-evaluate = 답변을 확인하는 중
step-judge = 심사 모델에 묻는 중
step-review = 검토자에게 묻는 중
step-compare = 두 답변을 비교하는 중
step-retrieve = 문서를 읽는 중
step-choose = 답이 되는 문장을 찾는 중
step-read = 구절을 다시 읽는 중
step-regenerate = 문서를 바탕으로 답변을 쓰는 중
step-rewrite = 다른 말로 검색하는 중
step-critique = 비평가에게 묻는 중
step-second_opinion = 두 번째 비평가에게 묻는 중
step-standalone = 앞선 대화와 함께 질문을 이해하는 중
step-refine = 답변을 다듬는 중
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
why-failed = 답변을 쓸 수 있는 언어 모델이 없어, 모델 없이 드릴 수 있는 내용을 보여 드립니다.
why-small-talk = 가벼운 대화라서 찾아보지 않고 바로 답했습니다.
why-general = 문서에서 다루지 않는 내용이라 일반 지식이나 지금까지의 대화를 바탕으로 답했습니다.
why-confirmed = 첫 초안이 문서와 일치해서 그대로 썼습니다.
why-read = { $documents ->
   *[other] 문서 { $documents }개를 바탕으로 썼으며, 번호가 붙은 인용은 모두 출처와 대조했습니다.
}
why-corrected = { $documents ->
   *[other] 첫 초안이 맞지 않아 문서 { $documents }개를 바탕으로 다시 썼으며, 번호가 붙은 인용은 모두 출처와 대조했습니다.
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
verdict-rules = 무료 규칙으로 판단
verdict-evidence = 문서와 비교해 판단
verdict-judge = 심사 모델이 판단
verdict-reading = 두 번째 읽기로 판단
plain-number = { $value }
plain-percent = { $percent }%
plain-amount = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 9) }
cost-unknown = 가격 모름
cost-least = 최소 { $cost }
size-bytes = { $count }바이트
size-kilobytes = { $count }kB
size-megabytes = { $count }MB
size-gigabytes = { $count }GB
button-useful = 👍 유용해요
button-wrong = 👎 틀렸어요
button-sources = 📄 출처
button-why = 🔎 이유
button-stop = ⏹ 중지
button-chosen = ✓ { $button }
press-gone = 이 답변은 더 이상 보관되지 않아 버튼이 만료되었습니다.
press-not-yours = 질문한 사람만 이 답변을 평가할 수 있습니다.
press-useful = 감사합니다! 유용한 답변으로 표시했습니다.
press-wrong = 감사합니다! 틀린 답변으로 표시했습니다. 관리자가 목록에서 볼 수 있습니다.
press-taken-back = 평가를 취소했습니다.
press-shown = 이 대화에 이미 표시되어 있습니다.
press-not-to-stop = 질문한 사람이나 관리자만 이 답변을 중지할 수 있습니다.
press-finished = 이 답변은 이미 완료되었습니다.
press-working = 이 질문에 아직 답변하는 중입니다.
stop-done = { $answers ->
   *[other] 답변 { $answers }개를 중지했습니다.
}
stop-nothing = 지금 여기에서 답변 중인 회원님의 질문이 없습니다.
answer-stopped = ⏹ 중지했습니다.
answer-caption = 📎 글만 읽었고 첨부 파일은 읽지 않았습니다.
answer-queued = ⏳ 대기 중: { $ahead ->
   *[other] 앞에 질문 { $ahead }개가 있습니다
}.
answer-failed = 죄송합니다. 제 쪽의 오류로 이 질문에 답하지 못했습니다. 나중에 다시 질문해 주세요. 계속되면 관리자에게 알려 주세요.
command-failed = 죄송합니다. 제 쪽의 오류로 이 명령을 실행하지 못했습니다. 나중에 다시 보내 주세요. 계속되면 관리자에게 알려 주세요.
press-failed = 죄송합니다. 제 쪽의 오류로 처리하지 못했습니다. 나중에 다시 시도해 주세요. 계속되면 관리자에게 알려 주세요.
ask-how = 명령 뒤에 질문을 적어 주세요: /ask 어떻게 시작하나요?
question-too-long = 질문이 { $characters }자입니다. 한도는 { $limit }자입니다. 줄여서 다시 보내 주세요.
question-unreadable = 텍스트로 읽을 수 없습니다. 질문을 일반 텍스트로 보내 주세요.
question-file = { $name } 파일은 읽지 않았습니다. 문서에 추가하려면 그 파일에 /add로 답장하거나 /add라는 설명과 함께 다시 보내세요.
refused-private = 아직 이 봇을 사용할 권한이 없습니다. 관리자에게 회원님의 ID { $user }을(를) 보내면 권한을 받을 수 있습니다.
refused-private-groups = 저는 그룹에서만 답합니다. 이 봇의 관리자에게 회원님의 ID { $user }을(를) 보내면 여기서도 사용할 수 있습니다.
refused-person = 관리자가 회원님의 봇 사용을 차단했습니다.
refused-group = 이 그룹은 아직 이 봇을 사용할 수 없습니다. 봇 관리자가 /allow 명령으로 허용할 수 있습니다. 그룹 ID: { $chat }
refused-group-admin = 이 그룹은 아직 허용되지 않았고, 답변은 여기 있는 모두가 보게 됩니다. 허용하려면 여기서 /allow를 보내세요.
refused-anonymous = 익명으로 쓰시면 누구신지 알 수 없습니다. 본인 이름으로 써 주세요.
refused-admins-only = 이 봇의 관리자만 할 수 있습니다.
refused-named-only = 익명으로 쓰고 계십니다. 익명 모드를 끄고 다시 시도해 주세요.
refused-yourself = 자기 자신에게는 할 수 없습니다.
refused-owner-only = 이 봇의 소유자만 할 수 있습니다.
limit-user-minute = 1분당 질문 한도({ $limit })에 도달했습니다. { $seconds }초 뒤에 다시 시도해 주세요.
limit-user-hour = 1시간당 질문 한도({ $limit })에 도달했습니다. { $minutes }분 뒤({ $until } UTC)에 다시 시도해 주세요.
limit-chat-minute = 이 대화방이 1분당 질문 한도({ $limit })에 도달했습니다. { $seconds }초 뒤에 다시 시도해 주세요.
limit-user-commands = 1분당 명령 한도({ $limit })에 도달했습니다. { $seconds }초 뒤에 다시 시도해 주세요.
limit-chat-commands = 이 대화방이 1분당 명령 한도({ $limit })에 도달했습니다. { $seconds }초 뒤에 다시 시도해 주세요.
limit-chat-budget = 이 대화방의 하루 사용량을 모두 썼습니다. { $until } UTC부터 다시 답합니다.
limit-queue = 여기에는 이미 너무 많은 질문({ $limit })이 기다리고 있습니다. 몇 개가 답변된 뒤에 다시 질문해 주세요.
command-start = 이 봇이 하는 일
command-help = 명령어 목록
command-ask = 질문하기: /ask 어떻게 시작하나요?
command-mode = 답변 확인 정도: 빠름, 균형, 꼼꼼함
command-why = 마지막 답변이 나온 과정
command-sources = 마지막 답변의 근거 구절
command-stop = 작성 중인 답변 멈추기
command-reset = 이 대화 잊기
command-language = 제가 사용할 언어 고르기
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
command-health = 모두 정상인지 확인
answer-late = 제가 한동안 꺼져 있어 여기에 올라온 질문에 답하지 못했습니다. 아직 필요하시면 다시 질문해 주세요.
command-late = { $command } 명령을 보내셨을 때 제가 꺼져 있어서 실행되지 않았습니다. 아직 필요하면 다시 보내 주세요.
admin-second-poller = ⚠️ 다른 프로그램이 같은 토큰으로 이 봇의 메시지를 받고 있어, 두 프로그램 모두 일부 메시지를 놓칩니다. 둘 중 하나를 멈추거나 @BotFather에서 받은 별도의 토큰을 사용하세요.
admin-failed = ⚠️ 오류로 질문 또는 명령을 처리하지 못했습니다: { $reason }. 자세한 내용은 로그를 확인하세요.
admin-gap = ⚠️ 제가 { $hours }시간 동안 꺼져 있었습니다. Telegram은 메시지를 24시간만 보관하므로 그 전에 보낸 것은 사라졌습니다.
admin-spent = ℹ️ 대화방 { $chat }이(가) 오늘의 토큰을 모두 썼습니다({ $tokens }, limits.chat_tokens_per_day). { $until } UTC까지 그곳에서는 모델이 답하지 않습니다.
admin-trouble = ⚠️ 지금은 새로운 것을 받을 수 없습니다: { $reason }. 이미 받은 것은 모두 안전합니다.
admin-well = ✅ 작업을 다시 기록할 수 있어 계속합니다.
start-what = 저는 { $name }입니다. { $documents ->
    [0] 문서(아직 추가된 것이 없음)
   *[other] 문서 { $documents }개
}를 바탕으로 질문에 답하고, 믿고 쓰시기 전에 모든 답변을 확인합니다.
start-private = 질문을 보내 주시면 됩니다.
start-group = 여기서는 @{ $username }을(를) 언급하거나, 제 메시지에 답장하거나, /ask와 함께 질문을 보내 주세요.
start-label = 답변마다 아래에 얼마나 믿을 수 있는지와 출처가 표시됩니다.
start-discreet = 저에게 보낸 메시지가 아니면 답하지도 보관하지도 않습니다.
start-admin = 이 봇의 관리자이십니다: 파일에 /add 설명을 달아 보내면 문서가 추가되고, /health는 모두 정상인지 보여 줍니다.
start-help = /help는 명령어를 보여 줍니다.
start-unclaimed = 아직 이 봇의 소유자가 없습니다. 본인의 봇이라면 /claim과 로그의 코드를 보내 주세요.
help-title = 명령어:
help-admins = 관리자용:
command-elsewhere = { $command } 명령은 저와의 개인 대화에서 보내 주세요.
confirm-yes = 예
confirm-no = 아니요
confirm-dropped = 아무것도 바뀌지 않았습니다.
press-not-asked = 명령을 보낸 사람만 결정할 수 있습니다.
press-too-late = 이 버튼은 만료되었습니다. 명령을 다시 보내 주세요.
mode-title = 이 대화의 답변을 얼마나 꼼꼼히 확인할까요?
mode-admins = 그룹에서는 이 봇의 관리자만 모드를 고를 수 있습니다.
mode-name-quick = 빠름
mode-name-balanced = 균형
mode-name-careful = 꼼꼼함
language-name = 한국어
language-choose = 어떤 언어로 말씀드릴까요? 답변은 질문의 언어로 드립니다.
language-unknown = { $name } 언어는 할 수 없습니다.
language-telegram = 텔레그램과 같게
language-set = 이제부터 한국어로 말씀드리겠습니다.
privacy-kept = 보관된 내 정보:
    · 대화 메시지 { $messages }개
    · 관리자 목록의 질문 { $questions }개
    · 내 메시지가 들어 있는 작업 기록 { $jobs }개
    · 그 작업에 대한 내부 항목 { $others }개
    · 이름, 언어, id
    삭제하면 모두 사라집니다. 이름 없는 합계, 관리자가 내 id에 내린 결정, 그리고 이틀 동안의 질문과 명령 시각은 남습니다. 삭제 자체의 기록과 나를 인용한 다른 사람의 메시지 기록은 { $days }일 뒤에 자동으로 삭제됩니다.
privacy-export = 📥 파일로 내보내기
privacy-erase = 🗑 모두 삭제
privacy-exported = 파일을 이 대화에 올렸습니다.
privacy-file = 보관된 모든 내 정보(JSON).
privacy-confirm = 보관된 내 정보를 모두 삭제할까요? 나를 위해 진행 중인 답변과 명령은 멈춥니다. 되돌릴 수 없습니다.
privacy-erased = 삭제됨: 메시지({ $messages }), 질문({ $questions }), 작업 기록({ $jobs })과 그 밖에 보관된 모든 내 정보. 이 삭제의 기록과 나를 인용한 다른 사람의 메시지 기록은 { $days }일 뒤에 자동으로 삭제됩니다.
claim-how = /claim과 실행 중인 봇의 로그에 있는 코드를 보내 주세요.
claim-owner = 이제 이 봇의 소유자이십니다. 파일에 /add 설명을 달아 보내면 문서가 추가되고, /allow와 id를 보내면 다른 사람이 사용할 수 있습니다. /help는 모두 보여 줍니다.
claim-yours = 이미 이 봇의 소유자이십니다. 파일에 /add 설명을 달아 보내면 문서가 추가됩니다. /help는 모두 보여 줍니다.
claim-wrong = 코드가 틀렸습니다. 현재 코드는 실행 중인 봇의 로그에 있으며, 시작할 때마다 바뀝니다.
claim-too-many = 틀린 코드가 너무 많습니다. 봇을 다시 시작하면 새 코드가 나옵니다.
claim-closed = 이 봇에는 이미 소유자가 있습니다.
claim-not-private = /claim은 개인 대화에서 본인 이름으로 보내 주세요.
allow-how = /allow와 id를 보내거나, 그 사람의 메시지에 /allow로 답장하거나, 그룹에서 /allow를 보내 그룹을 허용하세요.
deny-how = /deny와 id를 보내거나, 그 사람의 메시지에 /deny로 답장하거나, 그룹에서 /deny를 보내 그룹을 차단하세요.
allow-person = { $id }님의 사용을 허용했습니다.
allow-group = 그룹 { $id }의 사용을 허용했습니다.
deny-person = { $id }님의 사용을 차단했습니다.
deny-group = 그룹 { $id }의 사용을 차단했습니다.
decided-unknown = 이 id에서 받은 것이 없으니 맞는지 확인하세요.
admins-title = 소유자와 관리자:
admins-how = 소유자는 /admins add ID로 관리자를 추가하고 /admins remove ID로 뺍니다.
role-owner = 소유자
role-admin = 관리자
admins-confirm-add = { $id }님을 관리자로 할까요?
admins-confirm-remove = { $id }님을 관리자에서 뺄까요?
admins-added = { $id }님은 이제 관리자입니다.
admins-already = { $id }은(는) 이미 관리자입니다.
admins-removed = { $id }님은 더 이상 관리자가 아닙니다.
admins-none = { $id }은(는) 관리자가 아닙니다. /admins에서 목록을 볼 수 있습니다.
documents-none = 아직 문서가 없습니다. 추가하려면 파일에 /add 설명을 달아 보내 주세요.
documents-title = 파일 { $documents }개 ({ $page }/{ $pages }쪽)
documents-how = /documents는 파일 목록을, /documents 2는 두 번째 쪽을 보여 줍니다.
documents-passages = 구절 { $passages }개
documents-added = 텔레그램에서 추가됨
documents-more-notes = … 외 { $notes }개
phase-reading = 읽는 중
phase-embedding = 검색 준비
phase-writing = 저장
reindex-began = ⏳ 문서를 읽고 있습니다. 그동안에도 질문할 수 있습니다.
reindex-running = 이미 문서를 읽고 있습니다: { $who }님이 { $since }에 시작했습니다. 끝날 때까지 기다려 주세요.
reindex-elsewhere = 다른 프로그램이 문서를 읽고 있습니다. 끝난 뒤 다시 시도해 주세요.
reindex-failed = 문서를 읽지 못했습니다: { $reason }. 답변에는 이전에 읽은 내용을 계속 사용합니다.
reindex-confirm = 모든 문서를 처음부터 다시 읽을까요? 오래 걸릴 수 있으며, 그동안에도 질문할 수 있습니다.
reindex-how = /reindex는 바뀐 것만, /reindex rebuild는 전부 다시 읽습니다.
reindex-done = ✔ 문서 { $documents }개, 구절 { $passages }개, { $seconds } 걸림
reindex-changes = 새 문서 { $added } · 변경 { $changed } · 삭제 { $removed } · 실패 { $failed }
add-how = 파일에 /add 설명을 달아 보내거나 파일에 /add로 답장하세요. 최대 크기: { $size }. 파일 형식: { $endings }.
add-kind = { $name } 같은 형식의 파일은 읽을 수 없습니다. 읽을 수 있는 것: { $endings }.
add-too-big = { $name } 파일이 너무 큽니다. 최대 크기는 { $size }입니다.
add-gone = 텔레그램에서 { $name }을(를) 내려받지 못했습니다. 파일을 다시 보내 주세요.
add-failed = { $name }을(를) 저장하지 못했습니다: { $reason }
add-unreadable = { $name }을(를) 읽을 수 없어 추가하지 않았습니다: { $reason }
add-not-indexed = { $name }은(는) 저장되었지만 아직 검색되지 않습니다: { $reason }. 나중에 /reindex를 보내 주세요.
add-began = ⏳ { $name } 읽는 중 …
add-done = ✔ { $name } 추가됨. 구절 { $passages }개
add-replaced = ✔ { $name } 교체됨. 구절 { $passages }개
add-confirm = { $name } 문서가 이미 있습니다. 바꿀까요?
remove-how = /remove와 텔레그램에서 추가한 문서의 이름을 보내 주세요. 목록은 /documents에 있습니다.
remove-confirm = { $name }을(를) 삭제할까요? 더 이상 답변에 쓰이지 않습니다.
remove-began = ⏳ { $name } 삭제 중 …
remove-done = ✔ { $name } 삭제됨.
remove-not-indexed = { $name }은(는) 삭제되었지만 아직 답변에 쓰일 수 있습니다: { $reason }. 나중에 /reindex를 보내 주세요.
remove-corpus = { $name }은(는) 텔레그램에서 추가한 문서가 아닙니다. { $path }에 있으니 거기서 지우고 /reindex를 보내 주세요.
remove-namesake = Telegram에서 추가한 같은 이름의 문서는 { $name }입니다. 삭제하려면 /remove { $name } 명령을 보내세요.
remove-similar = 추가된 문서 { $name }이(가) 없습니다. 혹시: { $names }?
remove-unknown = 추가된 문서 { $name }이(가) 없습니다. /documents에 모두 나옵니다.
stats-how = /stats는 최근 7일, /stats 1은 오늘, /stats 30은 최근 30일을 보여 줍니다.
stats-title = 사용 현황: { $period } (UTC)
stats-today = 오늘
stats-days = { $days }일
stats-nothing = 질문이 없었습니다.
stats-questions = 질문
stats-people = 사람
stats-label-verified = 확인됨
stats-label-general = 일반
stats-label-unverified = 미확인
stats-label-not_in_documents = 문서에 없음
stats-documents = 문서 사용
stats-half = 절반 소요
stats-most = 95% 소요
stats-calls = 모델 호출
stats-tokens = 토큰 입력+출력
stats-cost = 비용
stats-saved = 절약한 판정
saved-checks = 형식 검사
saved-evidence = 문서 대조
saved-repairs = 수정
stats-picture-questions = 일별 질문
stats-picture-seconds = 답변까지 걸린 초
stats-picture-half = 질문의 절반
stats-picture-most = 20개 중 19개
unanswered-title = 최근 { $days }일 동안 문서가 답하지 못한 질문(많은 순):
unanswered-line = { $count }× { $question } (최근: { $last })
unanswered-none = 최근 { $days }일 동안 답하지 못한 질문이 없습니다. 확인할 수 없었던 답변은 여기에 나오지 않으며 /stats에서 셉니다.
health-title = 상태:
health-database = 데이터베이스
health-jobs = 진행 중인 작업
health-given-up = 실패한 작업
health-documents = 문서
health-none = 없음
health-models = 모델
health-backlog = 텔레그램 대기
health-disk = 디스크
health-uptime = 가동 시간
health-version = 버전
health-fine = 정상
health-silent = 응답 없음
health-held = 문서 { $documents }개, 구절 { $passages }개, 버전 { $generation }
health-faults = 실패한 파일 { $files }개, /documents에서 확인
health-free = { $size } 남음

# Guided interviews.
command-interview = 안내 인터뷰 시작 또는 계속
command-status = 인터뷰 진행 상황
command-undo = 마지막 답변 취소
command-finish = 인터뷰 마치기
command-export = 인터뷰를 파일로 받기
interview-choose = 어떤 인터뷰를 할까요?
interview-begun = 한 번에 한 가지씩 질문합니다. 자유롭게 쓰거나 버튼으로 답해 주세요. /status는 지금까지 알게 된 내용을 보여 주고, /undo는 마지막 답변을 취소하며, /finish는 인터뷰를 마칩니다. 문서에 답이 있는 질문과 /ask 뒤에 쓴 질문에는 계속 답합니다.
interview-resumed = 이 인터뷰를 이어서 진행합니다.
interview-none = 열린 인터뷰가 없습니다. /interview로 시작하세요.
interview-progress = { $title }: { $total }개 중 { $done }개 확인
interview-besides = 그 밖에
interview-no-value = 없음
interview-missing = 아직 필요한 내용:
interview-talk = 대화 내용
interview-user = 나
interview-assistant = 봇
interview-system = 시스템
interview-status-collecting = 내용을 모으는 중입니다.
interview-status-gating = 내용은 모두 모였고 마지막 확인이 남았습니다.
interview-status-ready = 모두 모였습니다.
interview-status-blocked = 더 이상 질문할 수 없습니다.
interview-fact-confirmed = 직접 말함
interview-fact-proposed = 확인 필요
interview-fact-disputed = 서로 다름
interview-fact-not-applicable = 없음
interview-fact-open = 미정
interview-complete = 모두 모였습니다. /finish로 마치고 /export로 받을 수 있습니다. 메시지를 더 보내면 내용이 바뀝니다.
interview-unchecked = 모두 모였지만 마지막 확인을 하지 못했습니다. /finish로 다시 시도하세요.
interview-blocked = 더 이상 질문할 수 없습니다. 덧붙일 내용을 쓰거나 /finish로 마치세요.
interview-why = 질문하는 이유: { $why }
interview-undone = 취소했습니다.
interview-finished = 인터뷰를 마쳤습니다. /export로 받을 수 있습니다.
interview-close = 이대로 닫기
interview-go-on = 계속하기
interview-closed = 인터뷰를 이대로 닫았습니다. /export로 받을 수 있습니다.
interview-file = 데이터 형식의 인터뷰
interview-page = 페이지 형식의 인터뷰
interview-terminal = 자유롭게 쓰거나 선택지 번호로 답하세요. /status, /undo, /finish, /export 폴더, /quit
interview-session = 인터뷰 { $id }; --session으로 이어갈 수 있습니다.
interview-halted =
    { $code ->
        [model_unavailable] 메시지는 보관했지만 처리하지 못했습니다: 모델이 응답하지 않습니다. 다음 메시지를 보내시면 함께 처리하겠습니다.
        [budget_exhausted] 메시지는 보관했지만 처리하지 못했습니다: 비용이 너무 많이 듭니다. 다음 메시지를 보내시면 함께 처리하겠습니다.
       *[other] 메시지는 보관했지만 처리하지 못했습니다: 모델의 응답을 쓸 수 없었습니다. 다음 메시지를 보내시면 함께 처리하겠습니다.
    }
