"""People, their roles and what each role may do (db.people, db.access)."""

MESSAGES: dict[str, dict[str, str]] = {
    "person.bad_name": {
        "en": "A person needs a name of one line, at most {longest} characters.",
        "zh": "姓名要写在一行里，最多 {longest} 个字符。",
    },
    "person.admin_adds": {
        "en": "There are people already: an admin adds others.",
        "zh": "已经有人员了：其他人由管理员添加。",
    },
    "person.no_admin_yet": {
        "en": "The store has no admin yet, so {name} cannot be {role}. Add an admin first.",
        "zh": "数据库里还没有管理员，所以“{name}”不能是{role}。请先添加管理员。",
    },
    "person.name_taken": {"en": "There is a person called {name} already.", "zh": "已经有名叫“{name}”的人员。"},
    "person.not_found": {
        "en": "There is no person called {name}. Known: {known}.",
        "zh": "没有名叫“{name}”的人员。已有：{known}。",
    },
    "person.nobody_yet": {
        "en": "There is no person called {name}. Known: nobody yet.",
        "zh": "没有名叫“{name}”的人员。现在还没有任何人员。",
    },
    "person.no_number": {"en": "There is no person number {number}.", "zh": "没有编号为 {number} 的人员。"},
    "person.inactive": {"en": "{name} is no longer active.", "zh": "“{name}”已停用。"},
    "person.active_already": {"en": "{name} is active already.", "zh": "“{name}”的状态已经是“有效”。"},
    "person.may_not": {
        "en": "{name} is {role}; to {action} takes {needed}.",
        "zh": "“{name}”的角色是{role}，而{action}需要{needed}。",
    },
    "person.no_such_role": {
        "en": "{role} is not a role. The roles are {roles}.",
        "zh": "没有“{role}”这个角色。角色有 {roles}。",
    },
    "person.last_admin": {
        "en": "{name} is the last admin. Make somebody else an admin first.",
        "zh": "“{name}”是最后一个管理员。请先让别人当管理员。",
    },
    # roles
    "role.moderator": {"en": "a moderator", "zh": "标注员"},
    "role.researcher": {"en": "a researcher", "zh": "研究员"},
    "role.admin": {"en": "an admin", "zh": "管理员"},
    "role.researcher_or_admin": {"en": "a researcher or admin", "zh": "研究员或管理员"},
    # actions: the end of a sentence such as "li is a moderator; to export labels takes ..."
    "action.decide_about_questions": {"en": "decide about questions", "zh": "决定问题的标签"},
    "action.see_and_take_back_ones_own_decisions": {
        "en": "see and take back one's own decisions",
        "zh": "查看和撤销自己的决定",
    },
    "action.look_into_the_model": {"en": "look into the model", "zh": "查看模型"},
    "action.see_the_teams_totals": {"en": "see the team's totals", "zh": "查看团队的总数"},
    "action.look_at_tags": {"en": "look at tags", "zh": "查看标签表"},
    "action.see_how_similar_questions_were_decided": {
        "en": "see how similar questions were decided",
        "zh": "查看相似问题是怎样决定的",
    },
    "action.see_others_labels": {"en": "see others' labels", "zh": "查看别人的标签"},
    "action.see_who_did_what": {"en": "see who did what", "zh": "查看谁做了什么"},
    "action.review": {"en": "review", "zh": "复核"},
    "action.export_labels": {"en": "export labels", "zh": "导出标签"},
    "action.import_questions": {"en": "import questions", "zh": "导入问题"},
    "action.change_tags": {"en": "change tags", "zh": "更改标签"},
    "action.change_the_queue": {"en": "change the queue", "zh": "更改队列"},
    "action.look_at_trainings": {"en": "look at trainings", "zh": "查看训练"},
    "action.change_models": {"en": "change models", "zh": "更换模型"},
    "action.change_people": {"en": "change people", "zh": "更改人员"},
    "action.redact": {"en": "redact", "zh": "隐去问题"},
    "action.undo_for_others": {"en": "undo for others", "zh": "撤销别人的决定"},
}
