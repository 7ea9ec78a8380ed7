"""Which font of this machine has hanzi, for pictures that matplotlib draws."""

from functools import cache

HANZI_FONTS = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Hiragino Sans GB", "Heiti SC",
    "Microsoft YaHei", "SimHei", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei",
    "Noto Sans CJK JP",  # the file of all CJK fonts is often listed under this name only; it has the hanzi too
    "Arial Unicode MS", "Noto Serif CJK SC", "Noto Serif CJK JP",
)  # fmt: skip


@cache
def hanzi_font() -> str | None:
    """The first that is installed, or None: hanzi would come out as boxes then."""
    from matplotlib import font_manager  # here and not above: it looks through the machine's fonts

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in HANZI_FONTS if name in installed), None)
