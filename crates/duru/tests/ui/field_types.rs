use duru::State;

#[derive(State, Clone)]
struct Types {
    #[merge(append)]
    a: u32,
    #[merge(append)]
    b: Option<Vec<u32>>,
    #[merge(append)]
    c: String,
    #[merge(messages)]
    d: Vec<String>,
}

fn main() {}
