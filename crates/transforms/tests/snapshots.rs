//! Each `tests/in/x.ir` gives `tests/out/x.txt`: what was said, then the module. `ACCL_BLESS=1` writes them anew.

use accl_ir::Module;
use accl_source::{Diagnostic, Remark};
use accl_transforms::{Options, pipeline};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn inputs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/in");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

fn outcome(input: &Path) -> String {
    let mut module = Module::from_text(&fs::read_to_string(input).unwrap())
        .unwrap_or_else(|e| panic!("{}: {e}", input.display()));
    let (mut diagnostics, mut remarks) = (vec![], vec![]);
    pipeline::run(&mut module, &Options::default(), &mut diagnostics, &mut remarks);
    format!("{}\n{}", said(&diagnostics, &remarks), module.to_text())
}

fn said(diagnostics: &[Diagnostic], remarks: &[Remark]) -> String {
    let mut text = String::new();
    for d in diagnostics {
        writeln!(text, "// {}[{}]: {}", d.severity.name(), d.code, d.message).unwrap();
        d.help.iter().for_each(|h| writeln!(text, "//     help: {h}").unwrap());
    }
    for r in remarks {
        let indent = if r.nested { "    " } else { "" };
        writeln!(text, "// {indent}{}: {}", r.function, r.message).unwrap();
        r.help.iter().for_each(|h| writeln!(text, "// {indent}    help: {h}").unwrap());
    }
    text
}

#[test]
fn outcomes_are_as_blessed() {
    let bless = std::env::var_os("ACCL_BLESS").is_some();
    let mut wrong = vec![];
    for input in inputs() {
        let text = outcome(&input);
        let stem = input.file_stem().unwrap().to_string_lossy().into_owned();
        let blessed = input.with_file_name("").join("../out").join(format!("{stem}.txt"));
        if bless {
            fs::write(&blessed, &text).unwrap();
        } else if fs::read_to_string(&blessed).unwrap_or_default() != text {
            wrong.push(format!("{}:\n{text}", blessed.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
