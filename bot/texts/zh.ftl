label-verified = 已与文档核对
label-general = 常识或对话内容，并非来自文档
label-unverified = 未经核实：采用前请自行确认
label-not_in_documents = 文档中没有
mode-quick = quick：只做免费检查并与文档比对，通常调用模型 1–2 次
mode-balanced = balanced：检查无法判定时由评判模型决定，通常调用模型 1–3 次
mode-careful = careful：每个回答都由审阅者检查，未核实的回答再由评论者检查，通常调用模型 2–7 次
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
chat-mode = 模式：{ $description }
chat-mode-unknown = 没有 { $mode } 模式；可用的模式：
chat-nothing-yet = 还没有回答。
chat-no-sources = 上一个回答没有用到文档。
chat-unknown-command = 没有 { $command } 这个命令；输入 /help 查看命令。
chat-stopped = 已停止。对话已保留。
chat-not-stored = 这个回答没有保存：{ $reason }
chat-bye = 再见。对话已保留。
step-recall = 正在回忆对话
step-classify = 正在阅读消息
step-draft = 正在起草
step-continue = 正在从中断处继续写
step-probe = 正在查看文档
step-cover = 正在查看文档是否涉及此问题
step-evaluate = 正在检查
step-judge = 正在询问评判模型
step-review = 正在询问审阅者
step-compare = 正在比较两个版本
step-retrieve = 正在阅读文档
step-regenerate = 正在根据文档撰写
step-rewrite = 正在换用其他词语搜索
step-critique = 正在询问评论者
step-second_opinion = 正在询问第二位评论者
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
why-failed = 没有语言模型能写出回答，这里是仍能提供的内容。
why-small-talk = 只是闲聊：直接回答，没有查找任何资料。
why-general = 文档没有涉及此问题，回答来自常识或我们的对话。
why-confirmed = 初稿与文档一致，因此保持原样。
why-read = { $documents ->
   *[other] 根据 { $documents } 份文档写成，方括号里的每个编号都已与来源核对。
}
why-corrected = { $documents ->
   *[other] 初稿站不住脚，因此根据 { $documents } 份文档重写，方括号里的每个编号都已与来源核对。
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
quality-adequate = 良好
quality-needs_docs = 需要查阅文档
quality-hallucination = 说了文档中没有的内容
quality-off_topic = 答非所问
quality-unchecked = 未评判
verdict-rules = 由免费规则判定
verdict-evidence = 与文档比对后判定
verdict-judge = 由评判模型判定
plain-number = { $value }
button-useful = 👍 有用
button-wrong = 👎 有误
button-sources = 📄 来源
button-why = 🔎 原因
button-stop = ⏹ 停止
button-chosen = ✓ { $button }
press-gone = 这条回答已不再保存，按钮不再起作用。
press-not-yours = 只有提问的人可以评价这条回答。
press-useful = 谢谢，已记为有用。
press-wrong = 谢谢，已记为有误。管理员会在列表中看到。
press-taken-back = 已撤回评价。
press-shown = 已经显示在本聊天中。
press-not-to-stop = 只有提问的人或管理员可以停止这条回答。
press-finished = 这条回答已经完成。
press-working = 这个问题仍在回答中。
stop-done = { $answers ->
   *[other] 已停止 { $answers } 条回答。
}
stop-nothing = 这里没有正在回答的您的问题。
answer-stopped = ⏹ 已停止。
answer-arriving = ✍ 回答即将显示 …
answer-queued = ⏳ 排队中：前面还有 { $ahead ->
   *[other] { $ahead } 个问题
}。回答会显示在这里。
answer-failed = 抱歉，我这边出了问题，无法回答这个问题。请稍后再问；如果仍然如此，请告诉管理员。
ask-how = 请把问题写在命令后面：/ask 怎么开始？
question-too-long = 问题有 { $characters } 个字符，最多 { $limit } 个。请用更少的文字提问。
question-unreadable = 我无法把它当作文本读取。请用普通文本发送问题。
refused-private = 我还不认识您。请把您的 ID { $user } 告诉本机器人的管理员，由其为您开通。
refused-private-groups = 我只在群组中回答。请把您的 ID { $user } 告诉本机器人的管理员，由其在此为您开通。
refused-person = 本机器人的管理员已禁止您使用。
refused-group = 本群组还不能向我提问。机器人的管理员可以用 /allow 允许，群组 ID：{ $chat }
refused-group-admin = 本群组尚未获准，而这里的所有人都会看到回答。请在此发送 /allow 以允许。
refused-anonymous = 您匿名发言时，我无法知道您是谁。请用自己的名字发言。
refused-admins-only = 只有本机器人的管理员可以这样做。
refused-named-only = 这需要实名的人来做：请关闭匿名后再发送一次。
refused-yourself = 不能对自己这样做。
refused-owner-only = 只有本机器人的所有者可以这样做。
limit-user-minute = 您一分钟内已提出 { $limit } 个问题。{ $seconds } 秒后我再回答。
limit-user-hour = 您一小时内已提出 { $limit } 个问题。从 { $until } UTC 起我再回答。
limit-chat-minute = 本聊天一分钟内已提出 { $limit } 个问题。{ $seconds } 秒后我再回答。
limit-chat-budget = 本聊天今天的用量已用完。从 { $until } UTC 起我再回答。
limit-queue = 这里已有 { $limit } 个问题在等待。请在其中一些得到回答后再提问。
command-start = 这个机器人能做什么
command-help = 命令列表
command-ask = 提问：/ask 如何开始？
command-mode = 检查力度：快速、均衡或仔细
command-why = 最近的回答是怎么来的
command-sources = 最近回答所依据的段落
command-stop = 停止正在生成的回答
command-reset = 忘掉这段对话
command-language = 我用什么语言跟您说话
command-privacy = 保存了您的哪些信息：查看、导出、删除
command-claim = 用日志中的代码成为所有者
command-documents = 文档及其段落
command-add = 添加文档：发送文件并附上此说明
command-remove = 删除已添加的文档：/remove 文件名
command-reindex = 重新读取文档；/reindex rebuild：全部重建
command-stats = 问题、标签、令牌、费用和时间
command-unanswered = 文档没能回答的问题
command-allow = 允许某人或本群提问：/allow ID
command-deny = 禁止某人或本群提问：/deny ID
command-admins = 谁有管理权；所有者可增减
command-health = 一切正常吗？
answer-late = 我离开了一段时间，这个问题是那时提出的。如果仍然需要，请重新提问。
admin-failed = ⚠️ 由于我这边的错误，一个问题或命令没有完成：{ $reason }。详情见日志。
admin-gap = ⚠️ 我离开了 { $hours } 小时。Telegram 只保留消息 24 小时：更早发送的内容已丢失。
admin-trouble = ⚠️ 目前我不接受新的内容：{ $reason }。已接受的内容都已保存。
admin-well = ✅ 工作又可以记录了，我继续。
