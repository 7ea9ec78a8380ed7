"""Opening, copying, migrating and checking a store, and values that no store takes."""

MESSAGES: dict[str, dict[str, str]] = {
    # opening
    "store.not_a_url": {
        "en": "{given} is not the URL of a store. {expected}",
        "zh": "{given} 不是数据库的地址。{expected}",
    },
    "store.unknown_kind": {
        "en": "{kind} is not a kind of store. {expected}",
        "zh": "不支持 {kind} 这种数据库。{expected}",
    },
    "store.in_memory": {
        "en": "A store in memory would lose every decision. {expected}",
        "zh": "只放在内存里的数据库会丢失所有决定。{expected}",
    },
    "store.give_a_url": {
        "en": "Give sqlite:///path/to/file.db or postgresql://user:password@host/name.",
        "zh": "请写成 sqlite:///path/to/file.db 或 postgresql://user:password@host/name。",
    },
    "store.file_unreachable": {
        "en": "The store {store} cannot be reached ({reason}). "
        "Check that the folder exists and that you may write there.",
        "zh": "连不上数据库 {store}（{reason}）。请检查文件夹是否存在、是否可写。",
    },
    "store.server_unreachable": {
        "en": "The store {store} cannot be reached ({reason}). "
        "Check that the server runs, and the host, name and password in L2A_DATABASE.",
        "zh": "连不上数据库 {store}（{reason}）。请检查服务器是否在运行，以及 L2A_DATABASE 里的主机、库名和密码。",
    },
    "store.stayed_locked": {
        "en": "The store {store} stayed locked for {seconds} seconds; nothing was stored. "
        "Something else writes in one long transaction: let it finish or end that program, then try again.",
        "zh": "数据库 {store} 被锁住已超过 {seconds} 秒，没有保存任何内容。"
        "有别的操作正在一个长事务里写入：请等它完成或结束那个程序，然后重试。",
    },
    "store.connections_in_use": {
        "en": "All {connections} connections to the store {store} were in use for {seconds} seconds; nothing was "
        "stored. Very many people ask at once, or long exports are running: try again in a moment.",
        "zh": "数据库 {store} 的全部 {connections} 个连接被占用已超过 {seconds} 秒，没有保存任何内容。"
        "同时使用的人太多，或有长时间的导出在进行：请稍后重试。",
    },
    "store.disk_full": {
        "en": "The disk of {store} is full; nothing of this step was stored. Make room, then try again.",
        "zh": "{store} 所在的磁盘已满，这一步没有保存任何内容。请腾出空间后重试。",
    },
    "store.not_writable": {
        "en": "{store} may not be written. Check who owns the file, or this is a reader.",
        "zh": "{store} 不可写。请检查文件的所有者；也可能这是只读的连接。",
    },
    "store.damaged": {
        "en": "{store} is damaged or not a database ({reason}). Restore a backup: python -m app restore FILE.",
        "zh": "{store} 已损坏，或者不是数据库（{reason}）。请恢复备份：python -m app restore 文件。",
    },
    "store.same_rows": {
        "en": "Others were writing the same rows ({reason}). Nothing was stored; try again.",
        "zh": "别人正在写同样的内容（{reason}）。没有保存任何内容，请重试。",
    },
    # migrating
    "schema.other_tables": {
        "en": "{store} holds other tables ({tables}) and is not a store of L2A Studio. "
        "Name an empty database or a new file.",
        "zh": "{store} 里有别的表（{tables}），不是 L2A Studio 的数据库。请指定一个空的数据库或新文件。",
    },
    "schema.newer": {
        "en": "{store} was written by a newer version of L2A Studio (its tables are at {revision}, this program knows "
        "up to {newest}). Update the program; nothing was changed.",
        "zh": "{store} 由更新版本的 L2A Studio 写成（表的版本是 {revision}，本程序只认识到 {newest}）。"
        "请更新程序；没有改动任何内容。",
    },
    "schema.no_revision": {
        "en": "There is no revision {revision}. Choose one of base, {known}.",
        "zh": "没有版本 {revision}。可选的有 base, {known}。",
    },
    "schema.migration_failed": {
        "en": "The migration failed and was taken back: {reason}.",
        "zh": "升级数据表失败，已经退回：{reason}。",
    },
    "schema.broken_references": {
        "en": "The migration would break {count} references in {tables}; it was taken back.",
        "zh": "升级数据表会破坏 {tables} 里的 {count} 处引用，已经退回。",
    },
    # copying
    "backup.no_folder": {
        "en": "The store must be backed up before its tables change, but not in {folder} ({reason}). "
        "Set L2A_BACKUPS to a folder that can be written. Nothing was changed.",
        "zh": "改动数据表之前必须备份数据库，但不能备份到 {folder}（{reason}）。"
        "请把 L2A_BACKUPS 设为可写的文件夹。没有改动任何内容。",
    },
    "backup.folder_not_writable": {"en": "it may not be written", "zh": "不可写"},
    "backup.exists": {
        "en": "{file} exists already. Name another file; a backup never overwrites one.",
        "zh": "{file} 已经存在。请换一个文件名；备份从不覆盖已有的文件。",
    },
    "backup.folder_missing": {
        "en": "The folder {folder} does not exist. Make it, or name another.",
        "zh": "文件夹 {folder} 不存在。请先建立它，或换一个。",
    },
    "backup.copy_not_sound": {
        "en": "The copy of {store} is not sound ({problem}); it was removed.",
        "zh": "{store} 的副本不完好（{problem}），已经删除。",
    },
    "backup.failed": {
        "en": "The backup to {file} failed ({reason}); the store itself is untouched.",
        "zh": "备份到 {file} 失败（{reason}）；数据库本身没有变。",
    },
    "backup.restored_by_postgresql": {
        "en": "A PostgreSQL store is restored by PostgreSQL's own tool: "
        "pg_restore --clean --if-exists --dbname {store} {file}.",
        "zh": "PostgreSQL 数据库要用它自己的工具恢复：pg_restore --clean --if-exists --dbname {store} {file}。",
    },
    "backup.no_such_file": {
        "en": "{file}: no such file. Name a file that `backup` wrote.",
        "zh": "{file}：没有这个文件。请指定由 `backup` 写成的文件。",
    },
    "backup.not_sound": {
        "en": "{file} is not a sound backup ({problem}). Nothing was changed.",
        "zh": "{file} 不是完好的备份（{problem}）。没有改动任何内容。",
    },
    "backup.store_there": {
        "en": "{store} holds a store already. Say where to keep a copy of it.",
        "zh": "{store} 已经是一个数据库。请说明它的副本放在哪里。",
    },
    "backup.restoring_failed": {
        "en": "Restoring {file} failed ({reason}); the store is as it was.",
        "zh": "恢复 {file} 失败（{reason}）；数据库和原来一样。",
    },
    "backup.no_pg_dump": {
        "en": "pg_dump is not installed, so a PostgreSQL store cannot be backed up from here. Install PostgreSQL's "
        "client programs, or make a dump on the server and pass --no-backup.",
        "zh": "没有安装 pg_dump，所以不能从这里备份 PostgreSQL 数据库。请安装 PostgreSQL 的客户端程序，"
        "或者在服务器上自行备份并加上 --no-backup。",
    },
    "backup.pg_dump_failed": {
        "en": "pg_dump failed: {reason}. It must be at least as new as the server.",
        "zh": "pg_dump 失败：{reason}。它的版本不能低于服务器的版本。",
    },
    "backup.broken_references": {"en": "{count} broken references", "zh": "{count} 处失效的引用"},
    "backup.another_database": {
        "en": "it is a database, but not a store of L2A Studio",
        "zh": "是数据库，但不是 L2A Studio 的",
    },
    # values
    "value.not_a_number": {
        "en": "{value} is not the number of {what}. Nothing was stored.",
        "zh": "{value} 不是{what}的编号。没有保存任何内容。",
    },
    "value.question": {"en": "a question", "zh": "问题"},
    "value.person": {"en": "a person", "zh": "人员"},
    "value.suggestion": {"en": "a suggestion", "zh": "建议"},
    "value.lease": {"en": "a lease", "zh": "领取记录"},
    "value.entry": {"en": "an entry", "zh": "回执"},
    "value.search": {"en": "a search", "zh": "搜索"},
    "value.not_seconds": {
        "en": "{value} is not a time in seconds: it must be from 0 to {longest:,.0f}. Nothing was stored.",
        "zh": "{value} 不是以秒计的时间：它必须在 0 到 {longest:,.0f} 之间。没有保存任何内容。",
    },
    "value.not_a_key": {
        "en": "{value} is not an idempotency key: it must be a text of 1 to {longest} printable characters. "
        "Nothing was stored.",
        "zh": "{value} 不是请求编号：它必须是 1 到 {longest} 个可见字符的文字。没有保存任何内容。",
    },
    "value.not_tags": {
        "en": "{value} is not a list of tags. Nothing was stored.",
        "zh": "{value} 不是一组标签。没有保存任何内容。",
    },
    "value.too_many_tags": {
        "en": "{count:,} tags are too many for one question: at most {most:,}. Nothing was stored.",
        "zh": "一题有 {count:,} 个标签太多了：最多 {most:,} 个。没有保存任何内容。",
    },
    "value.not_a_tag": {
        "en": "{value} is not a tag: a tag is a text. Nothing was stored.",
        "zh": "{value} 不是标签：标签是文字。没有保存任何内容。",
    },
    # free text
    "text.not_a_text": {
        "en": "The {what} is not a text. Nothing was stored.",
        "zh": "{what}不是文字。没有保存任何内容。",
    },
    "text.too_long": {
        "en": "The {what} has {length:,} characters, but at most {longest:,} are kept. Nothing was stored; shorten it.",
        "zh": "{what}有 {length:,} 个字符，但最多保存 {longest:,} 个。没有保存任何内容；请写短一些。",
    },
    "text.comment": {"en": "comment", "zh": "备注"},
    "text.reason": {"en": "reason", "zh": "原因"},
    "text.flag": {"en": "flag", "zh": "标记"},
}
