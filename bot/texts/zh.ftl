label-verified = 已与文档核对
label-general = 一般回答，并非来自文档
label-unverified = 未经核实：采用前请自行确认
label-not_in_documents = 文档中没有
mode-quick = 快速（quick）：只做免费检查并与文档比对，通常调用模型 1–2 次
mode-balanced = 均衡（balanced）：检查无法判定时由评判模型决定，通常调用模型 1–3 次
mode-careful = 仔细（careful）：每个回答都由审阅者检查，未核实的回答再由评论者检查，通常调用模型 2–7 次
sources = 来源
nearest-sources = 最接近的段落
you = 您
chat-welcome = 请就您的文档提问。输入 /help 查看命令，按 Ctrl-D 退出。
chat-help =
    /why      上一个回答是怎样得出的
    /sources  回答所依据的段落
    /mode     检查的严格程度：quick、balanced 或 careful
    /reset    忘记这次对话
    /quit     退出（也可按 Ctrl-D）
chat-resumed = 继续这次对话（{ $messages } 条消息）；输入 /reset 可忘记它。
chat-reset = 已忘记。您想了解什么？
reset-confirm = 为这里的所有人忘掉这段对话吗？此操作无法撤销。
reset-admins = 在群组中，只有群组管理员和本机器人的管理员可以重置对话。
group-admins-unknown = 我未能查到谁是这个群组的管理员。请稍后再试。
chat-mode = 模式：{ $description }
chat-mode-unknown = 没有 { $mode } 模式。请选择：
chat-nothing-yet = 还没有回答。
chat-no-sources = 上一个回答没有用到文档。
chat-unknown-command = 没有 { $command } 这个命令；输入 /help 查看命令。
chat-stopped = 已停止。对话已保留。
chat-not-stored = 这个回答无法保存：{ $reason }
chat-bye = 再见。对话已保留。
step-recall = 正在回忆对话
step-classify = 正在阅读消息
step-draft = 正在起草
step-continue = 正在补全被截断的文字
step-probe = 正在搜索文档
step-cover = 正在查看文档是否涉及此问题
step-evaluate = 正在检查回答
step-judge = 正在询问评判模型
step-review = 正在询问审阅者
step-compare = 正在比较两个版本
step-retrieve = 正在阅读文档
step-choose = 正在寻找回答问题的句子
step-read = 正在重读一个段落
step-regenerate = 正在根据文档撰写回答
step-rewrite = 正在换用其他词语搜索
step-critique = 正在询问评论者
step-second_opinion = 正在询问第二位评论者
step-standalone = 正在结合对话理解问题
step-refine = 正在改进回答
model-failed = 模型出错：{ $reason }
not-checked-yet = ⏳ 尚未核实
progress-reading = { $documents ->
   *[other] 正在阅读 { $documents } 份文档
}
sources-none = 这个回答没有用到文档。
tokens-short = { $tokens } 词元
duration-milliseconds = { $count } 毫秒
duration-seconds = { $count } 秒
duration-minutes = { $minutes } 分 { $seconds } 秒
duration-hours = { $hours } 小时 { $minutes } 分
why-failed = 没有语言模型能写出回答，这里是在没有模型的情况下能提供的内容。
why-small-talk = 只是闲聊：直接回答，没有查找任何资料。
why-general = 文档没有涉及此问题，回答来自常识或我们的对话。
why-confirmed = 初稿与文档一致，因此予以保留。
why-read = { $documents ->
   *[other] 根据 { $documents } 份文档写成，每个编号引用都已与来源核对。
}
why-corrected = { $documents ->
   *[other] 初稿站不住脚，因此根据 { $documents } 份文档重写，每个编号引用都已与来源核对。
}
why-unverified = 这个回答无法证实，采用前请自行确认。
why-not-found = 已查找文档，其中没有答案。
why-verdict = 结论：{ $quality }（把握 { $percent }%，{ $source }）
why-score = 评审得分：{ $percent }%
why-calls = { $calls ->
   *[other] 调用模型 { $calls } 次
}
why-tokens = { $tokens ->
   *[other] { $tokens } 个词元
}
why-corrections = 修正 { $count } 次
why-cost = 费用：{ $cost }
why-savings = { $calls ->
   *[other] 免费检查省去 { $calls } 次评判，约 { $tokens } 个词元
}
verdict-rules = 由免费规则判定
verdict-evidence = 与文档比对后判定
verdict-judge = 由评判模型判定
verdict-reading = 由第二次阅读判定
plain-number = { $value }
plain-percent = { $percent }%
plain-amount = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 9) }
cost-unknown = 价格未知
cost-least = 至少 { $cost }
size-bytes = { $count } 字节
size-kilobytes = { $count } kB
size-megabytes = { $count } MB
size-gigabytes = { $count } GB
button-useful = 👍 有用
button-wrong = 👎 有误
button-sources = 📄 来源
button-why = 🔎 原因
button-stop = ⏹ 停止
button-chosen = ✓ { $button }
press-gone = 这条回答已不再保存，按钮已失效。
press-not-yours = 只有提问的人可以评价这条回答。
press-useful = 谢谢！已标记为有用。
press-wrong = 谢谢！已标记为有误。管理员会在列表中看到。
press-taken-back = 已撤回评价。
press-shown = 已经显示在本聊天中。
press-not-to-stop = 只有提问的人或管理员可以停止这条回答。
press-finished = 这条回答已经完成。
press-working = 这个问题仍在回答中。
stop-done = { $answers ->
   *[other] 已停止 { $answers } 条回答。
}
stop-nothing = 我目前没有在这里回答您的问题。
answer-stopped = ⏹ 已停止。
answer-caption = 📎 我只读取了文字，没有读取附件。
answer-queued = ⏳ 排队中：前面还有 { $ahead ->
   *[other] { $ahead } 个问题
}。
answer-failed = 抱歉，由于我这边的错误，无法回答这个问题。请稍后再问。如果一再出现，请告诉管理员。
command-failed = 抱歉，由于我这边的错误，无法执行这条命令。请稍后重新发送。如果一再出现，请告诉管理员。
press-failed = 抱歉，由于我这边的错误，操作没有成功。请稍后再试。如果一再出现，请告诉管理员。
ask-how = 请把问题写在命令后面：/ask 怎么开始？
question-too-long = 您的问题有 { $characters } 个字符，上限是 { $limit } 个。请缩短后再发。
question-unreadable = 我无法把它当作文本读取。请用普通文本发送问题。
question-file = 我没有读取 { $name }。要把它加入文档，请用 /add 回复它，或附上 /add 重新发送。
refused-private = 您还没有使用本机器人的权限。管理员可以为您开通：请把您的 ID { $user } 发给管理员。
refused-private-groups = 我只在群组中回答。管理员也可以为您在此开通：请把您的 ID { $user } 发给管理员。
refused-person = 管理员已禁止您使用本机器人。
refused-group = 本群组还没有使用本机器人的权限。机器人的管理员可以用 /allow 允许。群组 ID：{ $chat }
refused-group-admin = 本群组尚未获准，而这里的所有人都会看到回答。请在此发送 /allow 以允许。
refused-anonymous = 您匿名发言时，我无法知道您是谁。请用自己的名字发言。
refused-admins-only = 只有本机器人的管理员可以这样做。
refused-named-only = 您正在匿名发言。请关闭匿名后再试一次。
refused-yourself = 不能对自己这样做。
refused-owner-only = 只有本机器人的所有者可以这样做。
limit-user-minute = 您已达到每分钟的提问上限（{ $limit }）。请在 { $seconds } 秒后再试。
limit-user-hour = 您已达到每小时的提问上限（{ $limit }）。请在 { $minutes } 分钟后（{ $until } UTC）再试。
limit-chat-minute = 本聊天已达到每分钟的提问上限（{ $limit }）。请在 { $seconds } 秒后再试。
limit-user-commands = 您已达到每分钟的命令上限（{ $limit }）。请在 { $seconds } 秒后再试。
limit-chat-commands = 本聊天已达到每分钟的命令上限（{ $limit }）。请在 { $seconds } 秒后再试。
limit-chat-budget = 本聊天今天的用量已用完。从 { $until } UTC 起我再回答。
limit-queue = 这里等待的问题已经太多（{ $limit }）。请在其中一些得到回答后再提问。
command-start = 这个机器人能做什么
command-help = 命令列表
command-ask = 提问：/ask 如何开始？
command-mode = 检查力度：快速、均衡或仔细
command-why = 最近的回答是怎么来的
command-sources = 最近回答所依据的段落
command-stop = 停止正在生成的回答
command-reset = 忘掉这段对话
command-language = 选择我与您交流的语言
command-privacy = 保存的您的信息：查看、导出、删除
command-claim = 用日志中的代码成为所有者
command-documents = 文档及其段落
command-add = 添加文档：发送文件并附上此说明
command-remove = 删除已添加的文档：/remove 文件名
command-reindex = 重新读取文档；/reindex rebuild：全部重建
command-stats = 问题、标签、令牌、费用和时间
command-unanswered = 文档没能回答的问题
command-allow = 允许某人或本群提问：/allow ID
command-deny = 禁止某人或本群提问：/deny ID
command-admins = 管理员列表；所有者可增减
command-health = 检查是否一切正常
answer-late = 我离线了一段时间，未能回答这里的提问。如果仍然需要，请重新提问。
command-late = 您发送 { $command } 时我不在，因此没有执行。如果仍然需要，请再发送一次。
admin-second-poller = ⚠️ 另一个程序正用同一个令牌接收此机器人的消息，因此两者都会漏掉一部分消息。请停止其中一个，或从 @BotFather 为其中一个获取单独的令牌。
admin-failed = ⚠️ 由于错误，一个问题或命令没有完成：{ $reason }。详情见日志。
admin-gap = ⚠️ 我离线了 { $hours } 小时。Telegram 只保留消息 24 小时，更早发送的内容已丢失。
admin-spent = ℹ️ 聊天 { $chat } 今天的 token 已用完（{ $tokens }，limits.chat_tokens_per_day）。在 { $until } UTC 之前，那里没有模型回答。
admin-trouble = ⚠️ 目前我无法接受新的内容：{ $reason }。已接受的内容都是安全的。
admin-well = ✅ 工作又可以记录了，我继续。
start-what = 我是 { $name }。我根据{ $documents ->
    [0] 文档（目前尚未添加）
   *[other] {" "}{ $documents } 份文档
}回答问题，并在您采信之前检查每个回答。
start-private = 直接把问题发给我即可。
start-group = 在这里，请提及 @{ $username }、回复我的消息，或发送 /ask 加上您的问题。
start-label = 每个回答下方会标明可信程度和来源。
start-discreet = 不是发给我的消息，我既不回答也不保存。
start-admin = 您是此机器人的管理员：发送文件并附上 /add 即可添加文档，/health 显示一切是否正常。
start-help = /help 列出所有命令。
start-unclaimed = 此机器人还没有所有者。如果它是您的，请发送 /claim 和日志中的代码。
help-title = 命令：
help-admins = 管理员命令：
command-elsewhere = 请在与我的私聊中发送 { $command }。
confirm-yes = 是
confirm-no = 否
confirm-dropped = 没有做任何更改。
press-not-asked = 只有发送命令的人可以决定。
press-too-late = 此按钮已失效，请重新发送命令。
mode-title = 在此聊天中要多仔细地检查回答？
mode-admins = 在群组中，只有本机器人的管理员可以选择模式。
mode-name-quick = 快速
mode-name-balanced = 均衡
mode-name-careful = 仔细
language-name = 中文
language-choose = 我该用哪种语言与您交流？回答使用提问的语言。
language-unknown = 我不会说 { $name }。
language-telegram = 与 Telegram 相同
language-set = 从现在起我用中文与您交流。
privacy-kept = 保存的您的信息：
    · 对话消息：{ $messages } 条
    · 管理员列表中的问题：{ $questions } 个
    · 含您消息文字的工作记录：{ $jobs } 条
    · 这些工作的内部条目：{ $others } 条
    · 您的名字、语言和 id
    删除会清除以上全部。保留的只有：不涉及姓名的统计、管理员对您的 id 所作的决定，以及两天内的提问和命令时间。删除本身的记录，以及他人引用您的消息的记录，会在 { $days } 天后自动删除。
