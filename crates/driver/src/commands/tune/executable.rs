//! The program to tune: `accl cc` builds it in a process of its own, or the user's command does, and it runs in one.

use super::build::UserBuild;
use super::{Tune, errors::TuneError};
use crate::cc::Session;
use crate::invocation::Front;
use accl_runtime::device::energy::EnergyCounter;
use accl_tuner::level;
use accl_tuner::program::{CandidateBuild, Failure, Launches, MeasuredDevice, ProgramRun, TunedProgram};
use accl_tuner::search::{Objective, UntunedProgram};
use accl_tuner::space::Place;
use accl_tuner::strategy::{External, Strategy};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

pub struct Executable {
    way: Way,
    compared: Vec<PathBuf>,
    /// Options of accl cc that were found to be good.
    options: Mutex<Vec<&'static str>>,
    /// Where energy is what counts.
    energy: Option<EnergyCounter>,
    dir: tempfile::TempDir,
    count: AtomicU32,
}

/// Of the device that the program takes.
fn energy_counter() -> Result<EnergyCounter, TuneError> {
    let number = std::env::var("ACC_DEVICE_NUM").ok().and_then(|number| number.trim().parse().ok());
    EnergyCounter::of_device(number.unwrap_or(0)).map_err(|why| TuneError::Energy(why.to_string()))
}

/// How it is built and run.
pub enum Way {
    /// `words`: the user's, for `accl cc`, without `-o FILE`. `arguments`: what the executable is run with.
    Sources { command: &'static str, words: Vec<String>, arguments: Vec<String> },
    /// By the user's command. An executable is then a folder with what that build made.
    Build(UserBuild),
}

impl Way {
    pub fn sources(session: &Session, arguments: &Tune, given: Vec<String>) -> Way {
        Way::Sources {
            command: if session.invocation.front == Front::Cxx { "c++" } else { "cc" },
            words: without_output(&arguments.words),
            arguments: given,
        }
    }
}

impl Executable {
    pub fn new(way: Way, arguments: &Tune) -> Result<Executable> {
        let dir = tempfile::Builder::new().prefix("accl-tune.").tempdir();
        Ok(Executable {
            way,
            compared: arguments.compare.clone(),
            options: Mutex::default(),
            energy: match arguments.objective() {
                Objective::Time => None,
                Objective::Energy => Some(energy_counter()?),
            },
            dir: dir.context("cannot make a folder for executables")?,
            count: AtomicU32::new(0),
        })
    }

    /// A number for the program, its input and the device: results of others say nothing.
    pub fn key(&self, reference: &UntunedProgram) -> Result<String> {
        let mut hash = Fnv::default();
        let (words, files) = match &self.way {
            Way::Sources { arguments, .. } => (arguments.as_slice(), vec![reference.executable.clone()]),
            Way::Build(build) => (build.words(), build.results(&reference.executable)),
        };
        files.iter().try_for_each(|file| std::fs::read(file).map(|bytes| hash.add(&bytes)))?;
        words.iter().for_each(|word| hash.add(word.as_bytes()));
        hash.add(reference.run.device.name.as_bytes());
        hash.add(reference.run.device.kind.as_bytes());
        Ok(format!("{:016x}", hash.0))
    }

    fn file(&self, suffix: &str) -> PathBuf {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        self.dir.path().join(format!("{number}{suffix}"))
    }

    fn compile(&self, output: &Path, schedules: Option<&Path>) -> Result<(), String> {
        let option = schedules.map(|file| format!("-gpu=config:{}", file.display()));
        self.compile_with(output, option.as_slice())
    }

