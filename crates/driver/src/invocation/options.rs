//! The shape of the options of gcc and clang: which take the next word, and what each is for.

use super::Class;

/// Options whose argument may be the next word or joined to them (`-Ifoo`, `-I foo`).
const JOINED_OR_SEPARATE: &[&str] =
    &["-I", "-D", "-U", "-L", "-l", "-o", "-x", "-B", "-T", "-u", "-F", "-z", "-A"];

/// Options whose argument is always the next word.
const SEPARATE: &[&str] = &[
    "-e",
    "-include",
    "-imacros",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isystem",
    "-isysroot",
    "-iquote",
    "-imultilib",
    "-include-pch",
    "-ivfsoverlay",
    "-iframework",
    "-cxx-isystem",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xclang",
    "-Xanalyzer",
    "-Xopenmp-target",
    "-Xcuda-ptxas",
    "-mllvm",
    "-arch",
    "-target",
    "--target",
    "--param",
    "-aux-info",
    "-wrapper",
    "--sysroot",
    "-gcc-toolchain",
    "-dumpbase",
    "-dumpdir",
    "-dumpbase-ext",
    "-G",
    "-V",
    "-b",
    "-rpath",
    "-soname",
    "-dynamic-linker",
    "-install_name",
    "-framework",
    "-undefined",
    "-working-directory",
    "-serialize-diagnostics",
    "--serialize-diagnostics",
    "-specs",
    "--include-directory",
    "--define-macro",
    "--undefine-macro",
    "--library-path",
    "--output",
];

/// Options joined to their argument whose short prefix would otherwise be misread.
const NEVER_SPLIT: &[&str] = &[
    "-undef",
    "-traditional",
    "-trigraphs",
    "-time",
    "-Ofast",
    "-Bstatic",
    "-Bdynamic",
    "-ld",
    "-EL",
    "-EB",
    "-emit-llvm",
    "-export-dynamic",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-target",
    "-undefined",
    "-arch",
    "-framework",
    "-ffast-math",
];

/// The option and the argument joined to it. `-o` alone gives no argument; `-MF` is never joined.
pub fn split(word: &str) -> (&str, Option<&str>) {
    if SEPARATE.contains(&word) || NEVER_SPLIT.iter().any(|n| word.starts_with(n)) {
        return (word, None);
    }
    if let Some(file) =
        word.strip_prefix("-MF").or_else(|| word.strip_prefix("-MT")).or_else(|| word.strip_prefix("-MQ"))
        && !file.is_empty()
    {
        return (&word[..3], Some(file));
    }
    for option in JOINED_OR_SEPARATE {
        if let Some(joined) = word.strip_prefix(option)
            && !joined.is_empty()
        {
            return (option, Some(joined));
        }
    }
    (word, None)
}

pub fn takes_argument(name: &str) -> bool {
    SEPARATE.contains(&name) || JOINED_OR_SEPARATE.contains(&name)
}

/// Options with which a command makes no object, whatever else it contains.
pub fn only_informs(name: &str) -> bool {
    const EXACT: &[&str] = &[
        "-E",
        "-M",
        "-MM",
        "-fsyntax-only",
        "-###",
        "--version",
        "-dumpversion",
        "-dumpmachine",
        "-dumpspecs",
        "-dumpfullversion",
        "--help",
        "-help",
        "--target-help",
        "-emit-pch",
        "--analyze",
        "-emit-ast",
    ];
    const PREFIX: &[&str] = &["-print-", "--print-", "--help=", "-Q"];
    EXACT.contains(&name) || PREFIX.iter().any(|p| name.starts_with(p))
}

/// The class of a host option, from its first word.
pub fn class(word: &str) -> Class {
    const DEPEND: &[&str] = &["-MD", "-MMD", "-MP", "-MG", "-MV", "-MF", "-MT", "-MQ"];
    const LINK: &[&str] = &[
        "-shared",
        "-static",
        "-pie",
        "-no-pie",
        "-static-pie",
        "-nostdlib",
        "-nodefaultlibs",
        "-nostartfiles",
        "-nolibc",
        "-rdynamic",
        "-s",
        "-r",
        "-Xlinker",
        "-T",
        "-u",
        "-z",
        "-e",
        "-rpath",
        "-soname",
        "-symbolic",
        "-N",
        "-n",
        "-t",
        "-static-libgcc",
        "-static-libstdc++",
        "-shared-libgcc",
        "-static-libasan",
        "-export-dynamic",
        "-dynamic-linker",
        "-framework",
        "-nopie",
    ];
    const LINK_PREFIX: &[&str] =
        &["-l", "-L", "-Wl,", "-fuse-ld", "-T", "-u", "-z", "--ld-path", "-Bstatic", "-Bdynamic"];
    const PREPROCESS: &[&str] = &[
        "-undef",
        "-C",
        "-CC",
        "-P",
        "-H",
        "-Xpreprocessor",
        "-nostdinc",
        "-nostdinc++",
        "-include",
        "-imacros",
    ];
    const PREPROCESS_PREFIX: &[&str] = &[
        "-I",
        "-D",
        "-U",
        "-Wp,",
        "-include",
        "-imacros",
        "-idirafter",
        "-iprefix",
        "-iwithprefix",
        "-isystem",
        "-iquote",
        "-imultilib",
        "-iframework",
        "-cxx-isystem",
        "-A",
        "-F",
        "-ivfsoverlay",
        "-stdlib++-isystem",
    ];
    let starts = |list: &[&str]| list.iter().any(|p| word.starts_with(p));
    if DEPEND.contains(&word) {
        Class::Depend
    } else if PREPROCESS.contains(&word) {
        Class::Preprocess
    } else if LINK.contains(&word) {
        Class::Link
    } else if word.starts_with("-undef") || word.starts_with("-traditional") {
        Class::Compile
    } else if starts(PREPROCESS_PREFIX) && !word.starts_with("-Ofast") {
        Class::Preprocess
    } else if starts(LINK_PREFIX) {
        Class::Link
    } else {
        Class::Compile
    }
}