privacy-export = 📥 导出为文件
privacy-erase = 🗑 全部删除
privacy-exported = 文件已发到此聊天。
privacy-file = 保存的您的全部信息（JSON）。
privacy-confirm = 删除保存的您的全部信息吗？正在为您进行的回答和命令会停止。此操作无法撤销。
privacy-erased = 已删除：消息（{ $messages }）、问题（{ $questions }）、工作记录（{ $jobs }）以及保存的您的其他一切信息。本次删除的记录，以及他人引用您的消息的记录，会在 { $days } 天后自动删除。
claim-how = 请发送 /claim 和运行中机器人日志里的代码。
claim-owner = 您现在是此机器人的所有者。发送文件并附上 /add 可添加文档，发送 /allow 加 id 可允许他人使用；/help 列出全部命令。
claim-yours = 您已经是此机器人的所有者。发送文件并附上 /add 可添加文档；/help 列出全部命令。
claim-wrong = 代码不正确。当前的代码在运行中机器人的日志里，每次启动都会更换。
claim-too-many = 错误次数过多。重启机器人会生成新代码。
claim-closed = 此机器人已有所有者。
claim-not-private = 请在私聊中以您本人的名义发送 /claim。
allow-how = 发送 /allow 加 id，用 /allow 回复某人的消息，或在群组中发送 /allow 以允许该群。
deny-how = 发送 /deny 加 id，用 /deny 回复某人的消息，或在群组中发送 /deny 以关闭该群。
allow-person = 已允许 { $id } 使用。
allow-group = 已允许群组 { $id } 使用。
deny-person = 已取消 { $id } 的使用权限。
deny-group = 已取消群组 { $id } 的使用权限。
decided-unknown = 我从未收到过来自此 id 的内容，请确认它是否正确。
admins-title = 所有者和管理员：
admins-how = 所有者用 /admins add ID 添加管理员，用 /admins remove ID 移除管理员。
role-owner = 所有者
role-admin = 管理员
admins-confirm-add = 将 { $id } 设为管理员？
admins-confirm-remove = 取消 { $id } 的管理员身份？
admins-added = { $id } 现在是管理员。
admins-already = { $id } 已经是管理员。
admins-removed = { $id } 不再是管理员。
admins-none = { $id } 不是管理员。/admins 列出管理员。
documents-none = 还没有文档。要添加文档，请发送文件并附上 /add。
documents-title = 文件：{ $documents }（第 { $page } 页，共 { $pages } 页）
documents-how = /documents 列出文件，/documents 2 显示第二页。
documents-passages = { $passages } 个段落
documents-added = 在 Telegram 中添加
documents-more-notes = ……另有 { $notes } 项
phase-reading = 读取
phase-embedding = 建立索引
phase-writing = 写入
reindex-began = ⏳ 正在读取文档，期间仍可提问。
reindex-running = 文档已在读取中：{ $who } 于 { $since } 开始。请等待完成。
reindex-elsewhere = 另一个程序正在读取文档，请在其完成后再试。
reindex-failed = 无法读取文档：{ $reason }。回答仍使用之前读取的内容。
reindex-confirm = 要重新读取并处理全部文档吗？可能需要较长时间，期间仍可提问。
reindex-how = /reindex 读取有变化的内容，/reindex rebuild 重新读取全部。
reindex-done = ✔ 文档：{ $documents }，段落：{ $passages }，用时 { $seconds }
reindex-changes = 新增：{ $added } · 更改：{ $changed } · 移除：{ $removed } · 失败：{ $failed }
add-how = 发送文件并附上 /add，或用 /add 回复文件。最大 { $size }。文件类型：{ $endings }。
add-kind = 我无法读取 { $name } 这类文件。我能读取：{ $endings }。
add-too-big = { $name } 太大：文件最大 { $size }。
add-gone = 无法从 Telegram 下载 { $name }，请重新发送文件。
add-failed = 无法保存 { $name }：{ $reason }
add-unreadable = { $name } 无法读取，因此未添加：{ $reason }
add-not-indexed = { $name } 已保存，但尚不能搜索：{ $reason }。请稍后发送 /reindex。
add-began = ⏳ 正在读取 { $name } ……
add-done = ✔ 已添加 { $name }。段落：{ $passages }
add-replaced = ✔ 已替换 { $name }。段落：{ $passages }
add-confirm = 已有文档 { $name }。要替换吗？
remove-how = 请发送 /remove 和在 Telegram 中添加的文档名；/documents 可列出它们。
remove-confirm = 删除 { $name }？回答将不再使用它。
remove-began = ⏳ 正在删除 { $name } ……
remove-done = ✔ 已删除 { $name }。
remove-not-indexed = { $name } 已删除，但回答可能仍会用到它：{ $reason }。请稍后发送 /reindex。
remove-corpus = { $name } 不是在 Telegram 中添加的。它位于 { $path }：请在那里删除，然后发送 /reindex。
remove-namesake = 在 Telegram 中添加的同名文档叫 { $name }：要删除它，请发送 /remove { $name }。
remove-similar = 没有已添加的文档 { $name }。您是指：{ $names }？
remove-unknown = 没有已添加的文档 { $name }。/documents 可列出全部。
stats-how = /stats 显示最近 7 天，/stats 1 显示今天，/stats 30 显示最近 30 天。
stats-title = 使用情况：{ $period }（UTC）
stats-today = 今天
stats-days = { $days } 天
stats-nothing = 没有人提问。
stats-questions = 问题
stats-people = 人数
stats-label-verified = 已核实
stats-label-general = 常识
stats-label-unverified = 未核实
stats-label-not_in_documents = 文档中没有
stats-documents = 使用文档
stats-half = 半数用时
stats-most = 95% 用时
stats-calls = 模型调用
stats-tokens = 令牌 输入+输出
stats-cost = 费用
stats-saved = 节省的评判
saved-checks = 格式检查
saved-evidence = 文档核对
saved-repairs = 修复
stats-picture-questions = 每天的问题
stats-picture-seconds = 回答用时（秒）
stats-picture-half = 半数问题
stats-picture-most = 95%
unanswered-title = 最近 { $days } 天内文档没能回答的问题（按频率排序）：
unanswered-line = { $count }× { $question }（最近：{ $last }）
unanswered-none = 最近 { $days } 天内没有未回答的问题。无法核实的回答不在此列出，见 /stats。
health-title = 状态：
health-database = 数据库
health-jobs = 进行中的工作
health-given-up = 失败的工作
health-documents = 文档
health-none = 无
health-models = 模型
health-backlog = Telegram 待取
health-disk = 磁盘
health-uptime = 已运行
health-version = 版本
health-fine = 正常
health-silent = 无响应
health-held = { $documents } 个文档，{ $passages } 个段落，版本 { $generation }
health-faults = 失败的文件：{ $files }，见 /documents
health-free = 可用 { $size }

