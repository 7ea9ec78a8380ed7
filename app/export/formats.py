"""What a visitor is told about each format."""

FORMAT_NAMES = {
    "jsonl": "export.format_jsonl",
    "csv": "export.format_csv",
    "parquet": "export.format_parquet",
    "nlpcc-csv": "export.format_nlpcc",
    "fasttext": "export.format_fasttext",
    "label-studio": "export.format_label_studio",
    "doccano": "export.format_doccano",
}
ESCAPES = {
    "jsonl": "export.escape_json",
    "csv": "export.escape_csv",
    "parquet": "export.escape_parquet",
    "nlpcc-csv": "export.escape_csv",
    "fasttext": "export.escape_fasttext",
    "label-studio": "export.escape_json",
    "doccano": "export.escape_json",
}
REORDERED = (
    "jsonl",
    "doccano",
)  # rows that are the first to fill a column stand in front (db.transfer.formats.json_lines)
SPREADSHEET_FORMATS = ("csv", "nlpcc-csv")
