"""dulwich as an engine of the benchmark: see protocol.ts.

Commits as dulwich does it (WorkTree.commit) or, with the argument "by-hand", in the fewest steps that its object
store and refs allow: the commit object, then a compare and swap of the ref, without hooks, gc or a reflog.
"""

import json
import resource
import sys
import time

from dulwich.object_store import iter_tree_contents
from dulwich.objects import Blob, Commit
from dulwich.repo import Repo

BRANCH = b"refs/heads/main"
AUTHOR = b"Bench <bench@example.org>"
BY_HAND = sys.argv[1:] == ["by-hand"]
repository = None


def run(command):
    global repository
    if command["do"] == "open":
        repository = Repo(command["directory"] + "/main.git")
    elif command["do"] == "read":
        return entry(trees(command["path"])).data.decode()
    elif command["do"] == "append":
        append(command["path"], command["text"])
    elif command["do"] == "list":
        head = repository[repository.refs[BRANCH]].tree
        walk = iter_tree_contents(repository.object_store, head)
        return str(len([each.path for each in walk]))
    elif command["do"] == "recent":
        walker = repository.get_walker(max_entries=50)
        return str([(each.commit.id, each.commit.author, each.changes()) for each in walker])


def trees(path):
    """The head, and each folder on the way to the file with the name that leads on."""
    head = repository.refs[BRANCH]
    tree = repository[repository[head].tree]
    way = []
    for name in path.encode().split(b"/"):
        way.append((tree, name))
        child = repository[tree[name][1]]
        tree = child
    return head, way


def entry(found):
    tree, name = found[1][-1]
    return repository[tree[name][1]]


def append(path, text):
    head, way = trees(path)
    child = Blob.from_string(entry((head, way)).data + text.encode())
    new = [child]
    for tree, name in reversed(way):
        changed = tree.copy()
        changed[name] = (tree[name][0], child.id)
        new.append(changed)
        child = changed
    for each in new:
        repository.object_store.add_object(each)
    if BY_HAND:
        commit_by_hand(head, child.id)
    else:
        repository.get_worktree().commit(
            message=b"Append", tree=child.id, ref=BRANCH, author=AUTHOR, committer=AUTHOR
        )


def commit_by_hand(head, tree):
    commit = Commit()
    commit.tree = tree
    commit.parents = [head]
    commit.author = commit.committer = AUTHOR
    commit.author_time = commit.commit_time = int(time.time())
    commit.author_timezone = commit.commit_timezone = 0
    commit.message = b"Append"
    repository.object_store.add_object(commit)
    if not repository.refs.set_if_equals(BRANCH, head, commit.id):
        raise RuntimeError("another writer came first")


for line in sys.stdin:
    start = time.perf_counter()
    text = run(json.loads(line))
    answer = {
        "milliseconds": (time.perf_counter() - start) * 1000,
        "peakRssMegabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    if text is not None:
        answer["text"] = text
    print(json.dumps(answer), flush=True)
