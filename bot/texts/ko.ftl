label-verified = 문서와 대조해 확인함
label-general = 문서가 아닌 일반 지식 또는 대화 내용
label-unverified = 확인되지 않음: 믿기 전에 직접 확인하세요
label-not_in_documents = 문서에 없음
sources = 출처
nearest-sources = 가장 가까운 부분
you = 나
chat-welcome = 문서에 대해 물어보세요. /help로 명령을 볼 수 있고 Ctrl-D로 나갑니다.
chat-help =
    /why      마지막 답변이 나온 과정
    /sources  답변의 근거가 된 부분
    /reset    이 대화 잊기
    /quit     나가기 (Ctrl-D도 가능)
chat-resumed = 이 대화를 이어 갑니다(메시지 { $messages }개). /reset을 입력하면 잊습니다.
chat-reset = 잊었습니다. 무엇이 궁금하신가요?
chat-nothing-yet = 아직 답변이 없습니다.
chat-no-sources = 마지막 답변에는 문서를 사용하지 않았습니다.
chat-unknown-command = { $command } 명령은 없습니다. /help로 명령을 볼 수 있습니다.
chat-stopped = 중지했습니다. 대화는 보관됩니다.
chat-not-stored = 답변이 저장되지 않았습니다: { $reason }
chat-bye = 안녕히 가세요. 대화는 보관됩니다.
step-recall = 대화를 떠올리는 중
step-classify = 메시지를 읽는 중
step-draft = 초안을 쓰는 중
step-probe = 문서를 살펴보는 중
step-cover = 문서에 관련 내용이 있는지 보는 중
step-evaluate = 확인하는 중
step-judge = 심사 모델에 묻는 중
step-retrieve = 문서를 읽는 중
step-regenerate = 문서를 바탕으로 쓰는 중
step-rewrite = 다른 말로 검색하는 중
model-failed = 모델이 답하지 못했습니다: { $reason }
