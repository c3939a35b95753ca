//! Packing for a machine with a GPU and without Rust or clang.
//!
//!     DIR/plan.json             what there is, for bench/device.py
//!     DIR/device.py
//!     DIR/bin/                  accl, libaccl_runtime.so
//!     DIR/bench/                the programs, linked statically to the runtime; peers built here
//!     DIR/conformance/          the conformance programs, which share bin/libaccl_runtime.so
//!     DIR/ports/NAME/           what `accl translate --to cuda` made, with its Makefile
//!     DIR/cuda/NAME/            the CUDA source that accl made of each program
//!     DIR/src/                  the sources, for the peers built there
//!     DIR/random/               random programs, with `--random N`
//!     DIR/lib/                  libraries that only some programs use
//!
//! and DIR.tar.xz, all of it. Everything is stripped of what debuggers read, and keeps its symbols, by which the runtime finds
//! static arrays of programs with `-fopenmpc`. A program that does not compile is in the plan with the reason, so that the
//! tables made there name it.

use super::figures;
use super::manifest::Manifest;
use super::ours::{self, Accl};
use super::peers::{self, Built, Peer};
use super::ports::{self, Port};
use crate::options::Options;
use crate::random::Packed;
use crate::test as conformance;
use crate::{paths, random, run};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[derive(Default, Serialize)]
struct PackedPlan {
    peers: Vec<Peer>,
    programs: Vec<Program>,
    conformance: Vec<Test>,
    random: Vec<Packed>,
    ports: Vec<Port>,
    /// What the papers' figures need.
    figures: Vec<Point>,
    /// Milliseconds from source to executable here, by program and compiler.
    compile_ms: BTreeMap<String, BTreeMap<String, f64>>,
}

#[derive(Serialize)]
struct Program {
    manifest: Manifest,
    cxx: bool,
    /// By kind ("small", "large", "cpu").
    sizes: BTreeMap<&'static str, Vec<Size>>,
    /// Executables by compiler; the later ones of a list replace the first.
    executables: BTreeMap<String, Vec<String>>,
    /// Why there is none.
    failed: BTreeMap<String, String>,
    emitted: Vec<String>,
}

#[derive(Serialize)]
struct Size {
    args: String,
    bytes: Option<f64>,
    flops: Option<f64>,
}

/// A program at a size, and what is wanted besides its times.
#[derive(Serialize)]
struct Point {
    program: String,
    size: Size,
    cuda: bool,
    transfers: bool,
}

#[derive(Serialize)]
struct Test {
    name: String,
    executable: Option<String>,
    failed: Option<String>,
    args: Vec<String>,
    env: Vec<(String, String)>,
    exit: String,
    /// "launches=3", "downloads>=1"
    expect: Vec<String>,
    /// Regular expressions.
    stderr: Vec<String>,
    slow: bool,
    /// Those that can run it; all where empty.
    devices: Vec<String>,
}

/// With `--only conformance,random` nothing else is packed, so that a machine's time is spent on these alone.
pub fn run(options: &Options, accl: &Accl, benches: &[Manifest], dir: &Path) -> Result<()> {
    clear(dir)?;
    let dir = &std::fs::canonicalize(dir)?;
    let mut plan = PackedPlan::default();
    binaries(accl, dir)?;
    if options.wants_section("bench") {
        plan.peers = peers::all()?;
        sources(benches, dir)?;
        for bench in benches {
            let mut times = BTreeMap::new();
            plan.programs.push(program(accl, bench, &plan.peers, dir, &mut times)?);
            plan.compile_ms.insert(bench.name.clone(), times);
        }
        plan.figures = figures(accl, benches, &mut plan.programs, dir)?;
        plan.ports = ports::all(accl, benches, dir)?;
    }
    libraries(&plan.peers, dir)?;
    if options.wants_section("conformance") {
        plan.conformance = conformance(accl, dir);
    }
    plan.random = random(options, accl, dir)?;
    summary(&plan.programs, &plan.conformance, &plan.ports);
    plan.write(dir)
}

fn random(options: &Options, accl: &Accl, dir: &Path) -> Result<Vec<Packed>> {
    match options.random {
        Some(count) => random::pack(|| accl.command(), dir, options.first.unwrap_or(0), count),
        None => Ok(vec![]),
    }
}

impl PackedPlan {
    fn write(&self, dir: &Path) -> Result<()> {
        std::fs::write(dir.join("plan.json"), serde_json::to_string_pretty(self)? + "\n")?;
        sizes(dir)
    }
}

