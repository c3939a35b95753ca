//! Each pass alone: `tests/passes/PASS/x.ir` at the root of the repository gives `x.out`, what was said and then the
//! module. `ACCL_BLESS=1` writes the outputs anew.

use accl_ir::Module;
use accl_source::{Diagnostic, Remark};
use accl_transforms::context::Context;
use accl_transforms::{Options, pipeline};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The least number of inputs of a pass.
const INPUTS: usize = 4;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/passes")
}

fn inputs(pass: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder().join(pass)) else { return vec![] };
    let mut files: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "ir"));
    files.sort();
    files
}

fn outcome(pass: &pipeline::Pass, input: &Path) -> String {
    let mut module = Module::from_text(&fs::read_to_string(input).unwrap())
        .unwrap_or_else(|e| panic!("{}: {e}", input.display()));
    // What `-fwrapv` asks for is what that pass is tested with.
    let auto_data = input.file_stem().is_some_and(|stem| stem == "autodata");
    let options = Options { wrapping: pass.name == "wrapping", auto_data, ..Options::default() };
    let (mut diagnostics, mut remarks) = (vec![], vec![]);
    let mut cx = Context::new(&options, &mut diagnostics, &mut remarks);
    pipeline::run_passes(&[*pass], &mut module, &mut cx, &mut |_, _| {});
    format!("{}{}", said(&diagnostics, &remarks), module.to_text())
}

fn said(diagnostics: &[Diagnostic], remarks: &[Remark]) -> String {
    let mut text = String::new();
    for d in diagnostics {
        writeln!(text, "// {}[{}]: {}", d.severity.name(), d.code, d.message).unwrap();
    }
    for r in remarks {
        writeln!(text, "// {}: {}", r.function, r.message).unwrap();
    }
    text
}

#[test]
fn each_pass_has_inputs() {
    let few = |p: &&pipeline::Pass| inputs(p.name).len() < INPUTS;
    let names: Vec<&str> = pipeline::PASSES.iter().filter(few).map(|p| p.name).collect();
    assert!(names.is_empty(), "fewer than {INPUTS} inputs in tests/passes: {names:?}");
}

#[test]
fn outcomes_are_as_blessed() {
    let bless = std::env::var_os("ACCL_BLESS").is_some();
    let mut wrong = vec![];
    for pass in pipeline::PASSES {
        for input in inputs(pass.name) {
            let text = outcome(pass, &input);
            let blessed = input.with_extension("out");
            if bless {
                fs::write(&blessed, &text).unwrap();
            } else if fs::read_to_string(&blessed).unwrap_or_default() != text {
                wrong.push(format!("{}:\n{text}", blessed.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
