//! `cargo xtask results`: `docs/results.md` and its pictures, from what is kept in `docs/results`.
//!
//! The page is written by hand; only the parts between `<!-- NAME -->` and `<!-- end -->` are generated. A test
//! fails where these are not what the kept results give.

use super::figures::{self, Figure};
use super::forms::{self, ProgramForm};
use super::kept::{self, Kept, ON_CUDA};
use super::manifest::{self, Manifest};
use super::results::{OURS, Results, Row, Time, geometric_mean};
use super::table::{self, Table};
use super::{others, plot, report, titles_in};
use crate::options::Options;
use crate::paths;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::BTreeMap;

/// The programs that are whole computations, as in applications, and not single operations.
const APPLICATIONS: [&str; 14] = [
    "backprop",
    "bfs",
    "blackscholes",
    "cg",
    "hotspot",
    "jacobi",
    "kmeans",
    "lud",
    "matmul",
    "nbody",
    "nn",
    "pathfinder",
    "saxpy",
    "srad",
];

/// With names the full tables are printed; without any the page and its pictures are written.
pub fn run(options: &Options) -> Result<()> {
    let kept = kept::all()?;
    if !options.names.is_empty() {
        return report::print(&kept, &options.names);
    }
    write(&kept)
}

pub fn write(kept: &[Kept]) -> Result<()> {
    let file = paths::root().join("docs/results.md");
    let old = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    std::fs::write(&file, filled(old, kept)?)?;
    plot::run(kept)?;
    println!("written: {}", file.display());
    Ok(())
}

/// The page, with all generated parts made anew.
fn filled(page: String, kept: &[Kept]) -> Result<String> {
    let all = manifest::all()?;
    let parts = [
        ("machines", machines(kept).markdown()),
        ("summary", summary(kept, &all)?.markdown()),
        ("programs", programs(kept, &all).markdown()),
        ("figures", of_papers(kept)?),
    ];
    parts.iter().try_fold(page, |page, (name, text)| {
        replaced(&page, name, text)
            .with_context(|| format!("docs/results.md has no <!-- {name} -->, <!-- end -->"))
    })
}

/// The text with the named place filled.
fn replaced(text: &str, name: &str, new: &str) -> Option<String> {
    let begin = format!("<!-- {name} -->\n");
    let start = text.find(&begin)? + begin.len();
    let end = start + text[start..].find("<!-- end -->")?;
    Some(format!("{}\n{}\n\n{}", &text[..start], new.trim_end(), &text[end..]))
}

fn machines(kept: &[Kept]) -> Table {
    let mut table = Table::new(&["results", "GPU", "driver", "nvcc", "processor", "threads", "date"]);
    for Kept { name, results } in kept {
        let keys = ["gpu", "driver", "nvcc", "cpu", "threads", "date"];
        let about = keys.map(|key| results.machine.get(key).map_or("–", String::as_str).to_owned());
        table.rows.push(std::iter::once(format!("[{name}](results/{name}.json)")).chain(about).collect());
    }
    table
}

/// A line for each comparison: over how many rows, the geometric mean, the least and the most.
fn summary(kept: &[Kept], all: &[Manifest]) -> Result<Table> {
    let mut table =
        Table::new(&["time of … over time of …", "on", "rows", "geometric mean", "least", "most"]);
    for Kept { name, results } in kept {
        for (what, ratios) in comparisons(results, all).into_iter().chain(by_others(results)?) {
            if let Some(mean) = geometric_mean(ratios.iter().copied()) {
                let least = ratios.iter().copied().fold(f64::MAX, f64::min);
                let most = ratios.iter().copied().fold(0.0, f64::max);
                let count = ratios.len().to_string();
                let numbers = [mean, least, most].map(|ratio| table::ratio(Some(ratio)));
                table.rows.push([what, name.clone(), count].into_iter().chain(numbers).collect());
            }
        }
    }
    Ok(table)
}

/// The programs of each collection against their twins.
fn by_others(results: &Results) -> Result<Vec<(String, Vec<f64>)>> {
    let mut found = vec![];
    for (device, rows) in &results.programs {
        for (collection, rows) in others::collections(rows) {
            for (peer, title) in titles_in(device, &rows)? {
                let what = format!("{collection}: {title} / ours, {device} device");
                found.push((what, others::ratios(&rows, &peer)));
            }
        }
    }
    Ok(found)
}

