//! One file of settings.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Who wrote the file. A folder may be somebody else's: what stands in it must not send keys anywhere, ever, and must
/// not choose where data go before somebody has said that it is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    Folder,
    TrustedFolder,
    Person,
}

#[derive(Debug)]
pub(super) struct File {
    path: PathBuf,
    values: BTreeMap<String, String>,
    /// What the file sets and does not count because nobody said that the folder is trusted.
    withheld: Vec<String>,
}

/// A file of settings that can't be used.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) file: PathBuf,
    pub(crate) ko: String,
    pub(crate) en: String,
}

impl File {
    /// None if there is no such file. How far it is trusted may depend on what it says.
    pub(super) fn read(path: &Path, trust: impl Fn(&str) -> Trust) -> Result<Option<Self>, Unreadable> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(path, &text, trust(&text)).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(path, error.to_string(), error.to_string())),
        }
    }

    fn parse(path: &Path, text: &str, trust: Trust) -> Result<Self, Unreadable> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            // The message shows the line; a line may hold a key.
            let line =
                error.span().map_or(0, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            unreadable(
                path,
                format!("{line}번째 줄: {}", error.message()),
                format!("line {line}: {}", error.message()),
            )
        })?;
        let (mut values, mut withheld) = (BTreeMap::new(), Vec::new());
        for (key, value) in table {
            let value = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(flag) => flag.to_string(),
                _ => {
                    return Err(unreadable(
                        path,
                        format!("`{key}`: 글자, 수, true/false만 쓸 수 있습니다"),
                        format!("`{key}`: only text, numbers, true and false"),
                    ));
                }
            };
            let name = variable(&key);
            if trust != Trust::Person && is_delicate(&name) {
                return Err(unreadable(
                    path,
                    format!(
                        "`{key}`는 환경 변수나 여러분의 설정 파일에만 쓸 수 있습니다: 폴더의 파일이 모델의 주소나 키를 바꾸면 안 됩니다"
                    ),
                    format!(
                        "`{key}` may only be in the environment or in your own file: a folder must not decide where keys are sent"
                    ),
                ));
            }
            if trust == Trust::Folder && !is_harmless(&name) {
                withheld.push(key);
            } else {
                values.insert(name, value);
            }
        }
        Ok(Self { path: path.to_owned(), values, withheld })
    }

    /// Why nothing can be done with it: it sets what only a folder that is trusted may set.
    pub(super) fn untrusted(&self) -> Option<Unreadable> {
        if self.withheld.is_empty() {
            return None;
        }
        let names = self.withheld.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        Some(unreadable(
            &self.path,
            format!(
                "{names}: 이 폴더의 파일이 데이터를 둘 곳이나 답의 바탕을 정하려 합니다. 내용을 확인하고 믿는다면 `duru config trust`, 아니면 다른 폴더에서 실행하세요"
            ),
            format!(
                "{names}: the file of this folder wants to decide where data go or what answers stand on. Look at it; if you trust it, `duru config trust`, else work in another folder"
            ),
        ))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.values.keys().cloned()
    }
}

/// `anthropic_api_key` is the provider's own variable, everything else one of ours.
fn variable(key: &str) -> String {
    let name = key.to_ascii_uppercase().replace(['-', '.'], "_");
    let is_whole = name.ends_with("_API_KEY") || name.starts_with("DURU_") || name.starts_with("OTEL_");
    if is_whole { name } else { format!("DURU_{name}") }
}

/// What the worst of files may say.
fn is_harmless(name: &str) -> bool {
    ["DURU_LANG", "DURU_LOG_FORMAT", "DURU_LOG_LEVEL", "DURU_PORT"].contains(&name)
}

fn is_delicate(name: &str) -> bool {
    // Models, services and collectors are sent words and keys; origins, hosts, the address and what is masked decide
    // who may ask and see what; and what is kept too short is gone.
    let starts = [
        "DURU_MODEL",
        "DURU_EMBEDDING",
        "DURU_RERANK",
        "DURU_WEB",
        "DURU_MOLIT",
        "DURU_KAKAO",
        "DURU_ORIGINS",
        "DURU_HINTS",
        "DURU_HOST",
        "DURU_LOG_WORKER",
        "DURU_PROXIES",
        "DURU_UPLOADS",
        "DURU_INGEST",
        "DURU_KEEP",
        "OTEL_",
    ];
    name.ends_with("KEY") || starts.iter().any(|start| name.starts_with(start))
}

fn unreadable(path: &Path, ko: String, en: String) -> Unreadable {
    Unreadable { file: path.to_owned(), ko, en }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, trust: Trust) -> Result<File, Unreadable> {
        File::parse(Path::new("duru.toml"), text, trust)
    }

    #[test]
    fn names_are_those_of_the_variables() {
        let file = parse(
            "logs = \"/var/logs\"\nmodel_researcher = \"ollama:a\"\nanthropic_api_key = \"k\"",
            Trust::Person,
        )
        .unwrap();
        assert_eq!(file.get("DURU_LOGS"), Some("/var/logs"));
        assert_eq!(file.get("DURU_MODEL_RESEARCHER"), Some("ollama:a"));
        assert_eq!(file.get("ANTHROPIC_API_KEY"), Some("k"));
    }

    #[test]
    fn a_folder_decides_neither_models_nor_keys() {
        for text in [
            "model = \"http://evil/v1#m\"",
            "openai_api_key = \"k\"",
            "web_search = \"http://evil\"",
            "otel_exporter_otlp_endpoint = \"http://evil\"",
            "keep_threads = \"0d\"",
            "host = \"0.0.0.0\"",
            "hosts = \"evil.example\"",
        ] {
            assert!(parse(text, Trust::Folder).is_err(), "{text}");
        }
        assert!(parse("logs = \"here\"", Trust::TrustedFolder).unwrap().untrusted().is_none());
    }

    /// Every setting that there is: one that is new is withheld until somebody calls it harmless.
    #[test]
    fn a_folder_that_nobody_trusts_sets_nothing_but_what_is_harmless() {
        let mut withheld = Vec::new();
        for known in crate::settings::known() {
            let key = known.name.strip_prefix("DURU_").unwrap_or(&known.name).to_ascii_lowercase();
            let Ok(file) = parse(&format!("{key} = \"x\""), Trust::Folder) else { continue };
            match file.untrusted() {
                Some(why) => {
                    assert_eq!(file.get(&known.name), None, "{key}");
                    assert!(why.en.contains("duru config trust") && why.ko.contains(&key), "{why:?}");
                    withheld.push(known.name);
                }
                None => assert!(is_harmless(&known.name), "{key}"),
            }
        }
        for name in ["STORE", "LOGS", "DOCUMENTS", "PROMPTS", "CONSTANTS", "DEALS", "THESAURUS", "PRICES"] {
            assert!(withheld.contains(&format!("DURU_{name}")), "{name}");
        }
    }

    #[test]
    fn what_is_wrong_names_the_line_and_shows_no_value() {
        let error = parse("logs = \"a\"\nopenai_api_key = \"secret\nx = 1", Trust::Person).unwrap_err();
        assert!(error.en.starts_with("line 2"), "{error:?}");
        assert!(!error.en.contains("secret") && !error.ko.contains("secret"), "{error:?}");
        assert!(parse("logs = [1]", Trust::Person).unwrap_err().en.contains("`logs`"));
    }
}
