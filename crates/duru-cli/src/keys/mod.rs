//! `duru keys`: who may ask a server.

use duru_server::{Key, KeyError, Keys, NewKey};
use serde_json::{Value, json};

use crate::args::{Args, KeysAction};
use crate::output::Output;
use crate::problem::Problem;
use crate::store;
use crate::text::clean;

pub(crate) async fn run(action: &KeysAction, args: &Args, output: &Output) -> Result<(), Problem> {
    let opened = store::open_or_make(args.store.as_ref()).await?;
    let keys = Keys::new(opened.stores.catalog);
    match action {
        KeysAction::Add { name, per_second, largest_body, admin } => {
            let (per_second, largest_body, admin) = (*per_second, *largest_body, *admin);
            let new = NewKey { name: name.clone(), per_second, largest_body, admin };
            let (text, key) = keys.add(new).await.map_err(problem)?;
            output.text(&format!("{text}\n"))?;
            output.progress(output.lang.pick(
                "이 키는 다시 보여 줄 수 없습니다. 요청의 x-api-key 머리글에 넣으세요.",
                "This key can't be shown again. Send it as the header x-api-key.",
            ));
            output.json(json!({ "key": text, "id": key.id, "name": key.name }))
        }
        KeysAction::List => list(&keys.list().await.map_err(Problem::Store)?, output),
        KeysAction::Revoke(which) => {
            let gone = keys.revoke(which).await.map_err(Problem::Store)?;
            if gone.is_empty() {
                let which = clean(which);
                return Err(Problem::Usage(output.lang.pick(
                    format!("그런 키가 없습니다: {which}"),
                    format!("there is no such key: {which}"),
                )));
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

fn list(keys: &[Key], output: &Output) -> Result<(), Problem> {
    if keys.is_empty() {
        let command = output.command("keys add NAME");
        output.progress(&output.lang.pick(
            format!("아직 키가 없습니다. 만들려면: {command}"),
            format!("There are no keys yet. To make one: {command}"),
        ));
    } else {
        let head = output.lang.pick(["이름표", "이름", "초당"], ["id", "name", "per second"]);
        let rows = keys.iter().map(|key| {
            let rate = key.per_second.map_or_else(|| "100".to_owned(), |rate| rate.to_string());
            [key.id.clone(), clean(&key.name), rate]
        });
        output.table(head, rows)?;
    }
    output.json(json!({ "keys": shown(keys) }))
}

fn shown(keys: &[Key]) -> Vec<Value> {
    keys.iter().map(Key::json).collect()
}

fn problem(error: KeyError) -> Problem {
    match error {
        KeyError::Store(error) => Problem::Store(error),
        KeyError::Name(_) => Problem::Usage(error.to_string()),
        other => Problem::Unexpected(other.into()),
    }
}
