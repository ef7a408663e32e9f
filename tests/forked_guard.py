"""The guarded process as a fork of this one: it has everything imported and compiled that another would begin with."""

import os
import threading
import traceback


class Fork:
    """A fork that plays the job in the folder, as far as a guard asks of a `subprocess.Popen`."""

    def __init__(self, folder, said):
        self.returncode = None
        self.pid = os.fork()
        if self.pid == 0:
            self.play(folder, said)

    @staticmethod
    def play(folder, said):
        os.dup2(said.fileno(), 2)
        try:
            from newdawn.simulator.runs import guard, guard_process

            guard._vetting = threading.Lock()  # who forked holds it
            guard_process.main(folder)
        except BaseException:
            os.write(2, traceback.format_exc().encode())
            os._exit(1)
        os._exit(0)

    def poll(self):
        return self.ended(os.WNOHANG)

    def wait(self):
        return self.ended(0)

    def ended(self, how):
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, how)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def kill(self):
        if self.poll() is None:
            os.kill(self.pid, 9)
