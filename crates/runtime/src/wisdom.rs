//! Wisdom: what tuning has found, by kernel, device and problem size, kept beside the program (`accl tune --wisdom`).
//!
//! The file lies beside the program, `PROGRAM.wisdom`, else in the user's data folder, or is the one that `ACCL_WISDOM` names. It is text;
//! after the first line each has members separated by tabs:
//!
//! ```text
//! acclimate wisdom 2
//! CODE  DEVICE  KERNEL  CLASS  VARIANT  SECONDS  USUAL SECONDS
//! ```
//!
//! CODE is a number for the text of the program's kernels, so that entries of other code are not taken; KERNEL is the
//! kernel's name there, since several kernels may be launched from one line, which the first version counted as one; CLASS is the power of two that
//! a launch's iterations reach. A launch takes the variant of the entry of the nearest class, where it is right.
//!
//! Invariants: a program without such a file pays a test for a launch that is planned, and one that is repeated nothing. A file that
//! is broken, older or newer is told in a warning, and what cannot be read of it has no effect.

use crate::call::CallContext;
use crate::config::{config, notify};
use crate::device::Kind;
use crate::launch::{kernel_name, size_class, variant_name};
use crate::log;
use accl_abi::{Kernel, LaunchInfo, Module, slice, text};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// Of the files that this version reads.
const VERSION: u32 = 2;
const TITLE: &str = "acclimate wisdom";

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    code: u64,
    device: String,
    kernel: String,
    class: u32,
    variant: String,
}

/// The size classes of a kernel that something is known of, with the positions of variants.
type KnownClasses = Vec<(u32, u32)>;

struct Wisdom {
    entries: Vec<Entry>,
    /// By kernel and device.
    kernels: Mutex<HashMap<(usize, usize), KnownClasses>>,
}

/// The position of the variant that is known to be the fastest for a launch of this size.
#[inline]
pub fn variant(call: &CallContext, kernel: &'static Kernel, info: &LaunchInfo) -> Option<usize> {
    static WISDOM: OnceLock<Option<Wisdom>> = OnceLock::new();
    WISDOM.get_or_init(read).as_ref()?.variant(call, kernel, info)
}

