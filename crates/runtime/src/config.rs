//! The environment variables, read once at the first call into the runtime.
//!
//! Every variable the runtime listens to is in [`Config::from_environment`], with its meaning;
//! nothing else in this crate reads the environment, except where it asks whether variables of the
//! OpenCL loader are set.
//! A value that cannot be understood is an error of the user and is reported as one.

use crate::device::Kind;
use crate::error::{codes, fatal_plain_coded};
use crate::variant_rules::{self, Rule};
use std::path::PathBuf;
use std::sync::OnceLock;

/// Bits of `ACCL_NOTIFY`.
pub mod notify {
    pub const LAUNCH: u32 = 1;
    pub const TRANSFER: u32 = 2;
    pub const REGION: u32 = 4;
    pub const WAIT: u32 = 8;
    pub const ALLOCATION: u32 = 16;
}

/// Who encodes and decodes compressed arrays on their way to and from a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Converter {
    Host,
    Device,
}

impl Converter {
    pub fn name(self) -> &'static str {
        match self {
            Converter::Host => "host",
            Converter::Device => "device",
        }
    }
}

/// Whether constructs of OpenMP run on devices (OpenMP 5.2, target-offload-var).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetOffload {
    Default,
    /// It is an error where there is no device but the cpu, and nobody asked for that one.
    Mandatory,
    /// The host runs them.
    Disabled,
}

#[derive(Debug)]
pub struct Config {
    /// ACC_DEVICE_TYPE: the kind of device asked for, with the user's word for it.
    pub device_type: Option<(Kind, String)>,
    /// OMP_TARGET_OFFLOAD
    pub target_offload: TargetOffload,
    /// ACC_DEVICE_NUM or OMP_DEFAULT_DEVICE
    pub device_num: Option<usize>,
    /// ACC_PROFLIB: libraries that are to be told of events, separated by semicolons.
    pub profiling_libraries: Vec<String>,
    /// ACCL_NOTIFY
    pub notify: u32,
    /// OMP_TOOL: tools may hear of what devices do.
    pub tools: bool,
    /// OMP_TOOL_LIBRARIES, separated by colons.
    pub tool_libraries: Vec<String>,
    /// LIBOMPTARGET_INFO
    pub target_info: u32,
    /// ACCL_TIME: print the table of times at exit.
    pub time: bool,
    /// ACCL_TIME=FILE.json: write them there instead.
    pub time_file: Option<PathBuf>,
    /// ACCL_TRACE: write a timeline there.
    pub trace: Option<PathBuf>,
    /// ACCL_CPU_MEMORY=separate: the cpu device keeps its own copies.
    pub cpu_separate: bool,
    /// ACCL_NUM_THREADS, OMP_NUM_THREADS or ACC_NUM_CORES.
    pub threads: usize,
    /// ACCL_LAUNCH_BLOCKING: wait after each launch, so that a failure is reported at its kernel.
    pub blocking: bool,
    /// ACCL_DEVICE_CHOICE: the host runs loops that are not worth a launch.
    pub chooses_device: bool,
    /// ACCL_POISON: fill uninitialised device memory with 0xA5 (always so in separate cpu memory).
    pub poison: bool,
    /// ACCL_CACHE_DIR, XDG_CACHE_HOME/acclimate or HOME/.cache/acclimate; none: no cache on disk.
    pub cache: Option<PathBuf>,
    /// ACCL_NVRTC: the library of the CUDA run-time compiler.
    pub nvrtc: Option<String>,
    /// CUDA_HOME, CUDA_PATH, and where CUDA is usually installed.
    pub cuda_toolkits: Vec<String>,
    /// ACCL_NVRTC_OPTIONS, separated by blanks.
    pub nvrtc_options: Vec<String>,
    /// ACCL_OPENCL_SVM: whether OpenCL devices use shared virtual memory, which lets pointers be
    /// attached; where not set, those that have it do.
    pub opencl_svm: Option<bool>,
    /// ACCL_OPENCL_OPTIONS, as given to clBuildProgram.
    pub opencl_options: String,
    /// ACCL_RESIDENT_THREADS: how many threads fill the device, where not what the device says.
    pub resident_threads: Option<u64>,
    /// ACCL_VARIANT: the variants that launches are told to take.
    pub variants: Vec<Rule>,
    /// ACCL_WISDOM: the file of what tuning has found; 0: none.
    pub wisdom: Option<PathBuf>,
    /// XDG_DATA_HOME/acclimate or HOME/.local/share/acclimate
    pub data: Option<PathBuf>,
    /// ACCL_REPLAY: a file for the times of each kernel's variants.
    pub replay: Option<PathBuf>,
    /// ACCL_REPLAY_TOLERANCE: how far floating-point results of variants may differ.
    pub replay_tolerance: f64,
    /// ACCL_COMPRESS_ON: who encodes and decodes compressed arrays on their way to and from a GPU; where not set,
    /// whichever is estimated to be faster.
    pub compress_on: Option<Converter>,
    /// ACCL_CHECK: numbers that compressed arrays cannot hold, NaN, are errors, as for programs compiled with --check.
    pub check: bool,
    /// ACCL_COMPRESSION_ERRORS: look how far encoded values are off.
    pub compression_errors: bool,
    /// ACCL_WARNINGS: 0 for none.
    pub warnings: bool,
    /// ACCL_VERBOSE: say which device was chosen and what was compiled or found in the cache.
    pub verbose: bool,
}

