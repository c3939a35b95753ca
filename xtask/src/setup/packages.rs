//! What comes from apt.

use crate::run;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// How to see whether a package is there.
enum Probe {
    Command(&'static str),
    /// A shared library of the system.
    Library(&'static str),
    File(&'static str),
    /// `python3 -m NAME`
    PythonModule(&'static str),
}

/// (probe, package, why)
const WANTED: &[(Probe, &str, &str)] = &[
    (Probe::Command("clang"), "clang", "reads programs, and compiles host code"),
    (Probe::Command("gcc"), "gcc", "the other host compiler; links Rust programs"),
    (Probe::Command("g++"), "g++", "C++ library and compiler"),
    (Probe::Command("make"), "make", "builds isl; build-system tests"),
    (Probe::Command("cmake"), "cmake", "build-system tests"),
    (Probe::Command("autoconf"), "autoconf", "builds isl; build-system tests"),
    (Probe::Command("automake"), "automake", "builds isl"),
    (Probe::Command("libtoolize"), "libtool", "builds isl"),
    (Probe::Library("libOpenCL.so.1"), "ocl-icd-libopencl1", "finds OpenCL devices"),
    (Probe::File("/etc/OpenCL/vendors/pocl.icd"), "pocl-opencl-icd", "an OpenCL device on every machine"),
    (Probe::Command("mpicc"), "libopenmpi-dev", "tests of MPI programs"),
    (Probe::Command("mpirun"), "openmpi-bin", "tests of MPI programs"),
    (Probe::Command("python3"), "python3", "fetches NVIDIA's compilers; bench/device.py"),
    (Probe::Command("chromium"), "chromium", "opens the tuner's page in a test"),
    (Probe::PythonModule("pip"), "python3-pip", "fetches NVIDIA's compilers"),
];

pub fn install() -> Result<()> {
    let missing: Vec<&str> =
        WANTED.iter().filter(|(probe, _, _)| !probe.holds()).map(|(_, p, _)| *p).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("setup: missing: {}", missing.join(" "));
    let command = format!("apt-get install -y --no-install-recommends {}", missing.join(" "));
    if !run::has("apt-get") {
        bail!("this is not a Debian or Ubuntu machine; install the like of:\n    {}", missing.join(" "));
    }
    let Some(root) = as_root() else {
        bail!("not root and no sudo; as root, run:\n    apt-get update && {command}");
    };
    let shell = format!("apt-get update -q && DEBIAN_FRONTEND=noninteractive {command}");
    let mut words = root;
    words.extend(["sh".to_owned(), "-c".to_owned(), shell]);
    if run::show(Command::new(&words[0]).args(&words[1..])).is_err() {
        bail!("apt could not install them; as root, run:\n    apt-get update && {command}");
    }
    let still: Vec<&str> = WANTED.iter().filter(|(probe, _, _)| !probe.holds()).map(|(_, p, _)| *p).collect();
    if !still.is_empty() {
        bail!("still missing after installation: {}", still.join(" "));
    }
    Ok(())
}

/// The words before a command that needs root: none for root itself.
fn as_root() -> Option<Vec<String>> {
    let id = Command::new("id").arg("-u").output().ok()?;
    if String::from_utf8_lossy(&id.stdout).trim() == "0" {
        return Some(vec![]);
    }
    run::has("sudo").then(|| vec!["sudo".to_owned(), "-E".to_owned()])
}

impl Probe {
    fn holds(&self) -> bool {
        match self {
            Probe::Command(name) => run::has(name),
            Probe::File(path) => Path::new(path).exists(),
            Probe::Library(name) => library_dirs().any(|dir| dir.join(name).exists()),
            Probe::PythonModule(name) => Command::new("python3")
                .args(["-m", name, "--version"])
                .output()
                .is_ok_and(|output| output.status.success()),
        }
    }
}

fn library_dirs() -> impl Iterator<Item = std::path::PathBuf> {
    let arch = std::env::consts::ARCH;
    [format!("/usr/lib/{arch}-linux-gnu"), "/usr/lib64".into(), "/usr/lib".into(), "/usr/local/lib".into()]
        .into_iter()
        .map(Into::into)
}
