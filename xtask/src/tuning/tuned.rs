//! `cargo xtask tune-spaces --only tuned`: paper 002's table 8 and figure 5 for the forms of its programs in `bench/`, from what
//! `bench/tuned.py` measured (kept in `bench/tuned`, a file a device), beside the paper's values.
//!
//! `--prepare DIR` packs what it needs on a machine with a device: executables with all candidates, the same with fast
//! mathematics, the sources of their twins in CUDA. `--report FILE` takes its results over.

use super::prepare::{TOLERANCE, pack};
use crate::bench::manifest::{self, Manifest};
use crate::bench::ours::Accl;
use crate::bench::table::{Table, ratio};
use crate::options::Options;
use crate::paths;
use anyhow::{Context, Result, bail};
use plotters::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The paper's program, ours, the training input, and those that count, which fill a device.
const PROGRAMS: &[(&str, &str, &str, &[&str])] = &[
    ("NW", "needle", "512 1", &["4096 1"]),
    ("BFS", "bfs", "65536 1", &["1048576 1"]),
    ("SPMUL", "spmv", "20000 20 2", &["4194304 3 4"]),
    ("EP", "ep", "512 2 1", &["16384 4 1"]),
    ("CG", "cg", "24 4 1", &["96 6 1"]),
    ("FT", "fft", "65536 1 1", &["1048576 1 1"]),
    ("BACKPROP", "backprop", "4096 64 2", &["65536 512 2"]),
    ("CFD", "cfd", "3000 3 1", &["200000 4 1"]),
    ("HEARTWALL", "heartwall", "7 4 1", &["51 20 1"]),
    ("HOTSPOT", "hotspot", "256 8 2", &["4096 4 2"]),
    ("SRAD", "srad", "256 4 1", &["2048 4 1"]),
    ("LUD", "lud", "256 1", &["2048 1"]),
    ("JACOBI", "jacobi", "256 5 1", &["4096 4 1"]),
    ("KMEANS", "kmeans", "20000 2 1", &["1000000 1 1"]),
];

/// In the order of the figure.
const WAYS: &[&str] = &["AllOpt", "ProfT", "ProdT", "UAT", "Manual"];

/// The paper's table 8, of the programs as they were and of those that were modified by hand: what tuning gains over AllOpt, and
/// how fast its programs are beside those written by hand; least, most, mean.
const PAPER: &[(&str, [f64; 3], [f64; 3])] = &[
    ("as they were", [1.0, 4.23, 1.19], [0.02, 1.92, 0.5]),
    ("modified", [1.0, 7.71, 1.24], [0.02, 2.68, 0.75]),
];

#[derive(Serialize)]
struct Entry<'m> {
    name: &'m str,
    paper: &'m str,
    folder: &'m str,
    source: &'m str,
    cuda: Option<&'m str>,
    flags: Vec<String>,
    libs: Vec<String>,
    tolerance: f64,
    train: &'m str,
    production: &'m [&'m str],
}

/// What is kept of a machine.
#[derive(Serialize, Deserialize)]
struct Measured {
    device: String,
    programs: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    name: String,
    paper: String,
    args: String,
    train: String,
    kernel_ms: BTreeMap<String, f64>,
    #[serde(flatten)]
    more: BTreeMap<String, serde_json::Value>,
}

pub fn run(options: &Options) -> Result<()> {
    if let Some(dir) = &options.prepare {
        return prepare(options, dir);
    }
    for file in &options.report {
        keep(file)?;
    }
    let folder = paths::root().join("bench/tuned");
    let files = paths::files_in(&folder, &["json"]);
    if files.is_empty() {
        bail!("nothing was measured: there is no file in {}", folder.display());
    }
    files.iter().try_for_each(|file| tell(file))
}

fn prepare(options: &Options, dir: &Path) -> Result<()> {
    let accl = Accl::release()?;
    std::fs::create_dir_all(dir)?;
    let benches = manifest::all()?;
    let mut entries = vec![];
    for (paper, name, train, production) in
        PROGRAMS.iter().filter(|(_, name, ..)| options.wants_program(name))
    {
        let bench = benches.iter().find(|bench| bench.name == *name);
        let bench = bench.with_context(|| format!("bench/{name} is not there"))?;
        pack(&accl, bench, dir, name, &[])?;
        pack(&accl, bench, dir, &format!("{name}-fast"), &["-gpu=fastmath"])?;
        std::fs::remove_file(dir.join(format!("{name}-fast.space.json")))?;
        copy(&bench.dir(), &dir.join("src").join(&bench.folder))?;
        entries.push(entry(bench, paper, train, production));
    }
    let root = paths::root().join("bench");
    copy(&root.join("common"), &dir.join("src/common"))?;
    for script in ["tune.py", "tuned.py"] {
        std::fs::copy(root.join(script), dir.join(script))?;
    }
    let plan = serde_json::json!({ "programs": entries });
    Ok(std::fs::write(dir.join("plan.json"), format!("{plan:#}\n"))?)
}

