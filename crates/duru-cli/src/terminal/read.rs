//! Asking the person for a line.

use std::io::{BufRead, IsTerminal};

use anyhow::Context as _;
use tokio::time::Instant;

use super::history::History;
use crate::problem::Problem;

/// What is asked for.
pub(crate) struct Prompt<'a> {
    /// What stands before the line, given the seconds that are left.
    pub(crate) text: &'a (dyn Fn(Option<u64>) -> String + Sync),
    /// Earlier lines that can be had again, if this is a line of their kind.
    pub(crate) history: Option<&'a mut History>,
    /// Until when.
    pub(crate) until: Option<Instant>,
}

/// What the person did.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Line(String),
    /// No more lines.
    End,
    /// Ctrl-C.
    Stop,
    /// Nothing in time.
    TimeIsUp,
}

/// Whether somebody can be asked.
pub(crate) fn somebody_is_there() -> bool {
    std::io::stdin().is_terminal()
}

/// The next line: edited at a terminal, plain otherwise.
pub(crate) async fn read(prompt: Prompt<'_>) -> Result<Said, Problem> {
    #[cfg(unix)]
    if somebody_is_there()
        && std::io::stderr().is_terminal()
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        && let Ok(raw) = super::raw::Raw::enter()
    {
        return edited::line(&raw, prompt).await.context("the terminal").map_err(Problem::Unexpected);
    }
    plain(prompt).await
}

/// A line as it comes, read in a thread of its own: time goes on while it waits.
async fn plain(prompt: Prompt<'_>) -> Result<Said, Problem> {
    if somebody_is_there() {
        use std::io::Write as _;
        let mut stderr = std::io::stderr();
        // If it can't be shown, it can still be answered.
        let left = prompt.until.map(|until| until.saturating_duration_since(Instant::now()).as_secs());
        let _ = write!(stderr, "{}", (prompt.text)(left)).and_then(|()| stderr.flush());
    }
    let reading = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => Said::End,
            Ok(_) => Said::Line(line.trim().to_owned()),
        }
    });
    let said = async { reading.await.context("the terminal can't be read").map_err(Problem::Unexpected) };
    tokio::select! {
        said = said => said,
        () = over(prompt.until) => Ok(Said::TimeIsUp),
        _ = tokio::signal::ctrl_c() => Ok(Said::Stop),
    }
}

async fn over(until: Option<Instant>) {
    match until {
        Some(until) => tokio::time::sleep_until(until).await,
        None => std::future::pending().await,
    }
}

#[cfg(unix)]
mod edited {
    use std::io;
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Prompt, Said, over};
    use crate::terminal::keys::{Decoder, Key};
    use crate::terminal::line::{Line, Way};
    use crate::terminal::raw::{Raw, say};
    use crate::terminal::view::lay_out;

    /// Edits a line until it is sent.
    pub(super) async fn line(raw: &Raw, mut prompt: Prompt<'_>) -> io::Result<Said> {
        let mut line = Line::default();
        let mut decoder = Decoder::default();
        let mut row = 0;
        let mut second = tokio::time::interval(Duration::from_secs(1));
        let said = loop {
            let left = prompt.until.map(|until| until.saturating_duration_since(Instant::now()).as_secs());
            row = paint(&(prompt.text)(left), &line, row);
            let bytes = tokio::select! {
                bytes = raw.bytes() => bytes?,
                _ = second.tick(), if prompt.until.is_some() => continue,
                () = over(prompt.until) => break Said::TimeIsUp,
            };
            if bytes.is_empty() {
                break Said::End;
            }
            let keys = decoder.take(&bytes);
            if let Some(said) = keys.into_iter().find_map(|key| press(key, &mut line, &mut prompt)) {
                break said;
            }
        };
        // The whole line stays on the screen, and what follows begins below it.
        line.go(Way::End);
        while line.go_line(true) {
            line.go(Way::End);
        }
        paint(&(prompt.text)(None), &line, row);
        say("\r\n");
        if let (Said::Line(text), Some(history)) = (&said, &mut prompt.history) {
            history.add(text);
        }
        Ok(said)
    }

    /// What a key does; something if the line is over with it.
    fn press(key: Key, line: &mut Line, prompt: &mut Prompt<'_>) -> Option<Said> {
        match key {
            Key::Text(text) => line.insert(&text),
            Key::Break => line.insert("\n"),
            // A backslash at the end says that the text goes on.
            Key::Enter if line.text().ends_with('\\') && line.cursor() == line.text().len() => {
                line.delete(Way::Left);
                line.insert("\n");
            }
            Key::Enter => return Some(Said::Line(line.text().trim().to_owned())),
            Key::Go(way) => line.go(way),
            Key::Delete(way) => line.delete(way),
            Key::PutBack => line.put_back(),
            Key::Up | Key::Down => {
                let back = key == Key::Up;
                if !line.go_line(!back)
                    && let Some(history) = &mut prompt.history
                    && let Some(text) = history.look(back, line.text())
                {
                    line.replace(text);
                }
            }
            Key::Clear => say("\x1b[2J\x1b[H"),
            Key::Stop if line.is_empty() => return Some(Said::Stop),
            Key::Stop => line.replace(String::new()),
            Key::End if line.is_empty() => return Some(Said::End),
            Key::End => line.delete(Way::Right),
        }
        None
    }

    /// Draws the line over what was drawn before, whose cursor stood in row `before`; gives that row of this drawing.
    fn paint(prompt: &str, line: &Line, before: usize) -> usize {
        let (wide, high) = Raw::size();
        let view = lay_out(prompt, line.text(), line.cursor(), wide).within(high);
        let up = |rows: usize| if rows == 0 { String::new() } else { format!("\x1b[{rows}A") };
        let right = if view.column == 0 { String::new() } else { format!("\x1b[{}C", view.column) };
        say(&format!(
            "{}\r\x1b[J{}{}\r{right}",
            up(before),
            view.rows.join("\r\n"),
            up(view.rows.len() - 1 - view.row)
        ));
        view.row
    }
}
