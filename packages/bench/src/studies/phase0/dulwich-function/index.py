"""Phase 0's function on dulwich: a repository with a working tree, and init, add and commit by its porcelain.

An event is {"do": "init_commit_read_log", "name"}, {"do": "read"}, {"do": "init_and_commit", "name"},
{"do": "commit", "path"} or {"do": "landed", "paths"}. A test of the last sets its "patience_seconds".
"""

import io
import os
import time

from dulwich import porcelain
from dulwich.errors import NotGitRepository
from dulwich.repo import Repo

DIRECTORY = os.environ["DULWICH_DIRECTORY"]
SHARED = os.path.join(DIRECTORY, "shared")
READ_PAGE = "Phase 0"
AUTHOR = b"Phase 0 <phase0@example.org>"
# Longer than NFS keeps an answer that something is not there (30 s), and not as long as a call may take.
PATIENCE_SECONDS = 45


def handler(event, context):
    return actions[event["do"]](event)


def prepare(event):
    try:
        Repo(SHARED)
    except NotGitRepository:
        os.makedirs(SHARED)
        porcelain.init(SHARED)
        commit(SHARED, READ_PAGE, "# Phase 0\n\n" + "A line of text.\n" * 100)


def read(event):
    return page(READ_PAGE).decode()


def init_and_commit(event):
    directory = os.path.join(DIRECTORY, event["name"])
    os.makedirs(directory)
    porcelain.init(directory)
    began = time.perf_counter()
    commit(directory, event["name"], f"# {event['name']}\n")
    return {"commit_ms": (time.perf_counter() - began) * 1000}


def init_commit_read_log(event):
    """The published work of a cold start, each part timed."""
    name = event["name"]
    directory = os.path.join(DIRECTORY, name)
    parts = {}

    def timed(part, work):
        began = time.perf_counter()
        work()
        parts[part] = (time.perf_counter() - began) * 1000

    def init():
        os.makedirs(directory)
        porcelain.init(directory)

    timed("init", init)
    timed("commit", lambda: commit(directory, name, f"# {name}\n"))
    timed("read", lambda: page(name, directory))
    timed("log", lambda: porcelain.log(directory, outstream=io.StringIO()))
    return parts


def commit_to_shared(event):
    commit(SHARED, event["path"], f"# {event['path']}\n")


def landed(event):
    """An NFS client may believe for a while that an object is not there which another one has made since."""
    until = time.monotonic() + event.get("patience_seconds", PATIENCE_SECONDS)
    while True:
        try:
            return [path for path in event["paths"] if page(path) is not None]
        except KeyError:
            if time.monotonic() >= until:
                # Then the branch names a commit that is lost, and nothing that was written is in it.
                return []
            time.sleep(1)


def commit(directory, path, text):
    with open(os.path.join(directory, path + ".md"), "w") as file:
        file.write(text)
    porcelain.add(directory, paths=[os.path.join(directory, path + ".md")])
    porcelain.commit(directory, message=b"Write", author=AUTHOR, committer=AUTHOR)


def page(path, directory=SHARED):
    repository = Repo(directory)
    tree = repository[repository[repository.head()].tree]
    name = f"{path}.md".encode()
    return repository[tree[name][1]].data if name in tree else None


actions = {
    "prepare": prepare,
    "read": read,
    "init_commit_read_log": init_commit_read_log,
    "init_and_commit": init_and_commit,
    "commit": commit_to_shared,
    "landed": landed,
}