fn entry<'m>(bench: &'m Manifest, paper: &'m str, train: &'m str, production: &'m [&'m str]) -> Entry<'m> {
    Entry {
        name: &bench.name,
        paper,
        folder: &bench.folder,
        source: &bench.source,
        cuda: bench.cuda.as_deref(),
        flags: bench.flags_for(&bench.source),
        libs: bench.libs.iter().map(|lib| format!("-l{lib}")).collect(),
        tolerance: bench.tolerance.max(TOLERANCE),
        train,
        production,
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for file in std::fs::read_dir(from)?.flatten().map(|entry| entry.path()).filter(|path| path.is_file()) {
        std::fs::copy(&file, to.join(file.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Results of a machine, in a file that its device names. Programs that it did not measure keep the rows that such a device gave before.
fn keep(file: &Path) -> Result<()> {
    let mut measured = read(file)?;
    let device = measured.device.to_lowercase();
    let name = ["h100", "h200", "a100"].into_iter().find(|name| device.contains(name)).unwrap_or("other");
    let folder = paths::root().join("bench/tuned");
    std::fs::create_dir_all(&folder)?;
    let kept = folder.join(format!("{name}.json"));
    if kept.exists() {
        let before = read(&kept)?;
        let again = |row: &Row| measured.programs.iter().any(|new| new.name == row.name);
        let others: Vec<Row> = before.programs.into_iter().filter(|row| !again(row)).collect();
        measured.programs.extend(others);
    }
    measured.programs.sort_by_key(|row| PROGRAMS.iter().position(|(_, name, ..)| *name == row.name));
    Ok(std::fs::write(kept, serde_json::to_string_pretty(&measured)? + "\n")?)
}

fn read(file: &Path) -> Result<Measured> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    serde_json::from_str(&text).with_context(|| file.display().to_string())
}

impl Row {
    /// How many times as fast as another way.
    fn gain(&self, way: &str, over: &str) -> Option<f64> {
        Some(self.kernel_ms.get(over)? / self.kernel_ms.get(way)?)
    }
}

fn tell(file: &Path) -> Result<()> {
    let measured = read(file)?;
    let (table8, figure5) = (table8(&measured), figure5(&measured));
    println!("{}, table 8 of paper 002\n\n{}", measured.device, table8.text());
    println!("figure 5: times as fast as the serial program\n\n{}", figure5.text());
    let plot = plot_path(file);
    bars(&measured, &plot)?;
    let page = format!(
        "# Paper 002: table 8 and figure 5\n\nMade by `cargo xtask tune-spaces --only tuned`, of `{}`, measured on {}. The guide says \
         what the ways are ([Tuning](guide-tuning.md)). The paper's device is a Quadro FX 5600 beside a processor of its time, so that \
         speed-ups over serial programs do not compare; what tuning gains, and how far from programs by hand it ends, does.\n\n\
         ## What tuning gains (table 8)\n\n{}\n## Times as fast as the serial program (figure 5)\n\n{}\n![figure 5](plots/{})\n",
        file.strip_prefix(paths::root()).unwrap_or(file).display(),
        measured.device,
        table8.markdown(),
        figure5.markdown(),
        plot.file_name().unwrap_or_default().display(),
    );
    Ok(std::fs::write(paths::root().join("docs/results-tuning.md"), page)?)
}

fn plot_path(file: &Path) -> PathBuf {
    let name = file.file_stem().unwrap_or_default().display();
    paths::root().join(format!("docs/plots/002-5-{name}.svg"))
}

fn table8(measured: &Measured) -> Table {
    let mut table =
        Table::new(&["", "over AllOpt: least", "most", "mean", "over Manual: least", "most", "mean"]);
    for (name, gains, beside) in PAPER {
        let cells = gains.iter().chain(beside).map(|value| ratio(Some(*value)));
        table.rows.push(std::iter::once(format!("paper, {name}")).chain(cells).collect());
    }
    for way in ["ProfT", "ProdT", "UAT"] {
        let of = |over: &str| -> [Option<f64>; 3] {
            let all: Vec<f64> = measured.programs.iter().filter_map(|row| row.gain(way, over)).collect();
            let mean = (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64);
            [all.iter().copied().reduce(f64::min), all.iter().copied().reduce(f64::max), mean]
        };
        let cells = of("AllOpt").into_iter().chain(of("Manual")).map(ratio);
        table.rows.push(std::iter::once(format!("here, {way}")).chain(cells).collect());
    }
    table
}

fn figure5(measured: &Measured) -> Table {
    let head: Vec<&str> =
        ["program", "input", "training input"].into_iter().chain(WAYS.iter().copied()).collect();
    let mut table = Table::new(&head);
    for row in &measured.programs {
        let cells = WAYS.iter().map(|way| ratio(row.gain(way, "Serial")));
        let first = [&row.paper, &row.args, &row.train].map(String::clone);
        table.rows.push(first.into_iter().chain(cells).collect());
    }
    table
}

/// Bars of each program and input, of a height by the logarithm of the speed-up.
fn bars(measured: &Measured, to: &Path) -> Result<()> {
    let (groups, each) = (measured.programs.len() as i32, WAYS.len() as i32 + 1);
    let most = measured.programs.iter().flat_map(|row| WAYS.iter().filter_map(|way| row.gain(way, "Serial")));
    let most = most.fold(10.0, f64::max);
    let area = SVGBackend::new(to, (1100, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(30)
        .y_label_area_size(60)
        .build_cartesian_2d(0..groups * each, (0.1f64..most * 1.3).log_scale())?;
    let label = |at: &i32| {
        let row = measured.programs.get((at / each) as usize);
        row.filter(|_| at % each == each / 2).map_or(String::new(), |row| row.paper.clone())
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels((groups * each) as usize)
        .x_label_formatter(&label)
        .x_label_style(("sans-serif", 12))
        .y_desc("times as fast as the serial program")
        .draw()?;
    for (number, way) in WAYS.iter().enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        let bar = |(at, row): (usize, &Row)| {
            let left = at as i32 * each + number as i32;
            let height = row.gain(way, "Serial")?;
            Some(Rectangle::new([(left, 0.1), (left + 1, height)], colour.filled()))
        };
        chart
            .draw_series(measured.programs.iter().enumerate().filter_map(bar))?
            .label(*way)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    Ok(area.present()?)
}
