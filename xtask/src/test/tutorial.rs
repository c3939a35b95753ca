//! Runs the tutorial as a reader would: its program is written to a file, changed as the tutorial says, and its
//! commands must answer what it shows.
//!
//! In `docs/tutorial.md` a block of C after a line that ends in a file's name (`` `heat.c`: ``) is that file, a block of
//! `diff` a change of it, and a block of `console` has commands after `$ ` and what they print. `…` in an answer stands
//! for what differs from machine to machine, a line of nothing else for any lines.

use super::Context;
use super::driver;
use crate::{paths, run};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);

/// A fenced block.
struct Block<'p> {
    language: &'p str,
    /// What the line before names.
    file: Option<&'p str>,
    text: &'p str,
    /// Where its text stands in the page.
    at: usize,
}

/// What earlier blocks leave behind.
struct Session<'s> {
    context: &'s Context,
    /// Where the program is written and commands run.
    work: &'s Path,
    /// The folder of `accl`.
    commands: &'s Path,
    file: String,
    exports: String,
}

pub fn check(context: &Context, work: &Path, commands: &Path) -> Result<(), String> {
    std::fs::create_dir_all(work).map_err(|e| e.to_string())?;
    let file = paths::root().join("docs/tutorial.md");
    let page = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
    let mut session = Session { context, work, commands, file: String::new(), exports: String::new() };
    let (mut made, mut copied, mut wrong) = (String::new(), 0, vec![]);
    for Block { language, file, text, at } in blocks(&page) {
        match language {
            "c" => session.write(file.ok_or("a program has no name: `heat.c`:")?, text)?,
            "diff" => session.change(text)?,
            "console" => {
                let answered = session.answers(text)?;
                if answered != text {
                    wrong.push(format!("the tutorial says\n{text}\nwhere the answer is\n{answered}"));
                }
                made += &page[copied..at];
                made += &answered;
                copied = at + text.len();
            }
            _ => {}
        }
    }
    if context.bless {
        return std::fs::write(&file, made + &page[copied..]).map_err(|e| e.to_string());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut found = vec![];
    let mut from = 0;
    while let Some(fence) = page[from..].find("\n```").map(|at| from + at) {
        let Some(line) = page[fence + 4..].find('\n') else { break };
        let at = fence + 4 + line + 1;
        // The end is looked for from the line's end on, since a block may be empty.
        let end = page[at - 1..].find("\n```").map_or(page.len(), |end| at + end);
        let named = page[from..fence].trim_end().strip_suffix("`:").and_then(|line| line.rsplit('`').next());
        found.push(Block { language: &page[fence + 4..at - 1], file: named, text: &page[at..end], at });
        from = (end + 3).min(page.len());
    }
    found
}

impl Session<'_> {
    fn write(&mut self, file: &str, text: &str) -> Result<(), String> {
        self.file = file.to_owned();
        std::fs::write(self.work.join(file), text).map_err(|e| e.to_string())
    }

    /// Puts the lines of a change with `+` or a blank in the place of those with `-` or a blank.
    fn change(&self, diff: &str) -> Result<(), String> {
        let file = self.work.join(&self.file);
        let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
        let side = |sign: char| -> String {
            let lines = diff.lines().filter_map(|l| l.strip_prefix(sign).or(l.strip_prefix(' ')));
            lines.map(|line| format!("{line}\n")).collect()
        };
        let (old, new) = (side('-'), side('+'));
        if text.matches(&old).count() != 1 {
            return Err(format!("{} has these lines not once:\n{old}", self.file));
        }
        std::fs::write(&file, text.replace(&old, &new)).map_err(|e| e.to_string())
    }

    /// The block again, where an answer differs with what is answered now.
    fn answers(&mut self, text: &str) -> Result<String, String> {
        let mut answered = String::new();
        for part in format!("\n{text}").split("\n$ ").skip(1) {
            let (command, shown) = part.split_once('\n').unwrap_or((part, ""));
            let answer = self.answer(command)?;
            let shown = shown.trim_end_matches('\n');
            let fits = fits(&shown.lines().collect::<Vec<_>>(), &answer.lines().collect::<Vec<_>>());
            let answer = if fits { shown } else { answer.trim_end() };
            answered += &format!("$ {command}\n{answer}{}", if answer.is_empty() { "" } else { "\n" });
        }
        Ok(answered)
    }

    /// What a command prints on both streams; `export` holds for those after it.
    fn answer(&mut self, command: &str) -> Result<String, String> {
        if command.starts_with("export ") {
            self.exports += &format!("{command}; ");
            return Ok(String::new());
        }
        // What a program prints is recorded in order, as on a terminal.
        let mut shell = Command::new("stdbuf");
        shell
            .args(["-oL", "bash", "-c"])
            .arg(format!("{}{{ {command}; }} 2>&1", self.exports))
            .current_dir(self.work);
        driver::environment(&mut shell, self.context, self.commands);
        Ok(run::capture(&mut shell, LIMIT).map_err(|e| format!("{command}: {e:#}"))?.stdout)
    }
}

/// Whether lines are those shown, of which some say that anything may stand there.
fn fits(shown: &[&str], lines: &[&str]) -> bool {
    match (shown.split_first(), lines.split_first()) {
        (None, _) => lines.is_empty(),
        (Some((&"…", after)), _) => (0..=lines.len()).any(|skipped| fits(after, &lines[skipped..])),
        (Some((first, after)), Some((line, later))) => line_fits(first, line) && fits(after, later),
        (Some(_), None) => false,
    }
}

fn line_fits(shown: &str, line: &str) -> bool {
    match shown.split_once('…') {
        None => shown == line.trim_end(),
        Some((start, end)) => line.strip_prefix(start).is_some_and(|rest| {
            (0..=rest.len()).any(|at| rest.get(at..).is_some_and(|rest| line_fits(end, rest)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_with_the_files_they_are() {
        let page = "text\n\n`a.c`:\n\n```c\nint a;\n```\n\nmore:\n\n```console\n$ true\n```\n";
        let found = blocks(page);
        assert_eq!((found[0].language, found[0].file, found[0].text), ("c", Some("a.c"), "int a;\n"));
        assert_eq!((found[1].language, found[1].file, found[1].text), ("console", None, "$ true\n"));
    }

    #[test]
    fn dots_stand_for_what_differs() {
        assert!(fits(&["a … b", "…", "z"], &["a 12 b", "x", "y", "z"]));
        assert!(fits(&["…"], &[]) && fits(&[], &[]));
        assert!(!fits(&["a … b"], &["a 12 c"]) && !fits(&["a"], &["a", "b"]) && !fits(&["a", "b"], &["a"]));
    }
}
