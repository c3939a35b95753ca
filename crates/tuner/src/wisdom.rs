//! The file of wisdom: what was found by kernel, device and problem size, for launches to go by (`accl_runtime::wisdom` reads it).

use crate::replay::ReplayedKernel;
use crate::search::{median, noise};
use std::collections::BTreeMap;

/// The first line.
const TITLE: &str = "acclimate wisdom 2";
/// Of files whose entries say only which line launches a kernel, and have no effect any more.
const OLD_TITLE: &str = "acclimate wisdom 1";

/// What is known of launches of one kernel in a size class.
#[derive(Clone, Debug, PartialEq)]
pub struct WisdomEntry {
    /// Of the kernels' text, as the runtime counts it.
    pub code: String,
    pub device: String,
    /// The name of the kernel in that text.
    pub kernel: String,
    pub class: u32,
    pub variant: String,
    pub seconds: f64,
    /// Of the variant that launches take by themselves.
    pub usual: f64,
}

/// The fastest variant of each kernel at each size, as an executable's own replay found it; the usual one where none is faster by
/// more than its runs differ.
pub fn entries(told: &BTreeMap<String, ReplayedKernel>) -> Vec<WisdomEntry> {
    let mut found = vec![];
    for (symbol, kernel) in told {
        let Some((code, device)) = &kernel.identity else { continue };
        for (class, (name, usual)) in &kernel.usual {
            let own = kernel.variants.iter().filter(|((of, _), _)| of == class);
            let timed = own.filter_map(|((_, variant), result)| Some((variant, result.as_ref().ok()?)));
            let best = timed.min_by(|a, b| median(a.1).total_cmp(&median(b.1)));
            let faster = best.filter(|(_, times)| {
                let margin = noise(times).max(0.01);
                times.len() > 1 && median(times) < (1.0 - margin) * usual
            });
            let (variant, seconds) =
                faster.map_or((name, *usual), |(variant, times)| (variant, median(times)));
            found.push(WisdomEntry {
                code: code.clone(),
                device: device.clone(),
                kernel: symbol.clone(),
                class: *class,
                variant: variant.clone(),
                seconds,
                usual: *usual,
            });
        }
    }
    found
}

/// The file with these entries: those that it had of the same kernels, sizes and device are replaced. `None` where it was written by
/// a newer version, or is something else, and is better left alone.
pub fn merged(existing: &str, new: &[WisdomEntry]) -> Option<String> {
    let existing = if is_old(existing) { "" } else { existing };
    if !existing.trim().is_empty() && existing.lines().next() != Some(TITLE) {
        return None;
    }
    let key = |line: &str| line.split('\t').take(4).collect::<Vec<_>>().join("\t");
    let lines: Vec<String> = new.iter().map(line).collect();
    let replaced: Vec<String> = lines.iter().map(|line| key(line)).collect();
    let whole = |line: &&str| line.split('\t').count() == 7;
    let kept = existing.lines().skip(1).filter(whole).filter(|line| !replaced.contains(&key(line)));
    let all: Vec<&str> = [TITLE].into_iter().chain(kept).chain(lines.iter().map(String::as_str)).collect();
    Some(all.join("\n") + "\n")
}

/// The file is of an older version, so that [`merged`] leaves nothing of it.
pub fn is_old(existing: &str) -> bool {
    existing.lines().next() == Some(OLD_TITLE)
}

fn line(entry: &WisdomEntry) -> String {
    let WisdomEntry { code, device, kernel, class, variant, seconds, usual } = entry;
    format!("{code}\t{device}\t{kernel}\t{class}\t{variant}\t{seconds:e}\t{usual:e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(best: &[f64]) -> BTreeMap<String, ReplayedKernel> {
        let mut kernel = ReplayedKernel { identity: Some(("ff".into(), "gpu".into())), ..Default::default() };
        kernel.usual.insert(20, ("wide".into(), 1.0));
        kernel.variants.insert((20, "wide".into()), Ok(vec![1.0; 3]));
        kernel.variants.insert((20, "c0".into()), Ok(best.to_vec()));
        [("f_1".into(), kernel)].into()
    }

    #[test]
    fn what_is_faster_by_more_than_noise_is_an_entry() {
        let variant = |best: &[f64]| entries(&told(best))[0].variant.clone();
        assert_eq!(variant(&[0.5, 0.51, 0.5]), "c0");
        assert_eq!(variant(&[0.995, 0.995, 0.995]), "wide");
        assert_eq!(variant(&[0.5]), "wide");
    }

    #[test]
    fn entries_of_others_stay() {
        let first = merged("", &entries(&told(&[0.5, 0.5]))).unwrap();
        assert!(first.starts_with("acclimate wisdom 2\nff\tgpu\tf_1\t20\tc0\t"), "{first}");
        let other = format!("{first}aa\tgpu\tf_1\t20\tc9\t1\t2\nff\tgpu\tf_1_2\t20\tc8\t1\t2\nff\tgpu\tcut");
        let second = merged(&other, &entries(&told(&[1.0, 1.0]))).unwrap();
        let lines: Vec<&str> = second.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[1].contains("c9") && lines[2].contains("c8") && lines[3].contains("wide"));
        assert_eq!(merged("acclimate wisdom 3\n", &[]), None);
        let old = "acclimate wisdom 1\nff\tgpu\tf\t1\t20\tc0\t1\t2\n";
        assert_eq!(merged(old, &entries(&told(&[0.5, 0.5]))), Some(first));
    }
}
