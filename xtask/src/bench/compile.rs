//! `cargo xtask bench --compile`: how long compiling takes, and how it grows.
//!
//! The programs are made here, the same construct at two or more sizes. The cost of analysis, transforms and code
//! generation shows in two numbers: the ratio to the time of a C compiler for the same file without its directives,
//! in the same run, and the exponent between two sizes.

use super::machine;
use super::ours::Accl;
use super::peers::built;
use super::results::Results;
use super::table::{self, Table};
use crate::options::Options;
use crate::paths;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// How often each compiler runs, in turn; the fastest run counts, since all variation is disturbance.
const RUNS: usize = 5;
/// From this many milliseconds on a peer runs once.
const LONG: f64 = 5000.0;

/// A construct that is made at several sizes.
struct Shape {
    name: &'static str,
    sizes: &'static [usize],
    make: fn(usize) -> String,
}

const SHAPES: &[Shape] = &[
    Shape {
        name: "block updates in a parallel nest",
        sizes: &[200, 1000],
        make: |n| blocks(n, "parallel loop gang"),
    },
    Shape { name: "block updates in a kernels nest", sizes: &[200, 1000], make: |n| blocks(n, "kernels") },
    Shape { name: "loops in one kernels construct", sizes: &[100, 300], make: loops },
    Shape { name: "constructs in one file", sizes: &[100, 300], make: constructs },
    Shape { name: "scalars in one loop", sizes: &[125, 500], make: scalars },
    Shape { name: "loops inside each other", sizes: &[8, 32], make: nest },
];

/// Updates of 5 by 5 blocks, as in implicit solvers along a line: eleven references a statement.
fn blocks(n: usize, directive: &str) -> String {
    let mut text = format!(
        "double l[3][5][5][34][34][34];\nvoid f(int n)\n{{\n#pragma acc {directive} present(l)\n    for (int k = 1; k < n; k++) {{\n"
    );
    text += if directive == "kernels" { "" } else { "#pragma acc loop vector\n" };
    text += "        for (int j = 1; j < n; j++)\n            for (int i = 1; i < n; i++) {\n";
    for b in 0..n {
        let (m, q) = (b % 5, b / 5 % 5);
        text += &format!("l[2][{m}][{q}][i][j][k] = l[2][{m}][{q}][i][j][k]");
        for z in 0..5 {
            text += &format!(" - l[0][{m}][{z}][i][j][k] * l[1][{z}][{q}][i - 1][j][k]");
        }
        text += ";\n";
    }
    text + "            }\n    }\n}\n"
}

fn update(k: usize) -> String {
    let (to, from) = if k.is_multiple_of(2) { ('a', 'b') } else { ('b', 'a') };
    format!("    for (int i = 0; i < n; i++)\n        {to}[i] += {from}[i] * {k}.5;\n")
}

fn loops(n: usize) -> String {
    let all: String = (0..n).map(update).collect();
    format!(
        "void f(int n, double *restrict a, double *restrict b)\n{{\n#pragma acc kernels copy(a[0:n], b[0:n])\n    {{\n{all}    }}\n}}\n"
    )
}

fn constructs(n: usize) -> String {
    let one = |k| format!("#pragma acc parallel loop copy(a[0:n], b[0:n])\n{}", update(k));
    let all: String = (0..n).map(one).collect();
    format!("void f(int n, double *restrict a, double *restrict b)\n{{\n{all}}}\n")
}

fn scalars(n: usize) -> String {
    let declared: String = (0..n).map(|k| format!("    double s{k};\n")).collect();
    let set = |k: usize| match k {
        0 => "        s0 = a[i];\n".to_owned(),
        _ => format!("        s{k} = a[i] * {k} + s{};\n", k - 1),
    };
    let all: String = (0..n).map(set).collect();
    format!(
        "void f(int n, double *restrict a)\n{{\n{declared}#pragma acc kernels copy(a[0:n])\n    for (int i = 0; i < n; i++) {{\n{all}        a[i] = s{};\n    }}\n}}\n",
        n - 1
    )
}

