//! The last step: the host compiler links, with the runtime after everything else.
//!
//! The archive is always named: a program that does not use it takes nothing from it. So objects compiled
//! elsewhere, or inside a static library, find it too.

use super::whole_program::{self, Replaced};
use super::{Session, clocks, exit_code, host_memory, is_unit, show};
use crate::failure::Said;
use crate::installation;
use crate::invocation::{Class, Item, Mode};
use crate::output::PendingFile;
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the runtime needs; libraries nothing uses leave no trace in the program.
const SYSTEM_LIBRARIES: &[&str] =
    &["-Wl,--push-state,--as-needed", "-lpthread", "-ldl", "-lm", "-Wl,--pop-state"];

/// The libraries of the runtime that a program is linked to.
struct Runtime {
    /// After the shared library, the archive only provides the wrappers of clocks.
    archive: PathBuf,
    shared: Option<PathBuf>,
}

impl Runtime {
    fn find(session: &Session) -> Result<Runtime> {
        let wanted = session.invocation.acc.shared_runtime;
        let shared = wanted.then(|| installation::runtime_library(true)).transpose()?;
        Ok(Runtime { archive: installation::runtime_library(false)?, shared })
    }
}

/// Links the units' objects and the user's, in the user's order.
pub fn link(session: &Session, objects: &[PendingFile]) -> Result<u8> {
    let objects: Vec<PathBuf> = objects.iter().map(|object| object.path().to_owned()).collect();
    let mut messages = vec![];
    let replaced = whole_program::complete(session, &objects, &mut messages)?;
    show(&messages);
    link_files(session, &objects, &replaced)
}

/// The same, with other files in place of some.
pub fn link_files(session: &Session, objects: &[PathBuf], replaced: &Replaced) -> Result<u8> {
    let invocation = &session.invocation;
    Runtime::find(session)?;
    let target = invocation.output.clone().unwrap_or_else(|| PathBuf::from("a.out"));
    let output = PendingFile::create(&target)?;
    let mut words = vec!["-o".to_owned(), output.path().display().to_string()];
    let mut next = objects.iter();
    for item in &invocation.items {
        match item {
            item if is_unit(item) => {
                words.extend(next.next().map(|object| replaced.path(object).display().to_string()));
            }
            // Objects need no assembler; clang would complain about its options.
            Item::Option { words: option, class: Class::Compile } if option[0].starts_with("-Wa,") => {}
            Item::Option { words: option, class: Class::Link | Class::Compile } => {
                words.extend(replaced.option(session, option))
            }
            Item::Option { .. } => {}
            Item::Source { path, language } => {
                words.extend(language.option().map(|l| format!("-x{l}")));
                words.push(path.display().to_string());
                words.extend(language.option().map(|_| "-xnone".to_owned()));
            }
            Item::Object(path) => words.push(replaced.path(path).display().to_string()),
        }
    }
    let words = with_runtime(session, words);
    let result = session.host.run(invocation.front, words, session.scratch.path())?;
    show(&result.stdout);
    show(&result.stderr);
    show(&replaced.messages(session, result.status.success().then(|| output.path())));
    if !result.status.success() {
        return Err(Said(exit_code(result.status)).into());
    }
    output.commit()?;
    Ok(0)
}

/// A link may have failed because the runtime is missing.
pub fn explain_missing_runtime(session: &Session) {
    let links = session.invocation.mode == Mode::Link && session.invocation.acc.enabled;
    if links && let Err(error) = Runtime::find(session) {
        eprintln!("accl: note: {error:#}");
    }
}

/// The archive without the bitcode that Rust stores beside the machine code: the LTO plugin of a linker with an
/// older LLVM would take the bitcode for its own and fail to read it.
fn without_bitcode(library: &Path, scratch: &Path) -> Option<PathBuf> {
    let stripped = scratch.join("libaccl_runtime_lto.a");
    let mut objcopy = Command::new("objcopy");
    objcopy.args(["--remove-section=.llvmbc", "--remove-section=.llvmcmd"]).arg(library).arg(&stripped);
    objcopy.output().is_ok_and(|out| out.status.success()).then_some(stripped)
}

/// Where the program's data contain arrays of more than 2 GB, the runtime's own data are placed before them, since
/// its code is compiled to reach 2 GB. This is added to the linker's own script.
const NEARBY_DATA: &str = "\
SECTIONS { .accl_data : { *libaccl_runtime*.a:*(.data .data.*) } } INSERT BEFORE .data;
SECTIONS { .accl_bss (NOLOAD) : { *libaccl_runtime*.a:*(.bss .bss.* COMMON) } } INSERT BEFORE .bss;
";

/// With `-gpu=autodata`: arrays that may be resident share no page with anything else. The runtime knows by the symbols.
const OBJECTS: &str = "\
SECTIONS { .accl_data_objects : ALIGN(4096) { PROVIDE_HIDDEN(accl_data_objects_begin = .); *(.data.accl_objects)
  . = ALIGN(4096); PROVIDE_HIDDEN(accl_data_objects_end = .); } } INSERT AFTER .data;
SECTIONS { .accl_bss_objects (NOLOAD) : ALIGN(4096) { PROVIDE_HIDDEN(accl_bss_objects_begin = .); *(.bss.accl_objects)
  . = ALIGN(4096); PROVIDE_HIDDEN(accl_bss_objects_end = .); } } INSERT AFTER .bss;
