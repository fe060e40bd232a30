//! Small programs on the engine, one per file in `examples/`. Each asserts its
//! result, needs no input, and ends within two seconds.
