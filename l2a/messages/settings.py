"""A setting or an option of a command with a value that it cannot have."""

TEXTS = {
    "settings.no_ranker": {
        "en": "ranker.json is no ranker of this program: {reason}. Make it anew with: python -m l2a ranker MODEL",
        "zh": "ranker.json 不是本程序的排序器：{reason}。请重新生成：python -m l2a ranker MODEL",
    },
    "settings.unknown_key": {
        "en": "{config} has no key {keys}. Valid keys: {valid}.",
        "zh": "{config} 没有 {keys} 这一项。可用的项：{valid}。",
    },
    "settings.not_valid": {
        "en": "{name} is {value!r}; valid: {valid}.",
        "zh": "{name} 的值是 {value!r}；可用的值：{valid}。",
    },
    "settings.no_switch": {
        "en": "{name} is {value!r}; valid: true, false.",
        "zh": "{name} 的值是 {value!r}；可用的值：true、false。",
    },
    "settings.no_whole_number": {
        "en": "{name} is {value!r}; it must be a whole number from {low} to {high}.",
        "zh": "{name} 的值是 {value!r}；必须是 {low} 到 {high} 之间的整数。",
    },
    "settings.no_number": {
        "en": "{name} is {value!r}; it must be a number from {low} to {high}.",
        "zh": "{name} 的值是 {value!r}；必须是 {low} 到 {high} 之间的数。",
    },
    "settings.odd_width": {
        "en": "width is {width}; it must be even and a multiple of heads ({heads}).",
        "zh": "width 的值是 {width}；必须是偶数，并且是 heads（{heads}）的倍数。",
    },
    "settings.labels_have_no_words": {
        "en": "copy and share_embeddings need words on the target side; kind 'label' has none.",
        "zh": "copy 和 share_embeddings 需要目标一侧有词；kind 为 'label' 时没有。",
    },
    "settings.no_preset": {
        "en": "no preset {name!r}; valid: {valid}.",
        "zh": "没有预设 {name!r}；可用的有：{valid}。",
    },
    "settings.too_small": {
        "en": "{name} is {value}; it must be at least 1.",
        "zh": "{name} 的值是 {value}；至少要 1。",
    },
    "settings.no_decoder": {
        "en": "decoder is {decoder!r}; valid: {valid}.",
        "zh": "没有解码方式 {decoder!r}；可用的有：{valid}。",
    },
    "settings.no_int8": {
        "en": "decoder is 'int8', but this processor or this PyTorch cannot multiply in 8 bits. "
        "Choose auto or float32.",
        "zh": "解码方式是 'int8'，但这台机器的处理器或 PyTorch 不能做 8 位乘法。请选 auto 或 float32。",
    },
    "settings.no_jobs": {
        "en": "jobs is {jobs}; at least 1 is needed.",
        "zh": "jobs 的值是 {jobs}；至少要 1。",
    },
    "settings.no_ray_workers": {
        "en": "ray is {workers}; at least 1 worker is needed.",
        "zh": "ray 的值是 {workers}；至少要 1 个工作进程。",
    },
    "settings.no_ray": {
        "en": "Ray is not installed. Install it with: pip install -r requirements-ray.txt",
        "zh": "没有安装 Ray。请这样安装：pip install -r requirements-ray.txt",
    },
    # options of `train`
    "evidence.no_work": {
        "en": "--pretrained and --work belong together: the one is asked, what it answers is kept in the other.",
        "zh": "--pretrained 和 --work 要一起给出：问的是前者，答案保存在后者里。",
    },
    "evidence.names_or_text": {
        "en": "--names and --text say the same thing in two ways: give one of them.",
        "zh": "--names 和 --text 说的是同一件事：只给其中一个。",
    },
    "evidence.no_names": {
        "en": "{path}: no statistics of names ({reason}). Give the file that `silver --names` wrote, or --text.",
        "zh": "{path}：不是名称统计（{reason}）。请给出 `silver --names` 写的文件，或用 --text。",
    },
    "train.nothing_named": {
        "en": "train needs --train FILE and --out FOLDER, or --resume FOLDER.",
        "zh": "train 需要 --train FILE 和 --out FOLDER，或 --resume FOLDER。",
    },
    "train.idle_with_resume": {
        "en": "--resume goes on with the run's own data and settings: {options} would do nothing. Leave that "
        "out, or begin another run with --train and --out.",
        "zh": "--resume 用原来的数据和设置接着训练：{options} 不会起作用。"
        "请去掉，或用 --train 和 --out 开始另一次训练。",
    },
    "train.idle_with_from": {
        "en": "--from keeps the model's shape, words and decode settings: {options} would do nothing. Leave "
        "that out, or train a new model without --from.",
        "zh": "--from 保留模型的形状、词和解码设置：{options} 不会起作用。请去掉，或不用 --from，训练新的模型。",
    },
    "train.replay_needs_from": {
        "en": "--replay needs --from: a new model has nothing that it could forget.",
        "zh": "--replay 需要 --from：新的模型没有什么可忘的。",
    },
    "train.vote_lists_need_retrieve": {
        "en": "--vote-lists needs --retrieve: without it nothing but the hypotheses votes.",
        "zh": "--vote-lists 需要 --retrieve：没有它，只有各个假设投票。",
    },
    "train.threshold_needs_dev": {
        "en": "--tune-threshold needs --dev: the threshold is chosen on its questions.",
        "zh": "--tune-threshold 需要 --dev：阈值要用其中的问题来选。",
    },
    "train.weight_needs_retrieve": {
        "en": "decode.{name} needs --retrieve: without it nothing but the hypotheses votes.",
        "zh": "decode.{name} 需要 --retrieve：没有它，只有各个假设投票。",
    },
    "train.no_architecture": {
        "en": "architecture is {architecture!r}; valid: L2A, L2L, A2A, A2L.",
        "zh": "architecture 的值是 {architecture!r}；可用的值：L2A、L2L、A2A、A2L。",
    },
    "train.no_group": {
        "en": "--set {setting}: no group {group!r}; valid: {valid}.",
        "zh": "--set {setting}：没有 {group!r} 这一组；可用的有：{valid}。",
    },
    "train.no_setting": {
        "en": "--set {setting}: expected GROUP.KEY=VALUE, for example model.width=200.",
        "zh": "--set {setting}：应写成 GROUP.KEY=VALUE，例如 model.width=200。",
    },
    "silver.no_limit": {
        "en": "--limit is {limit}; give 1 or more, or leave it out to label every question.",
        "zh": "--limit 的值是 {limit}；请写 1 或更大的数，或去掉它，给所有问题加标签。",
    },
}
