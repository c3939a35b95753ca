//! `acclimate_VERSION_amd64.deb`, for `apt install ./FILE`: an `ar` archive of two compressed tar archives, what dpkg is to know
//! and the files (deb(5)).

use super::tree::{Content, Entry};
use super::{SUMMARY, VERSION, tarball};
use anyhow::Result;
use flate2::Compression;
use std::path::{Path, PathBuf};

pub fn write(entries: &[Entry], to: &Path, compression: Compression, glibc: u32) -> Result<PathBuf> {
    let file = to.join(format!("acclimate_{VERSION}_amd64.deb"));
    let bytes: usize = entries.iter().filter_map(Entry::bytes).map(<[u8]>::len).sum();
    let content = Content::File { bytes: control(bytes, glibc).into_bytes(), executable: false };
    let control = [Entry { path: "control".to_owned(), content }];
    let mut archive = ar::Builder::new(std::fs::File::create(&file)?);
    for (name, bytes) in [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", tarball::archive(&control, "./", compression)?),
        ("data.tar.gz", tarball::archive(entries, "./usr/", compression)?),
    ] {
        let mut header = ar::Header::new(name.into(), bytes.len() as u64);
        header.set_mode(0o100_644);
        archive.append(&header, bytes.as_slice())?;
    }
    Ok(file)
}

fn control(bytes: usize, glibc: u32) -> String {
    let versions: Vec<String> = (14..=22).rev().map(|version| format!("clang-{version}")).collect();
    format!(
        "Package: acclimate\n\
         Version: {VERSION}\n\
         Architecture: amd64\n\
         Maintainer: The developers of Acclimate <acclimate@localhost>\n\
         Section: devel\n\
         Priority: optional\n\
         Installed-Size: {}\n\
         Depends: libc6 (>= 2.{glibc}), libgcc-s1, clang (>= 1:14) | {}, gcc, libc6-dev\n\
         Recommends: g++\n\
         Suggests: ocl-icd-libopencl1, pocl-opencl-icd\n\
         Description: {SUMMARY}\n",
        bytes.div_ceil(1024),
        versions.join(" | ")
    )
}
