//! Acclimate's own options, under the names that users know from nvc, gcc, clang and accl itself.
//!
//! `docs/reference/options.md` lists them; the table is [`HELP`].

use super::{Class, Item, UsageError, parameters, schedules};
use accl_transforms::device_model::DeviceModel;
use accl_transforms::options::FileSchedule;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The kind of device that code is generated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    Cuda,
    OpenCl,
    Cpu,
}

impl Target {
    pub const ALL: [Target; 3] = [Target::Cuda, Target::OpenCl, Target::Cpu];
}

/// Which remarks `-Rpass=` and its sisters ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkFilter {
    Passed,
    Missed,
    Analysis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkFormat {
    Text,
    Json,
    Sarif,
}

#[derive(Clone, Debug)]
pub struct Acc {
    /// Whether OpenACC directives are read: yes, unless `-fno-openacc` is given.
    pub enabled: bool,
    /// An option asks for it.
    pub named: bool,
    pub targets: BTreeSet<Target>,
    /// "sm_90": architectures to compile for ahead of time.
    pub archs: Vec<String>,
    pub max_registers: Option<u32>,
    /// `-gpu=fastmath`: the device compiler's fast mathematics.
    pub fast_math: bool,
    /// Not `-gpu=nofastmath`: functions of the device that are right to a few units in the last place.
    pub device_math: bool,
    /// Not `-gpu=nocoarsen`: several iterations a thread where accesses are contiguous.
    pub coarsen: bool,
    /// Not `-gpu=noautofcw`: windows in shared memory that the compiler makes by itself.
    pub auto_fcw: bool,
    /// `-gpu=autodata`: arrays without data clauses stay on the device, and what is stale is found out at run time.
    pub auto_data: bool,
    /// `-gpu=schedule:FILE`, `-gpu=config:FILE`: files with schedules for directives.
    pub schedules: Vec<FileSchedule>,
    /// `-gpu=candidates:FILE`: schedules that become variants to be named.
    pub candidates: Vec<FileSchedule>,
    /// `accl explain --schedules`
    pub list_steps: bool,
    /// `accl tune`
    pub list_spaces: bool,
    /// `--check`: accesses outside their windows, on the cpu device, and NaN sent to compressed arrays end the program.
    pub check: bool,
    /// `-gpu=lineinfo` or `debug`: device code carries the user's lines.
    pub line_info: bool,
    /// `-gpu=ptxinfo`: the registers and spills of each kernel.
    pub ptx_info: bool,
    /// `-gpu=autocompare`: accepted with a note that it has no effect.
    pub autocompare: bool,
    /// `-Minfo=accel`
    pub minfo: bool,
    pub remark_filters: Vec<RemarkFilter>,
    pub remarks: Option<RemarkFormat>,
    /// `-fsave-optimization-record`
    pub record: bool,
    /// The names of passes, or "all": the module is printed as each leaves it.
    pub print_after: Vec<String>,
    pub keep: Option<PathBuf>,
    pub host_compiler: Option<String>,
    pub shared_runtime: bool,
    /// Not `useMatrixTranspose=0` in a configuration file.
    pub column_major: bool,
    /// Variants with `restrict`, but for `shrdArrayElmtCachingOnReg=0` and its like.
    pub noalias: bool,
    /// What OpenMPC's parameters and the user's directive files say.
    pub openmpc_settings: accl_frontend::OpenMpcSettings,
    /// Parameters that have no effect, each with the reason.
    pub notes: Vec<String>,
    /// `-fopenmpc`: loops of OpenMP's parallel regions run on the device.
    pub openmpc: bool,
}

