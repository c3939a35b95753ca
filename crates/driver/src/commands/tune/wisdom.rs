//! `accl tune --wisdom`: the program is built with the winners of all sizes as variants beside the usual ones, and what is the
//! fastest at each size is kept in a file that its launches go by.

use super::errors::TuneError;
use super::executable::Executable;
use accl_tuner::program::{CandidateBuild, TunedProgram};
use accl_tuner::replay::{self, Replayed};
use accl_tuner::search::{TuningSearch, median};
use accl_tuner::wisdom::{self, WisdomEntry};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Builds the program and writes its file; what there is to say of both.
pub fn keep(
    search: &TuningSearch<'_>,
    program: &Executable,
    replayed: &Replayed,
    output: &Path,
) -> Result<String, TuneError> {
    let file = PathBuf::from(format!("{}.wisdom", output.display()));
    let cannot = |why| TuneError::Write(file.clone(), why);
    let existing = match std::fs::read_to_string(&file) {
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => return Err(cannot(why)),
        text => text.unwrap_or_default(),
    };
    if wisdom::is_old(&existing) {
        let what = "was written by an older version, whose entries have no effect; it is written anew";
        eprintln!("accl: note: '{}' {what}", file.display());
    }
    wisdom::merged(&existing, &[]).ok_or_else(|| TuneError::Wisdom(file.clone()))?;
    let build = CandidateBuild { schedules: String::new(), candidates: winners(search, replayed) };
    let made = match build.candidates.is_empty() {
        true => program.build_final(output, None).map(|_| ()),
        false => program.compile_candidates(output, &build).map_err(TuneError::Failed),
    };
    made?;
    let path = if output.is_absolute() { output.to_owned() } else { Path::new(".").join(output) };
    let limit = Duration::from_secs_f64(search.settings.limit * search.reference.run.seconds + 120.0);
    let failed = |why: accl_tuner::program::Failure| TuneError::Tuned(why.to_string());
    let (run, text) = program.replay(&path, limit, search.settings.tolerance, &|| false).map_err(failed)?;
    run.map_err(failed)?;
    let _ = std::fs::remove_file(path.with_extension("replay"));
    let entries = wisdom::entries(&replay::parse(&text));
    let content = wisdom::merged(&existing, &entries).ok_or_else(|| TuneError::Wisdom(file.clone()))?;
    std::fs::write(&file, content).map_err(cannot)?;
    // Now launches go by the file.
    search.checked(&path).map_err(failed)?;
    Ok(told(&entries, &file))
}

/// The fastest candidate of each kernel at each size, of those that can be variants beside the usual ones, as lines of a file.
fn winners(search: &TuningSearch<'_>, replayed: &Replayed) -> String {
    let mut lines: Vec<String> = vec![];
    for (kernel, by_class) in search.kernels.iter().zip(&replayed.by_class) {
        let beside = |candidate: usize| {
            replay::grid(&kernel.candidates[candidate].schedule) == replay::grid(&kernel.usual)
        };
        let mut classes: Vec<u32> = by_class.keys().map(|(_, class)| *class).collect();
        classes.sort_unstable();
        classes.dedup();
        for class in classes {
            let own = by_class.iter().filter(|((candidate, of), _)| *of == class && beside(*candidate));
            let best = own.min_by(|a, b| median(a.1).total_cmp(&median(b.1)));
            let line = best.map(|((at, _), _)| format!("{} {}", kernel.id, kernel.candidates[*at].schedule));
            lines.extend(line.filter(|line| !lines.contains(line)));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn told(entries: &[WisdomEntry], file: &Path) -> String {
    let mut text = String::new();
    for WisdomEntry { kernel, class, variant, seconds, usual, .. } in entries {
        let _ = writeln!(
            text,
            "  {kernel} at 2^{class} iterations: {variant}, {:.4} ms instead of {:.4}",
            seconds * 1e3,
            usual * 1e3
        );
    }
    let _ = writeln!(text, "{} has {} entries, which launches go by", file.display(), entries.len());
    text
}
