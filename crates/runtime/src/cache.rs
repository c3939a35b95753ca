//! Compiled device code, kept on disk between runs.
//!
//! An entry's name is a hash of everything its contents depend on (source, options, device,
//! driver and compiler versions), so an entry is never out of date and nothing is ever
//! invalidated. A file begins with a magic number and the hash of its payload; one that does not
//! hold what it says (a full disk, a crash) is ignored and written anew. Files are written under
//! another name and renamed, so that programs that run at the same time see all or nothing.
//!
//! A cache that cannot be read or written is no error: the code is compiled again.

use crate::config::config;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"ACCLBIN1";

/// 128 bits of FNV-1a, which collide only on purpose.
fn hash(parts: &[&[u8]]) -> u128 {
    const PRIME: u128 = 0x0000000001000000000000000000013B;
    const BASIS: u128 = 0x6c62272e07bb014262b821756295c58d;
    parts.iter().fold(BASIS, |hash, part| {
        let length = (part.len() as u64).to_le_bytes();
        length
            .iter()
            .chain(part.iter())
            .fold(hash, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
    })
}

/// The code for `key`, from the cache or made by `compile`.
pub fn get_or_compile<E>(key: &[&[u8]], compile: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<Vec<u8>, E> {
    let path = config().cache.as_deref().map(|folder| file(folder, key));
    if let Some(payload) = path.as_deref().and_then(read) {
        return Ok(payload);
    }
    let payload = compile()?;
    if let Some(path) = &path {
        write(path, &payload);
    }
    Ok(payload)
}

/// Drops an entry that turned out to be of no use.
pub fn discard(key: &[&[u8]]) {
    if let Some(folder) = config().cache.as_deref() {
        _ = std::fs::remove_file(file(folder, key));
    }
}

fn file(folder: &Path, key: &[&[u8]]) -> PathBuf {
    folder.join(format!("{:032x}.bin", hash(key)))
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let bytes = std::fs::read(path).ok()?;
    let payload = bytes.get(24..)?;
    (bytes[..8] == *MAGIC && bytes[8..24] == hash(&[payload]).to_le_bytes()).then(|| payload.to_vec())
}

fn write(path: &Path, payload: &[u8]) {
    let Some(folder) = path.parent() else { return };
    _ = std::fs::create_dir_all(folder);
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    let contents = [&MAGIC[..], &hash(&[payload]).to_le_bytes(), payload].concat();
    if std::fs::write(&temporary, contents).and_then(|()| std::fs::rename(&temporary, path)).is_err() {
        _ = std::fs::remove_file(&temporary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_whole_or_absent() {
        let folder = std::env::temp_dir().join(format!("accl-cache-{}", std::process::id()));
        let path = file(&folder, &[b"source", b"sm_90"]);
        assert_eq!(read(&path), None);
        write(&path, b"code");
        assert_eq!(read(&path).as_deref(), Some(&b"code"[..]));
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.pop();
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(read(&path), None);
        std::fs::write(&path, b"x").unwrap();
        assert_eq!(read(&path), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
    }
}
