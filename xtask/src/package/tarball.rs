//! `acclimate-VERSION-x86_64-linux.tar.gz`: a folder to be unpacked anywhere. A .deb holds its files in the same form.

use super::{Content, Entry, VERSION};
use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub fn write(entries: &[Entry], to: &Path, compression: Compression) -> Result<PathBuf> {
    let name = format!("acclimate-{VERSION}");
    let file = to.join(format!("{name}-x86_64-linux.tar.gz"));
    std::fs::write(&file, archive(entries, &format!("{name}/"), compression)?)?;
    Ok(file)
}

/// A compressed archive of the entries, each below `prefix`, with the folders they need. The same entries give the same bytes.
pub fn archive(entries: &[Entry], prefix: &str, compression: Compression) -> Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(vec![], compression));
    let mut folders = BTreeSet::new();
    for entry in entries {
        let path = format!("{prefix}{}", entry.path);
        for (end, _) in path.match_indices('/') {
            let folder = &path[..=end];
            if folder != "./" && folders.insert(folder.to_owned()) {
                let mut header = header(0o755, tar::EntryType::Directory, 0);
                archive.append_data(&mut header, folder, std::io::empty())?;
            }
        }
        match &entry.content {
            Content::File { bytes, .. } => {
                let mut header = header(entry.content.mode(), tar::EntryType::Regular, bytes.len());
                archive.append_data(&mut header, &path, bytes.as_slice())?;
            }
            Content::Link(target) => {
                let mut header = header(entry.content.mode(), tar::EntryType::Symlink, 0);
                archive.append_link(&mut header, &path, target)?;
            }
        }
    }
    Ok(archive.into_inner()?.finish()?)
}

fn header(mode: u32, kind: tar::EntryType, size: usize) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(size as u64);
    header.set_mtime(0);
    header
}
