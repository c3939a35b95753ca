//! The tables of `docs/results.md`, from what was measured.
//!
//! The page is written by hand; only what stands between `<!-- table: NAME -->` and `<!-- end -->` is made
//! here, and only where the files given hold something for it.

use super::manifest::{self, Manifest};
use super::results::{OURS, Outcome, Results, Row, Time, geometric_mean};
use super::table::{self, Table};
use super::titles_in;
use super::{compile, errors, figures, forms};
use crate::paths;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub fn run(files: &[PathBuf]) -> Result<()> {
    let page = paths::root().join("docs/results.md");
    let mut text = std::fs::read_to_string(&page).with_context(|| page.display().to_string())?;
    for results in merged(files)? {
        figures::page::write(&results)?;
        for (name, table) in tables(&results)? {
            match replaced(&text, &name, &table) {
                Some(new) => text = new,
                None => println!(
                    "docs/results.md has no place for '{name}': add <!-- table: {name} -->, <!-- end -->"
                ),
            }
        }
    }
    std::fs::write(&page, text)?;
    println!("written: {}", page.display());
    Ok(())
}

/// Files of one machine are one: later measurements replace earlier ones.
pub fn merged(files: &[PathBuf]) -> Result<Vec<Results>> {
    let mut machines: Vec<Results> = vec![];
    for file in files {
        let json = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let results: Results = serde_json::from_str(&json).with_context(|| file.display().to_string())?;
        let same = |m: &&mut Results| {
            ["gpu", "cpu"].iter().all(|key| m.machine.get(*key) == results.machine.get(*key))
        };
        match machines.iter_mut().find(same) {
            Some(machine) => machine.merge(results),
            None => machines.push(results),
        }
    }
    Ok(machines)
}

/// The text with the named table's place filled.
fn replaced(text: &str, name: &str, table: &str) -> Option<String> {
    let begin = format!("<!-- table: {name} -->\n");
    let start = text.find(&begin)? + begin.len();
    let end = start + text[start..].find("<!-- end -->")?;
    Some(format!("{}\n{}\n\n{}", &text[..start], table.trim_end(), &text[end..]))
}

/// Every table these results can fill.
fn tables(results: &Results) -> Result<Vec<(String, String)>> {
    let on_gpu_machine = results.machine.contains_key("gpu");
    let mut tables = vec![];
    let mut add = |name: &str, table: Option<String>| tables.extend(table.map(|t| (name.to_owned(), t)));
    let all = manifest::all()?;
    for (device, rows) in &results.bench {
        let place = if device == "cuda" { "errors".to_owned() } else { format!("errors-{device}") };
        add(&place, errors::table(rows).map(|t| t.markdown()));
    }
    let is_plain = |row: &&Row| !errors::is_of(row) && forms::plain_of(&row.program, &all).is_none();
    if let Some(rows) = results.bench.get("cuda") {
        let rows: &[Row] = &rows.iter().filter(is_plain).cloned().collect::<Vec<Row>>();
        let (windows, compressed): (Vec<_>, Vec<_>) =
            forms::of(results, "cuda", &all).into_iter().partition(forms::Form::is_window);
        add("compression", forms::table(&compressed).map(|t| t.markdown()));
        add("windows", forms::table(&windows).map(|t| t.markdown()));
        let table = || format!("{}\n\n{}", machine(results), cuda(results, rows).markdown());
        add("cuda", (!rows.is_empty()).then(table));
        add("bandwidth", (!rows.is_empty()).then(|| bandwidth(rows).markdown()));
        add("jacobi", jacobi(rows, &all).map(|t| t.markdown()));
        add("registers", registers(results).map(|t| t.markdown()));
    }
    if let Some(rows) = results.bench.get("opencl").filter(|_| on_gpu_machine) {
        add("opencl", Some(opencl(results, rows).markdown()));
    }
    if let Some(rows) = results.bench.get("cpu") {
        let name = if on_gpu_machine { "cpu-gpu-machine" } else { "cpu" };
        let (windows, compressed): (Vec<_>, Vec<_>) =
            forms::of(results, "cpu", &all).into_iter().partition(forms::Form::is_window);
        add(&format!("compression-{name}"), forms::table(&compressed).map(|t| t.markdown()));
        add(&format!("windows-{name}"), forms::table(&windows).map(|t| t.markdown()));
        let rows: &[Row] = &rows.iter().filter(is_plain).cloned().collect::<Vec<Row>>();
        let table = table::of_rows(rows, &titles_in("cpu", rows)?).markdown();
        add(name, (!rows.is_empty()).then(|| format!("{}\n\n{table}", cpu(results))));
    }
    add("compile", compile_times(results).map(|t| t.markdown()));
    let shapes = results.more.get("compile_shapes").and_then(compile::of_rows);
    add("compile-shapes", shapes.map(|t| t.markdown()));
    add("startup", startup(results).map(|t| t.markdown()));
    add("conformance", conformance(results).map(|t| t.markdown()));
    Ok(tables)
}

fn about<'a>(results: &'a Results, key: &str) -> &'a str {
    results.machine.get(key).map_or("?", String::as_str)
}

