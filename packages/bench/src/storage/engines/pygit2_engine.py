"""pygit2 (libgit2) as an engine of the benchmark: see protocol.ts. With the argument "synced" it syncs what it writes."""

import sys

import pygit2

from engine_loop import serve

BRANCH = "refs/heads/main"
AUTHOR = pygit2.Signature("Bench", "bench@example.org")
# On NFS the files belong to whom the server says.
pygit2.settings.owner_validation = False
pygit2.settings.enable_fsync_gitdir("synced" in sys.argv)
repository = None


def run(command):
    global repository
    if command["do"] == "open":
        repository = pygit2.Repository(command["directory"] + "/main.git")
    elif command["do"] == "read":
        return head().tree[command["path"]].data.decode()
    elif command["do"] == "append":
        append(command["path"].split("/"), command["text"].encode())
    elif command["do"] == "list":
        index = pygit2.Index()
        index.read_tree(head().tree)
        return str(len([each.path for each in index]))
    elif command["do"] == "recent":
        return recent()
    elif command["do"] == "history":
        return history(command["path"])
    elif command["do"] == "diff":
        earlier = repository[command["from"]].tree[command["path"]]
        return earlier.diff(head().tree[command["path"]]).text


def head():
    return repository[repository.references[BRANCH].target]


def append(names, text):
    parent = head()
    tree = replace(parent.tree, names, text)
    # Refused unless the branch still names the parent.
    repository.create_commit(BRANCH, AUTHOR, AUTHOR, "Append", tree, [parent.id])


def replace(tree, names, text):
    """The new tree, in which `text` was added to the file that `names` lead to."""
    name, *rest = names
    entry = tree[name]
    new = replace(entry, rest, text) if rest else repository.create_blob(entry.data + text)
    builder = repository.TreeBuilder(tree)
    builder.insert(name, new, entry.filemode)
    return builder.write()


def recent():
    told = []
    for commit in repository.walk(head().id):
        changes = repository.diff(commit.parents[0], commit).deltas if commit.parents else []
        told.append((str(commit.id), commit.author.name, [each.new_file.path for each in changes]))
        if len(told) == 50:
            break
    return str(told)


def history(path):
    told = []
    for commit in repository.walk(head().id):
        version = version_in(commit, path)
        if all(version_in(parent, path) != version for parent in commit.parents):
            told.append((str(commit.id), commit.author.name, str(version)))
            if len(told) == 20:
                break
    return str(told)


def version_in(commit, path):
    try:
        return commit.tree[path].id
    except KeyError:
        return None


serve(run)
