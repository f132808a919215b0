"""dulwich as an engine of the benchmark: see protocol.ts.

Commits as dulwich does it (WorkTree.commit) or, with the argument "by-hand", in the fewest steps that its object
store and refs allow: the commit object, then a compare and swap of the ref, without hooks, gc or a reflog. With the
argument "synced" each object is synced.
"""

import io
import sys
import time

from dulwich.object_store import iter_tree_contents, tree_lookup_path
from dulwich.objects import Blob, Commit
from dulwich.patch import write_object_diff
from dulwich.repo import Repo

from engine_loop import serve

BRANCH = b"refs/heads/main"
AUTHOR = b"Bench <bench@example.org>"
BY_HAND = "by-hand" in sys.argv
SYNCED = "synced" in sys.argv
repository = None


def run(command):
    global repository
    if command["do"] == "open":
        repository = open_repository(command["directory"] + "/main.git")
    elif command["do"] == "read":
        return entry(trees(command["path"])).data.decode()
    elif command["do"] == "append":
        append(command["path"], command["text"])
    elif command["do"] == "list":
        head = repository[repository.refs[BRANCH]].tree
        walk = iter_tree_contents(repository.object_store, head)
        return str(len([each.path for each in walk]))
    elif command["do"] == "recent":
        return history(max_entries=50)
    elif command["do"] == "history":
        return history(max_entries=20, paths=[command["path"].encode()])
    elif command["do"] == "diff":
        return difference(command["path"].encode(), command["from"].encode())


def open_repository(directory):
    opened = Repo(directory)
    if SYNCED:
        config = opened.get_config()
        config.set((b"core",), b"fsyncObjectFiles", True)
        config.write_to_path()
        opened = Repo(directory)
    return opened


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


def history(**which):
    walker = repository.get_walker(include=[repository.refs[BRANCH]], **which)
    return str([(each.commit.id, each.commit.author, each.changes()) for each in walker])


def difference(path, earlier):
    versions = []
    for commit in (earlier, repository.refs[BRANCH]):
        found = tree_lookup_path(repository.__getitem__, repository[commit].tree, path)
        versions.append((path, *found))
    text = io.BytesIO()
    write_object_diff(text, repository.object_store, *versions)
    return text.getvalue().decode()


serve(run)
if repository is not None:
    repository.close()
