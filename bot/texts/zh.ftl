label-verified = 已与文档核对
label-general = 常识或对话内容，并非来自文档
label-unverified = 未经核实：采用前请自行确认
label-not_in_documents = 文档中没有
sources = 来源
nearest-sources = 最接近的段落
you = 您
chat-welcome = 请就您的文档提问。输入 /help 查看命令，按 Ctrl-D 退出。
chat-help =
    /why      上一个回答是怎样得出的
    /sources  回答所依据的段落
    /reset    忘记这次对话
    /quit     退出（也可按 Ctrl-D）
chat-resumed = 继续这次对话（{ $messages } 条消息）；输入 /reset 可忘记它。
chat-reset = 已忘记。您想了解什么？
chat-nothing-yet = 还没有回答。
chat-no-sources = 上一个回答没有用到文档。
chat-unknown-command = 没有 { $command } 这个命令；输入 /help 查看命令。
chat-stopped = 已停止。对话已保留。
chat-not-stored = 这个回答没有保存：{ $reason }
chat-bye = 再见。对话已保留。
step-recall = 正在回忆对话
step-classify = 正在阅读消息
step-draft = 正在起草
step-probe = 正在查看文档
step-cover = 正在查看文档是否涉及此问题
step-evaluate = 正在检查
step-judge = 正在询问评判模型
step-retrieve = 正在阅读文档
step-regenerate = 正在根据文档撰写
step-rewrite = 正在换用其他词语搜索
model-failed = 模型出错：{ $reason }
