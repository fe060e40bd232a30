use duru::State;

#[derive(State, Clone)]
enum Choice {
    A,
    B,
}

#[derive(State, Clone)]
struct Pair(u32, u32);

#[derive(State, Clone)]
struct Nothing;

#[derive(State, Clone, Copy)]
union Either {
    a: u32,
    b: f32,
}

#[derive(State, Clone)]
struct Borrowed<'a> {
    text: &'a str,
}

fn main() {}
