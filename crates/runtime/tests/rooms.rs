//! The borders between the runtime's rooms: which of them may name which others.
//!
//! Compression is reached through `storage` alone, and knows nothing of launches, data clauses and updates. That is what keeps
//! work on plain arrays away from it, and it is easily lost by one `use`.

use std::path::{Path, PathBuf};

/// Rooms that may name `crate::compress`; `entry/strips.rs` has entry points that are nothing but its codec.
const ABOVE_COMPRESS: [&str; 3] = ["compress/", "storage/", "entry/strips.rs"];

/// Rooms that neither `compress` nor `storage` may name.
const ABOVE_STORAGE: [&str; 6] = ["launch", "data", "update", "rows", "private", "entry"];

/// The lines of code that name `crate::ROOM`, of files whose path begins with one of `of`, or with none of them.
fn naming(room: &str, of: &[&str], inside: bool) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = vec![];
    for file in sources(&root) {
        let name = file.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        if of.iter().any(|prefix| name.starts_with(prefix)) != inside {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let names = |line: &&str| line.split("crate::").skip(1).any(|path| is_in(path, room));
        found.extend(code.filter(names).map(|line| format!("{name}: {}", line.trim())));
    }
    found
}

/// The path after `crate::` is of this room, by itself or in a list.
fn is_in(path: &str, room: &str) -> bool {
    let first = |path: &str| path.split(|c: char| !c.is_alphanumeric() && c != '_').next() == Some(room);
    match path.strip_prefix('{') {
        Some(list) => list.split(',').any(|path| first(path.trim())),
        None => first(path),
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let rust = files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    rust.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

#[test]
fn compress_is_reached_through_storage_alone() {
    assert_eq!(naming("compress", &ABOVE_COMPRESS, false), Vec::<String>::new());
    assert!(!naming("compress", &["storage/"], true).is_empty(), "storage names it");
}

#[test]
fn compress_and_storage_know_nothing_of_what_uses_them() {
    for room in ABOVE_STORAGE {
        assert_eq!(naming(room, &["compress/", "storage/"], true), Vec::<String>::new());
    }
}

#[test]
fn paths_are_of_their_room() {
    assert!(is_in("compress::check;", "compress") && is_in("{log, compress};", "compress"));
    assert!(!is_in("compressor::x", "compress") && !is_in("launch::compress", "compress"));
}
