//! Programs read the time through wrappers that wait for synchronous constructs still running (`accl_abi::clocks`).
//!
//! The linker substitutes them for the clocks (`--wrap`) in the program's own objects and archives; shared
//! libraries keep reading the clocks themselves. So no object depends on the wrappers, and any linker may link one
//! that `accl` compiled.

use super::Session;
use crate::invocation::Item;
use accl_abi::clocks;

/// The arguments for a link that ends with the runtime's archive.
pub fn words(session: &Session) -> Vec<String> {
    if !cfg!(target_arch = "x86_64") {
        return vec![];
    }
    // In a static link the compiler's own libraries come after the runtime's archive. They read clocks too, at a
    // point where nothing may have asked for the wrappers yet, and those of C++ read the C library's clocks. gold
    // needs the wrappers for shared libraries as well.
    let fixed = has_static_libraries(session);
    let late = fixed || session.invocation.has_option(|o| o == "-fuse-ld=gold");
    let mut words: Vec<String> = vec![];
    let mut wrap = |clocks: &[&str]| words.extend(clocks.iter().map(|clock| format!("--wrap={clock}")));
    wrap(clocks::LIBC);
    if !fixed {
        wrap(clocks::CXX);
    }
    if !has_own_group(session) {
        wrap(clocks::PARALLEL);
    }
    if late {
        words.extend(clocks::LIBC.iter().map(|clock| format!("--undefined=__wrap_{clock}")));
    }
    vec![format!("-Wl,{}", words.join(","))]
}

/// True where the compiler's own libraries, which it names last, are archives.
pub fn has_static_libraries(session: &Session) -> bool {
    const ALL: &[&str] = &["-static", "-static-pie", "-static-libstdc++"];
    let words = session.invocation.options(|_| true).join(" ");
    let last = |names: &[&str]| names.iter().filter_map(|name| words.rfind(name)).max();
    session.invocation.has_option(|o| ALL.contains(&o))
        || last(&["-Bstatic"]) > last(&["-Bdynamic", "-pop-state"])
}

/// True where the user's archives must be searched again after the runtime's: a clock may be in one of them to
/// which only the wrapper refers.
pub fn needs_group(session: &Session) -> bool {
    session.invocation.items.iter().any(is_library) && !has_own_group(session)
}

/// Groups of archives cannot be nested.
fn has_own_group(session: &Session) -> bool {
    let options = session.invocation.options(|_| true);
    options.iter().any(|word| word.contains("-start-group") || word.contains("-("))
}

fn is_library(item: &Item) -> bool {
    match item {
        Item::Object(path) => path.extension().is_some_and(|suffix| suffix == "a"),
        Item::Option { words, .. } => words[0].starts_with("-l"),
        Item::Source { .. } => false,
    }
}