fn comparisons(results: &Results, all: &[Manifest]) -> Vec<(String, Vec<f64>)> {
    let rows = |device: &str| results.bench.get(device).map_or(&[][..], Vec::as_slice);
    let over = |device: &str, peer: &str, time: Time| -> Vec<f64> {
        report::plain(rows(device), all).filter_map(|row| row.ratio(peer, time)).collect()
    };
    let inverse = |ratios: Vec<f64>| ratios.into_iter().map(f64::recip).collect();
    let applications =
        report::plain(rows("cuda"), all).filter(|row| APPLICATIONS.contains(&row.program.as_str()));
    let applications = applications.filter_map(|row| row.ratio("cuda", Time::Kernel)).collect();
    let mut found = vec![
        ("CUDA by hand / ours, kernels", over("cuda", "cuda", Time::Kernel)),
        ("CUDA by hand / ours, kernels of the 14 applications", applications),
        ("CUDA by hand / ours, application", over("cuda", "cuda", Time::App)),
        ("gcc -fopenacc / ours, kernels", over("cuda", "gcc-openacc", Time::Kernel)),
        ("ours by OpenCL / by CUDA, kernels", inverse(over("opencl", ON_CUDA, Time::Kernel))),
    ];
    for (device, [compressed, windows, by_hand]) in [
        (
            "cuda",
            [
                "plain / compressed arrays",
                "plain / windows (fcw, cache)",
                "CUDA by hand / ours, all these forms",
            ],
        ),
        ("cpu", ["plain / compressed arrays, cpu device", "plain / windows, cpu device", ""]),
    ] {
        let forms = forms::of(results, device, all);
        let gains = |window: bool| {
            forms.iter().filter(|f| f.is_window() == window).filter_map(ProgramForm::gain).collect()
        };
        found.push((compressed, gains(false)));
        found.push((windows, gains(true)));
        found.push((by_hand, forms.iter().filter_map(|f| f.row.ratio("cuda", Time::Kernel)).collect()));
    }
    found.push(("gcc -fopenmp / ours, cpu device", over("cpu", "gcc-openmp", Time::Kernel)));
    found.push(("nvcc / accl cc, compile time", compile_ratios(results)));
    found.into_iter().map(|(what, ratios)| (what.to_owned(), ratios)).collect()
}

fn compile_ratios(results: &Results) -> Vec<f64> {
    let programs = results.more.get("compile_ms").and_then(Value::as_object);
    let ratio = |times: &Value| Some(times.get("cuda")?.as_f64()? / times.get(OURS)?.as_f64()?);
    programs.into_iter().flat_map(|programs| programs.values().filter_map(ratio)).collect()
}

/// A line for each program, at the largest size that was measured.
fn programs(kept: &[Kept], all: &[Manifest]) -> Table {
    let mut table = Table::new(&[
        "program",
        "size",
        "ours ms",
        "CUDA by hand ×",
        "gcc -fopenacc ×",
        "application ×",
        "plain / compressed",
        "plain / windows",
    ]);
    let results = kept.iter().map(|k| &k.results).find(|r| r.bench.contains_key("cuda"));
    let Some(results) = results else { return table };
    let rows = results.bench.get("cuda").map_or(&[][..], Vec::as_slice);
    let mut largest: BTreeMap<&str, &Row> = BTreeMap::new();
    for row in report::plain(rows, all) {
        let known = largest.entry(&row.program).or_insert(row);
        if work(row) > work(known) {
            *known = row;
        }
    }
    let forms = forms::of(results, "cuda", all);
    for (program, row) in largest {
        let best = |window: bool| {
            let same = |f: &&ProgramForm<'_>| f.is_window() == window && f.row.size == row.size;
            let of_program = |f: &&ProgramForm<'_>| forms::plain_of(&f.row.program, all) == Some(program);
            let gains = forms.iter().filter(same).filter(of_program).filter_map(ProgramForm::gain);
            table::ratio(gains.max_by(f64::total_cmp))
        };
        table.rows.push(vec![
            program.to_owned(),
            row.size.clone(),
            table::milliseconds(row.ours(), Time::Kernel),
            table::ratio(row.ratio("cuda", Time::Kernel)),
            report::gcc(row),
            table::ratio(row.ratio("cuda", Time::App)),
            best(false),
            best(true),
        ]);
    }
    table
}

/// The amount of work of a row's program, to compare rows of the same program.
fn work(row: &Row) -> f64 {
    let first = || row.args.split_whitespace().next()?.parse().ok();
    row.bytes.or(row.flops).or_else(first).unwrap_or(0.0)
}

/// Each figure of the papers that was measured: what the paper says, and our result.
fn of_papers(kept: &[Kept]) -> Result<String> {
    let shown = figures::all()?.into_iter().filter(|figure| kept::shown(kept, figure).is_some());
    let line = |figure: Figure| {
        let finding = figure.finding.as_ref().map_or(String::new(), |finding| format!(" *Here:* {finding}"));
        let Figure { figure, title, paper, name, .. } = &figure;
        format!("- [{title}](plots/{name}.svg) ({figure}). *The paper:* {paper}{finding}\n")
    };
    Ok(shown.map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_what_the_kept_results_give() {
        let page = std::fs::read_to_string(paths::root().join("docs/results.md")).unwrap();
        let made = filled(page.clone(), &kept::all().unwrap()).unwrap();
        assert!(page == made, "docs/results.md is old: run `cargo xtask results`");
    }

    #[test]
    fn collections_are_compared_with_their_twins() {
        let json = r#"{"programs": {"cpu": [{"program": "polybench-acc/gemm", "args": "large", "results": {
            "accl": {"app_ms": 2.0, "check": "PASS"}, "gcc-openmp": {"app_ms": 3.0, "check": "PASS"}}}]}}"#;
        let results: Results = serde_json::from_str(json).unwrap();
        let line = "polybench-acc: gcc -fopenmp / ours, cpu device".to_owned();
        assert_eq!(by_others(&results).unwrap(), [(line, vec![1.5])]);
    }

    #[test]
    fn only_the_named_place_changes() {
        let page = "a\n<!-- x -->\nold\n<!-- end -->\nb\n<!-- y -->\n<!-- end -->\n";
        let new = replaced(page, "x", "| new |\n").unwrap();
        assert_eq!(new, page.replace("old\n", "\n| new |\n\n"));
        assert_eq!(replaced(&new, "x", "| new |").as_deref(), Some(new.as_str()));
        assert_eq!(replaced(page, "z", ""), None);
    }
}
