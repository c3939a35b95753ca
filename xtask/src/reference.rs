//! `cargo xtask reference`: writes `docs/reference`, which the compiler makes of its own tables (`accl reference`).
//!
//! A test of the driver's fails where the pages are older than the tables.

use crate::{paths, run};
use anyhow::Result;
use std::process::Command;

pub fn run() -> Result<()> {
    run::show(&mut run::cargo(&["build", "--quiet", "-p", "accl"]))?;
    let dir = paths::root().join("docs/reference");
    run::show(Command::new(paths::target("debug").join("accl")).arg("reference").arg(&dir))?;
    println!("written: {}", dir.display());
    Ok(())
}
