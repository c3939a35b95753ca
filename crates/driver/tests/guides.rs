//! The programs that the guides show are the ones that the conformance suite runs.

use std::fs;
use std::path::Path;

/// The text of each fenced block of C.
fn programs(guide: &str) -> Vec<String> {
    let parts = guide.split("```c\n").skip(1);
    parts.filter_map(|part| part.split_once("```").map(|(program, _)| program.to_owned())).collect()
}

/// The file that the guide names before its first program, without the runner's comments.
fn shown(root: &Path, guide: &str) -> String {
    let before = guide.split("```c").next().unwrap();
    let start = before.rfind("tests/conformance/").expect("the guide names its program's file");
    let name = before[start..].split('`').next().unwrap();
    let text = fs::read_to_string(root.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    text.lines().filter(|l| !l.starts_with("//")).map(|l| format!("{l}\n")).collect()
}

#[test]
fn guides_show_what_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for entry in fs::read_dir(root.join("docs")).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with("guide-") {
            continue;
        }
        let guide = fs::read_to_string(entry.path()).unwrap();
        let programs = programs(&guide);
        assert!(!programs.is_empty(), "{name} shows no program");
        assert_eq!(
            programs[0].trim(),
            shown(&root, &guide).trim(),
            "{name}: bless by copying the file into it"
        );
    }
}
