//! `accl tune --pack DIR`: what another machine needs to measure the whole space of a program.
//!
//! Executables with all candidates as variants, one for each way to spread loops over the launch, and `NAME.space.json`, which says
//! what each variant is. `bench/tune.py` runs them there and writes the measurements as T4 files; it needs no compiler but the
//! device's.

use super::errors::TuneError;
use super::executable::Executable;
use super::report::file_name;
use accl_tuner::replay::groups;
use accl_tuner::space::TunableKernel;
use accl_tuner::t4;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

pub fn run(dir: &Path, output: &Path, program: &Executable, kernels: &[TunableKernel]) -> Result<u8> {
    let cannot = |path: &Path, why| TuneError::Write(path.to_owned(), why);
    std::fs::create_dir_all(dir).map_err(|why| cannot(dir, why))?;
    let name = output.file_name().unwrap_or_default().display().to_string();
    let all: Vec<(usize, usize)> = kernels
        .iter()
        .enumerate()
        .flat_map(|(at, kernel)| (0..kernel.candidates.len()).map(move |candidate| (at, candidate)))
        .collect();
    let mut executables = vec![];
    let mut places: BTreeMap<(usize, usize), (usize, usize)> = BTreeMap::new();
    for (number, group) in groups(kernels, &all).iter().enumerate() {
        let executable = format!("{name}.{number}");
        program
            .compile_candidates(&dir.join(&executable), &group.build(kernels))
            .map_err(TuneError::Failed)?;
        executables.push(executable);
        places.extend(group.candidates.iter().enumerate().map(|(at, one)| (*one, (number, at))));
    }
    let kernels: Vec<Value> =
        kernels.iter().enumerate().map(|(at, kernel)| of_kernel(at, kernel, &places, &name)).collect();
    let space = json!({"version": 1, "program": name, "executables": executables, "kernels": kernels});
    let file = dir.join(format!("{name}.space.json"));
    std::fs::write(&file, format!("{space:#}\n")).map_err(|why| cannot(&file, why))?;
    println!("{}: {} executables, {} candidates", file.display(), executables.len(), all.len());
    Ok(0)
}

fn of_kernel(
    at: usize,
    kernel: &TunableKernel,
    places: &BTreeMap<(usize, usize), (usize, usize)>,
    program: &str,
) -> Value {
    let candidate = |number: usize| {
        let of = &kernel.candidates[number];
        let (executable, variant) = places.get(&(at, number)).copied().unwrap_or_default();
        json!({
            "schedule": of.schedule,
            "configuration": t4::configuration(kernel, number),
            "executable": executable,
            "variant": format!("c{variant}"),
            "model": t4::model(&of.estimate),
        })
    };
    let candidates: Vec<Value> = (0..kernel.candidates.len()).map(candidate).collect();
    json!({
        "id": kernel.id,
        "file": file_name(&kernel.id),
        "symbol": kernel.symbol,
        "function": kernel.launched.function,
        "line": kernel.launched.line,
        "usual": kernel.usual,
        "space": t4::space(kernel, program),
        "candidates": candidates,
    })
}
