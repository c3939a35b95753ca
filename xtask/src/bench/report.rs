//! The full tables of what is kept in `docs/results`: `cargo xtask results NAME…` prints them.

use super::figures;
use super::kept::{self, Kept};
use super::manifest::{self, Manifest};
use super::results::{OURS, Outcome, Results, Row, Time, geometric_mean};
use super::table::{self, Table};
use super::titles_in;
use super::{compile, errors, forms, others};
use anyhow::{Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;

/// Prints the tables of these names, of all machines; `all` is all of them.
pub fn print(kept: &[Kept], names: &[String]) -> Result<()> {
    let mut known = vec![];
    for Kept { name: machine, results } in kept {
        for (name, table) in tables(results)? {
            if names.contains(&name) || names.iter().any(|n| n == "all") {
                writeln!(std::io::stdout(), "## {machine}: {name}\n\n{}", table.markdown())?;
            }
            known.push(name);
        }
    }
    if let Some(name) = names.iter().find(|n| *n != "all" && !known.contains(n)) {
        known.sort();
        known.dedup();
        bail!("no table is named '{name}'; there are {}", known.join(", "));
    }
    Ok(())
}

/// Every table that a machine's results fill, with its name.
fn tables(results: &Results) -> Result<Vec<(String, Table)>> {
    let all = manifest::all()?;
    let mut tables = vec![];
    for (device, rows) in &results.bench {
        tables.extend(of_device(results, device, rows, &all)?);
    }
    for (device, rows) in &results.programs {
        for (collection, rows) in others::collections(rows) {
            let table = others::table(&rows, &titles_in(device, &rows)?);
            tables.push((named(collection, device), table));
        }
    }
    let more = &results.more;
    let whole = [
        ("registers", registers(results)),
        ("compile", compile_times(results)),
        ("compile-shapes", more.get("compile_shapes").and_then(compile::of_rows)),
        ("startup", startup(results)),
        ("conformance", counted(more.get("conformance"))),
        ("checked", counted(more.get("checked"))),
        ("codecs", codecs(results)),
    ];
    tables.extend(whole.into_iter().filter_map(|(name, table)| Some((name.to_owned(), table?))));
    if let Some(Value::Object(shown)) = more.get("shown") {
        for figure in figures::all()? {
            let Some(shown) = shown.get(&figure.name) else { continue };
            let numbers = figures::numbers(&figure, &serde_json::from_value(shown.clone())?);
            tables.push((format!("figure-{}", figure.name), numbers));
        }
    }
    Ok(tables)
}

/// The tables for what was timed on a device; except for cuda, their names end in the device's.
fn of_device(
    results: &Results,
    device: &str,
    rows: &[Row],
    all: &[Manifest],
) -> Result<Vec<(String, Table)>> {
    let plain: Vec<Row> = plain(rows, all).cloned().collect();
    let (windows, compressed): (Vec<_>, Vec<_>) =
        forms::of(results, device, all).into_iter().partition(forms::ProgramForm::is_window);
    let mut tables = vec![match device {
        "cuda" => ("programs", Some(cuda(results, &plain))),
        "opencl" => ("programs", Some(opencl(&plain))),
        _ => ("programs", Some(table::of_rows(&plain, &titles_in(device, &plain)?))),
    }];
    tables.push(("compression", forms::table(&compressed)));
    tables.push(("windows", forms::table(&windows)));
    tables.push(("errors", errors::table(rows)));
    if device == "cuda" {
        tables.push(("bandwidth", Some(bandwidth(&plain))));
        tables.push(("jacobi", jacobi(&plain, all)));
        tables.push(("model", model(rows)));
    }
    Ok(tables.into_iter().filter_map(|(name, table)| Some((named(name, device), table?))).collect())
}

fn named(name: &str, device: &str) -> String {
    if device == "cuda" { name.to_owned() } else { format!("{name}-{device}") }
}

/// The rows of timed programs that are no form of another one.
pub fn plain<'r>(rows: &'r [Row], all: &'r [Manifest]) -> impl Iterator<Item = &'r Row> {
    rows.iter().filter(|row| !errors::is_of(row) && forms::plain_of(&row.program, all).is_none())
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

/// gcc's ratio, or one word for why there is none.
pub fn gcc(row: &Row) -> String {
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

/// What the cost model expects of each row's kernels, beside what they took.
fn model(rows: &[Row]) -> Option<Table> {
    let mut table = Table::new(&["program", "size", "ours ms", "model ms", "of ours"]);
    for row in rows.iter().filter(|row| row.ours().is_some_and(|ours| ours.predicted_ms.is_some())) {
        let mut cells =
            vec![row.program.clone(), row.size.clone(), table::milliseconds(row.ours(), Time::Kernel)];
        cells.extend(table::prediction(row.ours()));
        table.rows.push(cells);
    }
    (!table.rows.is_empty()).then_some(table)
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

/// OpenCL compared with CUDA, both by accl.
fn opencl(rows: &[Row]) -> Table {
    let mut table = Table::new(&["program", "size", "OpenCL ms", "CUDA ms", "OpenCL/CUDA", "error", "check"]);
    for row in rows {
        let (ours, on_cuda) = (row.ours(), row.results.get(kept::ON_CUDA));
        table.rows.push(vec![
            row.program.clone(),
            row.size.clone(),
            table::milliseconds(ours, Time::Kernel),
            table::milliseconds(on_cuda, Time::Kernel),
            table::ratio(row.ratio(kept::ON_CUDA, Time::Kernel).map(f64::recip)),
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

/// Tests that were counted: by device, or by kind.
fn counted(groups: Option<&Value>) -> Option<Table> {
    let mut table = Table::new(&["tests", "passed", "of", "failed"]);
    for (name, tests) in groups?.as_object()? {
        let failed: Vec<&str> = tests.get("failed")?.as_array()?.iter().filter_map(Value::as_str).collect();
        table.rows.push(vec![
            name.clone(),
            count(tests, "passed").to_string(),
            count(tests, "of").to_string(),
            if failed.is_empty() { "none".to_owned() } else { failed.join(", ") },
        ]);
    }
    Some(table)
}

/// How fast the host's cores encode and decode: bytes of the array in a second, and the memory traffic relative to
/// memcpy.
fn codecs(results: &Results) -> Option<Table> {
    let head = ["format", "encode GB/s", "moved, of memcpy", "decode GB/s", "moved, of memcpy"];
    let mut table = Table::new(&head);
    for row in results.more.get("codecs")?.as_array()? {
        let number = |key: &str| row.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN);
        table.rows.push(vec![
            row.get("format")?.as_str()?.to_owned(),
            format!("{:.1}", number("encode_gb_s")),
            format!("{:.0}%", number("encode_of_memcpy")),
            format!("{:.1}", number("decode_gb_s")),
            format!("{:.0}%", number("decode_of_memcpy")),
        ]);
    }
    Some(table)
}