/// The variables and what they do, for the documentation. A test compares them with those read.
pub const VARIABLES: &[(&str, &str)] = &[
    ("ACC_DEVICE_TYPE", "the kind of device: `nvidia` (or `cuda`), `opencl`, `host` (or `cpu`, `multicore`)"),
    ("ACC_DEVICE_NUM", "the device's number among those of its kind, from 0"),
    (
        "OMP_DEFAULT_DEVICE",
        "the same, where ACC_DEVICE_NUM is not set; for OpenMP the number of devices stands for the host",
    ),
    (
        "OMP_TARGET_OFFLOAD",
        "of OpenMP's device constructs and routines: `mandatory` ends the program where only the cpu would run them and \
         ACC_DEVICE_TYPE does not ask for it; `disabled` leaves them to the host, and there are no devices; `default`",
    ),
    (
        "ACC_PROFLIB",
        "libraries of the profiling interface that are loaded at the start, separated by semicolons",
    ),
    ("ACCL_NOTIFY", "log to stderr; a sum of 1 launches, 2 transfers, 4 regions, 8 waits, 16 allocations"),
    ("NVCOMPILER_ACC_NOTIFY", "the same, where ACCL_NOTIFY is not set"),
    ("OMP_TOOL", "`disabled`: no tool of OpenMP's tools interface is started"),
    (
        "OMP_TOOL_LIBRARIES",
        "libraries that may have such a tool, separated by colons; one that the program itself has comes first",
    ),
    (
        "LIBOMPTARGET_INFO",
        "log to stderr, in the words of libomptarget; a sum of 1 what constructs name, 2 what is found mapped, 4 the table of \
         mappings at the end of constructs, 8 what enters and leaves it, 16 launches, 32 copies",
    ),
    (
        "ACCL_TIME",
        "1: print the times of kernels and transfers at exit; the name of a file that ends with `.json`: write them there, \
         `%p` in it being the process",
    ),
    ("NVCOMPILER_ACC_TIME", "the same"),
    ("ACCL_TRACE", "a file to write a timeline to, for Perfetto and chrome://tracing"),
    ("ACCL_CPU_MEMORY", "`shared` (the default): the cpu device uses the host's memory; `separate`: copies"),
    ("ACCL_NUM_THREADS", "threads of the cpu device; all cores where not set"),
    ("OMP_NUM_THREADS", "the same, where ACCL_NUM_THREADS is not set"),
    ("ACC_NUM_CORES", "the same, where neither is set"),
    ("ACCL_LAUNCH_BLOCKING", "1: wait after each launch, so that an error is reported at its kernel"),
    (
        "ACCL_DEVICE_CHOICE",
        "`auto` (the default): the host runs loops of programs compiled with -fopenmpc that are not worth a launch, of at most 512 iterations, \
         with arrays of less than 16 KiB; `never`: the device runs them",
    ),
    ("ACCL_POISON", "1: fill device memory that nothing was copied to with 0xA5"),
    ("ACCL_CACHE_DIR", "the folder of compiled device code"),
    ("XDG_CACHE_HOME", "that folder is `acclimate` in here, where ACCL_CACHE_DIR is not set"),
    ("HOME", "that folder is `.cache/acclimate` in here, where neither is set"),
    ("ACCL_NVRTC", "the file of CUDA's run-time compiler, libnvrtc.so"),
    ("ACCL_NVRTC_OPTIONS", "more options for it"),
    ("CUDA_HOME", "the folder of a CUDA toolkit, to find its compilers in"),
    ("CUDA_PATH", "the same"),
    ("ACCL_RESIDENT_THREADS", "how many threads fill the device: below half of them each runs one iteration"),
    (
        "ACCL_VARIANT",
        "which variants of kernels to take: entries `function:line=name`, as ACCL_NOTIFY=1 prints them, separated by commas; \
         `*` stands for any function or line, `*=name` is for all kernels, and the first entry for a launch counts that names a variant of its kernel. A \
         variant is taken even where it does not pay, but not where it would be wrong, which is said. `plain` names the \
         one that needs nothing",
    ),
    (
        "ACCL_WISDOM",
        "the file of what `accl tune --wisdom` has found, which launches go by; where not set, PROGRAM.wisdom beside the program, \
         or `acclimate/wisdom` in the data folder; 0: none",
    ),
    ("XDG_DATA_HOME", "the data folder; HOME/.local/share where not set"),
    (
        "ACCL_REPLAY",
        "a file: the first launch of each kernel, and of each size of it, is repeated with every variant on copies of what it \
         writes, and their times are added to the file (`accl tune` reads it)",
    ),
    (
        "ACCL_REPLAY_TOLERANCE",
        "by what part floating-point results of variants may then differ from the plain one's; 0 where not set",
    ),
    ("ACCL_OPENCL_OPTIONS", "more options for the compiler of OpenCL devices"),
    (
        "ACCL_OPENCL_SVM",
        "1 or 0: whether OpenCL devices use shared virtual memory, which attaching pointers needs",
    ),
    (
        "ACCL_COMPRESS_ON",
        "`host` or `device`: who converts compressed arrays on their way; where not set, the faster one",
    ),
    (
        "ACCL_CHECK",
        "1: NaN in what is sent to a compressed array is an error, as for programs compiled with --check",
    ),
    ("ACCL_COMPRESSION_ERRORS", "1: measure the errors of encoding, for ACCL_NOTIFY=2 and ACCL_TIME"),
    ("ACCL_WARNINGS", "0: no warnings while the program runs"),
    ("ACCL_VERBOSE", "1: say which device was chosen, and what was compiled"),
];

