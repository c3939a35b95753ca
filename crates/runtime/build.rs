//! Gives the shared library its name, so that programs linked to it find it in any folder, and makes the objects through
//! which programs read clocks (`clock/wrapper.S`): members of the archive of which a program takes those it needs.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libaccl_runtime.so");
    println!("cargo:rerun-if-changed=clock/wrapper.S");
    // The driver asks for them on this architecture only.
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("x86_64") {
        clocks();
    }
}

fn clocks() {
    let out = std::env::var("OUT_DIR").expect("cargo names a folder for what is made");
    let sources: Vec<PathBuf> = accl_abi::clocks::all().map(|clock| source(Path::new(&out), clock)).collect();
    cc::Build::new().debug(false).include("clock").files(sources).compile("accl_clock");
}

/// The source of one clock's object.
fn source(dir: &Path, clock: &str) -> PathBuf {
    let file = dir.join(format!("{clock}.S"));
    let text = format!("#define CLOCK {clock}\n#include \"wrapper.S\"\n");
    std::fs::write(&file, text).expect("the folder can be written to");
    file
}
