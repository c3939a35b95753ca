//! Random programs, to find programs that the compiler translates wrongly without any message.
//!
//! | kind | what is in it |
//! |---|---|
//! | `loops` | loops of `kernels` with arbitrary subscripts |
//! | `overlaps` | the same, of arrays that overlap, are the same, or are apart |
//! | `rows` | the same, of rows counted by hand that only the launch knows the lengths of |
//! | `expressions` | C of all types within an iteration |
//! | `nests` | levels of parallelism, reductions, `collapse`, `tile`, atomics |
//! | `windows` | `fcw` and `cache` |
//! | `carried` | aggregates declared at every level and carried, recurrences at every level |
//! | `accumulators` | loops without a clause in `parallel` that accumulate into elements |
//! | `pointers` | pointers formed in regions: private, firstprivate, local |
//! | `types` | types and variables with the names that other languages have built in |
//! | `clauses` | data clauses of parameters with extents, of one variable twice, nested regions |
//! | `routines` | `routine` seq, vector, worker; pointers and structures handed to them |
//! | `counters` | what loops count with; structures and scalars with an address in private clauses |
//! | `scratch` | arrays of the device alone, of which each iteration has a row |
//! | `iterations` | parallel loops whose iterations go through rows by loops without a directive |
//! | `reductions` | variables that loops reduce and that their construct uses elsewhere |
//! | `last-values` | variables that iterations of worker and vector loops set and that are read behind these |
//! | `privates` | what gangs have of their construct's variables, and loops of these |
//! | `queues` | `async` and `wait` in all forms, the host's work between |
//! | `cxx` | templates, references, classes, overloads |
//! | `omp-lastprivate` | last values of loops and nests |
//! | `openmpc-host-loops` | the loops of `loops` and `overlaps` without directives, between launches of `-fopenmpc` |
//! | `openmpc-shared-loops` | loops that threads share, one after the other, which `-fopenmpc` may join |
//! | `omp-…` | one of the others in its OpenMP form ([`openmp`]) |
//!
//! A seed makes a program, the same everywhere; [`compare`] compiles and runs it with directives and without. `cargo xtask
//! random` looks for new mistakes; a few seeds are a section of `cargo xtask test`. What a grammar makes is valid, so a program
//! that is refused has failed, too.

mod accumulators;
mod carried;
mod clauses;
mod compare;
mod counters;
mod cxx;
mod expressions;
mod grammar;
mod iterations;
mod last_values;
mod lastprivate;
mod loops;
mod nests;
mod openmp;
mod openmpc;
mod pack;
mod pointers;
mod privates;
mod queues;
mod reductions;
mod routines;
mod rows;
mod scratch;
mod shared_loops;
mod types;
mod windows;

pub use pack::{Packed, pack};

use crate::options::Options;
use crate::test::{Check, Context, DEVICES, Report};
use crate::{paths, run, setup};
use anyhow::{Result, bail};
use std::path::PathBuf;

struct Kind {
    name: &'static str,
    program: fn(u64) -> String,
    language: Language,
    /// The seeds of `cargo xtask test`, among them those that once showed mistakes.
    tested: &'static [u64],
}

#[derive(Clone, Copy, PartialEq)]
enum Language {
    C,
    Cxx,
}

impl Kind {
    /// What only `accl` is told, not the host's compiler.
    fn options(&self) -> &'static [&'static str] {
        match self.name {
            name if name.starts_with("omp-") => &["-fopenmp"],
            name if name.starts_with("openmpc-") => &["-fopenmpc"],
            _ => &[],
        }
    }
}

const fn c(name: &'static str, program: fn(u64) -> String, tested: &'static [u64]) -> Kind {
    Kind { name, program, language: Language::C, tested }
}

