//! Programs in `tests/in`, and what the front end makes of each in `tests/out`: the IR as text, then the
//! diagnostics. `BLESS=1 cargo test` writes the outputs anew.

use accl_frontend::{Options, parse};
use accl_source::{Files, render};
use std::path::Path;

fn outcome(path: &Path) -> String {
    let unit = match parse(path, &Options::default()) {
        Ok(unit) => unit,
        Err(error) => return format!("{error}\n"),
    };
    let mut files = Files::new();
    files.add_preprocessed(unit.module.file.clone(), unit.buffer.as_str());
    let broken = accl_ir::verify(&unit.module).err().unwrap_or_default();
    let broken: String = broken.iter().map(|e| format!("{e}\n")).collect();
    let told = render::text::render(&files, &unit.diagnostics, &render::Options::default());
    format!("{}{broken}{told}", unit.module.to_text())
}

#[test]
fn programs_give_the_expected_ir_and_diagnostics() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    // Paths in messages are relative to here.
    std::env::set_current_dir(&root).expect("the tests directory");
    let mut inputs: Vec<_> =
        std::fs::read_dir("in").expect("inputs").filter_map(|e| Some(e.ok()?.path())).collect();
    inputs.retain(|p| p.extension().is_some_and(|e| e == "c" || e == "cpp"));
    inputs.sort();
    assert!(!inputs.is_empty());
    let mut failed = Vec::new();
    for input in inputs {
        let expected_at = Path::new("out")
            .join(input.file_name().expect("a file"))
            .with_extension(format!("{}.txt", input.extension().and_then(|e| e.to_str()).unwrap_or("")));
        let actual = outcome(&input);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&expected_at, &actual).expect("output");
        }
        let expected = std::fs::read_to_string(&expected_at).unwrap_or_default();
        if actual != expected {
            eprintln!("--- {} differs; it is now:\n{actual}", expected_at.display());
            failed.push(input);
        }
    }
    assert!(failed.is_empty(), "{failed:?}; if they are right: BLESS=1 cargo test -p accl-frontend");
}