fn machine(results: &Results) -> String {
    let [gpu, driver, nvcc] = ["gpu", "driver", "nvcc"].map(|key| about(results, key));
    format!(
        "{gpu}, driver {driver}, nvcc {nvcc}; medians of interleaved runs. × is the peer's time over ours."
    )
}

fn cpu(results: &Results) -> String {
    let [cpu, threads] = ["cpu", "threads"].map(|key| about(results, key));
    format!("{cpu}, {threads} threads. × is the peer's time over ours.")
}

fn cuda(results: &Results, rows: &[Row]) -> Table {
    let mut table = Table::new(&[
        "program",
        "size",
        "ours ms",
        "CUDA ms",
        "CUDA ×",
        "gcc ×",
        "app ms",
        "app CUDA ×",
        "registers",
        "CUDA's",
        "error",
    ]);
    for row in rows {
        let theirs = row.results.get("cuda");
        let registers = |who| most_registers(results, &row.program, who);
        table.rows.push(vec![
            row.program.clone(),
            row.size.clone(),
            table::milliseconds(row.ours(), Time::Kernel),
            table::milliseconds(theirs, Time::Kernel),
            table::ratio(row.ratio("cuda", Time::Kernel)),
            gcc(row),
            table::milliseconds(row.ours(), Time::App),
            table::ratio(row.ratio("cuda", Time::App)),
            registers(OURS),
            registers("cuda"),
            row.ours().and_then(|o| o.error).map_or("–".to_owned(), |e| format!("{e:.1e}")),
        ]);
    }
    let mean =
        |peer: &str, time| table::ratio(geometric_mean(rows.iter().filter_map(|row| row.ratio(peer, time))));
    let mut last = vec![String::new(); 11];
    last[0] = "geometric mean".to_owned();
    last[4] = mean("cuda", Time::Kernel);
    last[5] = mean("gcc-openacc", Time::Kernel);
    last[7] = mean("cuda", Time::App);
    table.rows.push(last);
    table
}

/// gcc's ratio, or in a word why there is none.
fn gcc(row: &Row) -> String {
    match row.results.get("gcc-openacc") {
        Some(outcome) if !outcome.passed() && outcome.check.contains("stopped") => "> 20 s".to_owned(),
        Some(outcome) if !outcome.passed() => "failed".to_owned(),
        _ => table::ratio(row.ratio("gcc-openacc", Time::Kernel)),
    }
}

fn kernels<'a>(results: &'a Results, program: &str, who: &str) -> &'a [Value] {
    let of = results.more.get("kernels").and_then(|k| k.get(program)?.get(who)?.as_array());
    of.map_or(&[], Vec::as_slice)
}

fn count(kernel: &Value, key: &str) -> u64 {
    kernel.get(key).and_then(Value::as_u64).unwrap_or(0)
}

fn most_registers(results: &Results, program: &str, who: &str) -> String {
    let most = kernels(results, program, who).iter().map(|k| count(k, "registers")).max();
    most.map_or("–".to_owned(), |r| r.to_string())
}

fn registers(results: &Results) -> Option<Table> {
    let programs = results.more.get("kernels")?.as_object()?;
    let mut table =
        Table::new(&["program", "made by", "kernel", "registers", "spilled bytes", "shared bytes"]);
    for program in programs.keys() {
        for who in [OURS, "cuda"] {
            for kernel in kernels(results, program, who) {
                let spilled = count(kernel, "spill_stores") + count(kernel, "spill_loads");
                table.rows.push(vec![
                    program.clone(),
                    if who == OURS { "accl" } else { "hand" }.to_owned(),
                    kernel.get("name").and_then(Value::as_str).unwrap_or("?").to_owned(),
                    count(kernel, "registers").to_string(),
                    spilled.to_string(),
                    count(kernel, "shared").to_string(),
                ]);
            }
        }
    }
    Some(table)
}

/// Bytes a second, by the manifests' counts of what must be moved.
fn bandwidth(rows: &[Row]) -> Table {
    let mut table = Table::new(&[
        "program",
        "size",
        "ours GB/s",
        "CUDA GB/s",
        "gcc GB/s",
        "ours GFLOP/s",
        "CUDA GFLOP/s",
    ]);
    for row in rows {
        let rate = |amount: Option<f64>, who: &str| {
            let time = row.results.get(who).and_then(|o: &Outcome| o.time(Time::Kernel));
            match (amount, time) {
                (Some(amount), Some(ms)) => table::number(amount / ms / 1e6),
                _ => "–".to_owned(),
            }
        };
        let mut cells = vec![row.program.clone(), row.size.clone()];
        cells.extend([OURS, "cuda", "gcc-openacc"].map(|who| rate(row.bytes, who)));
        cells.extend([OURS, "cuda"].map(|who| rate(row.flops, who)));
        table.rows.push(cells);
    }
    table
}

