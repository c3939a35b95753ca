//! Output files that are either complete or absent, and the place for intermediate ones.
//!
//! Everything is written beside its final place under a temporary name and renamed at the end, so an
//! interrupted or failing compilation leaves nothing that make would take for finished.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// A file that is being written.
#[derive(Debug)]
pub struct PendingFile {
    final_path: PathBuf,
    temporary: tempfile::TempPath,
}

impl PendingFile {
    pub fn create(final_path: &Path) -> Result<PendingFile> {
        let special = final_path.metadata().is_ok_and(|m| !m.is_file());
        let dir = match final_path.parent() {
            _ if special => std::env::temp_dir(),
            Some(dir) if dir != Path::new("") => dir.to_owned(),
            _ => PathBuf::from("."),
        };
        let name = final_path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = tempfile::Builder::new()
            .prefix(&format!(".{name}."))
            .suffix(".tmp")
            .tempfile_in(&dir)
            .with_context(|| format!("cannot write to '{}'", dir.display()))?
            .into_temp_path();
        Ok(PendingFile { final_path: final_path.to_owned(), temporary })
    }

    pub fn path(&self) -> &Path {
        &self.temporary
    }

    /// Moves the file to its place. Devices such as /dev/null are written to, never replaced.
    pub fn commit(self) -> Result<()> {
        let said = || format!("cannot write '{}'", self.final_path.display());
        if self.final_path.metadata().is_ok_and(|m| !m.is_file()) {
            let bytes = std::fs::read(&self.temporary).with_context(said)?;
            return std::fs::write(&self.final_path, bytes).with_context(said);
        }
        set_usual_permissions(&self.temporary).with_context(said)?;
        self.temporary.persist(&self.final_path).map_err(|e| e.error).with_context(said)
    }
}

/// Temporary files are private; the file that replaces one obeys the umask. A file that the linker has made
/// executable stays executable.
fn set_usual_permissions(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let executable = file.metadata()?.permissions().mode() & 0o100 != 0;
    let mode = if executable { 0o777 } else { 0o666 } & !umask();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode))
}

/// Read from the kernel, since asking through umask(2) means setting it.
fn umask() -> u32 {
    std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| {
            let line = status.lines().find_map(|l| l.strip_prefix("Umask:"))?.trim().to_owned();
            u32::from_str_radix(&line, 8).ok()
        })
        .unwrap_or(0o022)
}

pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let pending = PendingFile::create(path)?;
    std::fs::write(pending.path(), bytes).with_context(|| format!("cannot write '{}'", path.display()))?;
    pending.commit()
}

/// Where intermediate files go: a folder that vanishes, or the one of `--keep`.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _vanishing: Option<tempfile::TempDir>,
}

impl Scratch {
    pub fn new(keep: Option<&Path>) -> Result<Scratch> {
        if let Some(dir) = keep {
            std::fs::create_dir_all(dir).with_context(|| format!("cannot create '{}'", dir.display()))?;
            return Ok(Scratch { path: dir.to_owned(), _vanishing: None });
        }
        let dir =
            tempfile::Builder::new().prefix("accl-").tempdir().context("cannot create a temporary folder")?;
        Ok(Scratch { path: dir.path().to_owned(), _vanishing: Some(dir) })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder for one source file; with `--keep`, the folder itself, file names telling units apart.
    pub fn unit(&self, index: usize) -> Result<PathBuf> {
        if self._vanishing.is_none() {
            return Ok(self.path.clone());
        }
        let dir = self.path.join(index.to_string());
        std::fs::create_dir_all(&dir)?;
        Ok(dir)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_without_commit() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out.o");
        let pending = PendingFile::create(&target).unwrap();
        std::fs::write(pending.path(), "half").unwrap();
        drop(pending);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        write(&target, b"whole").unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"whole");
    }

    #[test]
    fn devices_are_not_replaced() {
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
}
