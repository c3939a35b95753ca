//! The CUDA source made from every program, compiled by NVIDIA's own compilers: by NVRTC 13 for the instruction set of sm_90, and by
//! NVRTC 12.9 for that of sm_70 where a word or a line stands that older devices might not know. Machine code, which takes as
//! long again, is made of the first sources, or of the first parts that programs compile at run time, in which a line of assembly stands, or
//! an array of shared memory for sm_90: that is what NVRTC itself does not check. nvcc, whose processes take as long to start as most
//! sources to compile, compiles the first sources with each line of the preprocessor: in these it differs.

use super::{Check, Context, Report};
use crate::{paths, run};
use accl_abi::parts::{Part, Parts, split};
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(600);
/// Files of one process of NVRTC, which starts slowly and compiles fast.
const GROUP: usize = 48;
/// Warnings fail, but for those about the program itself: division by zero (39), conversions that wrap (68),
/// variables that are not used (177, 550).
const SUPPRESSED: &str = "-diag-suppress=39,68,177,550";

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
    let whole = sources.iter().map(|file| Ok((file.clone(), read(file)?))).collect::<Result<Vec<_>>>()?;
    let with_new_lines = by_new(&whole, |line| line_if(line, line.starts_with('#')));
    let nvcc = with_new_lines.iter().map(|file| Check::new(name(file), move || by_nvcc(context, file)));
    report.section("cuda: nvcc sm_90", nvcc.collect());
    let with_new_machine_code =
        by_new(&whole, |line| line_if(line, line.contains("asm") || line.contains("__shared__")));
    let mut checks = groups(context, Nvrtc::V13, "sm_90", &with_new_machine_code);
    checks.extend(groups(context, Nvrtc::V13, "compute_90", &sources));
    report.section("cuda: NVRTC sm_90", checks);
    let parts = sources.iter().map(|file| parts(file)).collect::<Result<Vec<_>>>()?.concat();
    let with_new_assembly = by_new(&parts, |line| line_if(line, line.contains("asm")));
    let with_new_words = by_new(&whole, words_of_devices);
    let mut checks = groups(context, Nvrtc::V12, "sm_70", &with_new_assembly);
    checks.extend(groups(context, Nvrtc::V12, "compute_70", &with_new_words));
    report.section("cuda: NVRTC sm_70", checks);
    Ok(())
}

fn line_if(line: &str, wanted: bool) -> Vec<&str> {
    if wanted { vec![line] } else { vec![] }
}

/// What a device may be too old for: lines of assembly and of the preprocessor, the names that CUDA keeps for itself, and atomic updates.
fn words_of_devices(line: &str) -> Vec<&str> {
    if line.starts_with('#') || line.contains("asm") {
        return vec![line];
    }
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("__") || word.starts_with("atomic")).collect()
}

/// Files for one architecture, many in a check.
fn groups<'a>(
    context: &'a Context,
    nvrtc: Nvrtc,
    architecture: &'static str,
    files: &'a [PathBuf],
) -> Vec<Check<'a>> {
    let check = |(i, group): (usize, &'a [PathBuf])| {
        let (first, last) = (i * GROUP + 1, i * GROUP + group.len());
        let run = move || compile(context, nvrtc, architecture, group);
        Check::new(format!("{architecture} {first} to {last}"), run)
    };
    files.chunks(GROUP).enumerate().map(check).collect()
}

/// The runtime's built-in kernels, put together as the runtime does it, where results may lie beside them.
fn runtime_sources() -> Result<PathBuf> {
    const MODULES: [(&str, &[&str]); 3] = [
        ("ranges", &["words.inc", "ranges.inc"]),
        ("blocks", &["words.inc", "blocks.inc"]),
        ("floating", &["floating.inc"]),
    ];
    let from = paths::root().join("crates/runtime/src/compress/built_in_kernels");
    let dir = paths::work_dir("cuda")?.join("runtime");
    std::fs::create_dir_all(&dir)?;
    for (name, parts) in MODULES {
        let mut text = read(&from.join("prelude.cu"))?;
        for part in parts {
            text += &read(&from.join(part))?;
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

fn by_nvcc(context: &Context, file: &Path) -> Result<(), String> {
    let nvcc =
        context.toolchain.nvcc.as_ref().ok_or("nvcc is not installed: see what `cargo xtask setup` says")?;
    let mut command = Command::new(nvcc);
    command.args(["-cubin", "-arch=sm_90", "-std=c++17", "-Werror", "all-warnings", SUPPRESSED]);
    command.arg("-o").arg(file.with_extension("sm_90.cubin")).arg(file);
    let result = run::capture(&mut command, LIMIT).map_err(|e| format!("{e:#}"))?;
    if result.code == 0 { Ok(()) } else { Err(result.text()) }
}

/// The texts with something in a line that is wanted of it, and that none before has under the same condition.
fn by_new(texts: &[(PathBuf, String)], wanted: impl Fn(&str) -> Vec<&str>) -> Vec<PathBuf> {
    let mut known = BTreeSet::new();
    let mut is_new = |text: &str| {
        let (mut condition, mut new) = ("", false);
        for line in text.lines().map(str::trim) {
            if ["#if", "#el", "#endif"].iter().any(|word| line.starts_with(word)) {
                condition = line;
            }
            for found in wanted(line) {
                new |= known.insert(format!("{condition}\n{found}"));
            }
        }
        new
    };
    texts.iter().filter(|(_, text)| is_new(text)).map(|(path, _)| path.clone()).collect()
}

/// The parts of several sources, for sm_70, in one process.
pub fn by_nvrtc(context: &Context, files: &[PathBuf]) -> Result<(), String> {
    let parts = files.iter().map(|file| parts(file)).collect::<Result<Vec<_>>>();
    let parts = parts.map_err(|e| format!("{e:#}"))?.concat();
    compile(context, Nvrtc::V12, "sm_70", &parts.into_iter().map(|(path, _)| path).collect::<Vec<_>>())
}

/// The releases of NVRTC that are installed: the newest, and the last one that knows sm_70.
#[derive(Clone, Copy)]
enum Nvrtc {
    V12,
    V13,
}

fn compile(context: &Context, nvrtc: Nvrtc, architecture: &str, files: &[PathBuf]) -> Result<(), String> {
    let toolchain = &context.toolchain;
    let (version, library) = match nvrtc {
        Nvrtc::V12 => ("12.9", &toolchain.nvrtc12),
        Nvrtc::V13 => ("13", &toolchain.nvrtc13),
    };
    let (Some(checker), Some(library)) = (&toolchain.nvrtc_check, library) else {
        return Err(format!("NVRTC {version} is not installed: see what `cargo xtask setup` says"));
    };
    let mut command = Command::new(checker);
    // NVRTC loads another library, which lies beside it.
    command.env("LD_LIBRARY_PATH", library.parent().unwrap_or(Path::new(".")));
    command.arg(library).arg(format!("--gpu-architecture={architecture}")).args(["--std=c++17", SUPPRESSED]);
    let result = run::capture(command.args(files), LIMIT).map_err(|e| format!("{e:#}"))?;
    // NVRTC 12.9 warns that sm_70 is old, and has no option against that.
    let has_warnings = matches!(nvrtc, Nvrtc::V13) && !result.stdout.is_empty();
    if result.code == 0 && !has_warnings { Ok(()) } else { Err(result.text()) }
}

fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))
}

/// The files of a source's parts, put together as the runtime does it, and their texts; the source itself where it has none.
fn parts(file: &Path) -> Result<Vec<(PathBuf, String)>> {
    let text = read(file)?;
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