/// Variables of the OpenCL loader: where one is set, its drivers are looked at even where PoCL's alone is installed.
pub const OPENCL_LOADER: &[(&str, &str)] = &[
    ("OCL_ICD_VENDORS", "the folder of drivers, or a driver"),
    ("OCL_ICD_FILENAMES", "drivers besides, as Khronos' loader reads them"),
    ("OPENCL_VENDOR_PATH", "the folder of drivers, in older loaders"),
];

/// The configuration of this process.
#[inline]
pub fn config() -> &'static Config {
    static CONFIG: OnceLock<Config> = OnceLock::new();
    CONFIG.get_or_init(|| Config::from_environment(&|name| std::env::var(name).ok()))
}

impl Config {
    /// The file for the times of this process.
    pub fn time_file_here(&self) -> Option<PathBuf> {
        let name = self.time_file.as_ref()?.to_string_lossy();
        Some(name.replace("%p", &std::process::id().to_string()).into())
    }

    /// Reads the variables through `get`, so that tests need not change the process.
    pub fn from_environment(get: &dyn Fn(&str) -> Option<String>) -> Config {
        let given = |name: &str| get(name).filter(|value| !value.trim().is_empty());
        let flag = |name: &str| given(name).is_some_and(|value| value.trim() != "0");
        let either = |ours: &str, theirs: &str| given(ours).or_else(|| given(theirs));
        let separate = given("ACCL_CPU_MEMORY").map(|value| match value.as_str() {
            "separate" => true,
            "shared" => false,
            other => bad("ACCL_CPU_MEMORY", other, "`separate` or `shared`"),
        });
        Config {
            device_type: given("ACC_DEVICE_TYPE").map(|word| (kind(&word), word)),
            device_num: ["ACC_DEVICE_NUM", "OMP_DEFAULT_DEVICE"]
                .iter()
                .find_map(|name| given(name).map(|text| number(name, &text))),
            target_offload: given("OMP_TARGET_OFFLOAD")
                .map_or(TargetOffload::Default, |word| target_offload(&word)),
            notify: either("ACCL_NOTIFY", "NVCOMPILER_ACC_NOTIFY")
                .map_or(0, |text| number("ACCL_NOTIFY", &text) as u32),
            tools: given("OMP_TOOL").is_none_or(|word| !word.eq_ignore_ascii_case("disabled")),
            tool_libraries: given("OMP_TOOL_LIBRARIES")
                .map(|list| list.split(':').filter(|name| !name.is_empty()).map(str::to_owned).collect())
                .unwrap_or_default(),
            target_info: given("LIBOMPTARGET_INFO")
                .map_or(0, |text| number("LIBOMPTARGET_INFO", &text) as u32),
            time: flag("ACCL_TIME") || flag("NVCOMPILER_ACC_TIME"),
            time_file: given("ACCL_TIME").filter(|value| value.ends_with(".json")).map(PathBuf::from),
            trace: given("ACCL_TRACE").map(PathBuf::from),
            cpu_separate: separate.unwrap_or(false),
            threads: threads(&given),
            blocking: flag("ACCL_LAUNCH_BLOCKING"),
            chooses_device: given("ACCL_DEVICE_CHOICE").is_none_or(|value| match value.trim() {
                "auto" => true,
                "never" => false,
                other => bad("ACCL_DEVICE_CHOICE", other, "`auto` or `never`"),
            }),
            poison: flag("ACCL_POISON"),
            cache: given("ACCL_CACHE_DIR")
                .map(PathBuf::from)
                .or_else(|| Some(PathBuf::from(given("XDG_CACHE_HOME")?).join("acclimate")))
                .or_else(|| Some(PathBuf::from(given("HOME")?).join(".cache/acclimate"))),
            nvrtc: given("ACCL_NVRTC"),
            profiling_libraries: given("ACC_PROFLIB")
                .map(|list| list.split(';').filter(|name| !name.is_empty()).map(str::to_owned).collect())
                .unwrap_or_default(),
            cuda_toolkits: ["CUDA_HOME", "CUDA_PATH"]
                .iter()
                .filter_map(|name| given(name))
                .chain(["/usr/local/cuda".to_owned()])
                .collect(),
            nvrtc_options: given("ACCL_NVRTC_OPTIONS")
                .map(|text| text.split_whitespace().map(str::to_owned).collect())
                .unwrap_or_default(),
            opencl_svm: given("ACCL_OPENCL_SVM").map(|value| value.trim() != "0"),
            opencl_options: given("ACCL_OPENCL_OPTIONS").unwrap_or_default(),
            resident_threads: given("ACCL_RESIDENT_THREADS")
                .map(|text| number("ACCL_RESIDENT_THREADS", &text) as u64),
            variants: given("ACCL_VARIANT")
                .map(|text| {
                    variant_rules::parse(&text)
                        .unwrap_or_else(|| bad("ACCL_VARIANT", &text, variant_rules::FORM))
                })
                .unwrap_or_default(),
            wisdom: given("ACCL_WISDOM").map(PathBuf::from),
            data: given("XDG_DATA_HOME")
                .map(PathBuf::from)
                .or_else(|| Some(PathBuf::from(given("HOME")?).join(".local/share")))
                .map(|folder| folder.join("acclimate")),
            replay: given("ACCL_REPLAY").map(PathBuf::from),
            replay_tolerance: given("ACCL_REPLAY_TOLERANCE").map_or(0.0, |text| {
                let number = text.trim().parse().ok().filter(|number: &f64| *number >= 0.0);
                number.unwrap_or_else(|| bad("ACCL_REPLAY_TOLERANCE", &text, "a number such as 1e-5"))
            }),
            compress_on: given("ACCL_COMPRESS_ON").map(|value| match value.trim() {
                "host" => Converter::Host,
                "device" => Converter::Device,
                other => bad("ACCL_COMPRESS_ON", other, "`host` or `device`"),
            }),
            check: flag("ACCL_CHECK"),
            compression_errors: flag("ACCL_COMPRESSION_ERRORS"),
            warnings: given("ACCL_WARNINGS").is_none_or(|value| value.trim() != "0"),
            verbose: flag("ACCL_VERBOSE"),
        }
    }
}

