//! `accl install-files DIR`: what an installation has beside the executable and the runtime's libraries. `cargo xtask install` runs
//! it, since only the command itself knows its options, its headers and its version.

use crate::cli::{self, Shell};
use crate::installation::HEADERS;
use anyhow::{Context, Result};
use std::path::Path;

const CMAKE: &str = include_str!("../../share/AcclimateConfig.cmake");
const CMAKE_VERSION: &str = include_str!("../../share/AcclimateConfigVersion.cmake");
const PKG_CONFIG: &str = include_str!("../../share/acclimate.pc");

pub fn run(dir: &Path) -> Result<u8> {
    for (name, text) in HEADERS {
        write(dir, &format!("include/acclimate/{name}"), text.as_bytes())?;
    }
    for (name, text) in [
        ("cmake/Acclimate/AcclimateConfig.cmake", CMAKE),
        ("cmake/Acclimate/AcclimateConfigVersion.cmake", CMAKE_VERSION),
        ("pkgconfig/acclimate.pc", PKG_CONFIG),
    ] {
        let text = text.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
        write(dir, &format!("lib/{name}"), text.as_bytes())?;
    }
    for (name, shell) in [
        ("bash-completion/completions/accl", Shell::Bash),
        ("zsh/site-functions/_accl", Shell::Zsh),
        ("fish/vendor_completions.d/accl.fish", Shell::Fish),
    ] {
        write(dir, &format!("share/{name}"), &cli::completions(shell))?;
    }
    manual(dir)?;
    Ok(0)
}

/// A page for each command, and for the names under which it stands in for a compiler.
fn manual(dir: &Path) -> Result<()> {
    let pages = dir.join("share/man/man1");
    std::fs::create_dir_all(&pages).with_context(|| pages.display().to_string())?;
    clap_mangen::generate_to(cli::for_manual(), &pages)?;
    for (name, page) in [("acclcc", "accl-cc"), ("acclc++", "accl-c++")] {
        write(dir, &format!("share/man/man1/{name}.1"), format!(".so man1/{page}.1\n").as_bytes())?;
    }
    Ok(())
}

fn write(dir: &Path, name: &str, text: &[u8]) -> Result<()> {
    let file = dir.join(name);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::write(&file, text).with_context(|| file.display().to_string())
}
