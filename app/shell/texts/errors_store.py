"""What the store (db/) says when something is wrong, and about changes of tags: English template -> Chinese."""

TEXTS: dict[str, str] = {
    # opening, copying, migrating
    "{0} is not the URL of a store. Give sqlite:///path/to/file.db or postgresql://user:password@host/name.": (
        "{0} 不是数据库的地址。请写成 sqlite:///path/to/file.db 或 postgresql://user:password@host/name。"
    ),
    "{0} is not a kind of store. Give sqlite:///path/to/file.db or postgresql://user:password@host/name.": (
        "不支持 {0} 这种数据库。请写成 sqlite:///path/to/file.db 或 postgresql://user:password@host/name。"
    ),
    "A store in memory would lose every decision. "
    "Give sqlite:///path/to/file.db or postgresql://user:password@host/name.": (
        "只放在内存里的数据库会丢失所有决定。请写成 sqlite:///path/to/file.db 或 postgresql://user:password@host/name。"
    ),
    "The store {0} cannot be reached ({1}). Check that the folder exists and that you may write there.": (
        "连不上数据库 {0}（{1}）。请检查文件夹是否存在、是否可写。"
    ),
    "The store {0} cannot be reached ({1}). "
    "Check that the server runs, and the host, name and password in L2A_DATABASE.": (
        "连不上数据库 {0}（{1}）。请检查服务器是否在运行，以及 L2A_DATABASE 里的主机、库名和密码。"
    ),
    "The store {0} stayed locked for {1} seconds; nothing was stored. "
    "Something else writes in one long transaction: let it finish or end that program, then try again.": (
        "数据库 {0} 被锁住已超过 {1} 秒，没有保存任何内容。"
        "有别的操作正在一个长事务里写入：请等它完成或结束那个程序，然后重试。"
    ),
    "All {0} connections to the store {1} were in use for {2} seconds; nothing was stored. "
    "Very many people ask at once, or long exports are running: try again in a moment.": (
        "数据库 {1} 的全部 {0} 个连接被占用已超过 {2} 秒，没有保存任何内容。"
        "同时使用的人太多，或有长时间的导出在进行：请稍后重试。"
    ),
    "The disk of {0} is full; nothing of this step was stored. Make room, then try again.": (
        "{0} 所在的磁盘已满，这一步没有保存任何内容。请腾出空间后重试。"
    ),
    "{0} may not be written. Check who owns the file, or this is a reader.": (
        "{0} 不可写。请检查文件的所有者；也可能这是只读的连接。"
    ),
    "{0} is damaged or not a database ({1}). Restore a backup: python -m app restore FILE.": (
        "{0} 已损坏，或者不是数据库（{1}）。请恢复备份：python -m app restore 文件。"
    ),
    "Others were writing the same rows ({0}). Nothing was stored; try again.": (
        "别人正在写同样的内容（{0}）。没有保存任何内容，请重试。"
    ),
    "{0} holds other tables ({1}) and is not a store of L2A Studio. Name an empty database or a new file.": (
        "{0} 里有别的表（{1}），不是 L2A Studio 的数据库。请指定一个空的数据库或新文件。"
    ),
    "{0} was written by a newer version of L2A Studio (its tables are at {1}, this program knows up to {2}). "
    "Update the program; nothing was changed.": (
        "{0} 由更新版本的 L2A Studio 写成（表的版本是 {1}，本程序只认识到 {2}）。请更新程序；没有改动任何内容。"
    ),
    "There is no revision {0}. Choose one of base, {1}.": "没有版本 {0}。可选的有 base, {1}。",
    "The migration failed and was taken back: {0}.": "升级数据表失败，已经退回：{0}。",
    "The migration would break {0} references in {1}; it was taken back.": (
        "升级数据表会破坏 {1} 里的 {0} 处引用，已经退回。"
    ),
    "{0} exists already. Name another file; a backup never overwrites one.": (
        "{0} 已经存在。请换一个文件名；备份从不覆盖已有的文件。"
    ),
    "The folder {0} does not exist. Make it, or name another.": "文件夹 {0} 不存在。请先建立它，或换一个。",
    "The copy of {0} is not sound ({1}); it was removed.": "{0} 的副本不完好（{1:said}），已经删除。",
    "The backup to {0} failed ({1}); the store itself is untouched.": "备份到 {0} 失败（{1}）；数据库本身没有变。",
    "A PostgreSQL store is restored by PostgreSQL's own tool: pg_restore --clean --if-exists --dbname {0} {1}.": (
        "PostgreSQL 数据库要用它自己的工具恢复：pg_restore --clean --if-exists --dbname {0} {1}。"
    ),
    "{0}: no such file. Name a file that `backup` wrote.": "{0}：没有这个文件。请指定由 `backup` 写成的文件。",
    "{0} is not a sound backup ({1}). Nothing was changed.": "{0} 不是完好的备份（{1:said}）。没有改动任何内容。",
    "{0} holds a store already. Say where to keep a copy of it.": "{0} 已经是一个数据库。请说明它的副本放在哪里。",
    "Restoring {0} failed ({1}); the store is as it was.": "恢复 {0} 失败（{1}）；数据库和原来一样。",
    "pg_dump is not installed, so a PostgreSQL store cannot be backed up from here. Install PostgreSQL's client "
    "programs, or make a dump on the server and pass --no-backup.": (
        "没有安装 pg_dump，所以不能从这里备份 PostgreSQL 数据库。请安装 PostgreSQL 的客户端程序，"
        "或者在服务器上自行备份并加上 --no-backup。"
    ),
    "pg_dump failed: {0}. It must be at least as new as the server.": (
        "pg_dump 失败：{0}。它的版本不能低于服务器的版本。"
    ),
    "The store must be backed up before its tables change, but not in {0} ({1}). "
    "Set L2A_BACKUPS to a folder that can be written. Nothing was changed.": (
        "改动数据表之前必须备份数据库，但不能备份到 {0}（{1:said}）。"
        "请把 L2A_BACKUPS 设为可写的文件夹。没有改动任何内容。"
    ),
    "it may not be written": "不可写",
    "{0} broken references": "{0} 处失效的引用",
    "it is a database, but not a store of L2A Studio": "是数据库，但不是 L2A Studio 的",
    # people
    "A person needs a name of one line, at most {0} characters.": "姓名要写在一行里，最多 {0} 个字符。",
    "There are people already: an admin adds others.": "已经有人员了：其他人由管理员添加。",
    "There is a person called {0} already.": "已经有名叫“{0}”的人员。",
    "There is no person called {0}. Known: {1}.": "没有名叫“{0}”的人员。已有：{1}。",
    "There is no person called {0}. Known: nobody yet.": "没有名叫“{0}”的人员。现在还没有任何人员。",
    "There is no person number {0}.": "没有编号为 {0} 的人员。",
    "{0} is no longer active.": "“{0}”已停用。",
    "{0} is active already.": "“{0}”的状态已经是“有效”。",
    "The store has no admin yet, so {0} cannot be {1}. Add an admin first.": (
        "数据库里还没有管理员，所以“{0}”不能是{1:said}。请先添加管理员。"
    ),
    "{0} is {1}; to {2} takes {3}.": "“{0}”的角色是{1:said}，而{2:said}需要{3:said}。",
    "{0} is not a role. The roles are {1}.": "没有“{0}”这个角色。角色有 {1}。",
    "{0} is the last admin. Make somebody else an admin first.": "“{0}”是最后一个管理员。请先让别人当管理员。",
    "a moderator": "标注员",
    "a researcher": "研究员",
    "an admin": "管理员",
    "a researcher or admin": "研究员或管理员",
    "decide about questions": "决定问题的标签",
    "see and take back one's own decisions": "查看和撤销自己的决定",
    "look into the model": "查看模型",
    "see the team's totals": "查看团队的总数",
    "look at tags": "查看标签表",
    "see others' labels": "查看别人的标签",
    "see who did what": "查看谁做了什么",
    "export labels": "导出标签",
    "import questions": "导入问题",
    "look at trainings": "查看训练",
    "review": "复核",
    "change tags": "更改标签",
    "change the queue": "更改队列",
    "change models": "更换模型",
    "change people": "更改人员",
    "redact": "隐去问题",
    "undo for others": "撤销别人的决定",
    # the queue
    "{0} is not an order of the queue. The orders are {1}.": "队列没有“{0}”这种顺序。顺序有 {1}。",
    "Question {0} is with {1}.": "问题 {0} 正在 {1} 手中。",
    "Question {0} has all the answers it asks for.": "问题 {0} 已经有了所需的全部回答。",
    "Question {0} was redacted.": "问题 {0} 已被隐去。",
    "A skip needs a reason, so that the next person knows.": "跳过时请写明原因，好让下一个人知道。",
    "An overlap of {0} would serve nothing; it must be at least 1.": "每题意见数不能是 {0}，至少要 1。",
    "There is no question {0}.": "没有问题 {0}。",
    "There is no question {0} on {1}.": "在 {1} 还没有问题 {0}。",
    "Lease {0} is not yours.": "领取记录 {0} 不是你的。",
    "Lease {0} is not for this person and question.": "领取记录 {0} 对应的不是这个人和这个问题。",
    "Question {0} is no longer in your hands: it was {1}.": "问题 {0} 已不在你手中：它{1:said}。",
    "submitted": "已提交",
    "skipped": "已跳过",
    "released": "已放回",
    "undone": "已撤销",
    "Shares of {0} random and {1} blind do not work: each is from 0 to 1, and so is their sum.": (
        "随机比例 {0} 和盲标比例 {1} 不可用：两者以及它们的和都必须在 0 到 1 之间。"
    ),
    # decisions
    "The question was served blind, without suggestions; a decision cannot answer one.": (
        "这一题是盲标，没有显示建议，所以决定不能针对某个建议。"
    ),
    "Suggestion {0} is not one for question {1}.": "建议 {0} 不是给问题 {1} 的。",
    "{0} is not a verdict on {1}. The verdicts are {2}.": "{0} 不能用来判断 {1}。可用的判断有 {2}。",
    "{0} was {1}, but it was not suggested. Tags of one's own are added.": (
        "{0} 被{1:said}，但它并不在建议里。自己的标签要用“添加”。"
    ),
    "accepted": "接受",
    "rejected": "拒绝",
    "{0} and {1} are the same tag, but one is taken and one is not.": (
        "{0} 和 {1} 是同一个标签，却一个选了，一个没有选。"
    ),
    "{0}: shown, but not in suggestion {1}.": "{0}：显示过，但不在建议 {1} 里。",
    "{0} is named twice.": "“{0}”写了两次。",
    "{0} is not the number of {1}. Nothing was stored.": "{0} 不是{1:said}的编号。没有保存任何内容。",
    "a question": "问题",
    "a person": "人员",
    "a suggestion": "建议",
    "a lease": "领取记录",
    "an entry": "回执",
    "a search": "搜索",
    "{0} is not a time in seconds: it must be from 0 to {1}. Nothing was stored.": (
        "{0} 不是以秒计的时间：它必须在 0 到 {1} 之间。没有保存任何内容。"
    ),
    "{0} is not an idempotency key: it must be a text of 1 to {1} printable characters. Nothing was stored.": (
        "{0} 不是请求编号：它必须是 1 到 {1} 个可见字符的文字。没有保存任何内容。"
    ),
    "{0} is not a list of tags. Nothing was stored.": "{0} 不是一组标签。没有保存任何内容。",
    "{0} tags are too many for one question: at most {1}. Nothing was stored.": (
        "一题有 {0} 个标签太多了：最多 {1} 个。没有保存任何内容。"
    ),
    "{0} is not a tag: a tag is a text. Nothing was stored.": "{0} 不是标签：标签是文字。没有保存任何内容。",
    "{0} does not say which tag got which verdict. Nothing was stored.": (
        "{0} 没有说明哪个标签得到哪种判断。没有保存任何内容。"
    ),
    "The {0} is not a text. Nothing was stored.": "{0:said}不是文字。没有保存任何内容。",
    "The {0} has {1} characters, but at most {2} are kept. Nothing was stored; shorten it.": (
        "{0:said}有 {1} 个字符，但最多保存 {2} 个。没有保存任何内容；请写短一些。"
    ),
    "comment": "备注",
    "reason": "原因",
    "flag": "标记",
    "The idempotency key {0} was used for something else (entry {1}). Use a new key for a new decision.": (
        "请求编号 {0} 已经用于别的内容（回执 {1}）。新的决定请用新的编号。"
    ),
    "There is no ledger entry {0}.": "没有回执 {0}。",
    "Entry {0} is no decision: there is nothing to reopen. Undo it instead.": (
        "回执 {0} 不是决定，不能重新打开。请改用撤销。"
    ),
    "Entry {0} is a {1}, which has a way back of its own.": "回执 {0} 记的是{1:said}，要用另外的办法撤销。",
    "tag": "标签的改动",
    "person": "人员的改动",
    "queue": "队列的改动",
    "register": "模型登记",
    "promote": "模型启用",
    "rollback": "模型退回",
    "prune": "模型清理",
    "retrain": "模型重新训练",
    "Entry {0} was taken back already, by entry {1}. Undo that one to bring it back.": (
        "回执 {0} 已经由回执 {1} 撤销。要恢复它，请撤销回执 {1}。"
    ),
    "Question {0} was redacted already.": "问题 {0} 早已被隐去。",
    "{0} days is not an age.": "{0} 天不是有效的天数。",
    # models
    "{0} is live already.": "{0} 已经在使用中。",
    "{0} was compared with {1}, but {2} is live by now, so {0} does not go live by itself. "
    "To make it live all the same: python -m app models promote {0}.": (
        "{0} 是与 {1} 比较的，但现在启用的是 {2}，所以 {0} 不会自动启用。仍要启用它：python -m app models promote {0}。"
    ),
    "A roll-back would go to {0} by now, not to {1}. Look at the versions again, then decide.": (
        "现在退回的话会回到 {0}，不再是 {1}。请再看一眼各个版本，然后决定。"
    ),
    "No other version was live before this one, so there is nothing to roll back to.": (
        "在这个版本之前没有用过别的版本，所以无处可退。"
    ),
    "There is no model version {0}. The newest are: {1}.": "没有模型版本 {0}。最新的有：{1}。",
    "There is no model version {0}. The newest are: none.": "没有模型版本 {0}。现在还没有登记任何版本。",
    "{0} was pruned already; there is nothing more to do.": "{0} 已经清理过，没有别的事要做。",
    "{0} is live, so its files must stay. Promote another version first.": (
        "{0} 正在使用中，它的文件必须保留。请先启用别的版本。"
    ),
    "A roll-back would go to {0}, so its files must stay. "
    "Promote another version first, and roll-backs go to the one that is live now.": (
        "退回时会用到 {0}，它的文件必须保留。请先启用别的版本，那样退回的就是现在使用的版本。"
    ),
    "{0} was pruned: its files are gone, so it cannot go live. Promote a version that is still there: {1}.": (
        "{0} 已清理，文件不在了，不能启用。请启用还在的版本：{1}。"
    ),
    "{0} was pruned: its files are gone, so it cannot go live. "
    "Promote a version that is still there: none; register one first.": (
        "{0} 已清理，文件不在了，不能启用。现在没有还在的版本，请先登记一个。"
    ),
    # tags
    "{0} is not a tag: it holds half of a surrogate pair, a broken emoji.": (
        "{0} 不能作为标签：里面有半个代理对，即损坏的表情符号。"
    ),
    "{0} is not a tag: nothing is left of it once control characters are removed.": (
        "{0} 不能作为标签：去掉控制字符后什么也不剩。"
    ),
    "{0}… is too long for a tag: {1} characters; a tag has at most {2}.": (
        "“{0}……”作为标签太长：有 {1} 个字符，标签最多 {2} 个字符。"
    ),
    "There is no tag {0}. Search for it, or add it first.": "没有标签“{0}”。请查找一下，或先添加它。",
    "There is no tag or alias {0}.": "没有标签或别名“{0}”。",
    "{0} is another tag already. To make the two one, merge {1} into it.": (
        "“{0}”已经是另一个标签。要让两者成为一个，请把“{1}”并入它。"
    ),
    "The tag is called {0} already.": "这个标签已经叫“{0}”。",
    "{0} is merged into another tag already. Undo that merge first.": "“{0}”已经并入另一个标签。请先撤销那次合并。",
    "{0} is merged into another tag. Undo the merge first.": "“{0}”已并入另一个标签。请先撤销合并。",
    "{0} cannot be merged into itself.": "“{0}”不能并入它自己。",
    "{0} cannot be told from itself. Choose two tags.": "“{0}”不能与它自己区分。请选两个标签。",
    "Tags cannot be sorted by {0}. They can be by {1}.": "标签不能按 {0} 排序。可以按 {1}。",
    "{0} means {1} already.": "“{0}”已经表示“{1}”。",
    "{0} means {1} already. Merge the two instead.": "“{0}”已经表示“{1}”。请改为合并两者。",
    "{0} is the name of its tag, not an alias. Rename the tag first.": "“{0}”是标签本名，不是别名。请先给标签改名。",
    "{0} is not a status that can be set. Choose active or deprecated; merge has its own command.": (
        "不能设为状态“{0}”。可选 active 或 deprecated；合并另有命令。"
    ),
    "{0} is not a status of tags. They are {1}.": "标签没有“{0}”这种状态。状态有 {1}。",
    "{0} is {1} already.": "“{0}”的状态已经是“{1:said}”。",
    "active": "有效",
    "deprecated": "不再推荐",
    "{0} is not a detail of a tag. They are definition, external_id and parent.": (
        "标签没有“{0}”这一项。可以设 definition、external_id 和 parent。"
    ),
    "Nothing about {0} would change.": "“{0}”不会有任何变化。",
    "{0} stands below {1}, so it cannot be its parent.": "“{0}”在“{1}”之下，不能当它的上级。",
    "Entry {0} is not a change of tags.": "回执 {0} 不是标签的改动。",
    "{0} was changed again after entry {1}. Take the newer change back first.": (
        "“{0}”在回执 {1} 之后又改过。请先撤销较新的改动。"
    ),
    "Nothing of entry {0} is left to take back: what it brought is gone, used or was changed since.": (
        "回执 {0} 没有可以撤销的内容了：它带来的标签已不存在、已被使用或之后改过。"
    ),
    "{0} is there again since entry {1}. Import the list again instead: what is there stays.": (
        "“{0}”在回执 {1} 之后又出现了。请改为重新导入这份列表：已有的内容保持不变。"
    ),
    "The tags were changed by somebody else meanwhile. Look at the plan again.": (
        "其间有别人改动了标签。请重新查看这次改动涉及的内容。"
    ),
    "{0} would not be the tag's own name, after newer changes. Take those back first.": (
        "经过较新的改动，“{0}”将不再是这个标签的本名。请先撤销那些改动。"
    ),
    "{0} would be merged into itself, after newer changes. Take those back first.": (
        "经过较新的改动，“{0}”将并入它自己。请先撤销那些改动。"
    ),
    "{0} would stand below itself, after newer changes. Take those back first.": (
        "经过较新的改动，“{0}”将成为它自己的下级。请先撤销那些改动。"
    ),
    # what a change of tags does: the summary that the ledger keeps
    "Rename {0} to {1}.": "把“{0}”改名为“{1}”。",
    "Merge {0} into {1}.": "把“{0}”并入“{1}”。",
    "Let {0} mean {1}.": "让“{0}”表示“{1}”。",
    "Split {0} off from {1}.": "把“{0}”从“{1}”拆出。",
    "Deprecate {0}.": "把“{0}”标为不再推荐。",
    "Reactivate {0}.": "恢复推荐“{0}”。",
    "Change {0} of {1}.": "更改“{1}”的 {0}。",
    "Tags from {0}.": "来自 {0} 的标签。",
    "Take back a part of entry {0}: {1} Of it {2} tags or aliases stay: they are used or were changed since: {3}": (
        "撤销回执 {0} 的一部分：{1:said}其中 {2} 个标签或别名保留，因为已被使用或之后改过：{3}"
    ),
    "Take back entry {0}: {1}": "撤销回执 {0}：{1:said}",
    # bad lines of an import
    "{0}, line {1}: {2}": "{0}，第 {1} 行：{2:said}",
    "holds a NUL character, which no database keeps; remove it": "含有数据库无法保存的 NUL 字符，请去掉",
    "holds half of a surrogate pair, a broken emoji; remove it": "含有半个代理对，即损坏的表情符号，请去掉",
    "its id or source is longer than {0} characters": "id 或来源超过 {0} 个字符",
    "id {0} is there already with another text ({1}), which was left as it is; give the new text another id": (
        "id {0} 已经用于另一段文字（{1:said}），原文保持不变；请给新的文字另一个 id"
    ),
    "line {0}": "第 {0} 行",
    "question {0}": "问题 {0}",
    "the alias {0} means another tag already; merge the two if they are one": (
        "别名“{0}”已经表示另一个标签；如果两者相同，请合并"
    ),
    "{0} stands below {1} already": "“{0}”已经在“{1}”之下",
    # exports
    "{0}: no such state. The states are {1}.": "{0}：没有这种状态。状态有 {1}。",
    "{0} needs a time zone, as in 2026-01-31T00:00:00+08:00.": "{0} 需要带时区，例如 2026-01-31T00:00:00+08:00。",
    "{0} is not an export format. The formats are {1}.": "{0} 不是导出格式。格式有 {1}。",
    "{0}: there is no folder {1}. Create it, or choose another folder.": (
        "{0}：没有文件夹 {1}。请先建立它，或换一个文件夹。"
    ),
    "{0}: this is a folder. Add the name of a file to it.": "{0}：这是文件夹。请再加上文件名。",
    "{0}: this is a device or a pipe, which cannot be replaced. Give the name of a file.": (
        "{0}：这是设备或管道，不能替换。请给出文件名。"
    ),
    "{0}: could not be written ({1}). The file that was there before is untouched. {2}": (
        "{0}：写不进去（{1}）。原有的文件没有变。{2:said}"
    ),
    "{0}: could not be written ({1}). Nothing was left behind. {2}": "{0}：写不进去（{1}）。没有留下任何内容。{2:said}",
    "Free some space on that disk, or export to another one.": "请在那块磁盘上腾出空间，或导出到别的磁盘。",
    "Your quota is used up: free some space, or export to another disk.": (
        "磁盘配额已用完：请腾出空间，或导出到别的磁盘。"
    ),
    "The file would be larger than its disk or your limits allow: export to another disk, or in parts.": (
        "文件会超过磁盘或配额允许的大小：请导出到别的磁盘，或分几次导出。"
    ),
    "Choose a folder that you may write to.": "请选择可写的文件夹。",
    "That disk can only be read: choose another folder.": "那块磁盘是只读的：请选择别的文件夹。",
    "Choose a shorter name.": "请用短一些的文件名。",
    "Check the disk and its folder, then export again.": "请检查磁盘和文件夹，然后重新导出。",
}
