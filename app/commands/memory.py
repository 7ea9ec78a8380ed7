"""`memory`: what suggestions know of the decisions in this store, as it is kept between two starts of the app."""

import argparse
from datetime import datetime

from app.commands.shared import add_action, add_actions, follow, open_store, progress_bar, read_settings, show_time
from app.shell.messages import message
from db.errors import NotFound

HELP = "what suggestions know of the decisions: how far it is, and making it anew"
EXAMPLE = "rebuild"
RANKER = "ranker.json"  # as l2a.checkpoint has it, which brings torch along


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = add_actions(parser)
    add_action(actions, "status", "what is kept for the next start, and how far behind the decisions it is", status)
    add_action(actions, "rebuild", "make it anew from all decisions", rebuild)


def run(args: argparse.Namespace) -> int:
    return args.action(args)


def status(args: argparse.Namespace) -> int:
    from app.memory.cache import Cache, folder_for
    from app.serving.model_folder import folder_of
    from db.ledger import decided_since
    from db.models import registry

    with open_store(args) as store:
        with store.read() as session:
            live, newest = registry.live(session), decided_since.newest(session)
        if live is None:
            raise NotFound(message("memory.no_live_model"))
        if not (folder_of(live.path) / RANKER).is_file():
            raise NotFound(message("memory.no_ranker", version=live.version))
        cache = Cache(folder_for(store), store, live.version)
        about = cache.about()
    print(f"model\t{live.version}")
    if about is None:
        print(f"file\t{cache.path} is not there, or cannot be used; it is made when the app needs it")
        return 0
    _print(cache, about, newest)
    return 0


def rebuild(args: argparse.Namespace) -> int:
    from app.commands.suggest import load_tagger
    from app.memory.cache import Cache, folder_for
    from app.memory.store_memory import StoreMemory
    from app.serving.suggester import Suggester
    from l2a.bulk.processes import cores
    from l2a.evidence.encoder import SentenceEncoder

    settings = read_settings(args)
    with open_store(args) as store:
        suggester = Suggester(store, load_tagger(settings.decoder), settings.model, update=settings.model_update)
        live = suggester.live()
        if live.tagger.prior is None:
            raise NotFound(message("memory.no_ranker", version=live.version))
        cache = Cache(folder_for(store), store, live.version)
        encoder = None if settings.encoder is None else SentenceEncoder(settings.encoder)
        memory = StoreMemory(store, live.tagger, cache, encoder)
        with progress_bar(args, desc="reading decisions", unit=" questions") as bar:
            memory.rebuild(follow(bar), cores=cores())
        about, kept = memory.status(), cache.about()
    if about["position"]["number"] and (kept is None or kept["position"]["number"] < about["position"]["number"]):
        raise NotFound(message("memory.not_kept", file=cache.path))
    print(f"model\t{live.version}")
    _print(cache, about, about["position"]["number"])
    return 0


def _print(cache, about: dict, newest: int) -> None:
    position = about["position"]
    moment = f", {show_time(datetime.fromisoformat(position['at']))}" if position["at"] else ""
    size = cache.path.stat().st_size if cache.path.is_file() else 0
    print(f"file\t{cache.path}\t{size / 1e6:,.1f} MB")
    print(f"decisions\t{about['decisions']:,}")
    print(f"entry\t{position['number']}{moment}\t{max(0, newest - position['number']):,} behind")
    print(f"ranker\tfitted on {about['ranked_on']:,} decisions")
