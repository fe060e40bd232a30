//! A model that writes about a hundred tokens a second and notes when it wrote what.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use duru_agents::decisions;
use serde_json::{Value, json};

/// A hundred tokens a second.
const TOKEN: Duration = Duration::from_millis(10);

/// What a server takes to read a prompt before its first token.
const PROMPT: Duration = Duration::from_millis(100);

/// When an answer for the person was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) first_token: Instant,
    /// The last token of its first sentence.
    pub(super) first_sentence: Instant,
}

/// A provider on a real socket that speaks OpenAI's format.
pub(super) struct PacedModel {
    address: SocketAddr,
    written: Arc<Mutex<Vec<Written>>>,
}

impl PacedModel {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let model = Self { address: listener.local_addr().unwrap(), written: Arc::default() };
        let written = Arc::clone(&model.written);
        // It ends with the process: every test has its own.
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let written = Arc::clone(&written);
                // A client that leaves in the middle is no fault of the model's.
                thread::spawn(move || drop(serve(stream, &written)));
            }
        });
        model
    }

    /// Leads a process to it.
    pub(super) fn set(&self, command: &mut Command) {
        command
            .env("OPENAI_BASE_URL", format!("http://{}/v1", self.address))
            .env("OPENAI_API_KEY", "fake-key")
            .env("DURU_MODEL", "openai:fake");
    }

    /// When the last answer for a person was written.
    pub(super) fn last(&self) -> Written {
        *held(&self.written).last().unwrap()
    }

    /// So many answers for people were begun.
    pub(super) fn count(&self) -> usize {
        held(&self.written).len()
    }
}

fn held<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(stream: TcpStream, written: &Mutex<Vec<Written>>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        write(reader.get_mut(), &Reply::to(&body), written)?;
    }
}

/// Writes a reply token by token. The times are those of a clock that does not wait for slow writes.
fn write(stream: &mut TcpStream, reply: &Reply, written: &Mutex<Vec<Written>>) -> std::io::Result<()> {
    stream.write_all(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
    )?;
    let begin = Instant::now() + PROMPT;
    let mut said = 0;
    for (at, token) in (0_u32..).zip(tokens(&reply.text)) {
        thread::sleep((begin + TOKEN * at).saturating_duration_since(Instant::now()));
        let now = Instant::now();
        let (before, after) = (said, said + token.len());
        said = after;
        if let Some((first, sentence)) = reply.answer {
            if before <= first && first < after {
                held(written).push(Written { first_token: now, first_sentence: now });
            } else if before < sentence
                && sentence <= after
                && let Some(last) = held(written).last_mut()
            {
                last.first_sentence = now;
            }
        }
        chunk(stream, &json!({ "choices": [{ "index": 0, "delta": { "content": token } }] }).to_string())?;
    }
    chunk(stream, &json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }).to_string())?;
    chunk(
        stream,
        &json!({ "choices": [], "usage": { "prompt_tokens": 500, "completion_tokens": 100 } }).to_string(),
    )?;
    chunk(stream, "[DONE]")?;
    stream.write_all(b"0\r\n\r\n")
}

fn chunk(stream: &mut TcpStream, data: &str) -> std::io::Result<()> {
    let event = format!("data: {data}\n\n");
    stream.write_all(format!("{:x}\r\n{event}\r\n", event.len()).as_bytes())
}

/// About as models cut texts: two syllables of Korean, or four letters.
fn tokens(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut weight) = (Vec::new(), 0, 0);
    for (at, letter) in text.char_indices() {
        weight += if letter.is_ascii() { 1 } else { 2 };
        if weight >= 4 {
            found.push(&text[start..at + letter.len_utf8()]);
            (start, weight) = (at + letter.len_utf8(), 0);
        }
    }
    found.push(&text[start..]);
    found
}

/// What the model says to a request.
struct Reply {
    text: String,
    /// Where words for the person begin in it, and where the first sentence of them ends.
    answer: Option<(usize, usize)>,
}

/// The first sentences are long, so that whoever waits for their end is late. To a question about less than a day, the
/// analyst's begins with a yes.
const INSIGHT: [&str; 2] = [
    "정리하면 물어보신 기간의 기록을 서비스마다 따로 모아서 처음부터 끝까지 살펴보았고 그 가운데 눈에 띄는 서비스부터 차례대로 하나씩 \
     열어서 언제 무엇이 달라졌는지 배포한 때와 나란히 두고 확인해 보시기를 권해 드리며 그다음에는 같은 기간의 다른 기록도 함께 \
     살펴보시기를 권합니다.",
    "자세한 내용은 표에 있습니다.",
];
const ADVICE: [&str; 2] = [
    "정리하면 물어보신 내용과 관계있는 자료를 먼저 두루 찾아서 처음부터 끝까지 살펴보았고 거기에 쓰여 있는 내용을 바탕으로 물어보신 \
     순서에 따라 차례대로 하나씩 풀어서 말씀드릴 테니 계약서를 옆에 두고 함께 읽어 보시기를 권해 드리며 모르는 말이 나오면 다시 \
     물어보시기를 권합니다.",
    "자세한 내용은 아래에 있습니다.",
];
/// As the sample's law has them: what is not verified is not shown.
const LAW: [&str; 2] = [
    "월세든 전세금이든 올릴 때에는 지금 금액의 5%(20분의 1)를 넘을 수 없고, 계약하거나 올린 지 1년이 지나야 다시 올릴 수 있습니다.",
    "시·도는 조례로 5%보다 낮은 상한을 정할 수 있습니다.",
];

