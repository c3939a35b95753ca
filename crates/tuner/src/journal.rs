//! The file of measurements: a line of JSON for each, written at once, so that nothing measured is lost.
//!
//! Lines of another program, input or device have another key and are left alone. A last line that is cut off is not read.

use crate::program::Failure;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Of the lines that this version writes.
pub const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalEntry {
    pub version: u32,
    /// Of program, input and device.
    pub key: String,
    pub kernel: String,
    pub schedule: String,
    /// Of the kernel in each run.
    pub seconds: Vec<f64>,
    /// A word of [`Failure`], and what is particular about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<(String, String)>,
    /// Seconds since 1970.
    pub when: u64,
}

impl JournalEntry {
    pub fn result(&self) -> Result<Vec<f64>, Failure> {
        match &self.failure {
            None => Ok(self.seconds.clone()),
            Some((word, detail)) => {
                Err(Failure::of_word(word, detail).unwrap_or_else(|| Failure::Crash(detail.clone())))
            }
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("'{0}' is in use by another `accl tune`")]
    InUse(PathBuf),
    #[error(
        "'{file}' was written by a newer version (its line {line} has version {version}, this one reads {VERSION})"
    )]
    Newer { file: PathBuf, line: usize, version: u32 },
    #[error("line {line} of '{file}' is no measurement: {why}")]
    Malformed { file: PathBuf, line: usize, why: String },
    #[error("cannot write '{0}': {1}")]
    Write(PathBuf, std::io::Error),
    #[error("'{0}' is no file that measurements could be kept in")]
    NoFile(PathBuf),
    #[error("cannot read '{0}': {1}")]
    Read(PathBuf, std::io::Error),
}

#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    key: String,
    entries: Vec<JournalEntry>,
    /// Bytes of the file, all of whole lines.
    length: u64,
    trouble: Option<JournalError>,
}

impl Journal {
    /// Opens the file, which is this process's alone until it ends, and reads the lines of this key.
    pub fn open(path: &Path, key: &str) -> Result<Journal, JournalError> {
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.map_err(|why| JournalError::Write(path.into(), why))?;
        // A device has no end.
        if !file.metadata().is_ok_and(|meta| meta.is_file()) {
            return Err(JournalError::NoFile(path.into()));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.into())),
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => {}
        }
        let mut text = vec![];
        file.read_to_end(&mut text).map_err(|why| JournalError::Read(path.into(), why))?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let entries = read(path, &String::from_utf8_lossy(&text[..whole]))?;
        let entries = entries.into_iter().filter(|entry| entry.key == key).collect();
        if whole < text.len() {
            file.set_len(whole as u64).map_err(|why| JournalError::Write(path.into(), why))?;
        }
        let _ = file.seek(SeekFrom::Start(whole as u64));
        let length = whole as u64;
        Ok(Journal { path: path.into(), file, key: key.to_owned(), entries, length, trouble: None })
    }

    /// What is known of a schedule of a kernel.
    pub fn find(&self, kernel: &str, schedule: &str) -> Option<&JournalEntry> {
        self.entries.iter().rfind(|entry| entry.kernel == kernel && entry.schedule == schedule)
    }

    pub fn entries(&self) -> &[JournalEntry] {
        &self.entries
    }

    /// Why measurements are no longer written.
    pub fn trouble(&self) -> Option<&JournalError> {
        self.trouble.as_ref()
    }

    /// Adds a measurement, in memory alone where it cannot be written, as on a disk that is full: the file keeps whole lines.
    pub fn add(&mut self, kernel: &str, schedule: &str, result: &Result<Vec<f64>, Failure>) {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let entry = JournalEntry {
            version: VERSION,
            key: self.key.clone(),
            kernel: kernel.to_owned(),
            schedule: schedule.to_owned(),
            seconds: result.as_ref().ok().cloned().unwrap_or_default(),
            failure: result.as_ref().err().map(|f| (f.word().to_owned(), f.detail().to_owned())),
            when: now.map_or(0, |since| since.as_secs()),
        };
        let line = serde_json::to_string(&entry).unwrap_or_default() + "\n";
        self.entries.push(entry);
        if self.trouble.is_some() {
            return;
        }
        match self.file.write_all(line.as_bytes()) {
            Ok(()) => self.length += line.len() as u64,
            Err(why) => {
                let _ = self.file.set_len(self.length);
                self.trouble = Some(JournalError::Write(self.path.clone(), why));
            }
        }
    }
}

fn read(path: &Path, text: &str) -> Result<Vec<JournalEntry>, JournalError> {
    let parse = |(at, line): (usize, &str)| {
        let malformed = |why: String| JournalError::Malformed { file: path.into(), line: at + 1, why };
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|why| malformed(why.to_string()))?;
        let version = value.get("version").and_then(serde_json::Value::as_u64).unwrap_or(0);
        if version > u64::from(VERSION) {
            return Err(JournalError::Newer { file: path.into(), line: at + 1, version: version as u32 });
        }
        serde_json::from_value(value).map_err(|why| malformed(why.to_string()))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("j");
        let mut journal = Journal::open(&path, "k").unwrap();
        journal.add("f:1", "block(64)", &Ok(vec![0.5]));
        journal.add("f:1", "block(65)", &Err(Failure::Timeout));
        assert!(matches!(Journal::open(&path, "k"), Err(JournalError::InUse(_))));
        drop(journal);
        // A line that was cut off is not there.
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"version\":1,\"key").unwrap();
        drop(file);
        let mut journal = Journal::open(&path, "k").unwrap();
        assert_eq!(journal.find("f:1", "block(64)").unwrap().result(), Ok(vec![0.5]));
        assert_eq!(journal.find("f:1", "block(65)").unwrap().result(), Err(Failure::Timeout));
        journal.add("f:1", "block(66)", &Ok(vec![1.0]));
        drop(journal);
        assert_eq!(Journal::open(&path, "k").unwrap().entries().len(), 3);
        assert!(Journal::open(&path, "other").unwrap().entries().is_empty());
    }

    #[test]
    fn a_full_disk_loses_nothing_that_was_measured() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("j");
        let mut journal = Journal::open(&path, "k").unwrap();
        // Nothing can be written through this one, either.
        journal.file = File::open(&path).unwrap();
        journal.add("f:1", "block(64)", &Ok(vec![0.5]));
        assert!(matches!(journal.trouble(), Some(JournalError::Write(..))));
        assert_eq!(journal.find("f:1", "block(64)").unwrap().result(), Ok(vec![0.5]));
    }

    #[test]
    fn other_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("j");
        std::fs::write(&path, "{\"version\":9}\n").unwrap();
        assert!(matches!(Journal::open(&path, "k"), Err(JournalError::Newer { version: 9, line: 1, .. })));
        std::fs::write(&path, "\n12 13\n").unwrap();
        assert!(matches!(Journal::open(&path, "k"), Err(JournalError::Malformed { line: 2, .. })));
        assert!(matches!(Journal::open(dir.path(), "k"), Err(JournalError::Write(..))));
    }
}
