"""A model folder that cannot be used, or one of a sentence encoder."""

TEXTS = {
    "model.missing": {
        "en": "{path}: no such model folder. Give the path of a folder written by `python -m l2a train`.",
        "zh": "{path}：没有这个模型文件夹。请给出由 `python -m l2a train` 写成的文件夹的路径。",
    },
    "model.other_kind": {
        "en": "{path}: config.json is not that of an L2A model. Give a folder written by `python -m l2a train`.",
        "zh": "{path}：config.json 不属于 L2A 模型。请给出由 `python -m l2a train` 写成的文件夹。",
    },
    "model.newer": {
        "en": "{path}: the folder has format {format!r}; this program reads up to {newest}. "
        "Update the program, or use an older model.",
        "zh": "{path}：文件夹的格式是 {format!r}，本程序只能读到 {newest}。请更新程序，或用旧一些的模型。",
    },
    "model.file_missing": {
        "en": "{path}: {file} is missing. The folder is incomplete; copy it again.",
        "zh": "{path}：缺少 {file}。文件夹不完整，请重新复制。",
    },
    "model.file_unreadable": {
        "en": "{path}: {file} cannot be read ({reason}). Copy the folder again.",
        "zh": "{path}：{file} 读不出来（{reason}）。请重新复制文件夹。",
    },
    "model.file_damaged": {
        "en": "{path}: {file} is damaged or cut off ({reason}). Copy the folder again.",
        "zh": "{path}：{file} 已损坏或不完整（{reason}）。请重新复制文件夹。",
    },
    "model.mixed_files": {
        "en": "{path}: the files do not belong together (config.json says version {said}, the contents give {found}). "
        "The folder was changed or damaged; copy it again or restore it.",
        "zh": "{path}：文件彼此不相符（config.json 写的版本是 {said}，内容算出的是 {found}）。"
        "文件夹被改动过或已损坏，请重新复制或恢复。",
    },
    "model.damaged": {
        "en": "{path}: the model folder is damaged or of another kind ({kind}: {reason}). "
        "Copy it again, or train a new one with `python -m l2a train`.",
        "zh": "{path}：模型文件夹已损坏，或不是这一类模型（{kind}：{reason}）。"
        "请重新复制，或用 `python -m l2a train` 训练新的模型。",
    },
    "encoder.missing": {
        "en": "{path}: no such folder. L2A_ENCODER names one with a sentence encoder in Hugging Face's BERT format.",
        "zh": "{path}：没有这个文件夹。L2A_ENCODER 应当指向含有句子编码器（Hugging Face 的 BERT 格式）的文件夹。",
    },
    "encoder.file_missing": {
        "en": "{path}: {file} is missing. A sentence encoder has config.json, vocab.txt and its weights in one folder.",
        "zh": "{path}：缺少 {file}。句子编码器的文件夹里应当有 config.json、vocab.txt 和权重。",
    },
    "encoder.other_kind": {
        "en": "{path}: config.json says model_type {kind!r}; only 'bert' can be read.",
        "zh": "{path}：config.json 写的 model_type 是 {kind!r}；只能读取 'bert'。",
    },
    "encoder.unreadable": {
        "en": "{path}: the sentence encoder cannot be read ({reason}). Copy the folder again.",
        "zh": "{path}：句子编码器读不出来（{reason}）。请重新复制文件夹。",
    },
    "encoder.no_transformers": {
        "en": "A sentence encoder needs transformers, which is not installed: pip install -r requirements-encoder.txt. "
        "Or leave L2A_ENCODER empty.",
        "zh": "句子编码器需要 transformers，但没有安装：pip install -r requirements-encoder.txt。"
        "或者让 L2A_ENCODER 为空。",
    },
    "vectors.other_kind": {
        "en": "{path}: not a word vector file ({reason}). Expected .npz with `words` and `vectors`.",
        "zh": "{path}：不是词向量文件（{reason}）。应当是含有 `words` 和 `vectors` 的 .npz。",
    },
    "vectors.odd_shape": {
        "en": "{path}: {words} words but vectors of shape {shape}.",
        "zh": "{path}：有 {words} 个词，而向量的形状是 {shape}。",
    },
}
