"""A store on both databases and a tagger with a ranker, as the tests of memory have them."""

from tests.app.memory.conftest import asking, make_memory, ranking_tagger, titles  # noqa: F401 - fixtures
from tests.db.conftest import (  # noqa: F401 - fixtures
    cleaners,
    kind,
    live_model,
    opened_stores,
    postgresql_server,
    postgresql_template,
    postgresql_uri,
    sqlite_template,
    store,
    team,
    url,
)
