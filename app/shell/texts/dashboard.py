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
    # suggestions as they were served
    "dashboard.served": {"zh": "建议随决定而变", "en": "Suggestions over the decisions"},
    "dashboard.served_hint": {
        "zh": "每个建议都按它当时呈现的样子计算，那时还没有从这一题的回答里学到任何东西。改主意和第二意见不算："
        "那时的建议可能已经知道这一题的答案。旧版本的建议（票数里混有其他依据）也不算。",
        "en": "Each suggestion counts as it was put before the person, when nothing had been learned from the answer "
        "yet. A change of mind and a second opinion do not count: what was shown then may have known the answer. Nor "
        "do suggestions of older versions, whose votes were mixed with other evidence.",
    },
    "dashboard.by_chance": {"zh": "可能性与接受率，{of}", "en": "Chance against acceptance, {of}"},
    "dashboard.by_chance_hint": {
        "zh": "说 70% 的标签，真有七成被接受吗？点是接受率，竖线是 95% 威尔逊区间，下方小字是标签数；"
        "虚线是所说可能性的平均。“看到的标签”里没有动的算没有接受，所以点会偏低；“只算判过的”会偏高。",
        "en": "Of tags said to have 70%, are seven in ten accepted? Dots are shares accepted, bars Wilson intervals of "
        "95%, small numbers how many tags; the dotted line is the mean of the chances said. Of the tags shown, "
        "untouched ones count as not accepted, so the dots are too low; of the tags judged they are too high.",
    },
    "dashboard.chance": {"zh": "所说的可能性，%", "en": "chance said, %"},
    "dashboard.as_said": {"zh": "与所说的相同", "en": "as it was said"},
    "dashboard.rolling_score": {"zh": "逐个决定的 F1", "en": "F1 over decisions"},
    "dashboard.rolling_score_hint": {
        "zh": "呈现时越过门槛的标签与这个人的回答相比（NLPCC 的位置权重），每点回看 {window} 个决定；"
        "最多画最近 {most} 个。随机抽取的问题单独一条线：只有它们是无偏样本。",
        "en": "The tags over the cut when the question was served, against that person's answer (NLPCC's weights of "
        "the positions). Each point looks back on {window} decisions; the newest {most} are drawn. Questions picked at "
        "random have a line of their own: only they are a fair sample.",
    },
    "dashboard.rolling_acceptance": {
        "zh": "逐个决定的接受率，{of}",
        "en": "Acceptance over decisions, {of}",
    },
    "dashboard.rolling_acceptance_hint": {
        "zh": "每点回看 {window} 个决定。随机抽取的问题单独一条线。",
        "en": "Each point looks back on {window} decisions. Questions picked at random have a line of their own.",
    },
    "dashboard.score": {"zh": "F1", "en": "F1"},
    "dashboard.in_order": {"zh": "按顺序", "en": "in order"},
    "dashboard.at_random": {"zh": "随机抽取", "en": "at random"},
    "dashboard.decision_axis": {"zh": "决定", "en": "decision"},
    "dashboard.too_few_to_roll": {
        "zh": "满 {fewest} 个决定之后，这里会有曲线。",
        "en": "There will be a curve from {fewest} decisions on.",
    },
    "dashboard.keys": {"zh": "每题按键数", "en": "Keys a question"},
    "dashboard.keys_hint": {
        "zh": "最近 {most} 个决定，按规则算出，不是实际按下的键：看到的正确标签各按一个数字键，或按 A 再改正，取少的；"
        "其余标签按 /、拼音首字母到它排第一、回车；最后回车提交。没有建议时，每个标签都要这样打。",
        "en": "Of the newest {most} decisions, by a rule, not what was really pressed: a digit for each right tag that "
        "was shown, or A and corrections where that is less; for each other tag /, the initials of its pinyin until it "
        "comes first, and Enter; Enter submits. Without suggestions every tag is typed so.",
    },
    "dashboard.keys_mean": {
        "zh": "平均 **{keys}** 键；没有建议时 **{without}** 键。",
        "en": "**{keys}** keys on average; **{without}** without suggestions.",
    },
    "dashboard.keys_with": {"zh": "有建议", "en": "with suggestions"},
    "dashboard.keys_without": {"zh": "没有建议", "en": "without"},
    "dashboard.keys_axis": {"zh": "键", "en": "keys"},
    # worked out when somebody asks
    "dashboard.working": {"zh": "正在计算……", "en": "Working it out…"},
    "dashboard.as_of": {"zh": "截至回执 {number}。", "en": "As of receipt {number}."},
    "dashboard.not_yet": {
        "zh": "还说不出：当前模型按票数排序，或看到建议后作出的决定不到 {fewest} 个。",
        "en": "Nothing can be said yet: the live model orders by votes, or there are fewer than {fewest} decisions "
        "about suggestions that people saw.",
    },
    "dashboard.worth": {"zh": "各种依据值多少", "en": "What each source is worth"},
    "dashboard.worth_hint": {
        "zh": "把最近最多 500 个建议去掉一种依据重新排序：排序器不看它重新拟合，并只在没有拟合过的题上评判。"
        "大于零表示有用。依据互相重叠时，去掉一种几乎没有损失，并不说明它没用。",
        "en": "The newest suggestions, up to 500, are ranked again without one source: the ranker is fitted anew "
        "without it, and judged on questions that it was not fitted on. Over zero it helps. Where sources say the "
        "same, leaving one out costs little, which does not mean that it is of no use.",
    },
    "dashboard.compare_sources": {"zh": "比较各种依据", "en": "Compare the sources"},
    "dashboard.worth_without": {"zh": "去掉它会差多少", "en": "What is lost without it"},
    "dashboard.worth_axis": {"zh": "去掉后 F1 下降，百分点（95%）", "en": "F1 lost without it, points (95%)"},
    "dashboard.evidence": {"zh": "依据", "en": "Source"},
    "dashboard.worth_loss": {"zh": "对数损失上升（95%）", "en": "Log loss more (95%)"},
    "dashboard.worth_score": {"zh": "F1 下降，百分点（95%）", "en": "F1 less, points (95%)"},
    "dashboard.worth_all": {
        "zh": "全部依据：对数损失 {loss}，F1 {score}；{questions} 题，{judged} 个判过的标签。",
        "en": "With all sources: log loss {loss}, F1 {score}; {questions} questions, {judged} judged tags.",
    },
    "dashboard.source_model": {"zh": "模型（票数和它自己的判断）", "en": "the model (votes and its own standing)"},
    "dashboard.source_precedents": {"zh": "相似问题的决定", "en": "precedents"},
    "dashboard.source_words": {"zh": "词语（本库的决定）", "en": "words, by decisions here"},
    "dashboard.source_mentions": {"zh": "题中出现的标签名", "en": "names in the text"},
    "dashboard.source_habits": {"zh": "使用习惯", "en": "habits"},
    "dashboard.source_meaning": {"zh": "意思相近的问题", "en": "meaning"},
    "dashboard.source_near": {"zh": "训练数据里的相似问题", "en": "similar training questions"},
    "dashboard.source_linear": {"zh": "词语（训练数据）", "en": "words, by the training data"},
    "dashboard.source_named": {"zh": "题中出现的旧标签", "en": "known tags in the text"},
    "dashboard.source_listed": {"zh": "标签表", "en": "the tag list"},
    "dashboard.taught": {"zh": "最近 {last} 个决定教会了什么", "en": "What did the last {last} decisions teach?"},
    "dashboard.taught_hint": {
        "zh": "最多 {questions} 个还没有人标的题，用现在知道的一切排一次，再假装最近的决定没有作出过排一次。"
        "这里是可能性上升和下降最多的标签。",
        "en": "Up to {questions} questions that nobody has decided yet are ranked with everything that is known now, "
        "and again as if the last decisions had never been made. These are the tags whose chances rose and fell most.",
    },
    "dashboard.look_back": {"zh": "看看变化", "en": "Look back"},
    "dashboard.taught_about": {
        "zh": "{questions} 个未标的题，忘掉 {forgotten} 个决定前后",
        "en": "{questions} open questions, with {forgotten} decisions and without",
    },
    "dashboard.rose": {"zh": "上升的标签", "en": "Tags that rose"},
    "dashboard.fell": {"zh": "下降的标签", "en": "Tags that fell"},
    "dashboard.no_change": {"zh": "没有。", "en": "None."},
    "dashboard.expected": {"zh": "每百题多出", "en": "More in 100 questions"},
    "dashboard.about_it": {"zh": "相关的题", "en": "Questions"},
    "dashboard.chance_then_now": {"zh": "可能性：以前 → 现在", "en": "Chance before → now"},
    "dashboard.example": {"zh": "例如", "en": "For example"},
}