/// Time of a step: two launches and a reduction the host waits for.
fn jacobi(rows: &[Row], all: &[Manifest]) -> Option<Table> {
    let mut table = Table::new(&["grid", "steps", "ours µs a step", "CUDA µs", "gcc µs", "CUDA ×", "gcc ×"]);
    let parameters = &all.iter().find(|b| b.name == "jacobi")?.parameters;
    for row in rows.iter().filter(|row| row.program == "jacobi") {
        let words: BTreeMap<&str, &str> =
            parameters.iter().map(String::as_str).zip(row.args.split_whitespace()).collect();
        let steps: f64 = words.get("steps")?.parse().ok()?;
        let step = |who: &str| {
            let ms = row.results.get(who).and_then(|o| o.time(Time::Kernel));
            ms.map_or("–".to_owned(), |ms| table::number(ms * 1e3 / steps))
        };
        let mut cells = vec![format!("{0} × {0}", words.get("n")?), steps.to_string()];
        cells.extend([OURS, "cuda", "gcc-openacc"].map(step));
        cells.extend(["cuda", "gcc-openacc"].map(|peer| table::ratio(row.ratio(peer, Time::Kernel))));
        table.rows.push(cells);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// OpenCL beside CUDA, both ours.
fn opencl(results: &Results, rows: &[Row]) -> Table {
    let mut table = Table::new(&["program", "size", "OpenCL ms", "CUDA ms", "OpenCL/CUDA", "error", "check"]);
    let cuda = results.bench.get("cuda").map_or(&[][..], Vec::as_slice);
    for row in rows {
        let same = cuda.iter().find(|r| r.program == row.program && r.args == row.args);
        let [ours, other] = [row.ours(), same.and_then(Row::ours)];
        let times = [ours, other].map(|o| o.and_then(|o| o.time(Time::Kernel)));
        let ratio = if let [Some(a), Some(b)] = times { Some(a / b) } else { None };
        table.rows.push(vec![
            row.program.clone(),
            row.size.clone(),
            table::milliseconds(ours, Time::Kernel),
            table::milliseconds(other, Time::Kernel),
            table::ratio(ratio),
            ours.and_then(|o| o.error).map_or("–".to_owned(), |e| format!("{e:.1e}")),
            ours.map_or("–".to_owned(), |o| if o.passed() { o.check.clone() } else { "FAIL".to_owned() }),
        ]);
    }
    table
}

fn compile_times(results: &Results) -> Option<Table> {
    let programs = results.more.get("compile_ms")?.as_object()?;
    let compilers = [
        (OURS, "accl cc"),
        ("clang-openmp", "clang -fopenmp"),
        ("gcc-openmp", "gcc -fopenmp"),
        ("gcc-openacc", "gcc -fopenacc"),
        ("cuda", "nvcc"),
    ];
    let present = |name: &str| programs.values().any(|times| times.get(name).is_some());
    let compilers: Vec<(&str, &str)> = compilers.into_iter().filter(|(name, _)| present(name)).collect();
    let titles: Vec<String> = compilers.iter().map(|(_, title)| format!("{title} ms")).collect();
    let mut head = vec!["program"];
    head.extend(titles.iter().map(String::as_str));
    let mut table = Table::new(&head);
    for (program, times) in programs {
        let time = |name: &str| times.get(name).and_then(Value::as_f64).map_or("–".to_owned(), table::number);
        let cells = compilers.iter().map(|(name, _)| time(name));
        table.rows.push(std::iter::once(program.clone()).chain(cells).collect());
    }
    Some(table)
}

fn startup(results: &Results) -> Option<Table> {
    let cases = results.more.get("startup")?.as_array()?;
    let mut table = Table::new(&["process, from start to end", "ms", "fastest", "slowest"]);
    for case in cases {
        let time = |key: &str| case.get(key).and_then(Value::as_f64).map_or("–".to_owned(), table::number);
        let name = case.get("what").and_then(Value::as_str).unwrap_or("?").to_owned();
        table.rows.push(vec![name, time("median_ms"), time("min_ms"), time("max_ms")]);
    }
    Some(table)
}

fn conformance(results: &Results) -> Option<Table> {
    let devices = results.more.get("conformance")?.as_object()?;
    let mut table = Table::new(&["device", "passed", "of", "failed"]);
    for (device, tests) in devices {
        let tests = tests.as_object()?;
        let bad = |test: &Value| test.get("ok").and_then(Value::as_bool) != Some(true);
        let failed: Vec<&str> = tests.iter().filter(|(_, t)| bad(t)).map(|(name, _)| name.as_str()).collect();
        table.rows.push(vec![
            device.clone(),
            (tests.len() - failed.len()).to_string(),
            tests.len().to_string(),
            if failed.is_empty() { "none".to_owned() } else { failed.join(", ") },
        ]);
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn only_the_named_table_changes() {
        let page = "a\n<!-- table: x -->\nold\n<!-- end -->\nb\n<!-- table: y -->\n<!-- end -->\n";
        let new = replaced(page, "x", "| new |\n").unwrap();
        assert_eq!(new, page.replace("old\n", "\n| new |\n\n"));
        assert_eq!(replaced(&new, "x", "| new |").as_deref(), Some(new.as_str()));
        assert_eq!(replaced(page, "z", ""), None);
    }
}