/// What the researcher is asked, and the same in other words.
const PLAN: &str =
    r#"{"subtasks": [{"query": "전세금은 얼마까지 올릴 수 있나요?", "priority": 1, "dependencies": []}]}"#;
const VARIATIONS: &str = r#"{"variations": ["전세금 인상 한도", "보증금 증액 상한", "전세금을 올릴 때 넘을 수 없는 금액"], "first_page": null, "last_page": null}"#;

/// The first words of the answers for people.
pub(super) const FIRST_WORDS: [(&str, &str); 3] =
    [("analyst", "정리하면"), ("researcher", "월세든"), ("advisor", "정리하면")];

/// Which of the examples in a decision's prompt fits the questions that are asked here; the first fits most.
const EXAMPLES: [(&str, usize); 8] = [
    ("query_router", 1),
    ("decomposition", 2),
    ("team_selection", 2),
    ("sufficiency", 1),
    ("result_analysis", 2),
    ("resolve_context", 2),
    ("query_analysis", 1),
    ("extract_filters", 2),
];

impl Reply {
    fn to(body: &Value) -> Self {
        let name = body["response_format"]["json_schema"]["name"].as_str().unwrap_or_default();
        let messages = body["messages"].as_array().into_iter().flatten();
        let asked: Vec<&str> = messages.filter_map(|message| message["content"].as_str()).collect();
        let asked = asked.join("\n");
        let law = || LAW.map(|sentence| format!("{sentence} [{}]", number(&asked, "20분의 1")));
        match name {
            "generate_insight" => {
                let [first, second] = INSIGHT.map(str::to_owned);
                let first = if hours(&asked) < 24 { format!("네, {first}") } else { first };
                Self::speaking(r#"{"insight": ""#, &[first, second])
            }
            "response_synthesis" => Self::speaking(r#"{"answer": ""#, &ADVICE.map(str::to_owned)),
            "synthesis" => Self::speaking(r#"{"answerable": true, "answer": ""#, &law()),
            "passage_answers" => Self::silent(r#"{"answers": "yes"}"#.to_owned()),
            "generate_sql" => Self::silent(query(&asked)),
            "planning" => Self::silent(PLAN.to_owned()),
            "query_variations" => Self::silent(VARIATIONS.to_owned()),
            other => Self::silent(example(other)),
        }
    }

    fn silent(text: String) -> Self {
        Self { text, answer: None }
    }

    fn speaking(before: &str, sentences: &[String; 2]) -> Self {
        let text = format!("{before}{}\"}}", sentences.join(" "));
        Self { text, answer: Some((before.len(), before.len() + sentences[0].len())) }
    }
}

/// The number of the document that has these words: "[2] …" before them.
fn number(shown: &str, words: &str) -> u32 {
    let before = shown.find(words).map_or("", |at| &shown[..at]);
    let mut numbers = before.rmatch_indices('[');
    numbers.find_map(|(at, _)| before[at + 1..].split(']').next()?.parse().ok()).unwrap_or(1)
}

/// An answer of the decision's own prompt: of the length that it wants, and of the form.
fn example(name: &str) -> String {
    let registry = decisions::registry();
    let entry = registry.into_iter().find(|entry| entry.name().rsplit('/').next() == Some(name));
    let place = EXAMPLES.iter().find(|(known, _)| *known == name).map_or(0, |(_, place)| *place);
    entry.map(|entry| entry.shown_answers()[place].to_owned()).unwrap_or_else(|| "{}".to_owned())
}

/// How many hours the question is about.
fn hours(asked: &str) -> u32 {
    let said = asked.rsplit("최근 ").find_map(|rest| rest.split("시간").next()?.parse().ok());
    said.unwrap_or(24)
}

/// Errors by service in as many hours as the question says.
fn query(asked: &str) -> String {
    let sql = format!(
        "SELECT service, COUNT(*) AS errors FROM logs WHERE level = 'ERROR' AND created_at >= NOW() - INTERVAL '{} \
         hours' GROUP BY service ORDER BY errors DESC",
        hours(asked)
    );
    json!({ "explanation": "서비스별 에러를 셉니다.", "sql": sql, "refusal": null }).to_string()
}
