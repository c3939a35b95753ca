//! Which of the user's options each run of a compiler gets.

use super::Session;
use crate::host_compiler::Family;
use crate::invocation::{Class, Invocation, Item};
use accl_analysis::aliasing;
use accl_ir::{Body, Module, Stmt, visit};

/// For a step that reads the user's own source with the host compiler.
pub fn for_source(invocation: &Invocation) -> Vec<String> {
    invocation.options(|class| matches!(class, Class::Compile | Class::Preprocess))
}

/// For clang as it reads the user's program. Another host compiler's options may be foreign to it.
pub fn for_front_end(session: &Session) -> Vec<String> {
    let preprocess = session.invocation.options(|class| class == Class::Preprocess);
    preprocess.into_iter().chain(for_clang(session)).collect()
}

/// For compiling the rewritten source: warnings were given for the user's own text; link-time
/// optimisation and split debug information cannot pass through a relocatable link.
pub fn for_host(session: &Session) -> Vec<String> {
    quiet(Family::Clang, for_clang(session))
}

/// For compiling the rewritten source by gcc, which understands all of its options. Constructs for devices that are left in it are for
/// the host.
pub fn for_gcc(session: &Session) -> Vec<String> {
    let mut words = quiet(session.host.family, session.invocation.options(|class| class == Class::Compile));
    if session.host.family == Family::Gcc && translates_openmp(session) {
        words.push("-foffload=disable".to_owned());
    }
    words
}

/// The options for compilation that clang understands. All of them where it is the host compiler.
fn for_clang(session: &Session) -> Vec<String> {
    if session.host.family == Family::Clang {
        return session.invocation.options(|class| class == Class::Compile);
    }
    const KNOWN: &[&str] = &[
        "-O",
        "-g",
        "-std=",
        "-ansi",
        "-m",
        "-pthread",
        "-nostdinc",
        "-isysroot",
        "--sysroot",
        "-target",
        "--target",
        "-fPIC",
        "-fpic",
        "-fPIE",
        "-fpie",
        "-fno-pi",
        "-fno-PI",
        "-ffast-math",
        "-fno-math-errno",
        "-fmath-errno",
        "-ffp-contract",
        "-fno-strict-aliasing",
        "-fstrict-aliasing",
        "-fwrapv",
        "-fopenmp",
        "-fexceptions",
        "-fno-exceptions",
        "-frtti",
        "-fno-rtti",
        "-fshort-enums",
        "-funsigned-char",
        "-fsigned-char",
        "-fvisibility",
        "-fstack-protector",
        "-ffunction-sections",
        "-fdata-sections",
        "-fno-omit-frame-pointer",
        "-fsanitize",
        "-fomit-frame-pointer",
        "-fno-common",
        "-fcommon",
        "-fno-builtin",
        "-ffreestanding",
        "-fgnu89-inline",
    ];
    words_where(session, |word| KNOWN.iter().any(|known| word.starts_with(known)))
}

/// `-fopenmp`, which `-mp` stands for, too.
pub fn translates_openmp(session: &Session) -> bool {
    let words = words_where(session, |word| {
        matches!(word, "-fopenmp" | "-fno-openmp") || word.starts_with("-fopenmp=")
    });
    words.last().is_some_and(|last| last != "-fno-openmp")
}

/// `-fwrapv`, or gcc's `-fno-strict-overflow`, which means it.
pub fn signed_integers_wrap(session: &Session) -> bool {
    let words = words_where(session, |word| {
        matches!(word, "-fwrapv" | "-fno-wrapv" | "-fstrict-overflow" | "-fno-strict-overflow")
    });
    words.last().is_some_and(|last| matches!(last.as_str(), "-fwrapv" | "-fno-strict-overflow"))
}

/// Clang takes time that grows with the square of the loops inside a loop to unroll them: kernels with more are not
/// unrolled (300 loops took 8 s, and 2 without).
const MOST_UNROLLED: usize = 64;