fn threads(given: &dyn Fn(&str) -> Option<String>) -> usize {
    let available = crate::processors::count();
    ["ACCL_NUM_THREADS", "OMP_NUM_THREADS", "ACC_NUM_CORES"]
        .iter()
        .find_map(|name| given(name).map(|text| (*name, text)))
        .map_or(available, |(name, text)| {
            // OMP_NUM_THREADS may be a list, one number for each nesting level.
            number(name, text.split(',').next().unwrap_or(&text)).max(1)
        })
}

fn kind(word: &str) -> Kind {
    match word.trim().to_ascii_lowercase().as_str() {
        "nvidia" | "cuda" | "acc_device_nvidia" => Kind::Cuda,
        "opencl" | "acc_device_opencl" => Kind::OpenCl,
        "host" | "cpu" | "multicore" | "acc_device_host" => Kind::Cpu,
        other => bad("ACC_DEVICE_TYPE", other, "`nvidia` (or `cuda`), `opencl`, or `host` (or `cpu`)"),
    }
}

fn target_offload(word: &str) -> TargetOffload {
    match word.trim().to_ascii_lowercase().as_str() {
        "default" => TargetOffload::Default,
        "mandatory" => TargetOffload::Mandatory,
        "disabled" => TargetOffload::Disabled,
        other => bad("OMP_TARGET_OFFLOAD", other, "`mandatory`, `disabled` or `default`"),
    }
}

