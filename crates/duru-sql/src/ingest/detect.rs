//! What a source is, by how well each reader explains its first lines.

use std::io::Cursor;

use serde_json::Value;

use super::fields::{Field, plain};
use super::layout::{self, KNOWN, Layout, Wrapper};
use super::mapping::{Error, Settings};
use super::rows::Rows;
use super::text::without_colors;
use super::time::{DateOrder, OrderChoice, TimeContext, choose_order, lacks_year};
use super::{read, trace};
use crate::guard::Lang;

/// So much of a source is looked at.
pub(super) const SAMPLE_BYTES: usize = 128 << 10;

/// So many lines of it.
const SAMPLE_LINES: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    JsonLines,
    JsonArray,
    /// With a header.
    Csv {
        delimiter: u8,
    },
    Lines(LineFormat),
}

/// Lines of plain text, perhaps wrapped by a container's runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineFormat {
    pub wrapper: Option<Wrapper>,
    pub layout: Layout,
}

impl Format {
    /// By the name that a mapping gives it. What else there is to know, the sample tells.
    pub(super) fn named(name: &str) -> Option<Self> {
        let layout = |layout| Self::Lines(LineFormat { wrapper: None, layout });
        Some(match name {
            "json_lines" => Self::JsonLines,
            "json_array" => Self::JsonArray,
            "csv" => Self::Csv { delimiter: b',' },
            "tsv" => Self::Csv { delimiter: b'\t' },
            "general" => layout(Layout::General { before: 0, level_at: None }),
            name => layout(KNOWN.into_iter().find(|layout| layout.name() == name)?),
        })
    }

    /// What a person reads.
    pub fn text(&self, lang: Lang) -> String {
        let pick = |(ko, en): (&str, &str)| match lang {
            Lang::Ko => ko.to_owned(),
            Lang::En => en.to_owned(),
        };
        match self {
            Self::JsonLines => pick(("한 줄에 하나씩인 JSON", "JSON lines")),
            Self::JsonArray => pick(("JSON 배열", "JSON array")),
            Self::Csv { delimiter: b'\t' } => pick(("머리글이 있는 TSV", "TSV with a header")),
            Self::Csv { .. } => pick(("머리글이 있는 CSV", "CSV with a header")),
            Self::Lines(LineFormat { wrapper: None, layout }) => pick(layout.words()),
            Self::Lines(LineFormat { wrapper: Some(wrapper), layout }) => {
                format!("{}: {}", wrapper.words(), pick(layout.words()))
            }
        }
    }
}

/// What was found out about a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detected {
    pub format: Format,
    /// Of dates that are only numbers.
    pub order: Option<DateOrder>,
    /// Another order would fit the sample as well.
    pub order_assumed: bool,
    /// Times have no year: it is the last one in which they are not in the future.
    pub year_assumed: bool,
}

impl Detected {
    /// What was taken for granted, and how to say otherwise.
    pub fn notes(&self, lang: Lang) -> Vec<&'static str> {
        let order = match lang {
            Lang::Ko => "날짜를 연/월/일 순서로 읽었습니다; 다르면 매핑에 time_format을 dmy나 mdy로 정하세요",
            Lang::En => {
                "dates are read as year/month/day; if they are not, set time_format to dmy or mdy in a mapping"
            }
        };
        let year = match lang {
            Lang::Ko => {
                "시각에 연도가 없어 파일을 쓴 때보다 늦지 않은 마지막 해로 읽었습니다; 다르면 매핑에 year를 정하세요"
            }
            Lang::En => {
                "times have no year: the last one before the file was written is taken; set year in a mapping if that is wrong"
            }
        };
        let notes = [(self.order_assumed, order), (self.year_assumed, year)];
        notes.into_iter().filter(|(is, _)| *is).map(|(_, note)| note).collect()
    }
}

/// What is known of a source beside its bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hints<'a> {
    /// A file's name or a body's content type, in small letters: it decides only where the lines do not.
    pub(super) name: &'a str,
    pub(super) format: Option<Format>,
    /// The sample is all there is.
    pub(super) whole: bool,
}

