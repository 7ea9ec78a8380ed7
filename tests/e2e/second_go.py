"""A browser test that failed is run once more, and what failed the first time is printed when all tests are over.

Browser, server and test share two cores, and a few races are Streamlit's own (see `Screen.upload`). A fault of the
app fails both times; one that comes and goes is seen in the printout, which has the server's log.
"""

import pytest

LOG_LINES = 40


def mark(items, folder) -> None:
    """Give the tests in a folder their second go."""
    for item in items:
        if item.path.is_relative_to(folder):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter) -> None:
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.section(f"failed the first time: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)
        for name, content in report.sections:
            terminalreporter.write_line(f"--- {name}")
            terminalreporter.write_line("\n".join(content.splitlines()[-LOG_LINES:]))
