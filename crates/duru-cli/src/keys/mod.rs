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
        KeysAction::List | KeysAction::Revoke { .. } => store::open_existing(args.store.as_ref()).await?,
    };
    let Some(opened) = opened else {
        return match action {
            KeysAction::Revoke { which, .. } => Err(unknown(which, output)),
            _ => list(&[], output),
        };
    };
    let keys = Keys::new(opened.stores.catalog);
    match action {
        KeysAction::Add { name, per_second, largest_body, at_once, admin } => {
            let (per_second, largest_body, at_once) = (*per_second, *largest_body, *at_once);
            let new = NewKey { name: name.clone(), per_second, largest_body, at_once, admin: *admin };
            let (text, key) = keys.add(new).await.map_err(|error| problem(error, output))?;
            output.text(&format!("{text}\n"))?;
            output.progress(output.lang.pick(
                "이 키는 다시 보여 줄 수 없습니다. 요청의 x-api-key 머리글에 넣으세요.",
                "This key can't be shown again. Send it as the header x-api-key.",
            ));
            output.json(json!({ "key": text, "id": key.id, "name": key.name }))
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
            ["이름표", "이름", "초당", "동시", "관리"],
            ["id", "name", "per second", "at once", "admin"],
        );
        let rows = keys.iter().map(|key| {
            let number =
                |set: Option<u32>, usual: &str| set.map_or_else(|| usual.to_owned(), |n| n.to_string());
            let (rate, at_once) = (number(key.per_second, "100"), number(key.at_once, "1000"));
            let admin = if key.admin { output.lang.pick("예", "yes") } else { "-" };
            [key.id.clone(), clean(&key.name), rate, at_once, admin.to_owned()]
        });
        output.table(head, rows)?;
    }
    output.json(json!({ "keys": shown(keys) }))
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
        other => Problem::Unexpected(other.into()),
    }
}
