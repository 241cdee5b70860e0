"""Runs a program on a terminal of its own: terminal.py <controlling|output> <program> <arguments…>

What the program writes comes out of standard output. When standard input ends, the terminal is closed, as by someone
who closes its window; then the program's exit status is printed as "exit <code>", or its end by a signal as "exit -<signal>".
`controlling`: the program is notified of the close by SIGHUP. `output`: the terminal is only what it writes to.
"""

import fcntl, os, pty, select, subprocess, sys, termios

kind, program = sys.argv[1], sys.argv[2:]
master, slave = pty.openpty()


def take_terminal():
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)


child = subprocess.Popen(
    program,
    stdin=slave if kind == "controlling" else subprocess.DEVNULL,
    stdout=slave,
    stderr=slave,
    preexec_fn=take_terminal if kind == "controlling" else os.setsid,
)
os.close(slave)
print(f"pid {child.pid}", flush=True)
while True:
    ready, _, _ = select.select([master, sys.stdin], [], [])
    if master in ready:
        try:
            sys.stdout.buffer.write(os.read(master, 65536))
            sys.stdout.flush()
        except OSError:
            break
    if sys.stdin in ready and not os.read(0, 1):
        break
os.close(master)
print(f"exit {child.wait()}", flush=True)