";

/// The arguments that add what this program needs of them: the first for programs compiled with `-mcmodel=medium` or `large`.
fn layout_of_data(session: &Session) -> Vec<String> {
    let invocation = &session.invocation;
    let large = invocation.has_option(|o| matches!(o, "-mcmodel=medium" | "-mcmodel=large"));
    let nearby = if large && !invocation.acc.shared_runtime { NEARBY_DATA } else { "" };
    let objects = if invocation.acc.auto_data { OBJECTS } else { "" };
    // A script of the user's determines the whole layout, and gold cannot extend its own.
    let own =
        invocation.has_option(|o| o.starts_with("-T") || o.starts_with("-Wl,-T") || o == "-fuse-ld=gold");
    let script = session.scratch.path().join("layout_of_data.ld");
    let text = format!("{nearby}{objects}");
    if text.is_empty() || own || std::fs::write(&script, text).is_err() {
        return vec![];
    }
    ["-Xlinker", "-T", "-Xlinker"]
        .map(str::to_owned)
        .into_iter()
        .chain([script.display().to_string()])
        .collect()
}

/// The arguments for the host compiler, with the runtime at the end where this command links a program or a
/// library.
pub fn with_runtime(session: &Session, mut words: Vec<String>) -> Vec<String> {
    let runtime = runtime_words(session);
    if !runtime.is_empty() {
        before_openmp(session, &mut words);
        let folder = weak_openmp(session, &words);
        words.splice(0..0, folder.into_iter().flatten());
    }
    let group = !runtime.is_empty() && clocks::needs_group(session);
    if group {
        words.insert(0, "-Wl,--start-group".to_owned());
    }
    words.extend(runtime);
    if group {
        words.push("-Wl,--end-group".to_owned());
    }
    words
}

/// A program takes OpenMP's device routines from the first shared library that has them, which must be the runtime's and
/// not one that the build system names. Those of the archive are in the program itself.
fn before_openmp(session: &Session, words: &mut Vec<String>) {
    if let Ok(Runtime { shared: Some(shared), .. }) = Runtime::find(session)
        && let Some(at) = words.iter().position(|word| is_openmp_library(word))
    {
        words.splice(at..at, ["-Xlinker".to_owned(), shared.display().to_string()]);
    }
}

/// OpenMP's device routines are in GNU's archive, too, in objects with others that it needs itself: a static link finds a copy of it first
/// in which they give way to the runtime's, and in which no profiling library registers: that would end the program.
fn weak_openmp(session: &Session, words: &[String]) -> Option<[String; 2]> {
    let invocation = &session.invocation;
    let is_static = invocation.has_option(|o| matches!(o, "-static" | "-static-pie"));
    let has_openmp = words.iter().any(|word| word.starts_with("-fopenmp") || is_openmp_library(word));
    if !is_static || !has_openmp {
        return None;
    }
    let folder = session.scratch.path();
    let named =
        session.host.run(invocation.front, vec!["-print-file-name=libgomp.a".to_owned()], folder).ok()?;
    let archive = String::from_utf8(named.stdout).ok()?;
    let mut objcopy = Command::new("objcopy");
    objcopy.args(["--wildcard", "--weaken-symbol=omp_*", "--weaken-symbol=acc_*"]);
    objcopy.args(["--redefine-sym", "acc_register_library=gomp_register_library"]);
    objcopy.arg(archive.trim()).arg(folder.join("libgomp.a"));
    let is_made = objcopy.output().is_ok_and(|out| out.status.success());
    is_made.then(|| ["-L".to_owned(), folder.display().to_string()])
}

/// `-lgomp`, or the library's file.
fn is_openmp_library(word: &str) -> bool {
    let file = word.rsplit('/').next().unwrap_or(word);
    let of_file = || file.strip_prefix("lib")?.split(".so").next();
    matches!(file.strip_prefix("-l").or_else(of_file), Some("gomp" | "omp" | "iomp5"))
}

/// The runtime and what it needs.
fn runtime_words(session: &Session) -> Vec<String> {
    let invocation = &session.invocation;
    let relocatable = invocation.has_option(|o| matches!(o, "-r" | "-nostdlib" | "-nodefaultlibs"));
    if invocation.mode != Mode::Link || relocatable || !invocation.has_inputs() {
        return vec![];
    }
    let Ok(Runtime { archive, shared }) = Runtime::find(session) else {
        return vec![];
    };
    let mut words = layout_of_data(session);
    words.extend(clocks::words(session));
    words.extend(host_memory::words(session));
    // After -x c++, a.o or an archive would be read as a source.
    words.push("-xnone".to_owned());
    if let Some(shared) = shared {
        words.extend(shared.parent().map(|dir| format!("-Wl,-rpath,{}", dir.display())));
        words.push(shared.display().to_string());
    }
    let lto = invocation.has_option(|o| o.starts_with("-flto"));
    let plain = lto.then(|| without_bitcode(&archive, session.scratch.path())).flatten();
    words.push(plain.unwrap_or(archive).display().to_string());
    words.extend(SYSTEM_LIBRARIES.iter().map(|w| (*w).to_owned()));
    words
}
