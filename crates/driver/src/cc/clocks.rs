//! Programs read the time through wrappers that wait for synchronous constructs under way (`accl_abi::clocks`).
//!
//! The linker puts them in the place of the clocks (`--wrap`), in the program's own objects and archives; what shared libraries
//! read inside is theirs. So nothing in an object depends on it, and one that `accl` compiled may be linked by any linker.

use super::Session;
use crate::invocation::Item;
use accl_abi::clocks;

/// The words for a link at whose end the runtime's archive stands.
pub fn words(session: &Session) -> Vec<String> {
    if !cfg!(target_arch = "x86_64") {
        return vec![];
    }
    // Linked statically, the compiler's own libraries stand after the runtime's archive and read clocks, too, when nobody
    // may have asked for the wrappers yet; those of C++ read the C library's. gold wants them for shared libraries as well.
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
fn has_static_libraries(session: &Session) -> bool {
    const ALL: &[&str] = &["-static", "-static-pie", "-static-libstdc++"];
    let words = session.invocation.options(|_| true).join(" ");
    let last = |names: &[&str]| names.iter().filter_map(|name| words.rfind(name)).max();
    session.invocation.has_option(|o| ALL.contains(&o))
        || last(&["-Bstatic"]) > last(&["-Bdynamic", "-pop-state"])
}

/// True where the user's archives must be searched again after the runtime's: a clock may be in one of them, which then only
/// the wrapper asks for.
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