const KINDS: &[Kind] = &[
    c("loops", loops::program, &[0, 1, 2, 3, 4, 28]),
    c("overlaps", loops::overlapping, &[0, 1, 2]),
    c("rows", rows::program, &[0, 1, 2, 3]),
    c("expressions", expressions::program, &[0, 1, 2, 3, 12, 28]),
    c("nests", nests::program, &[0, 1, 2, 3, 4, 5]),
    c("windows", windows::program, &[0, 1, 2, 3, 4, 5]),
    c("carried", carried::program, &[0, 1, 2, 302, 323]),
    c("accumulators", accumulators::program, &[2, 4, 7]),
    c("pointers", pointers::program, &[0, 1, 2]),
    c("types", types::program, &[0, 1, 2]),
    c("clauses", clauses::program, &[0, 1, 2]),
    c("routines", routines::program, &[0, 1, 116]),
    c("counters", counters::program, &[0, 1, 2]),
    c("scratch", scratch::program, &[0, 1, 2, 7003]),
    c("iterations", iterations::program, &[0, 1, 2]),
    c("queues", queues::program, &[0, 1, 2]),
    c("reductions", reductions::openacc, &[0, 1, 2]),
    c("privates", privates::openacc, &[0, 1]),
    c("last-values", last_values::program, &[0, 1, 2]),
    Kind { name: "cxx", program: cxx::program, language: Language::Cxx, tested: &[0, 4] },
    c("omp-nests", |seed| openmp::first(nests::program, seed), &[0, 1]),
    c("omp-expressions", |seed| openmp::first(expressions::program, seed), &[0, 1]),
    c("omp-pointers", |seed| openmp::first(pointers::program, seed), &[0]),
    c("omp-clauses", |seed| openmp::first(clauses::program, seed), &[0]),
    c("omp-counters", |seed| openmp::first(counters::program, seed), &[0]),
    c("omp-scratch", |seed| openmp::first(scratch::program, seed), &[0]),
    c("omp-iterations", |seed| openmp::first(iterations::program, seed), &[0, 1]),
    c("omp-reductions", reductions::openmp, &[0, 1]),
    c("omp-privates", privates::openmp, &[0, 1]),
    c("omp-last-values", |seed| openmp::first(last_values::once, seed), &[0, 1]),
    c("omp-lastprivate", lastprivate::program, &[0, 1]),
    c("openmpc-host-loops", openmpc::host_loops, &[0, 1, 2]),
    c("openmpc-shared-loops", shared_loops::program, &[0, 10, 16]),
];

/// Of each kind, where `--count` is absent.
const COUNT: u64 = 50;

/// `cargo xtask random`.
pub fn run(options: &Options) -> Result<bool> {
    if let Some(kind) = &options.kind
        && !KINDS.iter().any(|k| k.name == kind)
    {
        let names: Vec<&str> = KINDS.iter().map(|k| k.name).collect();
        bail!("no kind of random program is named '{kind}': {}", names.join(", "));
    }
    // `ACCL_BIN` names a folder with another compiler and runtime, as for `bench`.
    let bin = std::env::var_os("ACCL_BIN").map(PathBuf::from);
    if bin.is_none() {
        run::show(&mut run::cargo(&["build", "--quiet", "--workspace"]))?;
    }
    let context = Context::new(options, setup::found(), bin.unwrap_or_else(|| paths::target("debug")))?;
    let mut report = Report::new();
    let first = options.first.unwrap_or(0);
    let seeds: Vec<u64> = (first..).take(options.count.unwrap_or(COUNT) as usize).collect();
    check(&context, &mut report, |_| &seeds)?;
    Ok(report.finish())
}

/// The section of `cargo xtask test`.
pub fn section(context: &Context, report: &mut Report) -> Result<()> {
    check(context, report, |kind| kind.tested)
}

fn check<'a>(
    context: &Context,
    report: &mut Report,
    seeds: impl Fn(&'static Kind) -> &'a [u64],
) -> Result<()> {
    let (options, work) = (&context.options, paths::work_dir("random")?);
    let mut devices: Vec<&str> = DEVICES.iter().copied().filter(|d| options.wants_device(d)).collect();
    if options.device.as_deref() == Some("cuda") {
        devices.push("cuda");
    }
    if devices.is_empty() {
        bail!("programs run on cpu, opencl and cuda");
    }
    for kind in KINDS.iter().filter(|k| options.kind.as_ref().is_none_or(|wanted| wanted == k.name)) {
        let checks = seeds(kind).iter().map(|&seed| {
            let (name, dir) = (format!("{}_{seed}", kind.name), work.join(format!("{}_{seed}", kind.name)));
            let devices = &devices;
            Check::new(name, move || {
                let found = compare::check(context, kind, seed, &dir, devices);
                found.map_err(|why| format!("{why}\n{}: {}", dir.display(), repeat(kind.name, seed)))
            })
        });
        let checks = checks.filter(|c| options.wants_program(&c.name)).collect();
        report.section(&format!("random: {}", kind.name), checks);
    }
    Ok(())
}

/// The command that makes the same program again.
fn repeat(kind: &str, seed: u64) -> String {
    format!("cargo xtask random --kind {kind} --first {seed} --count 1")
}
