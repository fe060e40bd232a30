//! Shows what sentences say about time: one per line of the standard input.
use std::io::BufRead as _;

fn main() {
    let general = duru_language::words::general();
    let now: jiff::Zoned = "2026-03-18T14:30:00+09:00[Asia/Seoul]".parse().expect("a time");
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        println!("{line}");
        let tokens = duru_language::quantity::join_numbers(duru_language::segment(&line, &[general]));
        for span in duru_language::time::read(&tokens, &now) {
            let (start, end) = (tokens[span.tokens.start].start, tokens[span.tokens.end - 1].full_end);
            println!("   {:?}  {:?}", &line[start..end], span.what);
        }
    }
}
