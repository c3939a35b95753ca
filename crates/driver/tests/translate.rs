//! `accl translate` on `tests/translate/in`: the ports' text, exactly, and what they compute.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/translate")
}

fn programs() -> Vec<String> {
    let entries = fs::read_dir(folder().join("in")).unwrap();
    let mut stems: Vec<String> =
        entries.map(|e| e.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()).collect();
    stems.sort();
    stems
}

fn translate(stem: &str, target: &str, dir: &Path) {
    let out = Command::new(env!("CARGO_BIN_EXE_accl"))
        .current_dir(folder().join("in"))
        .args(["translate", "--to", target, &format!("{stem}.c"), "-o"])
        .arg(dir)
        .output()
        .unwrap();
    assert!(out.status.success(), "{stem} to {target}: {}", text(&out));
}

fn text(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

/// The Makefile names the folder, and the helper is the same for all.
fn own_files(dir: &Path) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap())
        })
        .filter(|(name, _)| name != "Makefile" && !name.starts_with("accl_port"))
        .collect();
    files.sort();
    files
}

#[test]
fn ports_are_as_blessed() {
    let bless = std::env::var_os("ACCL_BLESS").is_some();
    let mut wrong = Vec::new();
    for stem in programs() {
        for target in ["cuda", "opencl", "c"] {
            let dir = tempfile::tempdir().unwrap();
            translate(&stem, target, dir.path());
            let blessed = folder().join(format!("out/{stem}.{target}"));
            if bless {
                fs::create_dir_all(&blessed).unwrap();
            }
            for (name, text) in own_files(dir.path()) {
                let path = blessed.join(&name);
                if bless {
                    fs::write(&path, &text).unwrap();
                } else if fs::read_to_string(&path).unwrap_or_default() != text {
                    wrong.push(format!("{}:\n{text}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn has_opencl() -> bool {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("probe.c");
    fs::write(&source, "#include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0) != -1001; }\n")
        .unwrap();
    let mut cc = Command::new("cc");
    cc.arg(&source).args(["-lOpenCL", "-o"]).arg(dir.path().join("probe"));
    cc.output().is_ok_and(|out| out.status.success())
}

#[test]
fn ports_compute_the_same() {
    let targets: &[&str] = if has_opencl() { &["c", "opencl"] } else { &["c"] };
    for stem in programs() {
        for target in targets {
            let dir = tempfile::tempdir().unwrap();
            translate(&stem, target, dir.path());
            let made = Command::new("make").arg("-s").current_dir(dir.path()).output().unwrap();
            assert!(made.status.success(), "{stem} in {target}: {}", text(&made));
            let ran = Command::new(dir.path().join(&stem)).output().unwrap();
            assert_eq!(text(&ran).trim(), "PASS", "{stem} in {target}");
        }
    }
}

/// A source is never written over, and what has no port leaves none.
#[test]
fn refusals_write_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("made.c");
    let program = "#define LOOP _Pragma(\"acc parallel loop\") for (int i = 0; i < 9; i++)\nint a[9];\nint main(void)\n{\n    LOOP a[i] = i;\n    return 0;\n}\n";
    fs::write(&source, program).unwrap();
    let run = |out: &str| {
        let mut accl = Command::new(env!("CARGO_BIN_EXE_accl"));
        accl.current_dir(dir.path()).args(["translate", "--to", "c", "made.c", "-o", out]).output().unwrap()
    };
    let refused = run("port");
    assert!(!refused.status.success() && text(&refused).contains("ACCL0701"), "{}", text(&refused));
    assert_eq!(fs::read_dir(dir.path().join("port")).unwrap().count(), 0);
    fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let same = run(".");
    assert!(!same.status.success() && text(&same).contains("own source"), "{}", text(&same));
}