impl Default for Acc {
    fn default() -> Acc {
        Acc {
            enabled: true,
            named: false,
            targets: Target::ALL.into(),
            archs: vec![],
            max_registers: None,
            fast_math: false,
            device_math: true,
            coarsen: true,
            auto_fcw: true,
            auto_data: false,
            schedules: vec![],
            candidates: vec![],
            list_steps: false,
            list_spaces: false,
            check: false,
            line_info: false,
            ptx_info: false,
            autocompare: false,
            minfo: false,
            remark_filters: vec![],
            remarks: None,
            record: false,
            print_after: vec![],
            keep: None,
            host_compiler: None,
            shared_runtime: false,
            column_major: true,
            noalias: true,
            openmpc_settings: accl_frontend::OpenMpcSettings::default(),
            notes: vec![],
            openmpc: false,
        }
    }
}

/// Acclimate's options as `accl help cc` shows them: (option, what it does).
pub const HELP: &[(&str, &str)] = &[
    (
        "-acc[=LIST], -fopenacc",
        "compile OpenACC directives (the default); LIST of cuda, opencl, cpu, or nvc's gpu, multicore, host",
    ),
    ("-noacc, -fno-openacc", "ignore them"),
    (
        "-gpu=LIST, -ta=LIST",
        "as nvc: ccXX, maxregcount:N, [no]fastmath, lineinfo, ptxinfo, keep, autocompare; and [no]coarsen, [no]autofcw, [no]autodata, [no]hostloops, schedule:FILE, config:FILE, candidates:FILE",
    ),
    ("--offload-arch=sm_XX", "compile for this architecture ahead of time, where nvcc is found (-gpu=ccXX)"),
    ("-foffload=LIST", "as gcc: nvptx-none means cuda; disable means cpu"),
    ("-foffload-options=LIST", "as gcc: of nvptx-none the architecture (-misa=sm_XX)"),
    (
        "-fopenmp, -mp[=LIST]",
        "compile OpenMP: constructs for devices here, those for threads by the host compiler; of a statement with directives of both languages, OpenMP's are followed unless -acc is given",
    ),
    (
        "-fopenmpc, -fno-openmpc",
        "the same, and the loops of parallel regions, written for threads of a CPU, run on the device",
    ),
    ("-fopenmpc-directives=FILE", "OpenMPC's directives, a line `procname kernelid: directive` for each"),
    ("-fopenmp-targets=LIST", "as clang: nvptx64 means cuda"),
    ("-fast", "as nvc: -O3"),
    ("-Minfo[=accel]", "print what was decided for each directive, in nvc's wording"),
    ("-Rpass=, -Rpass-missed=, -Rpass-analysis=", "the same, as clang prints it"),
    ("-fsave-optimization-record, -save-remarks", "write the remarks to OUTPUT.accl.json"),
    ("--remarks=json|sarif|text", "print the remarks in this form on standard error"),
    ("--print-after=PASS|all", "print the intermediate form as a pass leaves it, on standard error"),
    ("--keep DIR", "leave every intermediate file in DIR"),
    ("--host-compiler CC", "compile host code with CC (also ACCL_HOST_COMPILER)"),
    (
        "--check",
        "end the program where a window (fcw) is left on the cpu device, or NaN is sent to a compressed array",
    ),
    ("-Xopenmp-target[=TRIPLE] OPTION, --cuda-gpu-arch=sm_XX", "as clang: of -march=sm_XX the architecture"),
    (
        "-fiopenmp, -qopenmp, -qsmp=omp, -homp, -gopt, -fastsse, -KPIC, -c99, -c11, --c++17, -cudalib=LIST",
        "what other compilers call -fopenmp, -g, -O3, -fPIC, -std=…, and the libraries -lcublas …",
    ),
    (
        "-M…, -tp=CPU, -K…, -cuda, -target=gpu, --diag_…, -fopenacc-dim=LIST",
        "accepted for nvc's and gcc's sake; they change nothing",
    ),
    (
        "-fopenmp-…, -fno-openmp-…, -fcuda-…, -fgpu-…, --cuda-path=DIR, -foffload-lto, -ferror-limit=N, -nogpulib",
        "accepted for clang's sake; they change nothing",
    ),
    (
        "-xHost, -qopenmp-…, -qopt-report…, -qoffload",
        "accepted for Intel's and IBM's sake; they change nothing",
    ),
    ("--no-check", "the default, after an earlier --check"),
    (
        "--shared-runtime",
        "link libaccl_runtime.so instead of the archive: for programs with several shared libraries",
    ),
];

