use duru::State;

#[derive(State, Clone)]
struct Names {
    new: bool,
    overwrites: u32,
    #[merge(append)]
    notes: Vec<u32>,
    overwrite_notes: bool,
}

fn main() {}
