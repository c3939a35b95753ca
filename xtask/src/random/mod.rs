//! Random programs: what compilers get wrong silently.
//!
//! | kind | what is in it |
//! |---|---|
//! | `loops` | loops of `kernels` with arbitrary subscripts |
//! | `expressions` | C of all types within an iteration |
//! | `nests` | levels of parallelism, reductions, `collapse`, `tile`, atomics |
//! | `windows` | `fcw` and `cache` |
//!
//! A seed makes a program, the same everywhere; [`compare`] compiles and runs it with directives and without. `cargo xtask
//! random` looks for new mistakes; a few seeds are a section of `cargo xtask test`. What a grammar makes is valid, so a program
//! that is refused has failed, too.

mod compare;
mod expressions;
mod grammar;
mod loops;
mod nests;
mod windows;

use crate::options::Options;
use crate::test::{Check, Context, DEVICES, Report};
use crate::{paths, run, setup};
use anyhow::{Result, bail};

struct Kind {
    name: &'static str,
    program: fn(u64) -> String,
    /// The seeds of `cargo xtask test`, among them such as showed mistakes that were mended.
    tested: &'static [u64],
}

const KINDS: &[Kind] = &[
    Kind { name: "loops", program: loops::program, tested: &[0, 1, 2, 3, 4, 28] },
    Kind { name: "expressions", program: expressions::program, tested: &[0, 1, 2, 3, 12, 28] },
    Kind { name: "nests", program: nests::program, tested: &[0, 1, 2, 3, 4, 5] },
    Kind { name: "windows", program: windows::program, tested: &[0, 1, 2, 3, 4, 5] },
];

/// Of each kind, where `--count` is absent.
const COUNT: u64 = 50;

/// `cargo xtask random`.
pub fn run(options: &Options) -> Result<bool> {
    if let Some(kind) = &options.kind
        && !KINDS.iter().any(|k| k.name == kind)
    {
        bail!("no kind of random program is named '{kind}': loops, expressions, nests, windows");
    }
    run::show(&mut run::cargo(&["build", "--quiet", "--workspace"]))?;
    let context = Context {
        options: options.clone(),
        toolchain: setup::found(),
        bin: paths::target("debug"),
        bless: false,
    };
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
    let devices: Vec<&str> = DEVICES.iter().copied().filter(|d| options.wants_device(d)).collect();
    if devices.is_empty() {
        bail!("programs run on cpu and opencl here");
    }
    for kind in KINDS.iter().filter(|k| options.kind.as_ref().is_none_or(|wanted| wanted == k.name)) {
        let checks = seeds(kind).iter().map(|&seed| {
            let (name, dir) = (format!("{}_{seed}", kind.name), work.join(format!("{}_{seed}", kind.name)));
            let devices = &devices;
            Check::new(name, move || {
                let found = compare::check(context, &(kind.program)(seed), &dir, devices);
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