/// Finds out how to read a source, and tells the reader of times the order of its dates.
///
/// # Errors
/// If no reader explains it.
pub(super) fn detect(
    sample: &[u8],
    hints: Hints<'_>,
    settings: &Settings,
    times: &mut TimeContext,
) -> Result<Detected, Error> {
    let format = match hints.format.or(settings.format) {
        Some(Format::Lines(LineFormat { wrapper, layout: Layout::General { .. } })) => {
            let lines = lines(sample, hints.whole);
            let (before, level_at) = layout::learn(&borrowed(&lines)).unwrap_or((0, None));
            Format::Lines(LineFormat { wrapper, layout: Layout::General { before, level_at } })
        }
        Some(Format::Csv { delimiter: b',' }) => {
            let lines = lines(sample, hints.whole);
            Format::Csv { delimiter: csv(&borrowed(&lines), settings).unwrap_or(b',') }
        }
        Some(format) => format,
        None => recognise(sample, hints, settings)?,
    };
    let first = time_texts(sample, format, settings, 1).pop();
    let year_assumed = settings.year.is_none() && first.as_deref().is_some_and(lacks_year);
    // Nearly all times have an order of their own, and the first one shows that.
    let choice = match first.map(|first| choose_order([first.as_str()].into_iter(), times)) {
        None | Some(OrderChoice::Unneeded) => OrderChoice::Unneeded,
        Some(_) => {
            choose_order(time_texts(sample, format, settings, SAMPLE_LINES).iter().map(String::as_str), times)
        }
    };
    let (order, order_assumed) = match choice {
        OrderChoice::Known(order) => (Some(order), false),
        OrderChoice::Usual(order) => (Some(order), true),
        OrderChoice::Unneeded | OrderChoice::Unknown => (None, false),
    };
    times.order = order;
    Ok(Detected { format, order, order_assumed, year_assumed })
}

fn recognise(sample: &[u8], hints: Hints<'_>, settings: &Settings) -> Result<Format, Error> {
    let text = sample.strip_prefix(b"\xef\xbb\xbf").unwrap_or(sample);
    let mut bytes = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    let first = bytes.next();
    let second = bytes.next();
    match (first, second) {
        (None, _) => return Ok(Format::JsonLines),
        (Some(b'{'), _) => return Ok(docker(text, hints.whole).map_or(Format::JsonLines, Format::Lines)),
        _ if settings.pattern.is_some() => {
            return Ok(Format::Lines(LineFormat { wrapper: None, layout: Layout::Pattern }));
        }
        (Some(b'['), None | Some(b'{' | b'[' | b']' | b'"')) => return Ok(Format::JsonArray),
        _ => {}
    }
    let lines = lines(text, hints.whole);
    let lines = borrowed(&lines);
    if let Some(delimiter) = csv(&lines, settings) {
        return Ok(Format::Csv { delimiter });
    }
    if share(&lines, |line| Wrapper::Cri.open(line).is_some()) >= 0.9 {
        return Ok(Format::Lines(wrapped(Wrapper::Cri, &lines)));
    }
    if let Some(layout) = layout_of(&lines) {
        return Ok(Format::Lines(LineFormat { wrapper: None, layout }));
    }
    if first == Some(&b'[') {
        return Ok(Format::JsonArray);
    }
    if hints.name.contains("json") || share(&lines, |line| line.starts_with('{')) >= 0.5 {
        return Ok(Format::JsonLines);
    }
    match hints.name.trim_end_matches(".gz").ends_with("csv") {
        true => Ok(Format::Csv { delimiter: b',' }),
        false => Err(Error::NeedsPattern),
    }
}

/// The lines of a sample that say something; the last one is left out where it may be cut.
fn lines(sample: &[u8], whole: bool) -> Vec<String> {
    let end = match whole {
        true => sample.len(),
        false => sample.iter().rposition(|byte| *byte == b'\n').unwrap_or(sample.len()),
    };
    let text = String::from_utf8_lossy(&sample[..end]);
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(SAMPLE_LINES);
    lines.map(|line| without_colors(line).into_owned()).collect()
}

