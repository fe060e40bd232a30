//! `duru keys`: who may ask a server.

use duru_server::{Key, KeyError, Keys, NewKey};
use serde_json::{Value, json};

use crate::args::{Args, KeysAction};
use crate::output::Output;
use crate::problem::Problem;
use crate::store;
use crate::text::clean;

pub(crate) async fn run(action: &KeysAction, args: &Args, output: &Output) -> Result<(), Problem> {
    let opened = match action {
        KeysAction::Add { .. } => Some(store::open_or_make(args.store.as_ref()).await?),
        // Who only looks makes no store.
        _ => store::open_existing(args.store.as_ref()).await?,
    };
    let Some(opened) = opened else {
        return match action {
            KeysAction::Revoke { which, .. } | KeysAction::Scope { which, .. } => Err(unknown(which, output)),
            KeysAction::Unlock => unlocked(false, output),
            _ => list(&[], output),
        };
    };
    let keys = Keys::new(opened.stores.catalog);
    match action {
        KeysAction::Add { name, per_second, largest_body, at_once, scopes, tables } => {
            let (per_second, largest_body, at_once) = (*per_second, *largest_body, *at_once);
            let (name, scopes, tables) = (name.clone(), *scopes, tables.clone());
            let new = NewKey { name, per_second, largest_body, at_once, scopes, tables };
            let (text, key) = keys.add(new).await.map_err(|error| problem(error, output))?;
            output.text(&format!("{text}\n"))?;
            output.progress(output.lang.pick(
                "이 키는 다시 보여 줄 수 없습니다. 요청의 x-api-key 머리글에 넣으세요.",
                "This key can't be shown again. Send it as the header x-api-key.",
            ));
            let scopes = key.scopes;
            output.progress(&output.lang.pick(
                format!("권한: {scopes}. 바꾸려면 `{}`", output.command(&format!("keys scope {} …", key.id))),
                format!(
                    "Good for: {scopes}. To change that: `{}`",
                    output.command(&format!("keys scope {} …", key.id))
                ),
            ));
            if let Some(tables) = &key.tables {
                let tables = clean(&tables.join(", "));
                output.progress(&output.lang.pick(
                    format!("물을 수 있는 테이블: {tables}. 다른 것은 이 키에 보이지 않습니다."),
                    format!("May ask about: {tables}. Everything else is out of this key's sight."),
                ));
            }
            output.json(json!({
                "key": text, "id": key.id, "name": key.name, "scopes": scopes.words(), "tables": key.tables,
            }))
        }
        KeysAction::Scope { which, scopes } => {
            let changed = keys.set_scopes(which, *scopes).await.map_err(Problem::Store)?;
            if changed.is_empty() {
                return Err(unknown(which, output));
            }
            let count = changed.len();
            output.text(&output.lang.pick(
                format!("키 {count}개의 권한: {scopes}\n"),
                format!("{count} key(s) are good for: {scopes}\n"),
            ))?;
            output.json(json!({ "changed": shown(&changed) }))
        }
        KeysAction::Unlock => {
            unlocked(keys.stop_wanting().await.map_err(|error| problem(error, output))?, output)
        }
        KeysAction::List => list(&keys.list().await.map_err(Problem::Store)?, output),
        KeysAction::Revoke { which, dry_run: true } => {
            let listed = keys.list().await.map_err(Problem::Store)?;
            let meant: Vec<Key> =
                listed.into_iter().filter(|key| key.id == *which || key.name == *which).collect();
            if meant.is_empty() {
                return Err(unknown(which, output));
            }
            let count = meant.len();
            output.text(&output.lang.pick(
                format!("키 {count}개를 거둘 것입니다. 아무것도 거두지 않았습니다.\n"),
                format!("{count} key(s) would be revoked; none was.\n"),
            ))?;
            output.json(json!({ "revoked": [], "would_revoke": shown(&meant), "dry_run": true }))
        }
        KeysAction::Revoke { which, .. } => {
            let gone = keys.revoke(which).await.map_err(Problem::Store)?;
            if gone.is_empty() {
                return Err(unknown(which, output));
            }
            let count = gone.len();
            output.text(
                &output
                    .lang
                    .pick(format!("키 {count}개를 거두었습니다.\n"), format!("{count} key(s) revoked.\n")),
            )?;
            output.json(json!({ "revoked": shown(&gone) }))
        }
    }
}

