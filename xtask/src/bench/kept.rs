//! `docs/results/*.json`: what was measured, a file a machine. Every number of `docs/results.md` comes from there.
//!
//! A file has the form of `results.json`, without what concerns only one run. Single runs are left out, and what a
//! row is compared with is kept in the row, as it was measured in the same run. So a later measurement of the plain
//! program changes no gain that was found before.

use super::figures::{self, Figure, Shown};
use super::forms;
use super::manifest::{self, Manifest};
use super::results::{OURS, Results, Row};
use crate::paths;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// In the row of a form: the result of the plain program in the same run.
pub const PLAIN: &str = "plain";
/// In a row of the OpenCL device: the result on the CUDA device.
pub const ON_CUDA: &str = "accl-cuda";

/// A machine's results, and the name of their file.
pub struct Kept {
    pub name: String,
    pub results: Results,
}

/// All that are kept, by the names of their files.
pub fn all() -> Result<Vec<Kept>> {
    let files = paths::files_in(&dir(), &["json"]);
    files.iter().map(|file| Ok(Kept { name: paths::stem(file), results: read(file)? })).collect()
}

fn dir() -> PathBuf {
    paths::root().join("docs/results")
}

fn read(file: &Path) -> Result<Results> {
    let json = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    serde_json::from_str(&json).with_context(|| file.display().to_string())
}

/// What a figure shows, of the first machine that was measured for it.
pub fn shown(kept: &[Kept], figure: &Figure) -> Option<Shown> {
    let value = kept.iter().find_map(|k| k.results.more.get("shown")?.get(&figure.name))?;
    serde_json::from_value(value.clone()).ok()
}

/// Adds new results to the file of their machine, or to a new one.
pub fn take(files: &[PathBuf]) -> Result<()> {
    let mut kept = all()?;
    let benches = manifest::all()?;
    for file in files {
        let mut new = read(file)?;
        distil(&mut new, &benches)?;
        match kept.iter_mut().find(|k| is_same_machine(&k.results, &new)) {
            Some(known) => known.results.merge(new),
            None => kept.push(Kept { name: name(&new), results: new }),
        }
    }
    for Kept { name, results } in kept {
        let file = dir().join(name + ".json");
        std::fs::write(&file, text(&serde_json::to_value(results)?, 0) + "\n")?;
        println!("written: {}", file.display());
    }
    Ok(())
}

fn is_same_machine(a: &Results, b: &Results) -> bool {
    ["gpu", "cpu"].iter().all(|key| a.machine.get(*key) == b.machine.get(*key))
}

/// "NVIDIA H200" is called `nvidia-h200`.
fn name(results: &Results) -> String {
    let machine = results.machine.get("gpu").or(results.machine.get("cpu"));
    let words = machine.map_or("machine", String::as_str).to_lowercase();
    let words = words.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// Converts the results of a run to the form that is kept.
fn distil(results: &mut Results, benches: &[Manifest]) -> Result<()> {
    let cuda = results.bench.get("cuda").cloned().unwrap_or_default();
    for (device, rows) in &mut results.bench {
        let before = rows.clone();
        for row in rows.iter_mut() {
            let plain =
                forms::plain_of(&row.program, benches).and_then(|plain| ours(&before, plain, &row.args));
            row.results.extend(plain.map(|outcome| (PLAIN.to_owned(), outcome)));
            let on_cuda = ours(&cuda, &row.program, &row.args).filter(|_| device == "opencl");
            row.results.extend(on_cuda.map(|outcome| (ON_CUDA.to_owned(), outcome)));
            row.results.values_mut().for_each(|outcome| outcome.runs.clear());
        }
    }
    if let Some(Value::Object(devices)) = results.more.get_mut("conformance") {
        devices.values_mut().for_each(|tests| *tests = counted(tests));
    }
    let measured = std::mem::take(&mut results.figures);
    let mut shown: BTreeMap<String, Shown> = BTreeMap::new();
    for figure in figures::all()? {
        shown.extend(figure.shown(&measured, benches).map(|s| (figure.name, s)));
    }
    if !shown.is_empty() {
        results.more.insert("shown".to_owned(), serde_json::to_value(shown)?);
    }
    Ok(())
}

fn ours(rows: &[Row], program: &str, args: &str) -> Option<super::results::Outcome> {
    rows.iter().find(|r| r.program == program && r.args == args)?.results.get(OURS).cloned()
}

/// How many tests passed, and which did not.
fn counted(tests: &Value) -> Value {
    let Some(tests) = tests.as_object() else { return Value::Null };
    let bad = tests.iter().filter(|(_, test)| test.get("ok").and_then(Value::as_bool) != Some(true));
    let failed: Vec<&String> = bad.map(|(name, _)| name).collect();
    json!({"passed": tests.len() - failed.len(), "of": tests.len(), "failed": failed})
}

/// JSON with one line for each value that fits into a line, so that a changed row is a changed line.
fn text(value: &Value, indent: usize) -> String {
    let one = spaced(value);
    let inner = " ".repeat(indent + 1);
    let outer = " ".repeat(indent);
    match value {
        Value::Object(members) if one.len() + indent > 160 => {
            let member = |(key, value)| format!("{inner}{}: {}", Value::from(key), text(value, indent + 1));
            let members = members.iter().map(|(k, v)| member((k.as_str(), v)));
            format!("{{\n{}\n{outer}}}", members.collect::<Vec<_>>().join(",\n"))
        }
        Value::Array(values) if one.len() + indent > 160 => {
            let values = values.iter().map(|value| inner.clone() + &text(value, indent + 1));
            format!("[\n{}\n{outer}]", values.collect::<Vec<_>>().join(",\n"))
        }
        _ => one,
    }
}

/// In one line.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), spaced(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        single => single.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_what_writing_them_again_gives() {
        for file in paths::files_in(&dir(), &["json"]) {
            let again = text(&serde_json::to_value(read(&file).unwrap()).unwrap(), 0) + "\n";
            let found = std::fs::read_to_string(&file).unwrap();
            assert!(
                found == again,
                "{}: not in the form that `cargo xtask bench --report` writes",
                file.display()
            );
        }
    }

    #[test]
    fn a_form_keeps_the_plain_time_of_its_run() {
        let json = r#"{"bench": {"cpu": [
            {"program": "copy", "args": "1", "results": {"accl": {"kernel_ms": 4.0, "check": "PASS", "runs": [[4.0, 5.0]]}}},
            {"program": "copy_c", "args": "1", "results": {"accl": {"kernel_ms": 2.0, "check": "PASS"}}}]},
            "conformance": {"cpu": {"a": {"ok": true}, "b": {"ok": false}}}}"#;
        let mut results: Results = serde_json::from_str(json).unwrap();
        distil(&mut results, &manifest::all().unwrap()).unwrap();
        let rows = &results.bench["cpu"];
        assert_eq!(rows[1].results[PLAIN].kernel_ms, Some(4.0));
        assert!(rows[0].results[OURS].runs.is_empty());
        assert_eq!(results.more["conformance"]["cpu"], json!({"passed": 1, "of": 2, "failed": ["b"]}));
    }
}
