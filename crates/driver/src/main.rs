//! The `accl` command.
fn main() {}
