"""Native git's commands as an engine of the benchmark, as a script would call them on a bare repository: see protocol.ts.

Commits with one command a step or, with the argument "fast-import", with that one alone, which is the fewest processes.
With the argument "synced" git syncs all that it writes.
"""

import os
import resource
import subprocess
import sys
import time

from engine_loop import serve

FAST_IMPORT = "fast-import" in sys.argv
# On NFS the files belong to whom the server says.
SETTINGS = ["safe.directory=*", "user.name=Bench", "user.email=bench@example.org"]
if "synced" in sys.argv:
    SETTINGS.append("core.fsync=all")
INDEX = f"/tmp/bench-index-{os.getpid()}"
repository = None


def run(command):
    global repository
    if command["do"] == "open":
        repository = command["directory"] + "/main.git"
    elif command["do"] == "read":
        return git("cat-file", "blob", "main:" + command["path"]).decode()
    elif command["do"] == "append" and FAST_IMPORT:
        append_at_once(command["path"], command["text"].encode())
    elif command["do"] == "append":
        append(command["path"], command["text"].encode())
    elif command["do"] == "list":
        git("ls-tree", "-r", "--name-only", "main")
    elif command["do"] == "recent":
        git("log", "-50", "--name-status", "main")
    elif command["do"] == "history":
        git("log", "-20", "main", "--", command["path"])
    elif command["do"] == "diff":
        return git("diff", command["from"], "main", "--", command["path"]).decode()


def append(path, text):
    head = name("rev-parse", "main")
    content = git("cat-file", "blob", f"{head}:{path}") + text
    blob = name("hash-object", "-w", "--stdin", given=content)
    git("read-tree", head)
    git("update-index", "--cacheinfo", f"100644,{blob},{path}")
    tree = name("write-tree")
    commit = name("commit-tree", tree, "-p", head, "-m", "Append")
    git("update-ref", "refs/heads/main", commit, head)
    os.remove(INDEX)


def append_at_once(path, text):
    head = name("rev-parse", "main")
    content = git("cat-file", "blob", f"{head}:{path}") + text
    commit = (
        f"commit refs/heads/main\ncommitter Bench <bench@example.org> {int(time.time())} +0000\n"
        f"data 6\nAppend\nfrom {head}\nM 100644 inline {path}\ndata {len(content)}\n"
    )
    # Refused where the branch has gone elsewhere, as it is not forced.
    git("fast-import", "--quiet", "--done", given=commit.encode() + content + b"\ndone\n")


def name(*arguments, given=b""):
    return git(*arguments, given=given).decode().strip()


def git(*arguments, given=b""):
    settings = [part for setting in SETTINGS for part in ("-c", setting)]
    command = ["git", "-C", repository, *settings, *arguments]
    environment = {**os.environ, "GIT_INDEX_FILE": INDEX}
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, env=environment, check=True).stdout


serve(run, resource.RUSAGE_CHILDREN)
