//! `acclimate-VERSION-py3-none-manylinux_…_x86_64.whl`, for `pip install FILE`: the commands, for people who get
//! their tools from pip. It contains no Python code (PEP 427). Wheels cannot contain links, so the names of
//! compilers are scripts there.

use super::{Content, Entry, FRONTS, LICENSE, SUMMARY, VERSION};
use anyhow::Result;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;

pub fn write(entries: &[Entry], to: &Path, compression: Compression, glibc: u32) -> Result<PathBuf> {
    let tag = format!("py3-none-manylinux_2_{glibc}_x86_64");
    let name = format!("acclimate-{VERSION}");
    let file = to.join(format!("{name}-{tag}.whl"));
    let mut wheel = Wheel {
        zip: zip::ZipWriter::new(std::fs::File::create(&file)?),
        record: String::new(),
        level: compression.level().into(),
    };
    for entry in entries {
        let place = match entry.path.strip_prefix("bin/") {
            Some(command) => format!("{name}.data/scripts/{command}"),
            None => format!("{name}.data/data/{}", entry.path),
        };
        match &entry.content {
            Content::File { bytes, .. } => wheel.add(&place, bytes, entry.content.mode())?,
            Content::Link(_) => wheel.add(&place, script(&entry.path).as_bytes(), 0o755)?,
        }
    }
    let metadata = format!(
        "Metadata-Version: 2.1\nName: acclimate\nVersion: {VERSION}\nSummary: {SUMMARY}\nLicense: {LICENSE}\n"
    );
    let format =
        format!("Wheel-Version: 1.0\nGenerator: cargo xtask dist\nRoot-Is-Purelib: false\nTag: {tag}\n");
    wheel.add(&format!("{name}.dist-info/METADATA"), metadata.as_bytes(), 0o644)?;
    wheel.add(&format!("{name}.dist-info/WHEEL"), format.as_bytes(), 0o644)?;
    wheel.finish(&format!("{name}.dist-info/RECORD"))?;
    Ok(file)
}

/// The script that replaces a link to `accl`.
fn script(path: &str) -> String {
    let front = FRONTS.iter().find(|(name, _)| path.ends_with(name)).map_or("cc", |(_, front)| front);
    format!("#!/bin/sh\nexec \"$(dirname \"$(readlink -f \"$0\")\")/accl\" {front} \"$@\"\n")
}

struct Wheel {
    zip: zip::ZipWriter<std::fs::File>,
    /// A line for each file: its name, hash and size.
    record: String,
    level: i64,
}

impl Wheel {
    fn add(&mut self, name: &str, bytes: &[u8], mode: u32) -> Result<()> {
        self.store(name, bytes, mode)?;
        let hash = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
        self.record += &format!("{name},sha256={hash},{}\n", bytes.len());
        Ok(())
    }

    fn store(&mut self, name: &str, bytes: &[u8], mode: u32) -> Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .compression_level(Some(self.level))
            .unix_permissions(mode);
        self.zip.start_file(name, options)?;
        self.zip.write_all(bytes)?;
        Ok(())
    }

    fn finish(mut self, name: &str) -> Result<()> {
        let record = format!("{}{name},,\n", self.record);
        self.store(name, record.as_bytes(), 0o644)?;
        self.zip.finish()?;
        Ok(())
    }
}
