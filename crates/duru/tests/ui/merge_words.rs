use duru::State;

#[derive(State, Clone)]
struct Slips {
    #[merge(apend)]
    a: Vec<u32>,
    #[merge(concat)]
    b: Vec<u32>,
    #[merge]
    c: u32,
    #[merge()]
    d: u32,
    #[merge = "sum"]
    e: u32,
    #[state(defualt = 3)]
    f: u32,
    #[state]
    g: u32,
    #[merge(with)]
    h: u32,
}

fn main() {}
