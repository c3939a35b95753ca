//! Each `tests/in/x.ir` gives `tests/out/x.{cu,cl,c}`, exactly; `ACCL_BLESS=1` writes them anew.

use accl_codegen::{EmitOptions, cpu, cuda, opencl};
use accl_ir::Module;
use std::fs;
use std::path::{Path, PathBuf};

fn inputs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/in");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

/// The texts of all languages, by extension; an error is a text too.
fn texts(input: &Path) -> Vec<(&'static str, String)> {
    let module = Module::from_text(&fs::read_to_string(input).unwrap())
        .unwrap_or_else(|e| panic!("{}: {e}", input.display()));
    let options = EmitOptions::default();
    let show = |r: Result<String, accl_codegen::CodegenError>| r.unwrap_or_else(|e| format!("error: {e}\n"));
    vec![
        ("cu", show(cuda::emit(&module, &options))),
        ("cl", show(opencl::emit(&module, &options))),
        ("c", show(cpu::emit(&module, &options))),
    ]
}

#[test]
fn texts_are_as_blessed() {
    let bless = std::env::var_os("ACCL_BLESS").is_some();
    let mut wrong = Vec::new();
    for input in inputs() {
        let stem = input.file_stem().unwrap().to_string_lossy().into_owned();
        for (extension, text) in texts(&input) {
            let blessed = input.with_file_name("").join("../out").join(format!("{stem}.{extension}"));
            if bless {
                fs::write(&blessed, &text).unwrap();
            } else if fs::read_to_string(&blessed).unwrap_or_default() != text {
                wrong.push(format!("{}:\n{text}", blessed.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
