//! The engine.
fn main() {}
