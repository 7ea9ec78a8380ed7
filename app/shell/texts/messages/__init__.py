"""What the app itself says in errors and notes, by code, in English and Chinese; `app.shell.messages` renders it."""

from collections.abc import Mapping

from app.shell.texts.messages import annotate, commands, files, model, settings

CATALOGUE: Mapping[str, Mapping[str, str]] = {
    **annotate.TEXTS,
    **commands.TEXTS,
    **files.TEXTS,
    **model.TEXTS,
    **settings.TEXTS,
}
