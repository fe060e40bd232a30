use duru::State;

fn longer(_: &mut u32, _: u32) {}

#[derive(State, Clone)]
struct Twice {
    #[merge(sum)]
    #[merge(max)]
    a: u32,
    #[merge(sum, max)]
    b: u32,
    #[merge(sum, with = longer)]
    c: u32,
    #[state(default = 1)]
    #[state(default = 2)]
    d: u32,
    #[merge(with = longer, update = u32, update = u8)]
    e: u32,
    #[merge(sum, update = u32)]
    f: u32,
    #[merge(update = u32)]
    g: u32,
}

fn main() {}
