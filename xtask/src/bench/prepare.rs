//! Packs what another machine needs to run the conformance suite and the benchmarks: executables built
//! by accl, the peers' sources, and a manifest. `bench/device.py` is all that runs there.
//!
//! ```text
//! DIR/bench/device.py, common/, NAME/     the script and the benchmarks' own folders
//! DIR/programs/NAME                       built by accl
//! DIR/conformance/NAME                    built by accl
//! DIR/emitted/NAME.cu                     the CUDA source accl made, to read and to compile
//! DIR/lib/libaccl_runtime.so              shared, so that 200 executables stay small
//! DIR/manifest.json
//! ```

use super::manifest::{self, Manifest};
use crate::options::Options;
use crate::test::{Context, Program};
use crate::{paths, run};
use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

/// What is packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    Benchmarks,
    BenchmarksAndConformance,
}

pub fn prepare(options: &Options, contents: Contents, dir: &Path) -> Result<()> {
    run::show(&mut run::cargo(&["build", "--release", "--quiet", "-p", "accl", "-p", "accl-runtime"]))?;
    let context = Context {
        options: options.clone(),
        toolchain: crate::setup::found(),
        bin: paths::target("release"),
        bless: false,
    };
    if dir.join("manifest.json").is_file() {
        std::fs::remove_dir_all(dir)?;
    }
    for folder in ["programs", "conformance", "emitted", "lib"] {
        std::fs::create_dir_all(dir.join(folder))?;
    }
    let library = dir.join("lib/libaccl_runtime.so");
    std::fs::copy(context.bin.join("libaccl_runtime.so"), &library)?;
    strip(&library)?;
    copy_folder(&paths::root().join("bench"), &dir.join("bench"))?;
    let wanted = |name: &str| options.names.is_empty() || options.names.iter().any(|n| n == name);
    let benchmarks: Vec<Manifest> = manifest::all()?.into_iter().filter(|m| wanted(&m.name)).collect();
    let mut jobs: Vec<Job<'_>> = benchmarks.iter().map(Job::Benchmark).collect();
    let programs = if contents == Contents::BenchmarksAndConformance { Program::all() } else { vec![] };
    jobs.extend(programs.iter().map(Job::Conformance));
    let failed = build_all(&context, &jobs, dir);
    let packed = json!({
        "benchmarks": benchmarks,
        "conformance": programs.iter().map(describe).collect::<Vec<Value>>(),
        "failed_to_build": failed,
    });
    std::fs::write(dir.join("manifest.json"), serde_json::to_string_pretty(&packed)?)?;
    println!("{} programs in {}, {} failed to build", jobs.len() - failed.len(), dir.display(), failed.len());
    for name in &failed {
        println!("failed to build: {name}");
    }
    Ok(())
}

enum Job<'a> {
    Benchmark(&'a Manifest),
    Conformance(&'a Program),
}

impl Job<'_> {
    fn name(&self) -> String {
        match self {
            Job::Benchmark(bench) => bench.name.clone(),
            Job::Conformance(program) => program.name.clone(),
        }
    }
}

/// The names of those that could not be built.
fn build_all(context: &Context, jobs: &[Job<'_>], dir: &Path) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(vec![]);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = build(context, job, dir) {
                        eprintln!("{}: {error:#}", job.name());
                        failed.lock().unwrap_or_else(|e| e.into_inner()).push(job.name());
                    }
                }
            });
        }
    });
    let mut failed = failed.into_inner().unwrap_or_else(|e| e.into_inner());
    failed.sort();
    failed
}

fn build(context: &Context, job: &Job<'_>, dir: &Path) -> Result<()> {
    let kept = tempdir(&job.name())?;
    let (executable, words) = match job {
        Job::Benchmark(bench) => {
            let executable = dir.join("programs").join(&bench.name);
            let mut words = vec![if bench.is_cxx() { "c++" } else { "cc" }.to_owned(), "-O3".to_owned()];
            words.extend(["--keep".to_owned(), kept.display().to_string()]);
            words.extend(["-o".to_owned(), executable.display().to_string()]);
            words.extend(bench.words(&bench.source));
            (executable, words)
        }
        Job::Conformance(program) => {
            let executable = dir.join("conformance").join(&program.name);
            let words = program.compile_words(&executable, Some(&kept));
            (executable, words)
        }
    };
    let mut command = context.accl();
    command.args(&words).arg("--shared-runtime");
    let result = run::capture(&mut command, LIMIT)?;
    if result.code != 0 {
        bail!("{}", result.text().trim_end());
    }
    strip(&executable)?;
    for file in paths::files_in(&kept, &["cu"]) {
        std::fs::copy(&file, dir.join("emitted").join(file.file_name().unwrap_or_default()))?;
    }
    std::fs::remove_dir_all(kept)?;
    Ok(())
}

fn tempdir(name: &str) -> Result<std::path::PathBuf> {
    Ok(paths::work_dir(&format!("prepare-{name}"))?)
}

fn strip(file: &Path) -> Result<()> {
    run::show(std::process::Command::new("strip").arg("--strip-unneeded").arg(file))
}

/// A conformance program's header as data.
fn describe(program: &Program) -> Value {
    let header = &program.header;
    json!({
        "name": program.name,
        "args": header.words("args"),
        "env": header.pairs("env").into_iter().collect::<std::collections::BTreeMap<_, _>>(),
        "expect": header.all("expect").collect::<Vec<_>>(),
        "expect_exit": header.get("expect-exit").unwrap_or("0"),
        "expect_stderr": header.all("expect-stderr").collect::<Vec<_>>(),
    })
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())?.flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