/// For the kernels of the cpu device: the user's optimisation, target and position independence.
pub fn for_kernels(session: &Session, module: &Module) -> Vec<String> {
    const FOREIGN: &[&str] = &[
        "-fopenmp",
        "-fsanitize",
        "-fprofile",
        "-fmodules",
        "-fno-exceptions",
        "-fno-rtti",
        "-fexceptions",
        "-frtti",
        "-ftest-coverage",
        "-fplugin",
        "-fpermissive",
        "-ftemplate",
        "-fconstexpr",
        "-fvisibility-inlines",
        "-fcoverage",
        "-fno-threadsafe",
        "-fsized",
        "-faligned",
        "-fno-implicit",
        "-fconcepts",
        "-fcoroutines",
        "-finstrument",
        "-fdiagnostics",
        "-fsyntax-only",
    ];
    let wanted =
        |w: &str| w.starts_with("-f") && !FOREIGN.iter().any(|n| w.starts_with(n)) || w.starts_with("-O");
    let mut words = words_where(session, |w| is_for_target(w) || wanted(w));
    if !words.iter().any(|w| w.starts_with("-O")) {
        words.push("-O2".to_owned());
    }
    if module.kernels.iter().any(|(_, k)| k.cpu.as_ref().is_some_and(|body| loops(body) > MOST_UNROLLED)) {
        // In front, so that the user's own word counts.
        words.insert(0, "-fno-unroll-loops".to_owned());
    }
    if aliasing::reads_as_other_types(module) {
        words.insert(0, "-fno-strict-aliasing".to_owned());
    }
    // No program can observe the errno of a kernel's thread, and setting it prevents vectorising sqrt.
    words.extend(["-fno-math-errno", "-std=gnu11", "-fopenmp-simd", "-c"].map(str::to_owned));
    quiet(session.host.family, words)
}

fn loops(body: &Body) -> usize {
    let mut count = 0;
    visit::for_each_stmt(&body.block, &mut |node| {
        count += usize::from(matches!(node.kind, Stmt::For(_) | Stmt::While { .. }));
    });
    count
}

/// For tables: they are data, so nothing but the target matters.
pub fn for_tables(session: &Session) -> Vec<String> {
    let mut words =
        words_where(session, |w| is_for_target(w) || w.starts_with("-fPI") || w.starts_with("-fpi"));
    words.extend(["-std=gnu11", "-O0", "-g0", "-c"].map(str::to_owned));
    quiet(session.host.family, words)
}

/// For merging objects.
pub fn for_merging(session: &Session) -> Vec<String> {
    let mut words = words_where(session, is_for_target);
    words.retain(|w| !w.starts_with("-g") && w != "-pthread");
    words.extend(["-r", "-nostdlib"].map(str::to_owned));
    quiet(session.host.family, words)
}

/// Without the options that concern only the user's own text, which has been checked already: all warning options,
/// and those that would report errors in text that the compiler generated.
///
/// Some of clang's warnings are errors by default, and `-w` does not silence those: what the user's options permit
/// in the user's text must be permitted here. gcc has no option for all of them, so it keeps the user's own
/// `-Wno-…`, which can only reduce the messages.
fn quiet(family: Family, words: Vec<String>) -> Vec<String> {
    let unwanted = ["-flto", "-pedantic", "-gsplit-dwarf", "-fsave-optimization-record", "-Rpass"];
    let is_warning = |w: &str| {
        w.starts_with("-W") && !w.starts_with("-Wa,") && !(family == Family::Gcc && w.starts_with("-Wno-"))
    };
    // Debug information stays in the object; where the option asked for it, it still does.
    let split = words.iter().any(|w| w.starts_with("-gsplit-dwarf")) && family != Family::Clang;
    let mut kept = without(words, |w| is_warning(w) || unwanted.iter().any(|u| w.starts_with(u)));
    if split && !kept.iter().any(|w| w.starts_with("-g")) {
        kept.insert(0, "-g".to_owned());
    }
    kept.push("-w".to_owned());
    if family == Family::Clang {
        kept.push("-Wno-everything".to_owned());
        kept.insert(0, accl_frontend::BRACKET_DEPTH.to_owned());
    }
    kept
}

/// The argument of `-Xclang` and similar options stays with the option.
fn without(words: Vec<String>, unwanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut kept: Vec<String> = vec![];
    for word in words {
        let passed_on = kept.last().is_some_and(|w| w == "-Xclang");
        if !unwanted(&word) {
            kept.push(word);
        } else if passed_on {
            kept.pop();
        }
    }
    kept
}

/// The compile options whose first word is `wanted`, with their arguments.
fn words_where(session: &Session, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = vec![];
    for item in &session.invocation.items {
        if let Item::Option { words, class: Class::Compile } = item
            && wanted(&words[0])
        {
            found.extend(words.iter().cloned());
        }
    }
    found
}

fn is_for_target(word: &str) -> bool {
    let starts = [
        "-m",
        "-g",
        "--target",
        "-target",
        "--sysroot",
        "-isysroot",
        "-B",
        "--gcc-toolchain",
        "-pthread",
        "--gcc-install",
    ];
    starts.iter().any(|p| word.starts_with(p)) && !word.starts_with("-mllvm")
}
