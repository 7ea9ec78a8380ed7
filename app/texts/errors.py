"""Errors in Chinese: English template -> Chinese. The program raises errors in English; app.error_text looks here.

Blanks are numbered. `{1:said}` is a blank whose own text is looked up here too: a complaint inside another, or a word
the program chose. A plain `{1}` is left as it is: a name, a number, a path, what a library said.
"""

from app.texts import errors_engine, errors_learning, errors_store

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
    "There is nothing of this session to take back. The history page takes back older decisions.": (
        "这次打开页面以来没有可撤销的决定。更早的决定请在“历史”页撤销。"
    ),
    "There is no model folder {0}. Put the model there, or promote another version: python -m app models list.": (
        "没有模型文件夹 {0}。请把模型放到那里，或启用别的版本：python -m app models list。"
    ),
    "{0} questions wait for the model already, and it takes no more. "
    "Try again in a few seconds; reloading the page asks again.": (
        "已有 {0} 个问题在等待模型，暂时不能再接收。请过几秒再试；刷新页面会重新提问。"
    ),
    # import
    "{0}. Nothing was stored, this is a dry run; "
    "correct the line and run it again, or pass --skip-bad to leave such lines out.": (
        "{0:said}。这是试运行，没有保存任何内容；请改正这一行后再来一次，或用 --skip-bad 跳过这样的行。"
    ),
    "{0}. This run stored nothing; correct the line and run it again, or pass --skip-bad to leave such lines out.": (
        "{0:said}。这次没有保存任何内容；请改正这一行后再来一次，或用 --skip-bad 跳过这样的行。"
    ),
    "{0}. The first {1} rows are stored and stay; "
    "correct the line and run it again, or pass --skip-bad to leave such lines out.": (
        "{0:said}。前 {1} 行已经保存并保留；请改正这一行后再来一次，或用 --skip-bad 跳过这样的行。"
    ),
    "{0}: there is no such file on the server, or it may not be read.": "{0}：服务器上没有这个文件，或者不可读取。",
    "{0} is not a regular file.": "{0} 不是普通文件。",
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
    "{0}: no such setting. The settings are {1}. Correct the name of the environment variable, or unset it.": (
        "{0}：没有这项设置。设置有 {1}。请改正环境变量的名字，或取消它。"
    ),
    "{0} is {1}, but must be a whole number of at least 1. Correct it, or unset it.": (
        "{0} 的值是 {1}，但必须是不小于 1 的整数。请改正或取消它。"
    ),
    "{0} is {1}, but must be one of {2}. Correct it, or unset it.": (
        "{0} 的值是 {1}，但只能是 {2} 之一。请改正或取消它。"
    ),
}
