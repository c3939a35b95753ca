//! What keeps a program from being tuned.

use accl_source::codes::driver as codes;
use accl_tuner::journal;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    #[error("the command compiled nothing with accl")]
    NotCompiled,
    #[error("energy cannot be measured: {0}")]
    Energy(String),
    #[error("there is no kernel whose schedule could be chosen")]
    NoKernels,
    #[error("the program launched no kernel whose schedule could be chosen")]
    NoLaunches,
    #[error("the program ran on the cpu device, whose kernels have no schedules to choose from")]
    OnCpu,
    #[error("the program without tuning: {0}")]
    Failed(String),
    #[error("the tuned program, which is not kept: {0}")]
    Tuned(String),
    #[error("two runs of the program without tuning print different things: {0}")]
    Differs(String),
    #[error("{0}: {1}")]
    Setup(PathBuf, String, Option<String>),
    #[error("the engine '{0}' cannot be run: {1}")]
    Engine(String, std::io::Error),
    #[error("{0}")]
    Journal(#[from] journal::JournalError),
    #[error("'{0}' was written by a newer version, or is no file of wisdom: it is left as it is")]
    Wisdom(PathBuf),
    #[error("cannot write '{0}': {1}")]
    Write(PathBuf, std::io::Error),
}

impl TuneError {
    pub fn code(&self) -> &'static str {
        match self {
            TuneError::NotCompiled | TuneError::NoKernels | TuneError::NoLaunches | TuneError::OnCpu => {
                codes::TUNE_NOTHING
            }
            TuneError::Energy(_) => codes::TUNE_NOTHING,
            TuneError::Failed(_) | TuneError::Tuned(_) => codes::TUNE_FAILS,
            TuneError::Differs(_) => codes::TUNE_DIFFERS,
            TuneError::Setup(..) | TuneError::Engine(..) => codes::TUNE_SETUP,
            TuneError::Journal(_) | TuneError::Write(..) | TuneError::Wisdom(_) => codes::TUNE_RESULTS,
        }
    }

    pub fn help(&self) -> String {
        let text = match self {
            TuneError::Setup(_, _, Some(meant)) => return format!("did you mean '{meant}'?"),
            TuneError::Setup(..) => "`accl tune --extract FILE` lists the parameters of a program",
            TuneError::Engine(..) => "it is run by the shell, once for each kernel",
            TuneError::NoKernels => {
                "`accl explain --schedules` tells for each kernel what applies and what does not"
            }
            TuneError::NotCompiled => {
                "it must build the program: clean it first (make clean); a makefile that names a compiler of its own needs `make CC=acclcc`"
            }
            TuneError::Energy(_) => {
                "it takes an NVIDIA device and its driver's libnvidia-ml.so.1; --objective time needs neither"
            }
            TuneError::NoLaunches => "name arguments with which the program does its work, behind `--`",
            TuneError::OnCpu => {
                "tune it on the device that it is for: ACC_DEVICE_TYPE=cuda or opencl; `accl devices` lists them"
            }
            TuneError::Failed(_) => {
                "run the program with the same arguments, behind `--`, as `accl cc` builds it"
            }
            TuneError::Tuned(_) => "its runs before were right: look for races, or raise --repeats",
            TuneError::Differs(_) => {
                "leave lines out with --ignore TEXT, or allow small differences of numbers with --tolerance"
            }
            TuneError::Wisdom(_) => "move it away, or name another output with -o",
            TuneError::Journal(_) | TuneError::Write(..) => "--results FILE keeps measurements elsewhere",
        };
        text.to_owned()
    }
}
