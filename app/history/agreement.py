"""How far people agree: the words and the table."""

from collections.abc import Sequence

from app.shell.i18n import Text
from db.figures.agreement import Alpha, TagKappa


def alpha_sentence(alpha: Alpha, text: Text) -> str:
    """Krippendorff's alpha with what it rests on, or why there is none."""
    if alpha.value is not None:
        return text("history.alpha", value=f"{alpha.value:.3f}", questions=alpha.units, opinions=alpha.opinions)
    if alpha.units == 0:
        return text("history.alpha_none")
    return text("history.alpha_equal", questions=alpha.units)


def kappas(tags: Sequence[TagKappa], text: Text) -> dict[str, list]:
    """Agreement on single tags, the most used first; a dash where every opinion holds the tag."""
    return {
        text("history.tag"): [tag.tag for tag in tags],
        text("history.kappa"): ["—" if tag.kappa is None else f"{tag.kappa:.2f}" for tag in tags],
        text("history.kappa_opinions"): [tag.positive for tag in tags],
        text("history.kappa_questions"): [tag.questions for tag in tags],
    }
