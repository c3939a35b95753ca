//! Installations: each kind of package, unpacked in an empty place, compiles and runs programs without Rust and without this
//! checkout. `tests/install/test.sh` is what is done with each.

use super::driver::copy;
use super::{Check, Context, Report};
use crate::package::{self, Packed};
use crate::{paths, run};
use anyhow::Result;
use flate2::Compression;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(600);

pub fn run(context: &Context, report: &mut Report) -> Result<()> {
    let work = std::env::temp_dir().join(format!("accl-install-{}", std::process::id()));
    let prefix = work.join("install/anywhere");
    package::install(&context.bin, &prefix)?;
    let packed = package::pack(&prefix, &work.join("packages"), Compression::fast())?;
    let (base, packed, prefix) = (&work, &packed, &prefix);
    let kinds = KINDS.iter().filter(|kind| context.options.wants_program(kind));
    let checks = kinds.map(|kind| {
        Check::new(*kind, move || {
            let to = base.join(kind);
            std::fs::create_dir_all(&to).map_err(|e| e.to_string())?;
            let found = unpack(kind, prefix, packed, &to).map_err(|e| format!("{e:#}"))?;
            check(&found, &to.join("programs"))
        })
    });
    report.section("install", checks.collect());
    std::fs::remove_dir_all(&work)?;
    Ok(())
}

/// What `cargo xtask install` leaves, and the packages of `cargo xtask dist`.
const KINDS: &[&str] = &["install", "tar.gz", "deb", "wheel"];

/// Unpacks into `to`, but for what is installed already; gives the prefix.
fn unpack(kind: &str, installed: &Path, packed: &Packed, to: &Path) -> Result<PathBuf> {
    match kind {
        "tar.gz" => run::show(Command::new("tar").arg("xzf").arg(&packed.tarball).arg("-C").arg(to))?,
        "deb" => run::show(Command::new("dpkg-deb").arg("-x").arg(&packed.deb).arg(to))?,
        "wheel" => run::show(by_pip(to).arg(&packed.wheel))?,
        _ => return Ok(installed.to_owned()),
    }
    prefix_in(to)
}

fn by_pip(to: &Path) -> Command {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-warn-script-location"]);
    pip.args(["--ignore-installed", "--disable-pip-version-check", "--prefix"]).arg(to);
    pip.env("PIP_ROOT_USER_ACTION", "ignore");
    pip
}

/// The folder whose `bin` holds accl: what unpacks may put others around it.
fn prefix_in(dir: &Path) -> Result<PathBuf> {
    for place in ["", "usr", "local", &format!("acclimate-{}", env!("CARGO_PKG_VERSION"))] {
        if dir.join(place).join("bin/accl").is_file() {
            return Ok(dir.join(place).components().collect());
        }
    }
    anyhow::bail!("no bin/accl in {}", dir.display())
}

fn check(prefix: &Path, work: &Path) -> Result<(), String> {
    let tests = paths::root().join("tests");
    copy(&tests.join("install"), work).map_err(|e| e.to_string())?;
    std::fs::copy(tests.join("driver/lib.sh"), work.join("lib.sh")).map_err(|e| e.to_string())?;
    let mut command = hidden("set -eu -o pipefail; . ./lib.sh; . ./test.sh");
    command.current_dir(work).env_clear().env("PATH", path_without_rust(&prefix.join("bin")));
    command.env("HOME", work).env("PREFIX", prefix).env("CHECKOUT", paths::root());
    let result = run::capture(&mut command, LIMIT).map_err(|e| format!("{e:#}"))?;
    if result.code == 0 { Ok(()) } else { Err(result.text()) }
}

/// Runs a script of bash where the checkout and what cargo built are empty folders, if this machine lets us.
fn hidden(script: &str) -> Command {
    let hide: String = [paths::root(), paths::target("")]
        .iter()
        .map(|dir| format!("mount -t tmpfs none '{}' && ", dir.display()))
        .collect();
    let own = ["--mount", "--map-root-user", "bash", "-c"];
    let able = Command::new("unshare").args(own).arg(format!("{hide} true")).output();
    if !able.is_ok_and(|output| output.status.success()) {
        let mut command = Command::new("bash");
        command.arg("-c").arg(script);
        return command;
    }
    let mut command = Command::new("unshare");
    command.args(own).arg(format!("{hide} {script}"));
    command
}

fn path_without_rust(bin: &Path) -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let others = std::env::split_paths(&path).filter(|dir| !dir.join("cargo").exists());
    std::env::join_paths(std::iter::once(bin.to_owned()).chain(others)).unwrap_or_default()
}
