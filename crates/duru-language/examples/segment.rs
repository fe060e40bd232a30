//! Shows how sentences are cut: one per line of the standard input.
use std::io::BufRead as _;

fn main() {
    let general = duru_language::words::general();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        println!("{line}");
        for token in duru_language::segment(&line, &[general]) {
            println!(
                "   {:<14} {:?} {:?} {:?} {:?}",
                token.text(&line),
                token.kind,
                token.senses,
                token.particles,
                token.endings
            );
        }
    }
}