fn nest(n: usize) -> String {
    let all: String = (0..n).map(|k| format!("for (int k{k} = 0; k{k} < 2; k{k}++)\n")).collect();
    format!(
        "void f(int n, double *restrict a)\n{{\n#pragma acc kernels copy(a[0:n])\n    for (int i = 0; i < n; i++) {{\n        double s = a[i];\n{all}            s += 1;\n        a[i] = s;\n    }}\n}}\n"
    )
}

pub fn run(options: &Options, accl: &Accl) -> Result<()> {
    let dir = paths::target("bench").join("compile");
    std::fs::create_dir_all(&dir)?;
    let mut rows = vec![];
    for shape in SHAPES {
        for size in shape.sizes {
            let source = dir.join(format!("{}_{size}.c", shape.name.replace(' ', "_")));
            std::fs::write(&source, (shape.make)(*size))?;
            let mut row = BTreeMap::from([("shape", json!(shape.name)), ("size", json!(size))]);
            for (name, ms) in times(accl, &source)? {
                row.insert(name, json!(ms));
            }
            println!("{} {size}: {}", shape.name, row.get("accl").unwrap_or(&Value::Null));
            rows.push(row);
        }
    }
    let rows = json!(rows);
    println!("\n{}", of_rows(&rows).map_or_else(String::new, |t| t.text()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let more = BTreeMap::from([("compile_shapes".to_owned(), rows)]);
    let results = Results { machine: machine(threads), more, ..Results::default() };
    let file = paths::target("bench").join("compile.json");
    std::fs::write(&file, serde_json::to_string_pretty(&results)? + "\n")?;
    if options.save {
        super::keep(&[file])?;
    }
    Ok(())
}

/// Milliseconds from source to object, for accl and for the C compilers that are installed.
fn times(accl: &Accl, source: &Path) -> Result<Vec<(&'static str, f64)>> {
    let object = source.with_extension("o");
    let mut best: BTreeMap<&'static str, f64> = BTreeMap::new();
    for _ in 0..RUNS {
        for name in ["accl", "clang", "gcc"] {
            let mut command = match name {
                "accl" => accl.command(),
                other => Command::new(other),
            };
            if name == "accl" {
                command.arg("cc");
            } else if crate::run::find(name).is_none() || best.get(name).is_some_and(|ms| *ms > LONG) {
                continue;
            }
            command.args(["-O3", "-w", "-c"]).arg(source).arg("-o").arg(&object);
            let start = Instant::now();
            built(&mut command)?;
            let ms = (start.elapsed().as_secs_f64() * 1e4).round() / 10.0;
            let known = best.entry(name).or_insert(ms);
            *known = known.min(ms);
        }
    }
    Ok(best.into_iter().collect())
}

/// For each shape and size: accl's time, those of the C compilers, the ratio, and the exponent of accl's growth
/// from the previous size.
pub fn of_rows(rows: &Value) -> Option<Table> {
    let mut table = Table::new(&[
        "program",
        "size",
        "accl cc ms",
        "clang ms",
        "gcc ms",
        "ours / clang",
        "ours / gcc",
        "growth",
    ]);
    let mut before: Option<(String, f64, f64)> = None;
    for row in rows.as_array()? {
        let number = |name: &str| row.get(name).and_then(Value::as_f64);
        let (shape, size) = (row.get("shape")?.as_str()?.to_owned(), number("size")?);
        let ours = number("accl")?;
        let shown = |value: Option<f64>| value.map_or("–".to_owned(), table::number);
        let growth = before
            .take()
            .filter(|(s, ..)| *s == shape)
            .map(|(_, small, time)| format!("n^{:.2}", (ours / time).ln() / (size / small).ln()));
        let over = |name: &str| table::ratio(number(name).map(|theirs| ours / theirs));
        table.rows.push(vec![
            shape.clone(),
            format!("{size}"),
            table::number(ours),
            shown(number("clang")),
            shown(number("gcc")),
            over("clang"),
            over("gcc"),
            growth.unwrap_or_else(|| "–".to_owned()),
        ]);
        before = Some((shape, size, ours));
    }
    Some(table)
}