/// Options with a separate argument; returns the name for [`Acc::set`].
pub fn takes_argument(word: &str) -> Option<&'static str> {
    ["--keep", "--host-compiler", "--remarks", "--offload-arch", "--print-after"]
        .into_iter()
        .find(|o| *o == word)
}

impl Acc {
    /// Takes `word` if it is an option of Acclimate's. Options that it implies for the host compiler go to `items`.
    pub fn read(&mut self, word: &str, items: &mut Vec<Item>) -> Result<bool, UsageError> {
        if let Some((name, value)) = word.split_once('=')
            && self.read_valued(word, name, value, items)?
        {
            return Ok(true);
        }
        match word {
            "-acc" | "-fopenacc" => (self.enabled, self.named) = (true, true),
            "-noacc" | "-fno-openacc" => self.enabled = false,
            "-mp" => items.push(host_option("-fopenmp")),
            "-fopenmpc" => {
                (self.openmpc, self.auto_data) = (true, true);
                items.push(host_option("-fopenmp"));
            }
            "-fno-openmpc" => self.openmpc = false,
            "-Minfo" => self.minfo = true,
            "-fast" => items.push(host_option("-O3")),
            "-fsave-optimization-record" => self.record = true,
            "--shared-runtime" => self.shared_runtime = true,
            "--check" => self.check = true,
            "--no-check" => self.check = false,
            "-save-remarks" => self.record = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `name=value`. `-Rpass` belongs to clang too, so it stays among the host's options.
    fn read_valued(
        &mut self,
        word: &str,
        name: &str,
        value: &str,
        items: &mut Vec<Item>,
    ) -> Result<bool, UsageError> {
        match name {
            "-acc" => {
                self.named = true;
                self.set_targets(value)?
            }
            "-gpu" | "-ta" => self.gpu(value)?,
            "-mp" => items.push(host_option("-fopenmp")),
            "-Minfo" => {
                self.minfo |= value.split(',').any(|v| matches!(v, "accel" | "acc" | "all" | "mp" | "opt"))
            }
            // Accepted without effect.
            "-fopenacc-dim" => {}
            "--cuda-gpu-arch" => self.set("--offload-arch", value)?,
            "-foffload" | "-foffload-options" => self.foffload(name, value),
            "-fopenmp-targets" => self.foffload("-foffload", value),
            "-fopenmpc-directives" => self.openmpc_settings.directives.extend(parameters::directives(value)?),
            "-fsave-optimization-record" => self.record = true,
            "-Rpass" | "-Rpass-missed" | "-Rpass-analysis" => {
                self.rpass(name, value);
                items.push(host_option(word));
            }
            "--keep" | "--host-compiler" | "--remarks" | "--offload-arch" | "--print-after" => {
                self.set(name, value)?
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Options whose argument is a word of its own or follows `=`.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), UsageError> {
        match name {
            "--keep" => self.keep = Some(value.into()),
            "--host-compiler" => self.host_compiler = Some(value.to_owned()),
            "--offload-arch" => {
                for arch in value.split(',') {
                    self.add_arch(arch)?;
                }
            }
            "--print-after" => {
                let known = |name: &str| name == "all" || accl_transforms::pipeline::pass(name).is_some();
                if let Some(unknown) = value.split(',').find(|name| !known(name)) {
                    return Err(crate::commands::ir::unknown_pass(name, unknown));
                }
                self.print_after.extend(value.split(',').map(str::to_owned));
            }
            "--remarks" => {
                self.remarks = Some(match value {
                    "json" => RemarkFormat::Json,
                    "sarif" => RemarkFormat::Sarif,
                    "text" => RemarkFormat::Text,
                    other => return Err(unknown("--remarks", other, "json, sarif or text")),
                });
            }
            other => return Err(UsageError(format!("unknown option '{other}'"))),
        }
        Ok(())
    }

    fn set_targets(&mut self, list: &str) -> Result<(), UsageError> {
        self.enabled = true;
        self.targets.clear();
        for name in list.split(',') {
            match name {
                "cuda" | "nvidia" => self.targets.extend([Target::Cuda]),
                "opencl" => self.targets.extend([Target::OpenCl]),
                "gpu" => self.targets.extend([Target::Cuda, Target::OpenCl]),
                "cpu" | "multicore" | "host" => self.targets.extend([Target::Cpu]),
                "all" => self.targets.extend(Target::ALL),
                // nvc's modifiers of -acc change nothing.
                "verystrict" | "strict" | "wait" | "nowait" | "autopar" | "noautopar" | "routineseq"
                | "legacy" => {}
                other => {
                    return Err(unknown(
                        "-acc",
                        other,
                        "cuda, opencl, cpu, all, or nvc's gpu, multicore, host",
                    ));
                }
            }
        }
        if self.targets.is_empty() {
            self.targets = Target::ALL.into();
        }
        Ok(())
    }

    fn gpu(&mut self, list: &str) -> Result<(), UsageError> {
        for file in list.split(',').filter_map(|item| item.strip_prefix("schedule:")) {
            self.schedules.extend(schedules::read(file)?);
        }
        for file in list.split(',').filter_map(|item| item.strip_prefix("config:")) {
            let config = schedules::read_config(file)?;
            self.schedules.extend(config.schedules);
            for given in &config.parameters {
                parameters::apply(self, given)?;
            }
            for (origin, list) in config.options {
                // A configuration that names a configuration may name itself.
                if list.contains("config:") {
                    return Err(UsageError(format!("{origin}: a configuration names no other")));
                }
                self.gpu(&list)?;
            }
        }
        for file in list.split(',').filter_map(|item| item.strip_prefix("candidates:")) {
            self.candidates.extend(schedules::read(file)?);
        }
        let is_file =
            |item: &&str| ["schedule:", "config:", "candidates:"].iter().any(|kind| item.starts_with(kind));
        let others = list.split(',').filter(|item| !is_file(item));
        for name in others.flat_map(|item| item.split(':')).filter(|n| !n.is_empty()) {
            if matches!(name, "multicore" | "host") {
                self.set_targets(name)?;
                continue;
            }
            if name.chars().all(|c| c.is_ascii_digit()) {
                // the N of maxregcount:N
                self.max_registers = name.parse().ok();
                continue;
            }
            if let Some(cc) =
                name.strip_prefix("cc").filter(|cc| cc.starts_with(|c: char| c.is_ascii_digit()))
            {
                self.add_arch(&format!("sm_{cc}"))?;
                continue;
            }
            if let Some(n) = name.strip_prefix("maxregcount=") {
                self.max_registers = n.parse().ok();
                continue;
            }
            match name {
                "maxregcount" | "tesla" | "nvidia" => {}
                "nofastmath" => (self.fast_math, self.device_math) = (false, false),
                "coarsen" => self.coarsen = true,
                "nocoarsen" => self.coarsen = false,
                "autofcw" => self.auto_fcw = true,
                "noautofcw" => self.auto_fcw = false,
                "autodata" => self.auto_data = true,
                "noautodata" => self.auto_data = false,
                "hostloops" => self.openmpc_settings.keeps_host_loops = false,
                "nohostloops" => self.openmpc_settings.keeps_host_loops = true,
                "fastmath" => self.fast_math = true,
                "lineinfo" | "debug" => self.line_info = true,
                "ptxinfo" => self.ptx_info = true,
                "autocompare" | "redundant" => self.autocompare = true,
                "keep" => self.keep = self.keep.take().or(Some(".".into())),
                "managed"
                | "nomanaged"
                | "unified"
                | "nounified"
                | "mem"
                | "separate"
                | "pinnedalloc"
                | "pinned"
                | "pin"
                | "fma"
                | "nofma"
                | "rdc"
                | "nordc"
                | "safecache"
                | "flushz"
                | "noflushz"
                | "sync"
                | "nosync"
                | "implicitsections"
                | "noimplicitsections"
                | "deepcopy"
                | "nodeepcopy"
                | "ccall"
                | "ccnative"
                | "ccall-major"
                | "nodebug"
                | "nolineinfo"
                | "loadcache"
                | "L1"
                | "L2"
                | "unroll"
                | "nounroll"
                | "zeroinit"
                | "stacklimit"
                | "interceptdeallocations"
                | "nointerceptdeallocations"
                | "beta"
                | "checkarch"
                | "sm_80+" => {}
                other if other.starts_with("cuda") => {}
                other => {
                    let known = "ccXX, maxregcount:N, fastmath, coarsen, autofcw, autodata, hostloops, schedule:FILE, config:FILE, candidates:FILE, lineinfo, ptxinfo, keep, autocompare and nvc's other names";
                    return Err(unknown("-gpu", other, known));
                }
            }
        }
        Ok(())
    }

    /// The limits and speeds that schedules are chosen by: of the architectures that `-gpu=ccXX` names, or the usual ones.
    pub fn device_model(&self) -> &'static DeviceModel {
        let number = |arch: &String| {
            arch.trim_start_matches(|c: char| !c.is_ascii_digit())
                .trim_end_matches(char::is_alphabetic)
                .parse()
                .ok()
        };
        let capabilities: Vec<u32> = self.archs.iter().filter_map(number).collect();
        DeviceModel::of_capabilities(&capabilities).unwrap_or_else(DeviceModel::usual)
    }

    fn add_arch(&mut self, arch: &str) -> Result<(), UsageError> {
        // Where nothing is named, the device's own is taken when the program runs.
        if arch == "native" {
            return Ok(());
        }
        let digits = arch.strip_prefix("sm_").or_else(|| arch.strip_prefix("compute_")).unwrap_or("");
        if digits.is_empty() || !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(unknown("--offload-arch", arch, "sm_XX, as in sm_90"));
        }
        let arch = format!("sm_{digits}");
        if !self.archs.contains(&arch) {
            self.archs.push(arch);
        }
        Ok(())
    }

    /// gcc: `-foffload=disable`, `default`, `nvptx-none=-misa=sm_80`, `amdgcn-amdhsa`.
    fn foffload(&mut self, name: &str, value: &str) {
        if name == "-foffload" {
            match value {
                "disable" => self.targets = [Target::Cpu].into(),
                _ if value.starts_with("nvptx") => self.targets = [Target::Cuda, Target::Cpu].into(),
                _ => {}
            }
        }
        if let Some(at) = value.find("-misa=sm_") {
            let digits: String = value[at + 9..].chars().take_while(char::is_ascii_digit).collect();
            let _ = self.add_arch(&format!("sm_{digits}"));
        }
    }

    /// The argument is a regular expression over pass names; those of Acclimate are "accl" and "openacc".
    fn rpass(&mut self, name: &str, pattern: &str) {
        if ![".*", ".", "acc", "openacc", "openmp"].iter().any(|p| pattern.contains(p)) {
            return;
        }
        self.remark_filters.push(match name {
            "-Rpass" => RemarkFilter::Passed,
            "-Rpass-missed" => RemarkFilter::Missed,
            _ => RemarkFilter::Analysis,
        });
    }
}

fn host_option(word: &str) -> Item {
    Item::Option { words: vec![word.to_owned()], class: Class::Compile }
}

fn unknown(option: &str, value: &str, known: &str) -> UsageError {
    UsageError(format!("unknown argument '{value}' of '{option}': it takes {known}"))
}
