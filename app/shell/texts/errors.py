"""Errors in Chinese: English template -> Chinese. Errors are raised in English; app.shell.error_text looks here.

Blanks are numbered. `{1:said}` is a blank whose own text is looked up here too: a complaint inside another, or a word
the program chose. A plain `{1}` is left as it is: a name, a number, a path, what a library said.
"""

from app.shell.texts import errors_engine, errors_learning, errors_store

NESTED = "said"

TEXTS: dict[str, str] = {
    **errors_store.TEXTS,
    **errors_engine.TEXTS,
    **errors_learning.TEXTS,
    # annotate
    "The page sent something this version does not know. Reload it.": "页面发来了这个版本不认识的内容。请刷新页面。",
    "This question is not on your desk any more. Nothing was stored; the next one is here.": (
        "这一题已不在你手中。没有保存任何内容；下面是下一题。"
    ),
    "Nothing of today is left to take back. The history page takes back older decisions.": (
        "今天没有可以撤销的了。更早的决定请在“历史”页撤销。"
    ),
    "Something else was done meanwhile, so nothing was taken back. Look, and press U again.": (
        "这期间又有别的操作，所以没有撤销任何内容。请看一眼，再按 U。"
    ),
    "Skip S{0} was taken back already.": "跳过 S{0} 已经取消过了。",
    "There is no skip S{0}, or it was taken back already.": "没有跳过 S{0}，或者它已经取消过了。",
    "There is no model folder {0}. Put the model there, or promote another version: python -m app models list.": (
        "没有模型文件夹 {0}。请把模型放到那里，或启用别的版本：python -m app models list。"
    ),
    "{0} is live, but its files are gone: {1} holds {2}. An admin can make that one live, on the page Import and queue "
    "or by python -m app models promote {2}.": (
        "启用的版本是 {0}，但它的文件已经不在了：{1} 里现在是 {2}。管理员可以在“导入与队列”页启用它，"
        "或运行 python -m app models promote {2}。"
    ),
    "The files of {0} are gone: {1} holds another model by now.": "{0} 的文件已经不在了：{1} 里现在是别的模型。",
    "The model failed with an error of its own ({0}).": "模型自身出错（{0}）。",
    "The model has not come to this question for {0} seconds. "
    "Try again later; if that lasts, an admin restarts the app.": (
        "模型 {0} 秒内没有轮到这个问题。请稍后再试；如果一直这样，请管理员重启应用。"
    ),
    "{0} questions wait for the model already, and it takes no more. "
    "Try again in a few seconds; reloading the page asks again.": (
        "已有 {0} 个问题在等待模型，暂时不能再接收。请过几秒再试；刷新页面会重新提问。"
    ),
    # import
    "{0}. Nothing was stored, this is a dry run.": "{0:said}。这是试运行，没有保存任何内容。",
    "{0}. This run stored nothing.": "{0:said}。这次没有保存任何内容。",
    "{0}. The first {1} rows are stored and stay.": "{0:said}。前 {1} 行已经保存并保留。",
    "{0} The first {1} rows are stored and stay.": "{0:said}前 {1} 行已经保存并保留。",
    "{0}: there is no such file on the server, or it may not be read.": "{0}：服务器上没有这个文件，或者不可读取。",
    "{0} is not below {1}, the folder of files that may be imported (L2A_IMPORT_FOLDER).": (
        "{0} 不在 {1} 里，只有这个文件夹里的文件可以导入（L2A_IMPORT_FOLDER）。"
    ),
    "{0} is not a regular file below {1} that the server can read. Check the path.": (
        "{0} 不是 {1} 里服务器可以读取的普通文件。请检查路径。"
    ),
    # tags
    "{0} is not the number of a change of tags.": "{0} 不是标签改动的回执号。",
    # export
    "{0}: an earlier export ends in {1}.": "{0}：以前导出的文件以 {1} 结尾。",
    "{0}: not an export; none of its lines could be read.": "{0}：不是导出的文件，没有一行能读取。",
    "The comparison keeps the older file in a temporary one, which failed ({0}). "
    "Make room on the disk, or set TMPDIR to a folder on another one.": (
        "比较时要把旧文件放进临时文件，但没有成功（{0}）。请在磁盘上腾出空间，或把 TMPDIR 设为别的磁盘上的文件夹。"
    ),
    # settings
    "The server listens on {0}, but nobody has to sign in: L2A_MODE is local. Set L2A_MODE=team, or --server.address "
    "localhost; or L2A_UNPROTECTED=yes if you know that only people you trust can reach it.": (
        "服务器在 {0} 上接受访问，但不需要登录：L2A_MODE 是 local。"
        "请设 L2A_MODE=team，或 --server.address localhost；如果确知只有可信的人能访问，可设 L2A_UNPROTECTED=yes。"
    ),
    "{0}: no such setting. The settings are {1}. Correct the name of the environment variable, or unset it.": (
        "{0}：没有这项设置。设置有 {1}。请改正环境变量的名字，或取消它。"
    ),
    "{0} is {1}, but must be a whole number of at least 1. Correct it, or unset it.": (
        "{0} 的值是 {1}，但必须是不小于 1 的整数。请改正或取消它。"
    ),
    "{0} is {1}, but must be addresses such as https://wiki.example.org, without a path, with spaces between them. "
    "Correct it, or unset it.": (
        "{0} 是 {1}，但必须是像 https://wiki.example.org 这样的地址，不带路径，用空格隔开。请改正，或取消设置。"
    ),
    "{0} is {1}, but must be one of {2}. Correct it, or unset it.": (
        "{0} 的值是 {1}，但只能是 {2} 之一。请改正或取消它。"
    ),
}
