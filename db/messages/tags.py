"""Tags and changes of them."""

MESSAGES: dict[str, dict[str, str]] = {
    # names
    "tag.broken_emoji": {
        "en": "{tag} is not a tag: it holds half of a surrogate pair, a broken emoji.",
        "zh": "{tag} 不能作为标签：里面有半个代理对，即损坏的表情符号。",
    },
    "tag.nothing_left": {
        "en": "{tag} is not a tag: nothing is left of it once control characters are removed.",
        "zh": "{tag} 不能作为标签：去掉控制字符后什么也不剩。",
    },
    "tag.too_long": {
        "en": "{start}… is too long for a tag: {length:,} characters; a tag has at most {most}.",
        "zh": "“{start}……”作为标签太长：有 {length:,} 个字符，标签最多 {most} 个字符。",
    },
    "tag.missing": {
        "en": "There is no tag {name}. Search for it, or add it first.",
        "zh": "没有标签“{name}”。请查找一下，或先添加它。",
    },
    "tag.spelling_missing": {"en": "There is no tag or alias {name}.", "zh": "没有标签或别名“{name}”。"},
    # what cannot be changed so
    "tag.name_taken": {
        "en": "{new} is another tag already. To make the two one, merge {name} into it.",
        "zh": "“{new}”已经是另一个标签。要让两者成为一个，请把“{name}”并入它。",
    },
    "tag.there_already": {
        "en": "{name} is there already: it means the tag {tag}.",
        "zh": "“{name}”已经有了：它表示标签“{tag}”。",
    },
    "tag.not_refused": {
        "en": "Nobody said that {name} shall never be a tag.",
        "zh": "没有人说过“{name}”不作标签。",
    },
    "tag.called_so": {"en": "The tag is called {name} already.", "zh": "这个标签已经叫“{name}”。"},
    "tag.merged_already": {
        "en": "{name} is merged into another tag already. Undo that merge first.",
        "zh": "“{name}”已经并入另一个标签。请先撤销那次合并。",
    },
    "tag.merged": {
        "en": "{name} is merged into another tag. Undo the merge first.",
        "zh": "“{name}”已并入另一个标签。请先撤销合并。",
    },
    "tag.merged_into_itself": {"en": "{name} cannot be merged into itself.", "zh": "“{name}”不能并入它自己。"},
    "tag.told_from_itself": {
        "en": "{name} cannot be told from itself. Choose two tags.",
        "zh": "“{name}”不能与它自己区分。请选两个标签。",
    },
    "tag.means_it": {"en": "{alias} means {name} already.", "zh": "“{alias}”已经表示“{name}”。"},
    "tag.means_another": {
        "en": "{alias} means {name} already. Merge the two instead.",
        "zh": "“{alias}”已经表示“{name}”。请改为合并两者。",
    },
    "tag.own_name": {
        "en": "{alias} is the name of its tag, not an alias. Rename the tag first.",
        "zh": "“{alias}”是标签本名，不是别名。请先给标签改名。",
    },
    "tag.status_not_set": {
        "en": "{status} is not a status that can be set. Choose active or deprecated; merge has its own command.",
        "zh": "不能设为状态“{status}”。可选 active 或 deprecated；合并另有命令。",
    },
    "tag.no_status": {
        "en": "{status} is not a status of tags. They are {known}.",
        "zh": "标签没有“{status}”这种状态。状态有 {known}。",
    },
    "tag.active_already": {"en": "{name} is active already.", "zh": "“{name}”的状态已经是“有效”。"},
    "tag.deprecated_already": {"en": "{name} is deprecated already.", "zh": "“{name}”的状态已经是“不再推荐”。"},
    "tag.no_detail": {
        "en": "{detail} is not a detail of a tag. They are definition, external_id and parent.",
        "zh": "标签没有“{detail}”这一项。可以设 definition、external_id 和 parent。",
    },
    "tag.no_change": {"en": "Nothing about {name} would change.", "zh": "“{name}”不会有任何变化。"},
    "tag.stands_below": {
        "en": "{parent} stands below {name}, so it cannot be its parent.",
        "zh": "“{parent}”在“{name}”之下，不能当它的上级。",
    },
    "tag.no_sort": {
        "en": "Tags cannot be sorted by {sort}. They can be by {known}.",
        "zh": "标签不能按 {sort} 排序。可以按 {known}。",
    },
    "tag.deprecated": {"en": "{name} is deprecated.", "zh": "“{name}”已不再推荐。"},
    # the way back
    "tag_change.missing": {"en": "Entry {number} is not a change of tags.", "zh": "回执 {number} 不是标签的改动。"},
    "tag_change.changed_again": {
        "en": "{name} was changed again after entry {number}. Take the newer change back first.",
        "zh": "“{name}”在回执 {number} 之后又改过。请先撤销较新的改动。",
    },
    "tag_change.nothing_left": {
        "en": "Nothing of entry {number} is left to take back: what it brought is gone, used or was changed since.",
        "zh": "回执 {number} 没有可以撤销的内容了：它带来的标签已不存在、已被使用或之后改过。",
    },
    "tag_change.there_again": {
        "en": "{name} is there again since entry {number}. Import the list again instead: what is there stays.",
        "zh": "“{name}”在回执 {number} 之后又出现了。请改为重新导入这份列表：已有的内容保持不变。",
    },
    "tag_change.changed_meanwhile": {
        "en": "The tags were changed by somebody else meanwhile. Look at the plan again.",
        "zh": "其间有别人改动了标签。请重新查看这次改动涉及的内容。",
    },
    "tag_change.not_its_name": {
        "en": "{name} would not be the tag's own name, after newer changes. Take those back first.",
        "zh": "经过较新的改动，“{name}”将不再是这个标签的本名。请先撤销那些改动。",
    },
    "tag_change.merged_into_itself": {
        "en": "{name} would be merged into itself, after newer changes. Take those back first.",
        "zh": "经过较新的改动，“{name}”将并入它自己。请先撤销那些改动。",
    },
    "tag_change.below_itself": {
        "en": "{name} would stand below itself, after newer changes. Take those back first.",
        "zh": "经过较新的改动，“{name}”将成为它自己的下级。请先撤销那些改动。",
    },
    # what a change does: the summary that the ledger keeps
    "tag_change.create": {"en": "Make {name} a tag.", "zh": "新建标签“{name}”。"},
    "tag_change.create_below": {"en": "Make {name} a tag, below {parent}.", "zh": "在“{parent}”之下新建标签“{name}”。"},
    "tag_change.rename": {"en": "Rename {name} to {new}.", "zh": "把“{name}”改名为“{new}”。"},
    "tag_change.merge": {"en": "Merge {name} into {into}.", "zh": "把“{name}”并入“{into}”。"},
    "tag_change.alias": {"en": "Let {alias} mean {name}.", "zh": "让“{alias}”表示“{name}”。"},
    "tag_change.split": {"en": "Split {alias} off from {name}.", "zh": "把“{alias}”从“{name}”拆出。"},
    "tag_change.deprecate": {"en": "Deprecate {name}.", "zh": "把“{name}”标为不再推荐。"},
    "tag_change.reactivate": {"en": "Reactivate {name}.", "zh": "恢复推荐“{name}”。"},
    "tag_change.details": {"en": "Change {details} of {name}.", "zh": "更改“{name}”的{details}。"},
    "tag_change.definition": {"en": "definition", "zh": "说明"},
    "tag_change.external_id": {"en": "external_id", "zh": "外部编号"},
    "tag_change.parent": {"en": "parent", "zh": "上级"},
    "tag_change.import": {"en": "Tags from {file}.", "zh": "来自 {file} 的标签。"},
    "tag_change.undo": {"en": "Take back entry {number}: {summary}", "zh": "撤销回执 {number}：{summary}"},
    "tag_change.undo_part": {
        "en": "Take back a part of entry {number}: {summary} Of it {staying:,} tags or aliases stay: they are used or "
        "were changed since: {names}",
        "zh": "撤销回执 {number} 的一部分：{summary}其中 {staying:,} 个标签或别名保留，因为已被使用或之后改过：{names}",
    },
    # bad lines of a list
    "tag_import.alias_taken": {
        "en": "the alias {alias} means another tag already; merge the two if they are one",
        "zh": "别名“{alias}”已经表示另一个标签；如果两者相同，请合并",
    },
    "tag_import.stands_below": {
        "en": "{parent} stands below {name} already",
        "zh": "“{parent}”已经在“{name}”之下",
    },
    # how far people agree on the tags of questions
    "agreement.no_pairs": {
        "en": "no question has two opinions to compare",
        "zh": "没有一个问题有两个意见可以比较",
    },
    "agreement.no_variation": {
        "en": "no two opinions differ: without variation alpha is undefined",
        "zh": "所有意见都相同：没有差异，alpha 无法定义",
    },
}