fn borrowed(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

fn share(lines: &[&str], fits: impl Fn(&str) -> bool) -> f64 {
    lines.iter().filter(|line| fits(line)).count() as f64 / lines.len().max(1) as f64
}

/// Docker's wrapper is known by its first line, so that other JSON costs nothing.
fn docker(text: &[u8], whole: bool) -> Option<LineFormat> {
    let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
    Wrapper::Docker.open(std::str::from_utf8(&text[..end]).ok()?)?;
    let lines = lines(text, whole);
    Some(wrapped(Wrapper::Docker, &borrowed(&lines)))
}

fn wrapped(wrapper: Wrapper, lines: &[&str]) -> LineFormat {
    let mut inner = vec![String::new()];
    for unwrapped in lines.iter().filter_map(|line| wrapper.open(line)) {
        if let Some(line) = inner.last_mut() {
            line.push_str(&unwrapped.line);
        }
        if !unwrapped.partial {
            inner.push(String::new());
        }
    }
    let inner: Vec<&str> = inner.iter().map(String::as_str).filter(|line| !line.trim().is_empty()).collect();
    let layout = match share(&inner, |line| Layout::Json.read(line).is_some()) {
        json if json >= 0.5 => Layout::Json,
        _ => layout_of(&inner).unwrap_or(Layout::Message),
    };
    LineFormat { wrapper: Some(wrapper), layout }
}

/// The layout that explains the most lines; of several, the most special one.
fn layout_of(lines: &[&str]) -> Option<Layout> {
    let begins: Vec<&str> = lines.iter().copied().filter(|line| !trace::is_continuation(line)).collect();
    let general = layout::learn(&begins).map(|(before, level_at)| Layout::General { before, level_at });
    let rate = |layout: Layout| share(&begins, |line| layout.read(line).is_some());
    let special: Vec<(Layout, f64)> = KNOWN.into_iter().map(|layout| (layout, rate(layout))).collect();
    let of_general = general.map_or(0.0, rate);
    let most = special.iter().map(|(_, share)| *share).fold(of_general, f64::max);
    let best = special.iter().find(|(_, share)| *share >= 0.5 && *share >= 0.9 * most);
    if let Some((layout, _)) = best {
        return Some(*layout);
    }
    // Messages of many lines make records rare, but the first line is one.
    let first = begins.first().is_some_and(|line| general.is_some_and(|layout| layout.read(line).is_some()));
    general.filter(|_| of_general >= 0.5 || (first && of_general >= 0.05))
}

/// The delimiter of a table whose header names a time.
fn csv(lines: &[&str], settings: &Settings) -> Option<u8> {
    let header = lines.first()?;
    let time = |cell: &str| {
        let known = settings.aliases.get(&plain(cell.trim().trim_matches('"')));
        matches!(known, Some((Field::CreatedAt, _)))
    };
    [b',', b'\t', b';', b'|'].into_iter().find(|delimiter| {
        let cells: Vec<&str> = header.split(*delimiter as char).collect();
        let many = |line: &str| line.split(*delimiter as char).count() >= cells.len();
        // Cells in quotes may go over several lines.
        cells.len() >= 2 && cells.iter().any(|cell| time(cell)) && share(lines, many) >= 0.3
    })
}

/// The first times of a sample that are texts.
fn time_texts(sample: &[u8], format: Format, settings: &Settings, most: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let Ok(mut rows) = Rows::new(Box::new(Cursor::new(sample)), format, settings) else { return found };
    for _ in 0..SAMPLE_LINES {
        let Ok(Some(raw)) = rows.next() else { break };
        let time = raw.fields.ok().and_then(|fields| read::time_of(&fields, settings));
        match time {
            Some(Value::String(text)) => found.push(text),
            Some(_) => break,
            None => {}
        }
        if found.len() == most {
            break;
        }
    }
    found
}
