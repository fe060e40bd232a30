use duru::State;

fn by_value(_: u32, _: u32) {}

#[derive(State, Clone)]
struct Functions {
    #[merge(with = by_value)]
    a: u32,
    #[merge(with = nowhere)]
    b: u32,
}

fn main() {}
