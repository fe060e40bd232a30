//! More than, at most: how something is compared with a number.

use crate::analyst::understand::query::Op;
use crate::analyst::understand::scan::re;

/// "More than", before or after the number.
pub(super) const OVER: &str = r"(no\s+(?:fewer|less)\s+than|(?:a\s+)?minimum\s+of|no\s+more\s+than|(?:a\s+)?maximum\s+of|more\s+than|over|above|beyond|exceed(?:s|ing|ed)?|greater\s+than|longer\s+than|slower\s+than|higher\s+than|at\s+least|fewer\s+than|less\s+than|under|below|faster\s+than|quicker\s+than|shorter\s+than|lower\s+than|at\s+most|최소한?|적어도|못해도|>=|<=|>|<)?";
pub(super) const THAN: &str = r"(?:(?:를|을|가|이|보다)?\s*(?:도\s*)?(이상|초과|넘[는은어게긴기]?(?:고|서|었)?|웃도는|상회(?:하는|한)?|밑도는|하회(?:하는|한)?|못\s*(?:미치는|되는)|더\s*(?:오래|많|걸)|보다\s*(?:더\s*)?(?:느린|느렸던|오래|많은|많이|많았던|큰|높은|긴)|보다\s*(?:더\s*)?(?:빠른|빨랐던|적은|적게|적었던|작은|낮은|짧은|덜)|보다|이하|미만|안\s*되는|or\s+(?:more|longer|higher|above)|\+|오래\s*걸))?";

pub(super) fn op(before: &str, after: &str) -> Option<Op> {
    let before: String = before.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(match before.as_str() {
        // "최소 10건 초과": what follows says it better.
        "최소" | "최소한" | "적어도" | "못해도" if !after.is_empty() => return op("", after),
        "at least" | ">=" | "no fewer than" | "no less than" | "a minimum of" | "minimum of" | "최소"
        | "최소한" | "적어도" | "못해도" => Op::AtLeast,
        "at most" | "no more than" | "<=" | "a maximum of" | "maximum of" => Op::AtMost,
        "fewer than" | "less than" | "under" | "below" | "faster than" | "quicker than" | "shorter than"
        | "lower than" | "<" => Op::Less,
        "" => match after {
            "" => return None,
            "이상" => Op::AtLeast,
            "이하" => Op::AtMost,
            "미만" => Op::Less,
            word if word.ends_with("fewer") || word.ends_with("less") => Op::AtMost,
            word if word.starts_with("or") || word == "+" => Op::AtLeast,
            word if word.starts_with('안') || word.starts_with('못') => Op::Less,
            word if re!(r"밑도|하회|빠른|빨랐|적[은게었]|작은|낮은|짧은|덜").is_match(word) => {
                Op::Less
            }
            _ => Op::More,
        },
        _ => Op::More,
    })
}