    fn compile_with(&self, output: &Path, options: &[String]) -> Result<(), String> {
        let own = self.options();
        let (command, words) = match &self.way {
            Way::Sources { command, words, .. } => (command, words),
            Way::Build(build) => {
                let options = ["-w"].into_iter().chain(own).map(str::to_owned).chain(options.iter().cloned());
                return build.make(output, &options.collect::<Vec<String>>());
            }
        };
        let accl = std::env::current_exe().map_err(|why| why.to_string())?;
        let mut command_line = Command::new(accl);
        command_line.arg(command).args(words).arg("-w").args(own);
        let mut command = command_line;
        command.args(options);
        command.arg("-o").arg(output).process_group(0).stdin(Stdio::null());
        let made = command.output().map_err(|why| why.to_string())?;
        if made.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&made.stderr).trim_end().to_owned())
    }

    /// Runs the program. `given`: more of its environment. `growing`: a file, the limit being for the time in which it does not grow, and whether
    /// the run is to be ended.
    fn run_with(
        &self,
        executable: &Path,
        limit: Duration,
        given: &[(&str, OsString)],
        growing: Option<(&Path, &dyn Fn() -> bool)>,
    ) -> Result<ProgramRun, Failure> {
        let (times, said, errors) = (self.file("-%p.json"), self.file(".out"), self.file(".err"));
        let open = |path: &Path| File::create(path).map_err(|why| Failure::Crash(why.to_string()));
        // What is left of an earlier run is no result of this one.
        self.compared.iter().for_each(|file| _ = std::fs::remove_file(file));
        let mut command = match &self.way {
            Way::Sources { arguments, .. } => {
                let mut command = Command::new(executable);
                command.args(arguments);
                command
            }
            Way::Build(build) => {
                build.switch_to(executable, limit)?;
                build.command(executable)
            }
        };
        command.env("ACCL_TIME", &times).env_remove("ACCL_VARIANT").process_group(0);
        command.env_remove("ACCL_REPLAY").envs(given.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(open(&said)?).stderr(open(&errors)?);
        let joules = || {
            let count =
                |counter: &EnergyCounter| counter.joules().map_err(|why| Failure::Crash(why.to_string()));
            self.energy.as_ref().map(count).transpose()
        };
        let (started, before) = (Instant::now(), joules()?);
        let status = finish(command, limit, growing)?;
        let seconds = started.elapsed().as_secs_f64();
        let energy = joules()?.zip(before).map(|(after, before)| after - before);
        let mut output = std::fs::read(&said).unwrap_or_default();
        let told = std::fs::read(&errors).unwrap_or_default();
        let measured = self.of_processes(&times);
        [&said, &errors].into_iter().for_each(|file| _ = std::fs::remove_file(file));
        if !status.success() {
            return Err(Failure::Crash(ended(status, &told)));
        }
        for file in &self.compared {
            let text =
                std::fs::read(file).map_err(|why| Failure::Crash(format!("{}: {why}", file.display())))?;
            output.extend(format!("\n{}:\n", file.display()).bytes().chain(text));
        }
        let (device, kernels) = times_of(&measured);
        Ok(ProgramRun { seconds, output, device, kernels, energy })
    }

    /// An executable with candidates as variants.
    pub fn compile_candidates(&self, output: &Path, build: &CandidateBuild) -> Result<(), String> {
        let (list, grids) = (output.with_extension("candidates"), output.with_extension("schedules"));
        let written = std::fs::write(&list, &build.candidates).and(std::fs::write(&grids, &build.schedules));
        written.map_err(|why| why.to_string())?;
        let mut options = vec![format!("-gpu=candidates:{}", list.display())];
        if !build.schedules.is_empty() {
            options.push(format!("-gpu=schedule:{}", grids.display()));
        }
        self.compile_with(output, &options)
    }

    /// The contents of the files that processes have written, which are removed. `pattern`: their names, with `%p` for the process.
    fn of_processes(&self, pattern: &Path) -> Vec<String> {
        let name = pattern.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (before, after) = name.split_once("%p").unwrap_or((&name, ""));
        let is_one = |path: &PathBuf| {
            let own = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            own.starts_with(before) && own.ends_with(after)
        };
        let all =
            std::fs::read_dir(self.dir.path()).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut files: Vec<PathBuf> = all.filter(is_one).collect();
        files.sort();
        let texts = files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
        files.iter().for_each(|file| _ = std::fs::remove_file(file));
        texts
    }

    pub fn options(&self) -> Vec<&'static str> {
        self.options.lock().map(|options| options.clone()).unwrap_or_default()
    }

    /// From now on the program is built with these, too.
    pub fn set_options(&self, options: Vec<&'static str>) {
        self.options.lock().into_iter().for_each(|mut own| own.clone_from(&options));
    }

    /// The executable that the user asked for, and what runs it. Its options are in the file of schedules, too.
    pub fn build_final(&self, output: &Path, schedules: Option<&Path>) -> Result<PathBuf, TuneError> {
        let (output, schedules) = match &self.way {
            Way::Sources { .. } if output.is_absolute() => (output.to_owned(), schedules.map(Path::to_owned)),
            Way::Sources { .. } => (Path::new(".").join(output), schedules.map(Path::to_owned)),
            // Its compilers may be started elsewhere.
            Way::Build(_) => {
                let absolute =
                    |file| std::path::absolute(file).map_err(|why| TuneError::Write(output.to_owned(), why));
                (self.file(""), schedules.map(absolute).transpose()?)
            }
        };
        self.compile(&output, schedules.as_deref()).map_err(TuneError::Failed)?;
        Ok(output)
    }

    /// The command that builds the program, where that is the user's.
    pub fn user_build(&self) -> Option<&UserBuild> {
        match &self.way {
            Way::Sources { .. } => None,
            Way::Build(build) => Some(build),
        }
    }
}

