//! The program that is tuned, as the search sees it.

use crate::space::Place;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Builds the program with schedules, and runs it.
pub trait TunedProgram: Sync {
    /// An executable whose kernels have these schedules: pairs of `function:line` and a schedule's text.
    fn build(&self, schedules: &[(String, String)]) -> Result<PathBuf, Failure>;

    /// Runs it in a process of its own, which is ended at the limit.
    fn run(&self, executable: &Path, limit: Duration) -> Result<ProgramRun, Failure>;

    /// An executable whose kernels have candidates as variants.
    fn build_candidates(&self, _: &CandidateBuild) -> Result<PathBuf, Failure> {
        Err(Failure::Compile("no candidates can be built beside each other".to_owned()))
    }

    /// Runs it so that it measures them itself: how the run ended, and what it wrote about them, now and before. An error where
    /// nothing can be told of them. It is ended when `over` says so.
    fn replay(
        &self,
        _: &Path,
        _: Duration,
        _: f64,
        _over: &dyn Fn() -> bool,
    ) -> Result<(Result<ProgramRun, Failure>, String), Failure> {
        Err(Failure::Crash("it measures nothing itself".to_owned()))
    }

    /// The executable is no longer needed.
    fn discard(&self, executable: &Path);
}

/// The files of schedules that an executable with candidates is built with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandidateBuild {
    /// How loops are spread over the launch, where not as usual.
    pub schedules: String,
    pub candidates: String,
}

/// What a run told.
#[derive(Clone, Debug, Default)]
pub struct ProgramRun {
    /// Of the whole process.
    pub seconds: f64,
    pub output: Vec<u8>,
    pub device: MeasuredDevice,
    /// For each place what all kernels took, and what each kernel that is launched there did.
    pub kernels: BTreeMap<Place, Launches>,
    /// Joules that the device took, where they are what counts.
    pub energy: Option<f64>,
}

/// The device that the kernels ran on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredDevice {
    /// `CUDA`, `OpenCL` or `CPU`.
    pub kind: String,
    pub name: String,
    /// `sm_90`, or another name.
    pub architecture: String,
    /// Its kernels run beside the processor's own work.
    pub accelerator: bool,
}

/// The launches of the kernels at one place.
#[derive(Clone, Debug, Default)]
pub struct Launches {
    pub count: u64,
    pub seconds: f64,
    /// How many took each variant, where there are several.
    pub variants: BTreeMap<String, u64>,
}

/// Why a configuration gives no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("it does not compile: {0}")]
    Compile(String),
    #[error("the program failed: {0}")]
    Crash(String),
    #[error("it did not end within the time limit")]
    Timeout,
    #[error("its output is another one: {0}")]
    Wrong(String),
    #[error("launches took another variant: {0}")]
    NotTaken(String),
}

impl Failure {
    /// The word of the T4 format for it.
    pub fn word(&self) -> &'static str {
        match self {
            Failure::Compile(_) => "compile",
            Failure::Crash(_) => "runtime",
            Failure::Timeout => "timeout",
            Failure::Wrong(_) => "correctness",
            Failure::NotTaken(_) => "constraints",
        }
    }

    pub fn of_word(word: &str, detail: &str) -> Option<Failure> {
        let detail = detail.to_owned();
        Some(match word {
            "compile" => Failure::Compile(detail),
            "runtime" => Failure::Crash(detail),
            "timeout" => Failure::Timeout,
            "correctness" => Failure::Wrong(detail),
            "constraints" => Failure::NotTaken(detail),
            _ => return None,
        })
    }

    /// What is particular about it.
    pub fn detail(&self) -> &str {
        match self {
            Failure::Compile(text)
            | Failure::Crash(text)
            | Failure::Wrong(text)
            | Failure::NotTaken(text) => text,
            Failure::Timeout => "",
        }
    }
}