/// Empties a folder that this command made; any other folder is left alone.
fn clear(dir: &Path) -> Result<()> {
    if dir.is_dir() {
        let empty = std::fs::read_dir(dir)?.next().is_none();
        if !empty && !dir.join("plan.json").is_file() {
            bail!("{} holds something else (it has no plan.json)", dir.display());
        }
        std::fs::remove_dir_all(dir)?;
    }
    for folder in ["bin", "bench", "conformance", "random", "cuda", "ports", "src", "lib"] {
        std::fs::create_dir_all(dir.join(folder))?;
    }
    // Writes an empty plan, so that a folder that is half finished can be made again.
    Ok(std::fs::write(dir.join("plan.json"), "{}\n")?)
}

fn binaries(accl: &Accl, dir: &Path) -> Result<()> {
    std::fs::copy(paths::root().join("bench/device.py"), dir.join("device.py"))?;
    for name in ["accl", "libaccl_runtime.so"] {
        let to = dir.join("bin").join(name);
        let from = accl.bin.join(name);
        std::fs::copy(&from, &to).with_context(|| from.display().to_string())?;
        strip(&to)?;
    }
    Ok(())
}

/// Takes away what running does not need.
pub fn strip(file: &Path) -> Result<()> {
    let words: &[&str] = if file.extension().is_some_and(|e| e == "so") { &["-x", "-S"] } else { &["-S"] };
    run::show(Command::new("strip").args(words).arg(file))
}

