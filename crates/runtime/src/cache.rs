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

/// What names an entry: 128 bits of FNV-1a, which collide only on purpose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key(u128);

impl Key {
    pub fn of(parts: &[&[u8]]) -> Key {
        Key(hash(parts))
    }

    /// What stands for all that it was made of, as a part of another key.
    pub fn bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// Its file, where there is a cache.
    fn file(self) -> Option<PathBuf> {
        config().cache.as_deref().map(|folder| file(folder, self))
    }
}

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
pub fn get_or_compile<E>(key: Key, compile: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<Vec<u8>, E> {
    if let Some(payload) = get(key) {
        return Ok(payload);
    }
    let payload = compile()?;
    put(key, &payload);
    Ok(payload)
}

/// The code for `key`, if the cache holds it.
pub fn get(key: Key) -> Option<Vec<u8>> {
    read(&key.file()?)
}

/// Keeps the code for `key`.
pub fn put(key: Key, payload: &[u8]) {
    if let Some(path) = key.file() {
        write(&path, payload);
    }
}

/// There is an entry, as far as can be told without reading it.
pub fn contains(key: Key) -> bool {
    key.file().is_some_and(|path| path.exists())
}

/// Drops an entry that turned out to be of no use.
pub fn discard(key: Key) {
    if let Some(path) = key.file() {
        _ = std::fs::remove_file(path);
    }
}

fn file(folder: &Path, key: Key) -> PathBuf {
    folder.join(format!("{:032x}.bin", key.0))
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
        let path = file(&folder, Key::of(&[b"source", b"sm_90"]));
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
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
    }
}