impl TunedProgram for Executable {
    fn build(&self, schedules: &[(String, String)]) -> Result<PathBuf, Failure> {
        let output = self.file("");
        let list = output.with_extension("schedules");
        let lines: String = schedules.iter().map(|(id, schedule)| level::lines_of(id, schedule)).collect();
        std::fs::write(&list, lines).map_err(|why| Failure::Compile(why.to_string()))?;
        self.compile(&output, Some(&list).filter(|_| !schedules.is_empty()).map(PathBuf::as_path))
            .map_err(Failure::Compile)?;
        Ok(output)
    }

    fn run(&self, executable: &Path, limit: Duration) -> Result<ProgramRun, Failure> {
        self.run_with(executable, limit, &[], None)
    }

    fn build_candidates(&self, build: &CandidateBuild) -> Result<PathBuf, Failure> {
        let output = self.file("");
        self.compile_candidates(&output, build).map_err(Failure::Compile)?;
        Ok(output)
    }

    fn replay(
        &self,
        executable: &Path,
        limit: Duration,
        tolerance: f64,
        over: &dyn Fn() -> bool,
    ) -> Result<(Result<ProgramRun, Failure>, String), Failure> {
        let file = executable.with_extension("replay");
        let given = [
            ("ACCL_REPLAY", file.as_os_str().to_owned()),
            ("ACCL_REPLAY_TOLERANCE", format!("{tolerance:e}").into()),
        ];
        // The device compiles many variants before the file grows.
        let limit = limit.max(Duration::from_secs(120));
        let run = self.run_with(executable, limit, &given, Some((&file, over)));
        let text = std::fs::read_to_string(&file).map_err(|why| Failure::Crash(why.to_string()));
        match (run, text) {
            (run, Ok(text)) => Ok((run, text)),
            // It was ended before it wrote anything.
            (run, Err(_)) if over() => Ok((run, String::new())),
            (Err(why), Err(_)) => Err(why),
            (Ok(_), Err(why)) => Err(why),
        }
    }

    fn discard(&self, executable: &Path) {
        let _ = std::fs::remove_file(executable).or_else(|_| std::fs::remove_dir_all(executable));
        for suffix in ["replay", "schedules", "candidates"] {
            let _ = std::fs::remove_file(executable.with_extension(suffix));
        }
    }
}

/// Waits until the process ends, or ends it and all that it started.
pub fn finish(
    mut command: Command,
    limit: Duration,
    growing: Option<(&Path, &dyn Fn() -> bool)>,
) -> Result<ExitStatus, Failure> {
    let mut child = command.spawn().map_err(|why| Failure::Crash(why.to_string()))?;
    let group = rustix::process::Pid::from_child(&child);
    let (ended, end) = mpsc::channel();
    let waiting = std::thread::spawn(move || _ = ended.send(child.wait()));
    let status = match growing {
        None => end.recv_timeout(limit),
        Some((file, over)) => while_it_grows(&end, limit, file, over),
    };
    if status.is_err() {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = waiting.join();
    match status {
        Ok(status) => status.map_err(|why| Failure::Crash(why.to_string())),
        Err(_) => Err(Failure::Timeout),
    }
}

/// Waits as long as the file grows, but for the limit, and nobody says that it is over.
fn while_it_grows<T>(
    end: &mpsc::Receiver<T>,
    limit: Duration,
    file: &Path,
    over: &dyn Fn() -> bool,
) -> Result<T, mpsc::RecvTimeoutError> {
    const STEP: Duration = Duration::from_millis(100);
    let size = || std::fs::metadata(file).map_or(0, |file| file.len());
    let (mut before, mut since) = (size(), Instant::now());
    loop {
        match end.recv_timeout(STEP) {
            Err(mpsc::RecvTimeoutError::Timeout) if !over() => {}
            other => return other,
        }
        let now = size();
        if now != before {
            (before, since) = (now, Instant::now());
        } else if since.elapsed() > limit {
            return Err(mpsc::RecvTimeoutError::Timeout);
        }
    }
}

/// How a process ended, with the last line that it wrote to standard error.
fn ended(status: ExitStatus, told: &[u8]) -> String {
    let how = match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, signal) => format!("signal {}", signal.unwrap_or_default()),
    };
    let told = String::from_utf8_lossy(told);
    match told.lines().rfind(|line| !line.trim().is_empty()) {
        Some(line) => format!("{how}: {}", line.trim()),
        None => how,
    }
}

