//! A pseudo-terminal of 80 columns that a command runs in.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command};

/// Width of the terminal.
pub const COLUMNS: u16 = 80;

/// A command in a terminal, with what it has printed so far.
pub struct TerminalCommand {
    child: Child,
    screen: File,
    pub printed: String,
}

impl TerminalCommand {
    /// Starts a command with its stdout and stderr on a new terminal.
    pub fn start(mut command: Command) -> Self {
        let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&screen).unwrap();
        unlockpt(&screen).unwrap();
        let size = Winsize { ws_row: 24, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&screen, size).unwrap();
        let name = ptsname(&screen, Vec::new()).unwrap();
        let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let terminal = File::options().read(true).write(true).open(path).unwrap();
        let child = command.stdout(terminal.try_clone().unwrap()).stderr(terminal).spawn().unwrap();
        // `command` holds the other end until it is dropped.
        drop(command);
        Self { child, screen: File::from(screen), printed: String::new() }
    }

    /// Reads until the output contains `text`; returns whether it does before the command ends.
    pub fn read_until(&mut self, text: &str) -> bool {
        let mut piece = [0; 4_096];
        while !self.printed.contains(text) {
            match self.screen.read(&mut piece) {
                // Linux reports an error when the last process has closed the terminal.
                Ok(0) | Err(_) => return false,
                Ok(n) => self.printed.push_str(&String::from_utf8_lossy(&piece[..n])),
            }
        }
        true
    }

    /// Presses Ctrl-C.
    pub fn interrupt(&self) {
        let killed = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
    }

    /// Reads the rest of the output; returns the exit code.
    pub fn finish(mut self) -> (i32, String) {
        self.read_until("\0never printed\0");
        let status = self.child.wait().unwrap();
        (status.code().unwrap_or(-1), self.printed)
    }
}
