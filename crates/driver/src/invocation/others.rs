//! Options of nvc, clang, Intel's and IBM's compilers that build files of programs have, and that a gcc does not know.
//!
//! Most steer how their compiler makes code, which is not needed here: they are dropped. The others have another name in gcc. Options
//! that gcc and clang both know are never among them.

use super::{Class, Item};

/// Those whose argument is the next word, with it.
pub fn takes_argument(word: &str) -> bool {
    matches!(word, "-tp" | "--diag_suppress" | "--diag_remark" | "--diag_warning" | "--diag_error")
        || matches!(word, "-Xcuda-ptxas" | "-Xcuda-fatbinary" | "-Xoffload-linker" | "-Xopenmp-target")
        || word.starts_with("-Xopenmp-target=")
        || word.starts_with("-Xoffload-linker-")
}

/// The architecture that an option for device code alone names.
pub fn architecture(option: &str) -> Option<&str> {
    let value =
        ["-march=", "--offload-arch=", "--cuda-gpu-arch="].iter().find_map(|o| option.strip_prefix(o));
    value.filter(|value| value.starts_with("sm_"))
}

/// What the host compiler gets in an option's place; `None`: it is an option of gcc's, or unknown.
pub fn translated(word: &str) -> Option<Vec<Item>> {
    if let Some(libraries) = word.strip_prefix("-cudalib=") {
        let link = |name: &str| Item::Option { words: vec![format!("-l{name}")], class: Class::Link };
        return Some(libraries.split(',').map(link).collect());
    }
    let host = match word {
        "-fiopenmp" | "-qopenmp" | "-qsmp=omp" | "-homp" => "-fopenmp",
        _ if word.starts_with("-fopenmp=") => "-fopenmp",
        "-gopt" => "-g",
        "-fastsse" => "-O3",
        "-KPIC" | "-Kpic" => "-fPIC",
        "-c89" => "-std=gnu89",
        "-c99" => "-std=gnu99",
        "-c11" => "-std=gnu11",
        "-c17" | "-c18" => "-std=gnu17",
        "--c++11" => "-std=gnu++11",
        "--c++14" => "-std=gnu++14",
        "--c++17" => "-std=gnu++17",
        "--c++20" => "-std=gnu++20",
        _ if changes_nothing(word) => return Some(vec![]),
        _ => return None,
    };
    Some(vec![Item::Option { words: vec![host.to_owned()], class: Class::Compile }])
}

fn changes_nothing(word: &str) -> bool {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|p| word.starts_with(p));
    // `-Mvect`; those of gcc go on with a capital letter.
    let of_nvc =
        word.strip_prefix("-M").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
            || matches!(
                word,
                "-cuda"
                    | "-cudalib"
                    | "-silent"
                    | "-noswitcherror"
                    | "-static-nvidia"
                    | "-target=gpu"
                    | "-target=multicore"
            )
            || begins(&["-tp=", "-K", "-cuda=", "--diag_", "--display_error_number"]);
    let of_clang = (begins(&["-fopenmp-", "-fno-openmp-"]) && !word.ends_with("-simd"))
        || begins(&[
            "-fcuda-",
            "-fno-cuda-",
            "-fgpu-",
            "-fno-gpu-",
            "--cuda-path=",
            "-foffload-lto",
            "-ferror-limit=",
        ])
        || matches!(word, "-nogpulib" | "-nogpuinc" | "-nocudalib" | "-nocudainc" | "--offload-new-driver")
        || begins(&["--libomptarget-", "-fno-offload-lto"]);
    let of_others =
        matches!(word, "-xHost" | "-qoffload") || begins(&["-qopenmp-", "-qopt-report", "-qtgtarch="]);
    of_nvc || of_clang || of_others
}
