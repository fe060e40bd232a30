//! The terminal while a line is edited: every key arrives at once, and nothing is echoed.

use std::io::{self, Stderr, Stdin, Write, stdin};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use termion::raw::{IntoRawMode, RawTerminal};
use tokio::io::unix::AsyncFd;

/// Keys of standard input, unlocked. As it was before when it is dropped.
pub(super) struct Raw {
    keys: AsyncFd<Stdin>,
    flags: OFlags,
    _terminal: RawTerminal<Stderr>,
}

impl Raw {
    pub(super) fn enter() -> io::Result<Self> {
        let terminal = io::stderr().into_raw_mode()?;
        let flags = fcntl_getfl(stdin())?;
        // Reading must never block; output shares the flag, so it is set only meanwhile.
        fcntl_setfl(stdin(), flags | OFlags::NONBLOCK)?;
        #[expect(
            deprecated,
            reason = "its successor is unsafe; standard input stays open as long as the program runs"
        )]
        let keys = AsyncFd::new(stdin()).inspect_err(|_| {
            let _ = fcntl_setfl(stdin(), flags);
        })?;
        let raw = Self { keys, flags, _terminal: terminal };
        // Pastes are marked, so that their line breaks do not send them.
        say("\x1b[?2004h");
        Ok(raw)
    }

    /// The next bytes; none at the end of input.
    pub(super) async fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = [0; 4096];
        loop {
            let mut ready = self.keys.readable().await?;
            match ready.try_io(|keys| Ok(rustix::io::read(keys.get_ref(), &mut bytes)?)) {
                Ok(read) => return Ok(bytes[..read?].to_vec()),
                Err(_not_yet) => {}
            }
        }
    }

    /// How many columns and rows there are.
    pub(super) fn size() -> (usize, usize) {
        let (columns, rows) = termion::terminal_size().unwrap_or((80, 24));
        if columns == 0 { (80, 24) } else { (columns.into(), rows.max(2).into()) }
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        say("\x1b[?2004l");
        let _ = fcntl_setfl(stdin(), self.flags);
    }
}

/// If it can't be shown, there is nobody to tell.
pub(super) fn say(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
