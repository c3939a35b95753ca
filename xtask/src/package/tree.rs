//! An installation as a list of files, from which all kinds of package are made.

use anyhow::{Context, Result};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

pub struct Entry {
    /// Relative to the prefix, with slashes.
    pub path: String,
    pub content: Content,
}

pub enum Content {
    File { bytes: Vec<u8>, executable: bool },
    Link(String),
}

impl Entry {
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.content {
            Content::File { bytes, .. } => Some(bytes),
            Content::Link(_) => None,
        }
    }
}

impl Content {
    pub fn mode(&self) -> u32 {
        match self {
            Content::File { executable: false, .. } => 0o644,
            Content::File { executable: true, .. } | Content::Link(_) => 0o755,
        }
    }
}

/// Every file and link below a folder, in the order of their names.
pub fn read(dir: &Path) -> Result<Vec<Entry>> {
    let mut entries = vec![];
    add(dir, "", &mut entries)?;
    Ok(entries)
}

fn add(dir: &Path, prefix: &str, entries: &mut Vec<Entry>) -> Result<()> {
    let listed = std::fs::read_dir(dir).with_context(|| dir.display().to_string())?;
    let mut files = listed.collect::<std::io::Result<Vec<_>>>()?;
    files.sort_by_key(|file| file.file_name());
    for file in files {
        let path = format!("{prefix}{}", file.file_name().to_string_lossy());
        let (kind, full) = (file.file_type()?, file.path());
        if kind.is_dir() {
            add(&full, &format!("{path}/"), entries)?;
            continue;
        }
        let content = if kind.is_symlink() {
            Content::Link(std::fs::read_link(&full)?.to_string_lossy().into_owned())
        } else {
            let executable = file.metadata()?.permissions().mode() & 0o111 != 0;
            Content::File { bytes: std::fs::read(&full)?, executable }
        };
        entries.push(Entry { path, content });
    }
    Ok(())
}