# Guided interviews.
command-interview = 开始或继续引导式访谈
command-status = 访谈进展
command-undo = 撤回上一个回答
command-finish = 结束访谈
command-export = 以文件形式获取访谈
interview-choose = 要进行哪个访谈？
interview-begun = 我每次只问一个问题；请用自己的话或按钮回答。/status 显示已知内容，/undo 撤回上一个回答，/finish 结束访谈。文档能回答的问题以及写在 /ask 后面的内容，我仍会照常回答。
interview-resumed = 您将继续这个访谈。
interview-none = 没有打开的访谈。用 /interview 开始一个。
interview-progress = { $title }：共 { $total } 项，已确定 { $done } 项
interview-besides = 其他
interview-no-value = 没有
interview-missing = 还缺少：
interview-talk = 谈话内容
interview-user = 您
interview-assistant = 机器人
interview-system = 系统
interview-status-collecting = 正在收集信息。
interview-status-gating = 信息已齐全，还差最后一次检查。
interview-status-ready = 全部齐全。
interview-status-blocked = 不能再提问了。
interview-fact-confirmed = 您说的
interview-fact-proposed = 待确认
interview-fact-disputed = 有矛盾
interview-fact-not-applicable = 没有
interview-fact-open = 未定
interview-complete = 全部齐全。/finish 结束访谈，/export 导出；再发消息会改动内容。
interview-unchecked = 全部齐全，但未能完成最后的检查。/finish 会再试一次。
interview-blocked = 不能再提问了。请写下可以补充的内容，或用 /finish 结束。
interview-why = 提问原因：{ $why }
interview-undone = 已撤回。
interview-finished = 访谈已结束。/export 可导出。
interview-close = 就这样关闭
interview-go-on = 继续
interview-closed = 访谈已按现状关闭。/export 可导出。
interview-file = 访谈数据
interview-page = 访谈页面
interview-terminal = 请用自己的话或选项的编号回答。/status、/undo、/finish、/export 文件夹、/quit
interview-session = 访谈 { $id }；用 --session 继续。
interview-halted =
    { $code ->
        [model_unavailable] 您的消息已保存，但未能处理：模型没有响应。请发送下一条，我会一并处理。
        [budget_exhausted] 您的消息已保存，但未能处理：消耗会过多。请发送下一条，我会一并处理。
       *[other] 您的消息已保存，但未能处理：模型的回复无法使用。请发送下一条，我会一并处理。
    }
