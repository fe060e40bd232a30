//! Passwords of databases: from the environment, a file or the person, never from a command line, and never shown.

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::problem::TablesProblem;

/// All but what a URL takes as it is.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The URL with a password, unless it has one: from the file that was named, else from PGPASSWORD.
pub(super) fn complete(url: &str, file: Option<&Path>) -> Result<String, TablesProblem> {
    let password = match file {
        Some(file) => {
            let text = std::fs::read_to_string(file)
                .map_err(|source| TablesProblem::PasswordFile { file: file.to_owned(), source })?;
            Some(text.trim_end_matches(['\r', '\n']).to_owned())
        }
        None => std::env::var("PGPASSWORD").ok(),
    };
    Ok(match password.filter(|password| !password.is_empty()) {
        Some(password) => with(url, &password),
        None => url.to_owned(),
    })
}

/// The URL with this password, where it has none of its own.
pub(super) fn with(url: &str, password: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    if user.contains(':') || path.contains("password=") {
        return url.to_owned();
    }
    let user = if user.is_empty() { usual_user() } else { user.to_owned() };
    format!("{scheme}://{user}:{}@{host}{path}", encoded(password))
}

/// Whom PostgreSQL's own clients take where a URL names nobody.
fn usual_user() -> String {
    let named = ["PGUSER", "USER", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
    encoded(&named.unwrap_or_else(|| "postgres".to_owned()))
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Whether a server wants another password than it got.
pub(super) fn is_wanted(error: &duru_sql::Error) -> bool {
    matches!(error, duru_sql::Error::Unavailable { reason } if reason.contains("password"))
}

/// What the person types, unseen.
#[cfg(unix)]
pub(super) async fn typed(prompt: String) -> Option<String> {
    use std::io::Write as _;
    use termion::input::TermRead as _;
    let read = tokio::task::spawn_blocking(move || {
        let mut shown = std::io::stderr();
        shown.write_all(prompt.as_bytes()).and_then(|()| shown.flush()).ok()?;
        let typed = std::io::stdin().lock().read_passwd(&mut shown).ok().flatten();
        // The line that was ended unseen is ended to be seen, too.
        shown.write_all(b"\n").ok()?;
        typed
    });
    read.await.ok().flatten().filter(|typed| !typed.is_empty())
}

#[cfg(not(unix))]
pub(super) async fn typed(_: String) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_put_where_there_is_none() {
        assert_eq!(
            with("postgres://kim@db:5432/shop?sslmode=require", "a/b@c"),
            "postgres://kim:a%2Fb%40c@db:5432/shop?sslmode=require"
        );
        assert_eq!(with("postgres://kim:own@db/shop", "other"), "postgres://kim:own@db/shop");
        assert_eq!(with("postgres://kim@db/shop?password=x", "other"), "postgres://kim@db/shop?password=x");
    }
}
