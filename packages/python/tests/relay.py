"""
Runs the rest of the command line and passes lines on to it and back, one at a time. At a line with `kill:<file>` it ends
the program, and itself, in the middle of a lot: always, or where the file's name ends in `.once` the first time only. At
`hang:<file>.once` it stops answering.
"""

import os
import re
import signal
import subprocess
import sys
import time

child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
assert child.stdin and child.stdout
for line in sys.stdin.buffer:
    found = re.search(rb'(kill|hang):([^" ]+)', line)
    if found:
        what, path = found[1].decode(), found[2].decode()
        if not (path.endswith(".once") and os.path.exists(path)):
            open(path, "a").close()
            child.kill()
            if what == "hang":
                time.sleep(3600)
            os.kill(os.getpid(), signal.SIGKILL)
    child.stdin.write(line)
    child.stdin.flush()
    sys.stdout.buffer.write(child.stdout.readline())
    sys.stdout.buffer.flush()
child.stdin.close()
child.wait()