/// A program of the user's that chooses candidates. It ends by itself when its standard input does.
pub fn external(command: &str) -> Result<Box<dyn Strategy>, TuneError> {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let cannot = |why| TuneError::Engine(command.to_owned(), why);
    let mut child = shell.spawn().map_err(cannot)?;
    match (child.stdin.take(), child.stdout.take()) {
        (Some(to), Some(from)) => Ok(Box::new(External::new(Box::new(to), Box::new(BufReader::new(from))))),
        _ => Err(cannot(std::io::ErrorKind::BrokenPipe.into())),
    }
}

/// The file of `ACCL_TIME=FILE.json`.
#[derive(Deserialize)]
struct Times {
    devices: Vec<TimesOfDevice>,
}

#[derive(Deserialize)]
struct TimesOfDevice {
    kind: String,
    name: String,
    architecture: String,
    accelerator: bool,
    rows: Vec<TimesRow>,
}

#[derive(Deserialize)]
struct TimesRow {
    line: u32,
    function: String,
    work: String,
    #[serde(flatten)]
    all: KernelTimes,
    kernels: BTreeMap<String, KernelTimes>,
}

#[derive(Deserialize)]
struct KernelTimes {
    count: u64,
    seconds: f64,
    variants: BTreeMap<String, VariantTimes>,
}

#[derive(Deserialize)]
struct VariantTimes {
    count: u64,
}

/// The device that ran most of the kernels' time, and its kernels.
/// `texts`: one of each process.
fn times_of(texts: &[String]) -> (MeasuredDevice, BTreeMap<Place, Launches>) {
    let times = texts.iter().filter_map(|text| serde_json::from_str::<Times>(text).ok());
    let devices: Vec<TimesOfDevice> = times.flat_map(|times| times.devices).collect();
    let kernels = |device: &TimesOfDevice| {
        let of = device.rows.iter().filter(|row| row.work == "kernel");
        of.map(|row| row.all.seconds).sum::<f64>()
    };
    let Some(most) = devices.iter().max_by(|a, b| kernels(a).total_cmp(&kernels(b))) else {
        return Default::default();
    };
    let device = MeasuredDevice {
        kind: most.kind.clone(),
        name: most.name.clone(),
        architecture: most.architecture.clone(),
        accelerator: most.accelerator,
    };
    let own = devices.into_iter().filter(|one| one.kind == device.kind && one.name == device.name);
    let mut found: BTreeMap<Place, Launches> = BTreeMap::new();
    for row in own.flat_map(|one| one.rows).filter(|row| row.work == "kernel") {
        let by_kernel = row.kernels.into_iter().map(|(kernel, times)| (Some(kernel), times));
        for (kernel, times) in by_kernel.chain([(None, row.all)]) {
            let place = Place { function: row.function.clone(), line: row.line, kernel };
            let launches = found.entry(place).or_default();
            launches.count += times.count;
            launches.seconds += times.seconds;
            for (name, variant) in times.variants {
                *launches.variants.entry(name).or_default() += variant.count;
            }
        }
    }
    (device, found)
}

fn without_output(words: &[String]) -> Vec<String> {
    let mut kept = vec![];
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix("-o") {
            Some("") => _ = words.next(),
            // Options that begin with these letters are none of gcc's or clang's.
            Some(_) => {}
            None => kept.push(word.clone()),
        }
    }
    kept
}

/// FNV-1a: the same in all versions, as files that are kept need it.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
