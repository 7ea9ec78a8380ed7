"""Words of the dashboard page."""

TEXTS: dict[str, dict[str, str]] = {
    "dashboard.range": {"zh": "时间", "en": "Time"},
    "dashboard.week": {"zh": "7 天", "en": "7 days"},
    "dashboard.month": {"zh": "30 天", "en": "30 days"},
    "dashboard.quarter": {"zh": "90 天", "en": "90 days"},
    "dashboard.always": {"zh": "全部", "en": "all"},
    "dashboard.custom": {"zh": "自选", "en": "custom"},
    "dashboard.days": {"zh": "从哪天到哪天", "en": "From, until"},
    "dashboard.version": {"zh": "模型版本", "en": "Model version"},
    "dashboard.source": {"zh": "来源", "en": "Source"},
    "dashboard.any": {"zh": "不限", "en": "any"},
    "dashboard.among": {"zh": "接受率的分母", "en": "Acceptance of"},
    "dashboard.among_hint": {
        "zh": "“看到的标签”：看到而没有动的标签算作没有接受。“只算判过的”：分母里只有明确接受或拒绝的标签；"
        "大家往往把错的建议放着不管，所以这个数会偏高。盲标的题没有看到建议，两种算法都不算。",
        "en": "Tags shown: a tag that was seen and left untouched was not accepted. Judged only: of the tags that "
        "somebody accepted or rejected. People often leave wrong suggestions alone, so that share is too high. Blind "
        "questions show no suggestions and count in neither.",
    },
    "dashboard.shown": {"zh": "看到的标签", "en": "tags shown"},
    "dashboard.judged": {"zh": "只算判过的", "en": "judged only"},
    "dashboard.of_shown": {"zh": "占看到的标签", "en": "of the tags shown"},
    "dashboard.of_judged": {"zh": "占判过的标签", "en": "of the tags judged"},
    "dashboard.random": {"zh": "只看随机抽取", "en": "Random picks only"},
    "dashboard.random_hint": {
        "zh": "随机抽取的问题是无偏样本。其他问题是按顺序或按模型的把握挑出来的，会让模型显得更好或更差。",
        "en": "Questions picked at random are a fair sample. Others were picked by an order, such as the model's own "
        "doubt, which makes it look better or worse than it is.",
    },
    "dashboard.decisions": {"zh": "决定", "en": "Decisions"},
    "dashboard.questions": {"zh": "问题", "en": "Questions"},
    "dashboard.of_all": {"zh": "库中共 {ever} 个有效", "en": "of {ever} in force"},
    "dashboard.on_questions": {"zh": "每题 {each} 个决定", "en": "{each} decisions each"},
    "dashboard.accepted_share": {"zh": "接受率", "en": "Acceptance"},
    "dashboard.accepted_of": {"zh": "接受的，{of}", "en": "accepted, {of}"},
    "dashboard.spread_shown": {
        "zh": "占看到的 {count} 个标签；95% 区间 {spread}",
        "en": "of the {count} tags shown; 95%: {spread}",
    },
    "dashboard.spread_judged": {
        "zh": "占判过的 {count} 个标签；95% 区间 {spread}",
        "en": "of the {count} tags judged; 95%: {spread}",
    },
    "dashboard.median": {"zh": "每题用时中位数", "en": "Median time"},
    "dashboard.nine_of_ten": {"zh": "九成在 {seconds} 以内", "en": "nine of ten within {seconds}"},
    "dashboard.counts": {
        "zh": "接受 {accepted}，拒绝 {rejected}，没有动 {unjudged}",
        "en": "{accepted} accepted, {rejected} rejected, {unjudged} left untouched",
    },
    "dashboard.a_day": {"zh": "每天的决定", "en": "Decisions a day"},
    "dashboard.a_day_hint": {
        "zh": "只数仍然有效的决定：撤销的和后来改过的都不算。日期按你所在的时区。",
        "en": "Decisions in force: those taken back or replaced later do not count. Days are those of your time zone.",
    },
    "dashboard.by_person": {"zh": "按人分开", "en": "By person"},
    "dashboard.total": {"zh": "合计", "en": "Total"},
    "dashboard.others": {"zh": "其他人", "en": "others"},
    "dashboard.time": {"zh": "每题用时", "en": "Time per question"},
    "dashboard.time_hint": {
        "zh": "从题目出现到提交。最后一柱包括所有更长的。",
        "en": "From the question's appearance to the submit. The last bar holds all that took longer.",
    },
    "dashboard.seconds": {"zh": "秒", "en": "seconds"},
    "dashboard.median_line": {"zh": "中位数 {seconds}", "en": "median {seconds}"},
    "dashboard.by_votes": {"zh": "接受率与票数，{of}", "en": "Acceptance by votes, {of}"},
    "dashboard.by_votes_hint": {
        "zh": "票多的建议真的更常是对的吗？点是接受率，竖线是 95% 威尔逊区间，下方小字是标签数。"
        "虚线表示接受率等于票数占比的情形。",
        "en": "Are suggestions with more votes really right more often? Dots are shares accepted, bars Wilson "
        "intervals of 95%, small numbers how many tags. On the dotted line the share accepted equals the share of "
        "votes.",
    },
    "dashboard.interval_hint": {
        "zh": "点是接受率，竖线是 95% 威尔逊区间，下方小字是标签数。",
        "en": "Dots are shares accepted, bars Wilson intervals of 95%, small numbers how many tags.",
    },
    "dashboard.votes": {"zh": "票数", "en": "votes"},
    "dashboard.as_votes": {"zh": "与票数占比相同", "en": "as the share of votes"},
    "dashboard.reliability": {"zh": "票数可靠吗：{version}", "en": "How far votes can be trusted: {version}"},
    "dashboard.reliability_hint": {
        "zh": "当前模型的全部有效决定，上面的筛选不起作用，只有接受率的分母起作用。"
        "柱高是接受的比例（{of}），数字是标签数；虚线表示接受率等于票数占比。",
        "en": "All decisions in force about the live model, whatever the filters above say; only what acceptance is of "
        "counts here too. Bars are shares accepted, {of}; numbers how many tags. On the dotted line the share accepted "
        "equals the share of votes.",
    },
    "dashboard.vote_share": {"zh": "票数占比", "en": "share of votes"},
    "dashboard.bin_shown": {
        "zh": "票数占比 {low}–{high}：看到 {count}，接受 {accepted}",
        "en": "{low}–{high} of the votes: {accepted} of {count} shown were accepted",
    },
    "dashboard.bin_judged": {
        "zh": "票数占比 {low}–{high}：判过 {count}，接受 {accepted}",
        "en": "{low}–{high} of the votes: {accepted} of {count} judged were accepted",
    },
    "dashboard.threshold_proposed": {
        "zh": "就这些决定而言，票数多于 {best}（共 {beam}）才留下时 F1 最高（{best_f1}）；"
        "现在的门槛是多于 {votes}（{f1}）。精确率也是{of}的比例。这只是建议，不会自动更改。",
        "en": "On these decisions F1 would be best at votes > {best} of {beam} ({best_f1}); now: votes > {votes} "
        "({f1}). Precision is {of}. This is a proposal; nothing changes by itself.",
    },
    "dashboard.threshold_fits": {
        "zh": "就这些决定而言，现在的门槛（票数多于 {votes}，共 {beam}）的 F1 最高（{f1}）。精确率也是{of}的比例。",
        "en": "On these decisions the threshold of now is the best: votes > {votes} of {beam} (F1 {f1}). Precision is "
        "{of}.",
    },
    "dashboard.few_shown": {
        "zh": "看到过 {tags} 个标签；满 {enough} 个之后，这里会提出最合适的门槛。",
        "en": "{tags} tags were shown; from {enough} on a threshold is proposed here.",
    },
    "dashboard.few_judged": {
        "zh": "判过 {tags} 个标签；满 {enough} 个之后，这里会提出最合适的门槛。",
        "en": "{tags} tags were judged; from {enough} on a threshold is proposed here.",
    },
    "dashboard.by_rank": {"zh": "接受率与名次，{of}", "en": "Acceptance by rank, {of}"},
    "dashboard.rank": {"zh": "名次", "en": "rank"},
    "dashboard.by_version": {"zh": "各模型版本的接受率，{of}", "en": "Acceptance by model version, {of}"},
    "dashboard.by_version_hint": {
        "zh": "比较版本时最好只看随机抽取：各版本服务的问题可能不同。",
        "en": "Compare versions on random picks only: each may have served other questions.",
    },
    "dashboard.most_rejected": {"zh": "最常被拒绝的标签", "en": "Tags most often rejected"},
    "dashboard.most_added": {"zh": "最常手工添加的标签", "en": "Tags most often added by hand"},
    "dashboard.most_added_hint": {
        "zh": "只数看得到建议的题：盲标时所有标签都是手工添加的。",
        "en": "Only where suggestions were shown: in blind questions every tag is added by hand.",
    },
    "dashboard.rejected": {"zh": "拒绝", "en": "rejected"},
    "dashboard.accepted": {"zh": "接受", "en": "accepted"},
    "dashboard.added": {"zh": "手工添加", "en": "added by hand"},
    "dashboard.new_tags": {"zh": "新进入标签库的标签", "en": "New tags accepted"},
    "dashboard.new_tags_hint": {
        "zh": "由决定带进标签库、现在仍有决定使用的标签，最近的在前。",
        "en": "Tags that a decision brought into the store and that decisions still hold, the newest first.",
    },
    "dashboard.tag": {"zh": "标签", "en": "Tag"},
    "dashboard.first_at": {"zh": "首次出现", "en": "First seen"},
    "dashboard.first_by": {"zh": "由谁", "en": "By"},
    "dashboard.origin": {"zh": "出处", "en": "From"},
    "dashboard.from_model": {"zh": "模型建议", "en": "the model"},
    "dashboard.by_hand": {"zh": "手工输入", "en": "typed by hand"},
    "dashboard.nothing": {"zh": "所选范围内没有数据。", "en": "Nothing within these filters."},
    "dashboard.agreement": {"zh": "一致程度", "en": "Agreement"},
    "dashboard.agreement_hint": {
        "zh": "按全部有效意见计算，上面的筛选不起作用；意见多时要等几秒。",
        "en": "From all opinions in force, whatever the filters above say; with many it takes some seconds.",
    },
    "dashboard.compute": {"zh": "现在计算", "en": "Work it out"},
    "dashboard.counting": {"zh": "正在统计……", "en": "Counting…"},
    "dashboard.measures": {"zh": "人与人、人与模型", "en": "People and model"},
    "dashboard.measure": {"zh": "指标", "en": "Measure"},
    "dashboard.everything": {"zh": "全部", "en": "all"},
    "dashboard.alpha": {"zh": "人与人：Krippendorff α（MASI）", "en": "people: Krippendorff's alpha (MASI)"},
    "dashboard.answers": {"zh": "人与模型：回答数", "en": "model: answers"},
    "dashboard.acceptance_of_shown": {"zh": "人与模型：看到的标签中接受的", "en": "model: accepted of the tags shown"},
    "dashboard.acceptance_of_judged": {
        "zh": "人与模型：判过的标签中接受的",
        "en": "model: accepted of the tags judged",
    },
    "dashboard.precision": {"zh": "人与模型：精确率", "en": "model: precision"},
    "dashboard.recall": {"zh": "人与模型：召回率", "en": "model: recall"},
    "dashboard.similarity": {"zh": "人与模型：MASI 相似度", "en": "model: MASI similarity"},
    "dashboard.kappas": {"zh": "各标签的 κ", "en": "Kappa by tag"},
    "dashboard.kappas_hint": {
        "zh": "在有两个以上意见的问题上，大家对一个标签用不用的一致程度；1 为完全一致，0 为碰巧的水平。",
        "en": "On questions with two or more opinions, how far people agree whether a tag applies; 1 is always, 0 is "
        "what chance gives.",
    },
    "dashboard.kappa": {"zh": "κ", "en": "kappa"},
    "dashboard.opinions": {"zh": "意见", "en": "Opinions"},
    "dashboard.pairs": {
        "zh": "来自 {questions} 个有两个以上意见的问题，共 {opinions} 个意见。",
        "en": "From {opinions} opinions on {questions} questions with two or more.",
    },
    "dashboard.no_pairs": {
        "zh": "还没有问题得到两个意见。请在“导入与队列”里把每题意见数设为 2 以上。",
        "en": "No question has two opinions yet. Set the overlap to 2 or more on the page Import and queue.",
    },
    "dashboard.no_variation": {
        "zh": "所有意见都相同，α 没有定义。",
        "en": "All opinions are the same, so alpha is not defined.",
    },
    "dashboard.empty": {"zh": "还没有决定", "en": "No decisions yet"},
    "dashboard.empty_message": {
        "zh": "有人提交第一题之后，这里就会有数字。",
        "en": "There will be numbers here once somebody has submitted a first question.",
    },
    "dashboard.empty_hint": {
        "zh": "请到“标注”页开始；没有问题可标时，管理员可在“导入与队列”里导入。",
        "en": "Begin on the page Annotate. If there is nothing to tag, an admin brings questions in on the page Import "
        "and queue.",
    },
    "dashboard.filtered": {"zh": "所选范围内没有决定", "en": "No decisions within these filters"},
    "dashboard.filtered_message": {
        "zh": "库中有 {ever} 个有效的决定。请放宽上面的时间、版本、来源或“只看随机抽取”。",
        "en": "There are {ever} decisions in force. Widen the time, version, source or random picks above.",
    },
}
