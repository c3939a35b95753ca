//! The file of `-gpu=schedule:FILE`: schedules for directives of the program.
//!
//! ```text
//! # function:line of the directive (`*` is any function), then the steps
//! smooth:12   block(128) vectorize(4)
//! # the second of several kernels that come of one directive
//! solve:30.2  block(64, 4)
//! # the second of several constructs that come of one directive, in instances of a template for example
//! scale:12@2  block(64)
//! ```

use super::UsageError;
use accl_transforms::options::FileSchedule;

/// What the file of `-gpu=config:FILE` says.
pub struct ConfigurationFile {
    pub schedules: Vec<FileSchedule>,
    /// The lists of its lines `-gpu=LIST`, with their places.
    pub options: Vec<(String, String)>,
    /// OpenMPC's parameters.
    pub parameters: Vec<Parameter>,
}

/// `name=value`, or a name.
pub struct Parameter {
    pub origin: String,
    pub name: String,
    pub value: Option<String>,
}

/// A file of `accl tune --generate`: schedules as above, lines `-gpu=LIST`, and OpenMPC's parameters (`cudaThreadBlockSize=128`).
pub fn read_config(path: &str) -> Result<ConfigurationFile, UsageError> {
    let mut config = ConfigurationFile { schedules: vec![], options: vec![], parameters: vec![] };
    for (at, line) in lines(path)? {
        let origin = format!("{path}:{at}");
        match line.strip_prefix("-gpu=") {
            Some(list) => config.options.push((origin, list.to_owned())),
            None => match parameter(&origin, &line) {
                Some(given) => config.parameters.push(given),
                None => config.schedules.push(entry(&origin, &line)?),
            },
        }
    }
    Ok(config)
}

pub fn read(path: &str) -> Result<Vec<FileSchedule>, UsageError> {
    lines(path)?.into_iter().map(|(at, line)| entry(&format!("{path}:{at}"), &line)).collect()
}

/// A place of a schedule has a colon, a parameter has none.
fn parameter(origin: &str, line: &str) -> Option<Parameter> {
    let (name, value) = match line.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
        None => (line.trim(), None),
    };
    let is_name = name.starts_with(|c: char| c.is_alphabetic())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| Parameter { origin: origin.to_owned(), name: name.to_owned(), value })
}

/// Numbers and texts of the lines that say something.
pub fn lines(path: &str) -> Result<Vec<(usize, String)>, UsageError> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|why| UsageError(format!("cannot read the schedules in '{path}': {why}")))?;
    let of = |line: &str| line.split('#').next().unwrap_or("").trim().to_owned();
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, of(line)));
    Ok(lines.filter(|(_, line)| !line.is_empty()).collect())
}

fn entry(origin: &str, line: &str) -> Result<FileSchedule, UsageError> {
    let (place, steps) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let place = place.rsplit_once(':').and_then(|(function, numbers)| {
        let (numbers, copy) = with_number(numbers, '@')?;
        let (line, part) = with_number(numbers, '.')?;
        Some((function, line.parse().ok()?, part, copy.map(|copy| copy - 1)))
    });
    let Some((function, line, part, copy)) = place else {
        let example = "smooth:12 block(128) vectorize(4)";
        return Err(UsageError(format!(
            "{origin}: a function, a colon and a line are expected, as in `{example}`"
        )));
    };
    let schedule = steps.parse().map_err(|why| UsageError(format!("{origin}: {why} in `{steps}`")))?;
    let (function, origin) = (function.to_owned(), origin.to_owned());
    Ok(FileSchedule { function, line, part, copy, schedule, origin })
}

/// What stands before the sign, and the number from 1 behind it, if there is one.
fn with_number(text: &str, sign: char) -> Option<(&str, Option<u32>)> {
    match text.split_once(sign) {
        Some((before, number)) => Some((before, Some(number.parse().ok().filter(|number| *number > 0)?))),
        None => Some((text, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_a_function_a_line_and_steps() {
        let given = entry("s.txt:3", "Grid::smooth:12  block(128) vectorize").unwrap();
        assert_eq!((given.function.as_str(), given.line), ("Grid::smooth", 12));
        assert_eq!(given.schedule.to_string(), "block(128) vectorize");
        assert_eq!((given.origin.as_str(), given.part), ("s.txt:3", None));
        let second = entry("s.txt:4", "solve:30.2 block(64)").unwrap();
        assert_eq!((second.line, second.part, second.copy), (30, Some(2), None));
        let copy = entry("s.txt:5", "scale:30@1 block(64)").unwrap();
        assert_eq!((copy.line, copy.part, copy.copy), (30, None, Some(0)));
        let both = entry("s.txt:6", "scale:30.2@3 block(64)").unwrap();
        assert_eq!((both.line, both.part, both.copy), (30, Some(2), Some(2)));
    }

    #[test]
    fn other_lines_are_errors_with_their_place() {
        let error = |line| entry("s.txt:3", line).unwrap_err().0;
        for line in ["smooth block(1)", "smooth:1@0 block(1)", "smooth:1@ block(1)", "smooth:@2 block(1)"] {
            assert!(error(line).starts_with("s.txt:3: a function, a colon and a line"), "{line}");
        }
        assert_eq!(error("smooth:1 block(1"), "s.txt:3: `,` or `)` is expected in `block(1`");
    }
}