fn unknown(which: &str, output: &Output) -> Problem {
    let (which, list) = (clean(which), output.command("keys list"));
    Problem::Usage(output.lang.pick(
        format!("그런 키가 없습니다: {which} (있는 것은 `{list}`)"),
        format!("there is no such key: {which} (`{list}` shows those there are)"),
    ))
}

fn list(keys: &[Key], output: &Output) -> Result<(), Problem> {
    if keys.is_empty() {
        let command = output.command("keys add NAME");
        output.progress(&output.lang.pick(
            format!("아직 키가 없습니다. 만들려면: {command}"),
            format!("There are no keys yet. To make one: {command}"),
        ));
    } else {
        let head = output.lang.pick(
            ["이름표", "이름", "초당", "동시", "권한", "테이블"],
            ["id", "name", "per second", "at once", "scopes", "tables"],
        );
        let rows = keys.iter().map(|key| {
            let number =
                |set: Option<u32>, usual: &str| set.map_or_else(|| usual.to_owned(), |n| n.to_string());
            let (rate, at_once) = (number(key.per_second, "100"), number(key.at_once, "1000"));
            let scopes = if key.is_unscoped { format!("{} *", key.scopes) } else { key.scopes.to_string() };
            let tables = match &key.tables {
                Some(tables) => clean(&tables.join(",")),
                None => output.lang.pick("모두", "all").to_owned(),
            };
            [key.id.clone(), clean(&key.name), rate, at_once, scopes, tables]
        });
        output.table(head, rows)?;
        if let Some(warning) = warning(keys, output) {
            output.complain(&warning);
        }
    }
    output.json(json!({ "keys": shown(keys) }))
}

/// What is to be said of keys that were made before they had scopes, or are called as nobody's may be.
pub(crate) fn warning(keys: &[Key], output: &Output) -> Option<String> {
    let unscoped = keys.iter().filter(|key| key.is_unscoped).count();
    let command = output.command("keys scope ID|NAME SCOPE,…");
    (unscoped > 0).then(|| {
        output.lang.pick(
            format!(
                "* 키 {unscoped}개는 권한이 생기기 전에 만들어져 예전처럼 넣고, 묻고, 다루고, 살필 수 있습니다. 줄이려면: {command}"
            ),
            format!(
                "* {unscoped} key(s) were made before keys had scopes and may still ingest, ask, curate and operate. To narrow them: {command}"
            ),
        )
    })
}

fn unlocked(was: bool, output: &Output) -> Result<(), Problem> {
    output.text(match was {
        true => output.lang.pick(
            "이제 이 컴퓨터에서는 키가 없어도 됩니다. 실행 중인 서버는 다시 시작하세요.\n",
            "This machine may ask without a key now. Restart servers that are running.\n",
        ),
        false => output.lang.pick("키가 필요하지 않았습니다.\n", "No keys were wanted.\n"),
    })?;
    output.json(json!({ "unlocked": was }))
}

fn shown(keys: &[Key]) -> Vec<Value> {
    keys.iter().map(Key::json).collect()
}

fn problem(error: KeyError, output: &Output) -> Problem {
    match error {
        KeyError::Store(error) => Problem::Store(error),
        KeyError::Name(ref name) => {
            let name = clean(name);
            Problem::Usage(output.lang.pick(
                format!("{name:?}은(는) 키의 주인 이름이 될 수 없습니다: 영문자, 숫자, -, _, . 로 64자까지"),
                error.to_string(),
            ))
        }
        KeyError::Reserved(ref name) => {
            let name = clean(name);
            Problem::Usage(output.lang.pick(
                format!(
                    "{name:?}은(는) 키 없이 쓰는 사람의 이름이라 키에 쓸 수 없습니다; 다른 이름을 쓰세요"
                ),
                format!("{error}; choose another"),
            ))
        }
        KeyError::KeysAreThere => {
            let command = output.command("keys revoke ID|NAME");
            Problem::Usage(output.lang.pick(
                format!("아직 키가 있습니다; 먼저 거두세요: {command}"),
                format!("there are keys; revoke them first: {command}"),
            ))
        }
        other => Problem::Unexpected(other.into()),
    }
}
