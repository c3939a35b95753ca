//! Reads modules in their text form, verifies them, and checks that they print as they were read:
//! `cargo run -p accl-ir --example check file.ir …`

use accl_ir::{Module, verify};

fn check(text: &str) -> Vec<String> {
    let module = match Module::from_text(text) {
        Ok(module) => module,
        Err(error) => return vec![error.to_string()],
    };
    let mut found: Vec<String> =
        verify(&module).err().unwrap_or_default().iter().map(ToString::to_string).collect();
    let printed = module.to_text();
    match Module::from_text(&printed) {
        Ok(again) if again.to_text() == printed => {}
        Ok(_) => found.push("it does not print as it was read".to_owned()),
        Err(error) => found.push(format!("what it prints is not read: {error}")),
    }
    found
}

fn main() {
    let mut bad = false;
    for file in std::env::args().skip(1) {
        let found = match std::fs::read_to_string(&file) {
            Ok(text) => check(&text),
            Err(error) => vec![error.to_string()],
        };
        found.iter().for_each(|error| println!("{file}: {error}"));
        bad |= !found.is_empty();
    }
    std::process::exit(i32::from(bad));
}
