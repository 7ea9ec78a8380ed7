"""fastText's supervised format: labels and words on one line. It has no place for ids, rejections or line breaks."""

from db.store.records import LabelledQuestion
from db.transfer.formats.base import Format, StreamWriter, full_text
from db.transfer.formats.escape import LABEL, encode_label, escape_words


class FasttextWriter(StreamWriter):
    def write(self, row: LabelledQuestion) -> None:
        labels = [LABEL + encode_label(tag) for tag in row.tags]
        line = " ".join([*labels, *escape_words(full_text(row), self._cut)])
        self._stream.write(line.encode("utf-8") + b"\n")


FASTTEXT = Format(
    name="fasttext",
    suffix=".fasttext",
    media_type="text/plain; charset=utf-8",
    escape=(
        "The text is cut into words, with ▁ in front and for every space of the text itself; white space, control "
        "characters and % in a tag are percent-encoded; a word that is ▁ or begins with __label__ gets one backslash "
        "in front; line breaks in the text become spaces, the one thing that is not kept."
    ),
    columns=("tags", "text"),
    open=FasttextWriter,
)
