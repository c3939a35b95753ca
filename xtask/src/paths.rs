//! Where things lie.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The folders that this process has taken for itself, until it ends.
static TAKEN: Mutex<Vec<(PathBuf, File)>> = Mutex::new(vec![]);

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Downloaded compilers; git ignores it. `ACCL_TOOLCHAIN` puts it elsewhere, to share it.
pub fn toolchain() -> PathBuf {
    std::env::var_os("ACCL_TOOLCHAIN").map_or_else(|| root().join(".toolchain"), PathBuf::from)
}

/// Cargo's output of a profile ("debug", "release").
pub fn target(profile: &str) -> PathBuf {
    let dir = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    dir.join(profile)
}

/// Where tests put what they make; emptied by each run. Another process that wants the same folder waits for the end of this one.
pub fn work_dir(name: &str) -> std::io::Result<PathBuf> {
    let dir = target("xtask").join(name);
    std::fs::create_dir_all(target("xtask"))?;
    let mut taken = TAKEN.lock().unwrap_or_else(|e| e.into_inner());
    if !taken.iter().any(|(own, _)| *own == dir) {
        let lock = File::create(target("xtask").join(format!("{name}.lock")))?;
        if lock.try_lock().is_err() {
            eprintln!("xtask: another process uses {}: this one waits for its end", dir.display());
            lock.lock()?;
        }
        taken.push((dir.clone(), lock));
    }
    if dir.exists() {
        std::fs::remove_dir_all(&dir)?;
    }
    std::fs::create_dir_all(&dir)?;
    Ok(dir)
}

/// The files of a folder with one of these suffixes, sorted.
pub fn files_in(dir: &Path, suffixes: &[&str]) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(dir) else { return vec![] };
    let wanted = |p: &PathBuf| p.extension().and_then(|e| e.to_str()).is_some_and(|e| suffixes.contains(&e));
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(wanted).collect();
    files.sort();
    files
}

/// The name of a file without folder and suffix.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
