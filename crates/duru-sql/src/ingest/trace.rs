//! Lines that belong to the one before: stack traces, and messages of several lines.

use serde_json::Value;

use super::layout::Fields;

/// How lines begin that no record begins with.
const CONTINUES: [&str; 9] =
    ["at ", "Caused by:", "Suppressed:", "Traceback (", "... ", "goroutine ", "}", ")", "]"];

/// Whether a line goes on with what the one before began.
pub(super) fn is_continuation(line: &str) -> bool {
    line.starts_with(char::is_whitespace)
        || CONTINUES.iter().any(|start| line.starts_with(start))
        || exception(line).is_some()
}

/// The type of an exception that a line names: `java.io.IOException: closed`, `ValueError: no`.
pub(super) fn exception(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("Caused by: ").unwrap_or(line);
    let line = line.strip_prefix("Exception in thread \"main\" ").unwrap_or(line);
    let end = line.find([':', ' ']).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let fits = |c: char| c.is_ascii_alphanumeric() || "._$".contains(c);
    let last = name.rsplit('.').next().unwrap_or(name);
    let is = (last.ends_with("Exception") || last.ends_with("Error"))
        && last.starts_with(|c: char| c.is_ascii_uppercase())
        && last.len() > "Error".len()
        && name.chars().all(fits)
        && (rest.is_empty() || rest.starts_with(':'));
    is.then_some(name)
}

fn is_frame(line: &str) -> bool {
    let text = line.trim_start();
    let indented = text.len() < line.len();
    text.starts_with("Traceback (")
        || text.starts_with("Caused by:")
        || text.starts_with("goroutine ")
        || (indented && (text.starts_with("at ") || text.starts_with("File \"") || text.starts_with("... ")))
        || (text.starts_with("at ") && text.contains('('))
}

/// Adds the lines that followed a record: a stack trace with its exception, or more of the message.
pub(super) fn join(fields: &mut Fields, more: &[String]) {
    if more.is_empty() {
        return;
    }
    let text = more.join("\n");
    let frames = more.iter().any(|line| is_frame(line)) || more.iter().any(|line| exception(line).is_some());
    match fields.get_mut("message") {
        Some(Value::String(message)) if !frames => {
            message.push('\n');
            message.push_str(&text);
        }
        _ => drop(fields.insert("stack_trace".into(), Value::String(text))),
    }
    // Python names its exception last, others first.
    let python = more.iter().any(|line| line.starts_with("Traceback ("));
    let mut types = more.iter().filter_map(|line| exception(line));
    let found = if python { types.next_back() } else { types.next() };
    if let Some(name) = found.filter(|_| frames && !fields.contains_key("error_type")) {
        let name = name.to_owned();
        fields.insert("error_type".into(), Value::String(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn joined(more: &[&str]) -> Value {
        let mut fields = Fields::new();
        fields.insert("message".into(), "failed".into());
        join(&mut fields, &more.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>());
        Value::Object(fields)
    }

    #[test]
    fn traces_and_longer_messages() {
        let java = [
            "java.io.IOException: closed",
            "\tat a.B.c(B.java:7)",
            "Caused by: x.YException",
            "\t... 3 more",
        ];
        let expected =
            json!({"message": "failed", "error_type": "java.io.IOException", "stack_trace": java.join("\n")});
        assert_eq!(joined(&java), expected);
        let python =
            ["Traceback (most recent call last):", "  File \"a.py\", line 7, in f", "ValueError: no"];
        let expected =
            json!({"message": "failed", "error_type": "ValueError", "stack_trace": python.join("\n")});
        assert_eq!(joined(&python), expected);
        assert_eq!(joined(&["  twice", "over"]), json!({"message": "failed\n  twice\nover"}));
        assert!(is_continuation("java.lang.IllegalStateException: boom") && is_continuation("\tat x"));
        assert!(!is_continuation("Error: what") && !is_continuation("An Error occurred"));
    }
}