fn number(name: &str, text: &str) -> usize {
    text.trim().parse().unwrap_or_else(|_| bad(name, text, "a number"))
}

fn bad(name: &str, value: &str, expected: &str) -> ! {
    let message = format!("environment variable {name} is `{value}`; it must be {expected}");
    fatal_plain_coded(codes::BAD_VARIABLE, &message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Config {
        Config::from_environment(&|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string())
        })
    }

    #[test]
    fn names_of_other_compilers_are_understood() {
        let config = read(&[
            ("ACC_DEVICE_TYPE", "NVIDIA"),
            ("NVCOMPILER_ACC_NOTIFY", "3"),
            ("NVCOMPILER_ACC_TIME", "1"),
            ("OMP_NUM_THREADS", "4,2"),
            ("HOME", "/home/u"),
        ]);
        assert_eq!(config.device_type.unwrap().0, Kind::Cuda);
        assert_eq!((config.notify, config.time, config.threads), (3, true, 4));
        assert_eq!(config.time_file, None);
        assert_eq!(config.target_offload, TargetOffload::Default);
        assert_eq!(config.cache.unwrap(), PathBuf::from("/home/u/.cache/acclimate"));
    }

    #[test]
    fn variables_of_openmp() {
        let config = read(&[("OMP_DEFAULT_DEVICE", "2"), ("OMP_TARGET_OFFLOAD", "Mandatory")]);
        assert_eq!((config.device_num, config.target_offload), (Some(2), TargetOffload::Mandatory));
        let config =
            read(&[("OMP_DEFAULT_DEVICE", "2"), ("ACC_DEVICE_NUM", "1"), ("OMP_TARGET_OFFLOAD", "disabled")]);
        assert_eq!((config.device_num, config.target_offload), (Some(1), TargetOffload::Disabled));
    }

    #[test]
    fn every_variable_is_documented() {
        let asked = std::cell::RefCell::new(std::collections::BTreeSet::new());
        Config::from_environment(&|name| {
            asked.borrow_mut().insert(name.to_owned());
            None
        });
        let documented = VARIABLES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(asked.into_inner(), documented);
    }

    #[test]
    fn nothing_set_means_quiet_and_shared() {
        let config = read(&[]);
        assert!(config.device_type.is_none() && config.cache.is_none());
        assert!(!config.cpu_separate && !config.time && config.notify == 0);
        let config = read(&[("ACCL_TIME", "times.json")]);
        assert!(config.time && config.time_file == Some("times.json".into()));
        assert!(config.threads >= 1);
    }
}
