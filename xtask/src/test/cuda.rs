//! The CUDA source made from every program, compiled by NVIDIA's own compilers: as a whole by nvcc 13 for sm_90, and in the parts
//! that programs compile at run time by NVRTC 12.9 for the instruction set of sm_70. Machine code for sm_70, which takes as long
//! again, is made of the first parts in which a line of assembly stands: that is what NVRTC itself does not check.

use super::{Check, Context, Report};
use crate::{paths, run};
use accl_abi::parts::{Part, Parts, split};
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(600);
/// Parts of one process of NVRTC, which starts slowly and compiles fast.
const GROUP: usize = 48;

/// Checks the `.cu` files that the earlier sections' compilations left, and the runtime's own; makes none itself.
pub fn run(context: &Context, report: &mut Report) -> Result<()> {
    let mut sources = vec![];
    for section in ["conformance", "bench"] {
        collect(&paths::target("xtask").join(section), &mut sources);
    }
    collect(&runtime_sources()?, &mut sources);
    let name =
        |file: &Path| format!("{}/{}", file.parent().map(paths::stem).unwrap_or_default(), paths::stem(file));
    let sources: Vec<PathBuf> =
        sources.into_iter().filter(|f| context.options.wants_program(&name(f))).collect();
    let nvcc = sources.iter().map(|file| Check::new(name(file), move || by_nvcc(context, file)));
    report.section("cuda: nvcc sm_90", nvcc.collect());
    let (with_new_assembly, others) = by_assembly(&sources)?;
    let groups = [("sm_70", &with_new_assembly), ("compute_70", &others)];
    let groups = groups.iter().flat_map(|(architecture, parts)| {
        parts.chunks(GROUP).enumerate().map(move |(i, group)| {
            let first = i * GROUP + 1;
            let name = format!("{architecture} {first} to {}", first + group.len() - 1);
            Check::new(name, move || nvrtc(context, architecture, group))
        })
    });
    report.section("cuda: NVRTC sm_70", groups.collect());
    Ok(())
}

/// The runtime's built-in kernels, put together as the runtime does it, where results may lie beside them.
fn runtime_sources() -> Result<PathBuf> {
    const MODULES: [(&str, &[&str]); 3] = [
        ("ranges", &["words.inc", "ranges.inc"]),
        ("blocks", &["words.inc", "blocks.inc"]),
        ("floating", &["floating.inc"]),
    ];
    let from = paths::root().join("crates/runtime/src/compress/built_in_kernels");
    let read = |name: &str| {
        let file = from.join(name);
        std::fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))
    };
    let dir = paths::work_dir("cuda")?.join("runtime");
    std::fs::create_dir_all(&dir)?;
    for (name, parts) in MODULES {
        let mut text = read("prelude.cu")?;
        for part in parts {
            text += &read(part)?;
        }
        std::fs::write(dir.join(name).with_extension("cu"), text)?;
    }
    Ok(dir)
}

fn collect(dir: &Path, sources: &mut Vec<PathBuf>) {
    sources.extend(paths::files_in(dir, &["cu"]));
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut dirs: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    dirs.sort();
    for dir in dirs {
        collect(&dir, sources);
    }
}

/// Warnings fail, but for those about the program itself: division by zero (39), conversions that wrap (68),
/// variables that are not used (177, 550).
fn by_nvcc(context: &Context, file: &Path) -> Result<(), String> {
    let nvcc =
        context.toolchain.nvcc.as_ref().ok_or("nvcc is not installed: see what `cargo xtask setup` says")?;
    let mut command = Command::new(nvcc);
    command.args([
        "-cubin",
        "-arch=sm_90",
        "-std=c++17",
        "-Werror",
        "all-warnings",
        "-diag-suppress=39,68,177,550",
    ]);
    command.arg("-o").arg(file.with_extension("sm_90.cubin")).arg(file);
    let result = run::capture(&mut command, LIMIT).map_err(|e| format!("{e:#}"))?;
    if result.code == 0 { Ok(()) } else { Err(result.text()) }
}

/// The parts of all sources: those with a line of assembly that none before has under the same condition, and the others.
fn by_assembly(sources: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let mut known = BTreeSet::new();
    let (mut with_new, mut others) = (vec![], vec![]);
    for source in sources {
        for (path, text) in parts(source)? {
            let (mut condition, mut new) = ("", false);
            for line in text.lines().map(str::trim) {
                if ["#if", "#el", "#endif"].iter().any(|word| line.starts_with(word)) {
                    condition = line;
                } else if line.contains("asm") {
                    new |= known.insert(format!("{condition}\n{line}"));
                }
            }
            if new { with_new.push(path) } else { others.push(path) }
        }
    }
    Ok((with_new, others))
}

/// Several in one process, each in its parts.
pub fn by_nvrtc(context: &Context, files: &[PathBuf]) -> Result<(), String> {
    let parts = files.iter().map(|file| parts(file)).collect::<Result<Vec<_>>>();
    let paths = parts.map_err(|e| format!("{e:#}"))?.into_iter().flatten().map(|(path, _)| path);
    nvrtc(context, "sm_70", &paths.collect::<Vec<_>>())
}

fn nvrtc(context: &Context, architecture: &str, parts: &[PathBuf]) -> Result<(), String> {
    let missing = "NVRTC 12.9 is not installed: see what `cargo xtask setup` says";
    let checker = context.toolchain.nvrtc_check.as_ref().ok_or(missing)?;
    let library = context.toolchain.nvrtc12.as_ref().ok_or(missing)?;
    let mut command = Command::new(checker);
    command.arg(library).arg(architecture).args(parts);
    let result = run::capture(&mut command, LIMIT).map_err(|e| format!("{e:#}"))?;
    if result.code == 0 { Ok(()) } else { Err(result.text()) }
}

/// The files of a source's parts, put together as the runtime does it, and their texts; the source itself where it has none.
fn parts(file: &Path) -> Result<Vec<(PathBuf, String)>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let Some(Parts { shared, variants }) = split(&text) else {
        return Ok(vec![(file.to_owned(), text)]);
    };
    let dir = file.with_extension("parts");
    std::fs::create_dir_all(&dir)?;
    let write = |part: &Part| {
        let path = dir.join(part.symbol).with_extension("part");
        let text = format!("{shared}{}", part.text);
        std::fs::write(&path, &text)?;
        Ok((path, text))
    };
    variants.iter().map(write).collect()
}