/// A number for the text that a device's kernels are made of.
pub fn code_of(module: &Module, kind: Kind) -> u64 {
    let source = if kind == Kind::OpenCl { module.opencl } else { module.cuda };
    if source.is_null() {
        return 0;
    }
    // SAFETY: a constant of the program.
    let source = unsafe { text(source) };
    // FNV-1a: the same in all versions.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    source.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

impl Wisdom {
    #[cold]
    fn variant(&self, call: &CallContext, kernel: &'static Kernel, info: &LaunchInfo) -> Option<usize> {
        let device = call.state.device.info();
        let key = (std::ptr::from_ref(kernel) as usize, device.number);
        let mut kernels = self.kernels.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let first = !kernels.contains_key(&key);
        let known = kernels.entry(key).or_insert_with(|| self.known(call, kernel, info));
        let class = size_class(&info.trips[..kernel.n_dims as usize]);
        let (nearest, position) = nearest(known, class)?;
        if first && log::wants(notify::LAUNCH) {
            log::wisdom(call.state, call.location, &variant_name(kernel, position), nearest, class);
        }
        Some(position as usize)
    }

    /// What is known of a kernel's variants.
    fn known(&self, call: &CallContext, kernel: &'static Kernel, info: &LaunchInfo) -> KnownClasses {
        let device = call.state.device.info();
        // SAFETY: constant tables of the program.
        let code = code_of(unsafe { &*info.module }, device.kind);
        // SAFETY: as above.
        let count = unsafe { slice(kernel.variants, kernel.n_variants) }.len() as u32;
        let name = kernel_name(kernel);
        let is_own =
            |entry: &&Entry| entry.code == code && entry.device == device.name && entry.kernel == name;
        let of = |entry: &Entry| {
            let position = (0..count).find(|at| variant_name(kernel, *at) == entry.variant)?;
            Some((entry.class, position))
        };
        self.entries.iter().filter(is_own).filter_map(of).collect()
    }
}

/// The class nearest to this one, the smaller of two, and its variant.
fn nearest(known: &KnownClasses, class: u32) -> Option<(u32, u32)> {
    known.iter().copied().min_by_key(|(of, _)| (of.abs_diff(class), *of))
}

/// The entries of the file, where there is one.
#[cold]
fn read() -> Option<Wisdom> {
    let (path, content) = places().into_iter().find_map(|path| Some((path.clone(), open(&path)?)))?;
    let (entries, troubles) = parse(&content);
    for why in troubles {
        log::warning(&format!("{}: {why}", path.display()));
    }
    (!entries.is_empty()).then(|| Wisdom { entries, kernels: Mutex::default() })
}

/// Where the file may be.
fn places() -> Vec<PathBuf> {
    match &config().wisdom {
        // What is usual is measured.
        _ if config().replay.is_some() => vec![],
        Some(path) if path.as_os_str() == "0" => vec![],
        Some(path) => vec![path.clone()],
        None => {
            let beside = std::env::current_exe().ok().map(|mut path| {
                path.as_mut_os_string().push(".wisdom");
                path
            });
            beside.into_iter().chain(config().data.clone().map(|data| data.join("wisdom"))).collect()
        }
    }
}

fn open(path: &Path) -> Option<String> {
    match std::fs::read(path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(why) => {
            // One that nobody named need not be there.
            if config().wisdom.is_some() {
                log::warning(&format!("the wisdom in '{}' cannot be read: {why}", path.display()));
            }
            None
        }
    }
}

/// The entries of a file, and what cannot be read of it.
fn parse(content: &str) -> (Vec<Entry>, Vec<String>) {
    let mut lines = content.lines().enumerate();
    let title = lines.next().map_or("", |(_, line)| line);
    let version = title.strip_prefix(TITLE).and_then(|rest| rest.trim().parse::<u32>().ok());
    match version {
        None => {
            return (
                vec![],
                vec![format!(
                    "this is no file of wisdom, which begins with `{TITLE} {VERSION}`; it has no effect"
                )],
            );
        }
        Some(VERSION) => {}
        Some(version) => {
            let (other, help) = match version > VERSION {
                true => ("a newer", ""),
                false => ("an older", ": `accl tune --wisdom` writes it anew"),
            };
            let why = format!(
                "it was written by {other} version ({version}, this one reads {VERSION}) and has no effect{help}"
            );
            return (vec![], vec![why]);
        }
    }
    let (mut entries, mut troubles) = (vec![], vec![]);
    for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        match entry(line) {
            Some(entry) => entries.push(entry),
            None => troubles
                .push(format!("line {} cannot be read, and has no effect: is the file cut off?", at + 1)),
        }
    }
    (entries, troubles)
}

fn entry(line: &str) -> Option<Entry> {
    let members: Vec<&str> = line.split('\t').collect();
    let [code, device, kernel, class, variant, seconds, usual] = members.as_slice() else {
        return None;
    };
    let _: (f64, f64) = (seconds.parse().ok()?, usual.parse().ok()?);
    Some(Entry {
        code: u64::from_str_radix(code, 16).ok()?,
        device: (*device).to_owned(),
        kernel: (*kernel).to_owned(),
        class: class.parse().ok()?,
        variant: (*variant).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "ff\tsm 90\tf_12\t20\tc1\t1e-3\t2e-3";

    #[test]
    fn entries_are_read_and_what_is_broken_is_told() {
        let (entries, troubles) = parse(&format!("{TITLE} 2\n# note\n{LINE}\nff\tsm 90\tf_12"));
        assert_eq!(entries.len(), 1);
        assert_eq!((entries[0].code, entries[0].class, entries[0].variant.as_str()), (255, 20, "c1"));
        assert_eq!(troubles.len(), 1);
        assert!(troubles[0].starts_with("line 4 cannot be read"));
    }

    #[test]
    fn other_versions_and_other_files_have_no_effect() {
        let (entries, troubles) = parse(&format!("{TITLE} 3\n{LINE}\n"));
        assert!(entries.is_empty() && troubles[0].contains("a newer version (3"));
        let (entries, troubles) = parse(&format!("{TITLE} 1\n{LINE}\n"));
        assert!(entries.is_empty() && troubles[0].contains("an older version (1"));
        let (entries, troubles) = parse("{}\n");
        assert!(entries.is_empty() && troubles[0].contains("no file of wisdom"));
    }

    #[test]
    fn the_nearest_class_is_taken() {
        let known = vec![(10, 1), (20, 2)];
        assert_eq!(nearest(&known, 14), Some((10, 1)));
        assert_eq!(nearest(&known, 15), Some((10, 1)));
        assert_eq!(nearest(&known, 30), Some((20, 2)));
        assert_eq!(nearest(&vec![], 30), None);
    }
}
