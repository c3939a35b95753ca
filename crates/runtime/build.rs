//! Gives the shared library its name, so that programs linked to it find it in any folder, and makes the objects through
//! which programs read clocks (`clock/wrapper.S`) and take memory (`host_memory/wrapper.c`): members of the archive of which a
//! program takes those it needs.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libaccl_runtime.so");
    println!("cargo:rerun-if-changed=clock/wrapper.S");
    // The driver asks for them on this architecture only.
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("x86_64") {
        clocks();
    }
    println!("cargo:rerun-if-changed=host_memory/wrapper.c");
    host_memory();
}

fn clocks() {
    let text = |clock: &str| format!("#define CLOCK {clock}\n#include \"wrapper.S\"\n");
    let sources = accl_abi::clocks::all().map(|clock| source(&format!("{clock}.S"), &text(clock)));
    cc::Build::new().debug(false).include("clock").files(sources).compile("accl_clock");
}

fn host_memory() {
    let text = |name: &str| format!("#define WRAP_{name}\n#include \"wrapper.c\"\n");
    let names = accl_abi::host_memory::all().chain(["own_pages"]);
    let sources = names.map(|name| source(&format!("wrap_{name}.c"), &text(name)));
    cc::Build::new().debug(false).include("host_memory").files(sources).compile("accl_host_memory");
}

/// A source file of one object.
fn source(name: &str, text: &str) -> PathBuf {
    let out = std::env::var("OUT_DIR").expect("cargo names a folder for what is made");
    let file = Path::new(&out).join(name);
    std::fs::write(&file, text).expect("the folder can be written to");
    file
}
