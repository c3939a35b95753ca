//! Random programs packed for a machine with a GPU and without compilers: all in a few executables, each twice, as `accl`
//! compiled them and as the host's C compiler did, which there says what is expected.
//!
//! Every program's `main` gets a name of its own by an option of the compilers; a `main` written here calls the one that the
//! command line numbers. So the runtime, which is larger than many programs, travels once for each group.

use super::compare::BOTH;
use super::{KINDS, Kind, Language};
use crate::{paths, run};
use anyhow::Result;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Programs of an executable.
const GROUP: usize = 100;

/// Calls of these executables with `number` as argument print the same.
#[derive(Serialize)]
pub struct Packed {
    name: String,
    number: usize,
    executable: Option<String>,
    reference: Option<String>,
    failed: Option<String>,
}

struct Program {
    kind: &'static Kind,
    seed: u64,
    number: usize,
}

impl Program {
    fn name(&self) -> String {
        format!("{}_{}", self.kind.name, self.seed)
    }

    fn main(&self) -> String {
        format!("main_{}", self.name().replace('-', "_"))
    }

    fn object(&self, compiler: &str) -> String {
        format!("{}.{compiler}.o", self.name())
    }
}

/// `count` programs, as many of each kind, in `dir/random`; `accl` makes commands of the compiler.
pub fn pack(accl: impl Fn() -> Command + Sync, dir: &Path, first: u64, count: u64) -> Result<Vec<Packed>> {
    fs::create_dir_all(dir.join("random"))?;
    let work = paths::work_dir("pack")?;
    let turns = KINDS.iter().cycle().take(count as usize).enumerate();
    let programs: Vec<Program> = turns
        .map(|(number, kind)| Program { kind, seed: first + (number / KINDS.len()) as u64, number })
        .collect();
    let compiled = compile_all(&accl, &programs, &work);
    let mut packed = vec![];
    for (index, (group, failed)) in programs.chunks(GROUP).zip(compiled.chunks(GROUP)).enumerate() {
        let good: Vec<&Program> =
            group.iter().zip(failed).filter(|(_, f)| f.is_none()).map(|(p, _)| p).collect();
        let linked = link(&accl, &good, &work, &dir.join("random"), index).map_err(|e| format!("{e:#}"));
        packed.extend(group.iter().zip(failed).map(|(program, failed)| {
            let failed = failed.clone().or_else(|| linked.clone().err());
            let file = |who: &str| failed.is_none().then(|| format!("random/{who}{index}"));
            let (executable, reference) = (file("programs"), file("reference"));
            Packed { name: program.name(), number: program.number, executable, reference, failed }
        }));
    }
    let failed: Vec<&Packed> = packed.iter().filter(|p| p.failed.is_some()).collect();
    println!("{} of {} random programs", packed.len() - failed.len(), packed.len());
    failed.iter().for_each(|p| println!("  {}: {}", p.name, p.failed.as_deref().unwrap_or_default()));
    Ok(packed)
}

/// Why there is no object of a program, for each.
fn compile_all(
    accl: &(impl Fn() -> Command + Sync),
    programs: &[Program],
    work: &Path,
) -> Vec<Option<String>> {
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(vec![None; programs.len()]));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(program) = programs.get(at) else { break };
                    let why = compile(accl, program, work).err().map(|e| format!("{e:#}"));
                    failed.lock().unwrap_or_else(|e| e.into_inner())[at] = why;
                }
            });
        }
    });
    failed.into_inner().unwrap_or_else(|e| e.into_inner())
}

fn compile(accl: &(impl Fn() -> Command + Sync), program: &Program, work: &Path) -> Result<()> {
    let language = program.kind.language;
    let source = format!("{}{}", program.name(), language.suffix());
    fs::write(work.join(&source), (program.kind.program)(program.seed))?;
    let main = format!("-Dmain={}", program.main());
    let words = ["-c", &main, &source, "-o"];
    let mut ours = accl();
    ours.args([language.command(), "-O2"])
        .args(program.kind.options())
        .args(BOTH)
        .args(words)
        .arg(program.object("accl"));
    succeed(ours.current_dir(work))?;
    let mut theirs = Command::new(language.compiler()?);
    theirs.arg("-O0").args(BOTH).args(words).arg(program.object("host"));
    succeed(theirs.current_dir(work))
}

/// `programsN` and `referenceN`, stripped.
fn link(
    accl: &impl Fn() -> Command,
    programs: &[&Program],
    work: &Path,
    to: &Path,
    index: usize,
) -> Result<()> {
    let source = work.join(format!("main{index}.cpp"));
    fs::write(&source, main_of(programs))?;
    let object = work.join(format!("main{index}.o"));
    succeed(Command::new(Language::Cxx.compiler()?).arg("-c").arg(&source).arg("-o").arg(&object))?;
    for (compiler, name) in [("accl", "programs"), ("host", "reference")] {
        let executable: PathBuf = to.join(format!("{name}{index}"));
        let mut command = match compiler {
            "accl" => {
                let mut command = accl();
                command.arg("c++");
                command
            }
            _ => Command::new(Language::Cxx.compiler()?),
        };
        command
            .arg(&object)
            .args(programs.iter().map(|p| p.object(compiler)))
            .args(["-fopenmp", "-lm", "-o"]);
        succeed(command.arg(&executable).current_dir(work))?;
        succeed(Command::new("strip").arg("-s").arg(&executable))?;
    }
    Ok(())
}

fn main_of(programs: &[&Program]) -> String {
    let declaration = |p: &&Program| {
        let linkage = if p.kind.language == Language::C { "extern \"C\" " } else { "" };
        format!("{linkage}int {}();\n", p.main())
    };
    let case = |p: &&Program| format!("    case {}: {}(); return 0;\n", p.number, p.main());
    format!(
        "#include <cstdlib>\n{}int main(int count, char **words)\n{{\n    switch (count > 1 ? std::atoi(words[1]) : -1) {{\n{}    }}\n    return 2;\n}}\n",
        programs.iter().map(declaration).collect::<String>(),
        programs.iter().map(case).collect::<String>(),
    )
}

fn succeed(command: &mut Command) -> Result<()> {
    let result = run::capture(command, Duration::from_secs(120))?;
    anyhow::ensure!(result.code == 0, "{}", result.text());
    Ok(())
}