fn sources(benches: &[Manifest], dir: &Path) -> Result<()> {
    // Headers lie beside a program, or in a folder around it.
    let around = |bench: &Manifest| -> Vec<String> {
        let folders: Vec<&Path> = Path::new(&bench.folder).ancestors().collect();
        folders.iter().filter_map(|f| f.to_str()).filter(|f| !f.is_empty()).map(str::to_owned).collect()
    };
    let mut folders: Vec<String> = benches.iter().flat_map(around).collect();
    folders.sort();
    folders.dedup();
    for folder in folders.into_iter().chain(["common".to_owned()]) {
        let (from, to) = (paths::root().join("bench").join(&folder), dir.join("src").join(&folder));
        std::fs::create_dir_all(&to)?;
        let files = std::fs::read_dir(&from)?.flatten().map(|e| e.path()).filter(|p| p.is_file());
        for file in files.filter(|f| f.extension().is_none_or(|e| e != "toml")) {
            std::fs::copy(&file, to.join(file.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// Those of the peers; and the OpenCL loader, which machines with OpenCL drivers may lack.
fn libraries(peers: &[Peer], dir: &Path) -> Result<()> {
    peers.iter().try_for_each(|peer| carry(dir, &peer.name, &peer.carries))?;
    carry(dir, "opencl", &["libOpenCL.so.1".to_owned()])
}

/// Copies shared libraries of this machine to `DIR/lib/FOLDER`.
pub fn carry(dir: &Path, folder: &str, libraries: &[String]) -> Result<()> {
    for name in libraries {
        let places = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"];
        let Some(file) = places.iter().map(|p| Path::new(p).join(name)).find(|f| f.is_file()) else {
            println!("{name} is not installed here and does not travel");
            continue;
        };
        let to = dir.join("lib").join(folder);
        std::fs::create_dir_all(&to)?;
        std::fs::copy(file, to.join(name))?;
    }
    Ok(())
}

fn program(
    accl: &Accl,
    bench: &Manifest,
    peers: &[Peer],
    dir: &Path,
    times: &mut BTreeMap<String, f64>,
) -> Result<Program> {
    let sizes = |lines: Vec<String>| lines.into_iter().map(|args| size(bench, args)).collect();
    let mut program = Program {
        manifest: bench.clone(),
        cxx: bench.is_cxx(),
        sizes: BTreeMap::from([
            ("small", sizes(bench.args_small.lines())),
            ("large", sizes(bench.args_large.lines())),
            ("cpu", sizes(bench.args_cpu.lines())),
        ]),
        executables: BTreeMap::new(),
        failed: BTreeMap::new(),
        emitted: vec![],
    };
    let scratch = paths::work_dir("prepare")?;
    let executable = dir.join("bench").join(&bench.name);
    match ours(accl, bench, &scratch, &executable) {
        Ok(ms) => {
            program.put("accl", dir, &executable)?;
            times.insert("accl".to_owned(), ms);
            program.emitted = emitted(bench, &scratch, dir)?;
        }
        Err(error) => {
            program.failed.insert("accl".to_owned(), format!("{error:#}"));
        }
    }
    for peer in peers {
        theirs(peer, bench, &mut program, dir, &scratch, times)?;
    }
    println!("{}", program.line());
    Ok(program)
}

fn size(bench: &Manifest, args: String) -> Size {
    Size { bytes: bench.bytes(&args), flops: bench.flops(&args), args }
}

/// The points of figures that are about the programs packed; those with flags of their own are added to these.
fn figures(accl: &Accl, benches: &[Manifest], programs: &mut Vec<Program>, dir: &Path) -> Result<Vec<Point>> {
    let figures = figures::all()?;
    for variant in figures::variants(&figures, benches) {
        programs.push(program(accl, &variant, &[], dir, &mut BTreeMap::new())?);
    }
    let manifest = |name: &str| programs.iter().map(|p| &p.manifest).find(|m| m.name == name);
    let point = |((program, args), wanted): ((String, String), figures::Wanted)| {
        let size = size(manifest(&program)?, args);
        Some(Point { program, size, cuda: wanted.cuda, transfers: wanted.transfers })
    };
    Ok(figures::points(&figures).into_iter().filter_map(point).collect())
}

/// Builds with everything kept in `scratch`; the time that took.
fn ours(accl: &Accl, bench: &Manifest, scratch: &Path, executable: &Path) -> Result<f64> {
    let start = Instant::now();
    accl.build(bench, &["--keep".to_owned(), scratch.display().to_string()], executable)?;
    Ok(milliseconds(start))
}

fn milliseconds(since: Instant) -> f64 {
    (since.elapsed().as_secs_f64() * 1e4).round() / 10.0
}

/// Peers that travel are packed; those that do not are compiled here all the same, for the time.
fn theirs(
    peer: &Peer,
    bench: &Manifest,
    program: &mut Program,
    dir: &Path,
    scratch: &Path,
    times: &mut BTreeMap<String, f64>,
) -> Result<()> {
    if peer.built == Built::There {
        let start = Instant::now();
        if peer.build(bench, &peer.flags, &scratch.join(&peer.name)).is_ok_and(|has| has) {
            times.insert(peer.name.clone(), milliseconds(start));
        }
        return Ok(());
    }
    for (index, flags) in [&peer.flags, &peer.or_flags].into_iter().filter(|f| !f.is_empty()).enumerate() {
        let executable = dir.join("bench").join(format!("{}.{}.{index}", bench.name, peer.name));
        let start = Instant::now();
        match peer.build(bench, flags, &executable) {
            Ok(false) => return Ok(()),
            Ok(true) => program.put(&peer.name, dir, &executable)?,
            Err(error) => {
                program.failed.insert(peer.name.clone(), format!("{error:#}"));
                return Ok(());
            }
        }
        times.entry(peer.name.clone()).or_insert(milliseconds(start));
    }
    Ok(())
}

impl Program {
    fn put(&mut self, who: &str, dir: &Path, executable: &Path) -> Result<()> {
        strip(executable)?;
        let path = executable.strip_prefix(dir)?.display().to_string();
        self.executables.entry(who.to_owned()).or_default().push(path);
        Ok(())
    }

    fn line(&self) -> String {
        let built: Vec<&str> = self.executables.keys().map(String::as_str).collect();
        let failed = self.failed.iter().map(|(who, why)| format!("\n  {who}: {why}"));
        format!("{}: {}{}", self.manifest.name, built.join(", "), failed.collect::<String>())
    }
}

/// The CUDA sources among what `--keep` left.
fn emitted(bench: &Manifest, scratch: &Path, dir: &Path) -> Result<Vec<String>> {
    let to = dir.join("cuda").join(&bench.name);
    std::fs::create_dir_all(&to)?;
    let mut found = vec![];
    for file in files_below(scratch, "cu") {
        let copy = to.join(file.file_name().unwrap_or_default());
        std::fs::copy(&file, &copy)?;
        found.push(copy.strip_prefix(dir)?.display().to_string());
    }
    Ok(found)
}

fn files_below(dir: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut files = paths::files_in(dir, &[suffix]);
    let mut folders: Vec<PathBuf> = std::fs::read_dir(dir)
        .map(|entries| entries.flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect())
        .unwrap_or_default();
    folders.sort();
    files.extend(folders.iter().flat_map(|folder| files_below(folder, suffix)));
    files
}

/// Programs that are compiled another way as well: what that is called after their names, its options.
const OTHER_WAYS: [(&str, &[&str], &[&str]); 3] = [
    (
        ".gcc",
        &["--host-compiler", "gcc"],
        &[
            "007_reduction_sum",
            "101_gang_worker_vector",
            "305_update_sections",
            "421_routine_seq",
            "603_templates",
        ],
    ),
    (".lto", &["-flto"], &["005_data_region", "401_queues"]),
    (".gcc.lto", &["--host-compiler", "gcc", "-flto"], &["005_data_region"]),
];

/// Compiles all conformance programs, two or more at a time.
fn conformance(accl: &Accl, dir: &Path) -> Vec<Test> {
    let programs = conformance::Program::all();
    let other = OTHER_WAYS.iter().flat_map(|(way, flags, names)| {
        let named = |n: &str| programs.iter().find(|p| p.name == n);
        names.iter().filter_map(move |n| Some((named(n)?, *way, *flags)))
    });
    let cases: Vec<_> = programs.iter().map(|p| (p, "", &[][..])).chain(other).collect();
    let next = AtomicUsize::new(0);
    let tests = Mutex::new(BTreeMap::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((program, way, flags)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let test = test(accl, program, way, flags, dir);
                    tests.lock().unwrap_or_else(|e| e.into_inner()).insert(test.name.clone(), test);
                }
            });
        }
    });
    tests.into_inner().unwrap_or_else(|e| e.into_inner()).into_values().collect()
}

fn test(accl: &Accl, program: &conformance::Program, way: &str, flags: &[&str], dir: &Path) -> Test {
    let header = &program.header;
    let name = format!("{}{way}", program.name);
    let executable = format!("conformance/{name}");
    let failed = compile_test(accl, program, flags, &dir.join(&executable)).err();
    Test {
        name,
        executable: failed.is_none().then_some(executable),
        failed: failed.map(|error| format!("{error:#}")),
        args: header.words("args"),
        env: header.pairs("env"),
        exit: header.get("expect-exit").unwrap_or("0").to_owned(),
        expect: header.words("expect"),
        stderr: header.all("expect-stderr").map(str::to_owned).collect(),
        slow: header.has("slow"),
        devices: header.words("devices"),
    }
}

fn compile_test(
    accl: &Accl,
    program: &conformance::Program,
    flags: &[&str],
    executable: &Path,
) -> Result<()> {
    let mut command = accl.command();
    command.args(program.compile_words(executable, None)).args(flags);
    command.args(["--shared-runtime", "-Wl,-rpath,$ORIGIN/../bin"]);
    peers::built(&mut command)?;
    strip(executable)
}

fn summary(programs: &[Program], conformance: &[Test], ports: &[Port]) {
    let built = programs.iter().filter(|p| p.executables.contains_key("accl")).count();
    println!("{built} of {} benchmarks", programs.len());
    let failed: Vec<&Test> = conformance.iter().filter(|t| t.failed.is_some()).collect();
    println!("{} of {} conformance programs", conformance.len() - failed.len(), conformance.len());
    for test in failed {
        println!("  {}: {}", test.name, test.failed.as_deref().unwrap_or_default());
    }
    let failed: Vec<String> = ports.iter().filter_map(Port::complaint).collect();
    println!("{} of {} ports", ports.len() - failed.len(), ports.len());
    failed.iter().for_each(|line| println!("{line}"));
}

/// Prints what each folder weighs.
fn sizes(dir: &Path) -> Result<()> {
    let mut all = 0.0;
    for folder in ["bin", "bench", "conformance", "random", "cuda", "ports", "src", "lib"] {
        let bytes =
            run::capture(Command::new("du").args(["-sb", folder]).current_dir(dir), Duration::from_secs(60))?;
        let bytes: f64 = bytes.stdout.split_whitespace().next().and_then(|w| w.parse().ok()).unwrap_or(0.0);
        println!("{folder:<12} {:>7.1} MB", bytes / 1e6);
        all += bytes / 1e6;
    }
    println!("{:<12} {all:>7.1} MB in {} (at {:?})", "all", dir.display(), ours::FLAGS);
    archive(dir)
}

/// DIR.tar.xz for the way. The programs have the same runtime in them: a dictionary as large as all of them finds it again,
/// which makes the file a sixteenth, not a third, as large.
pub fn archive(dir: &Path) -> Result<()> {
    let (Some(parent), Some(name)) = (dir.parent(), dir.file_name()) else { return Ok(()) };
    let file = dir.with_extension("tar.xz");
    let mut tar = Command::new("tar");
    run::show(
        tar.env("XZ_OPT", "-T1 --lzma2=preset=2,dict=256MiB")
            .arg("cJf")
            .arg(&file)
            .arg("-C")
            .arg(parent)
            .arg(name),
    )?;
    println!("{:<12} {:>7.1} MB", file.display(), std::fs::metadata(&file)?.len() as f64 / 1e6);
    Ok(())
}
