//! `cargo xtask install` and `cargo xtask dist`: Acclimate on machines without this checkout, and without Rust.
//!
//! An installation is a folder that may lie anywhere: `bin/accl` finds the runtime and the headers beside itself. What is
//! packed is such a folder ([`install`]), as a list of [`Entry`]s: into a tar.gz, a .deb and a Python wheel, each in a file here.

mod deb;
mod tarball;
mod tree;
mod wheel;

use crate::bench::prepare::strip;
use crate::options::Options;
use crate::{paths, run, setup};
use anyhow::{Context, Result};
use flate2::Compression;
use std::path::{Path, PathBuf};
use std::process::Command;
use tree::{Content, Entry};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const LICENSE: &str = env!("CARGO_PKG_LICENSE");
const SUMMARY: &str = "compiler of C and C++ with OpenACC for NVIDIA GPUs, OpenCL devices and multicore CPUs";

/// The names under which `accl` stands in for a compiler, and its command for each.
const FRONTS: &[(&str, &str)] = &[("acclcc", "cc"), ("acclc++", "c++")];
const LIBRARIES: &[&str] = &["libaccl_runtime.a", "libaccl_runtime.so"];

/// `cargo xtask install [--prefix DIR]`
pub fn run_install(options: &Options) -> Result<()> {
    let prefix = match &options.prefix {
        Some(prefix) => prefix.clone(),
        None => home()?.join(".local"),
    };
    install(&built()?, &prefix)?;
    println!("installed accl, acclcc and acclc++ in {}", prefix.join("bin").display());
    if run::find("accl").is_none() {
        println!("add it to PATH: export PATH=\"{}:$PATH\"", prefix.join("bin").display());
    }
    Ok(())
}

/// `cargo xtask dist`
pub fn run_dist() -> Result<()> {
    let stage = paths::work_dir("stage")?;
    install(&built()?, &stage)?;
    let made = pack(&stage, &paths::target("dist"), Compression::best())?;
    for file in [&made.tarball, &made.deb, &made.wheel] {
        println!("{}", file.display());
    }
    println!(
        "they need x86-64 Linux with glibc 2.{} or newer, clang 14 or newer, and gcc's linker",
        made.glibc
    );
    Ok(())
}

fn home() -> Result<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from).context("HOME is not set; say --prefix DIR")
}

/// The folder of the command and the runtime, made for use.
fn built() -> Result<PathBuf> {
    setup::run()?;
    run::show(&mut run::cargo(&["build", "--release", "-p", "accl", "-p", "accl-runtime"]))?;
    Ok(paths::target("release"))
}

/// Puts what cargo built in `bin` under `prefix`.
pub fn install(bin: &Path, prefix: &Path) -> Result<()> {
    let commands = prefix.join("bin");
    replace(&bin.join("accl"), &commands.join("accl"))?;
    for (name, _) in FRONTS {
        let link = commands.join(name);
        remove(&link)?;
        std::os::unix::fs::symlink("accl", &link).with_context(|| link.display().to_string())?;
    }
    install_runtime(bin, &prefix.join("lib/acclimate"))?;
    run::show(Command::new(commands.join("accl")).arg("install-files").arg(prefix))
}

/// Puts the runtime that cargo built in `bin` into the folder `to`, without what debuggers read: most of that is of Rust's own
/// library, and each program would have it in its executable.
pub fn install_runtime(bin: &Path, to: &Path) -> Result<()> {
    for name in LIBRARIES {
        // A program may be linked to the old one at the same time.
        let new = to.join(format!("new-{name}"));
        replace(&bin.join(name), &new)?;
        strip(&new)?;
        std::fs::rename(new, to.join(name))?;
    }
    Ok(())
}

/// A new file in the place of one that may be running.
fn replace(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    remove(to)?;
    std::fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

fn remove(file: &Path) -> Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot replace {}", file.display()))
        }
        _ => Ok(()),
    }
}

/// The files made by [`pack`].
pub struct Packed {
    pub tarball: PathBuf,
    pub deb: PathBuf,
    pub wheel: PathBuf,
    /// The oldest glibc they run with is 2 point this.
    pub glibc: u32,
}

/// Makes every kind of package of an installation.
pub fn pack(prefix: &Path, to: &Path, compression: Compression) -> Result<Packed> {
    std::fs::create_dir_all(to)?;
    let entries = tree::read(prefix)?;
    let glibc = glibc(&entries);
    Ok(Packed {
        tarball: tarball::write(&entries, to, compression)?,
        deb: deb::write(&entries, to, compression, glibc)?,
        wheel: wheel::write(&entries, to, compression, glibc)?,
        glibc,
    })
}

/// The newest version of glibc's symbols that the command or the shared library asks for, as the names in them say.
fn glibc(entries: &[Entry]) -> u32 {
    let loaded = entries.iter().filter(|e| e.path == "bin/accl" || e.path.ends_with(".so"));
    loaded.filter_map(|e| e.bytes()).flat_map(glibc_versions).max().unwrap_or(0)
}

fn glibc_versions(bytes: &[u8]) -> impl Iterator<Item = u32> {
    const NAME: &[u8] = b"\0GLIBC_2.";
    bytes.windows(NAME.len()).enumerate().filter(|(_, window)| *window == NAME).filter_map(|(at, _)| {
        let digits = bytes[at + NAME.len()..].iter().take_while(|b| b.is_ascii_digit());
        String::from_utf8(digits.copied().collect()).ok()?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_newest_version_of_a_symbol_counts() {
        let bytes = b"x\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_PRIVATE\0GLIBC_2.9";
        assert_eq!(super::glibc_versions(bytes).max(), Some(34));
    }
}
