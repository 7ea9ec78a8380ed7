#!/usr/bin/env bash
# Trains the starter model again from the data it was made of, and says how long each part took.
#
#   tools/train_starter.sh DATA OUT [SEED] [LISTS_MISS]
#
# DATA holds zhihu/{train,dev,test,test_open,topic_pages}.jsonl, zhihu/unlabelled.jsonl.gz, juejin/dev.jsonl,
# lexicon/nlpcc2018_task6_tags.csv, lexicon/zhihu_{topic_tree,topics_2017}.tsv and lexicon/word_vectors_100d.npz. The
# model is OUT/model: silver labels, the network, evidence with votes held out, the ranker. LISTS_MISS (default 0) goes to
# `python -m l2a evidence`. What is done is kept in OUT: a run that was stopped goes on where it was.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
DATA=$(realpath "$1") OUT=$(realpath -m "$2") SEED=${3:-1} MISSING=${4:-0}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
BIN=.venv/bin
[ -x "$BIN/ruff" ] || make lint  # installs what development needs
mkdir -p "$OUT"
LIST=$DATA/lexicon/nlpcc2018_task6_tags.csv
FURTHER=("$DATA/lexicon/zhihu_topic_tree.tsv" "$DATA/lexicon/zhihu_topics_2017.tsv")

begin=$SECONDS
NEVER=()  # tags of a strict test, which a name in a text must not bring back (bench/strict.py)
[ ! -f "$DATA/never.txt" ] || NEVER=(--never "$DATA/never.txt")
if [ ! -f "$OUT/silver.jsonl.gz" ]; then
    # A line of the lists has no name: --skip-bad.
    "$BIN/python" -m l2a silver "$DATA/zhihu/unlabelled.jsonl.gz" --gold "$DATA/zhihu/train.jsonl" \
        --pages "$DATA/zhihu/topic_pages.jsonl" --names "$OUT/names.npz" \
        --tags "$LIST" --further "${FURTHER[@]}" --skip-bad --limit 127000 \
        --exclude "$DATA/zhihu/dev.jsonl" "$DATA/zhihu/test.jsonl" "$DATA/zhihu/test_open.jsonl" \
        "${NEVER[@]}" --out "$OUT/silver.writing.jsonl.gz"
    mv "$OUT/silver.writing.jsonl.gz" "$OUT/silver.jsonl.gz"
fi
echo "silver labels: $((SECONDS - begin)) s"

begin=$SECONDS
train=("$BIN/python" -m l2a train)
if [ -f "$OUT/run/state.pt" ]; then
    "${train[@]}" --resume "$OUT/run"
else
    "${train[@]}" --preset small --train "$DATA/zhihu/train.jsonl" --dev "$DATA/zhihu/dev.jsonl" \
        --pretrain "$OUT/silver.jsonl.gz" --vectors "$DATA/lexicon/word_vectors_100d.npz" \
        --retrieve "$LIST" --vote-lists "${FURTHER[@]}" --skip-bad --copy --share-embeddings --order both \
        --epochs 5 --storage float16 --tune-threshold --seed "$SEED" \
        --set model.source_vocabulary=40000 --set model.min_source_count=2 --set model.dropout=0.15 \
        --set training.train_copies=0 --set training.learning_rate=0.0008 --set training.warmup_steps=500 \
        --set training.schedule=linear --set training.dev_beam=24 \
        --set decode.listed_weight=4 --set decode.named_weight=0.2 --set decode.near_weight=0.2 \
        --set decode.linear_weight=0.75 --set decode.invented_worth=0.25 --out "$OUT/run"
fi
echo "training: $((SECONDS - begin)) s"

begin=$SECONDS
if [ ! -d "$OUT/evidence" ]; then
    "$BIN/python" -m l2a evidence --model "$OUT/run/best" --gold "$DATA/zhihu/train.jsonl" --tags "$LIST" \
        --vote-lists "${FURTHER[@]}" --skip-bad --pages "$DATA/zhihu/topic_pages.jsonl" \
        --names "$OUT/names.npz" --pretrained "$OUT/run/pretrained" --work "$OUT/held-out" \
        --lists-miss "$MISSING" --seed "$SEED" --out "$OUT/evidence"
fi
echo "evidence: $((SECONDS - begin)) s"

begin=$SECONDS
"$BIN/python" -m l2a ranker --model "$OUT/evidence" --text "$DATA/zhihu/unlabelled.jsonl.gz" \
    --dev "$DATA/zhihu/dev.jsonl" --stream "$DATA/zhihu/dev.jsonl" "$DATA/juejin/dev.jsonl" \
    --new samples/new_things.jsonl --seed "$SEED" --out "$OUT/model"
rm -f "$OUT/model/counted.safetensors" # as large as all evidence; without it the first retraining counts every question
echo "ranker: $((SECONDS - begin)) s"
