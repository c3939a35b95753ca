//! One buffer from a source file: Clang's `-E`, with macros expanded inside directives.
//!
//! Clang expands macros in `#pragma omp` lines but not in `#pragma acc` ones. So it is shown copies of
//! the user's files, through a virtual file overlay, in which `#pragma acc x` reads `#pragma omp acc x`
//! and `_Pragma("acc x")` reads `_Pragma("omp acc x")`; lines stay where they are. In the result the word
//! is taken out again. Hints to unroll a loop, `#pragma unroll N`, are shown in the same way.
//!
//! A macro that makes its pragma from a string, `_Pragma(#x)`, is not found in this way. Directives that it makes
//! are expanded in a run of their own, over the definitions and those pragmas alone (`late`).
//!
//! The main file is overlaid from the start. Only the buffer shows which headers contain directives; the
//! preprocessor then runs again with those headers overlaid, too.

use crate::clang::Clang;
use crate::{Error, Gcc, Language, Options};
use accl_source::LineMap;
use std::path::{Path, PathBuf};

/// OpenACC 3.3.
const OPENACC: &str = "-D_OPENACC=202211";

pub fn run(clang: &Clang, path: &Path, options: &Options) -> Result<String, Error> {
    if path.extension().is_some_and(|e| e == "i" || e == "ii") {
        return Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned());
    }
    let mut args = vec![OPENACC.to_owned()];
    args.extend(options.args.iter().cloned());
    for dir in &options.include_dirs {
        args.extend(["-isystem".to_owned(), dir.display().to_string()]);
    }
    let mut files = changed_files([path.to_owned()]);
    let mut buffer = expand(clang, path, &args, &files)?;
    let headers = changed_files(user_headers(path, &buffer));
    if !headers.is_empty() {
        files.extend(headers);
        buffer = expand(clang, path, &args, &files)?;
    }
    if has_directives(&buffer) {
        args.push("-dD".into());
        buffer = late(clang, &expand(clang, path, &args, &files)?, &buffer)?;
    }
    Ok(restore(buffer))
}

/// The same with gcc, which leaves macros in directives as they are.
pub fn by_gcc(clang: &Clang, gcc: &Gcc, path: &Path) -> Result<String, Error> {
    if path.extension().is_some_and(|e| e == "i" || e == "ii") {
        return Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned());
    }
    let buffer = gcc.preprocess(path, clang.language, &[])?;
    if !buffer.lines().any(keeps_macros) {
        return Ok(buffer);
    }
    Ok(restore(late(clang, &gcc.preprocess(path, clang.language, &["-dD"])?, &buffer)?))
}

impl Gcc {
    fn preprocess(&self, file: &Path, language: Language, more: &[&str]) -> Result<String, Error> {
        let mut command = std::process::Command::new(&self.program);
        command.arg("-E").args(&self.args).args(more).args(["-w", "-x", language.name()]).arg(file);
        let not_run = |error: std::io::Error| Error::Run {
            program: self.program.display().to_string(),
            error: error.to_string(),
        };
        let output = command.stdin(std::process::Stdio::null()).output().map_err(not_run)?;
        match output.status.success() {
            true => Ok(crate::clang::text(output.stdout)),
            false => Err(Error::Clang(String::from_utf8_lossy(&output.stderr).into_owned())),
        }
    }
}

fn has_directives(buffer: &str) -> bool {
    buffer.lines().any(|line| unexpanded_pragma(line).is_some())
}

/// A directive of OpenACC, or one of OpenMP's that a gcc may not know: it expands no macros in these.
fn keeps_macros(line: &str) -> bool {
    let newer = || {
        let rest = line.trim_start().strip_prefix("#pragma omp")?;
        let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
        let first = words.next()?;
        Some(match first {
            "metadirective" | "interop" | "dispatch" | "tile" | "unroll" | "assume" | "assumes" => true,
            "begin" => words.next() == Some("metadirective"),
            _ => false,
        })
    };
    unexpanded_pragma(line).is_some() || newer() == Some(true)
}

/// Expands macros in the directives that are not marked. `text`: the program with the definitions in it.
fn late(clang: &Clang, text: &str, buffer: &str) -> Result<String, Error> {
    let mut reduced = String::new();
    for line in text.split_inclusive('\n') {
        if let Some(at) = unexpanded_pragma(line) {
            reduced.push_str(&marked(line, at));
        } else if line.starts_with("#define ") || line.starts_with("#undef ") || keeps_macros(line) {
            reduced.push_str(line);
        }
    }
    let file = tempfile::Builder::new().suffix(".c").tempfile()?;
    std::fs::write(file.path(), reduced)?;
    let expanded = clang.preprocess(file.path(), &["-w".to_owned()], None)?;
    let mut pragmas = expanded.lines().filter(|line| line.starts_with("#pragma omp"));
    let mut next = |line: &str| if keeps_macros(line) { pragmas.next() } else { None };
    let replace = |line: &str| match next(line) {
        Some(pragma) => format!("{pragma}\n"),
        None => line.to_owned(),
    };
    Ok(buffer.split_inclusive('\n').map(replace).collect())
}

/// A file to be overlaid, and the text to show in its place.
struct Changed {
    path: PathBuf,
    text: Vec<u8>,
}

/// Those of the files that contain directives.
fn changed_files(paths: impl IntoIterator<Item = PathBuf>) -> Vec<Changed> {
    let change = |path: PathBuf| {
        let bytes = std::fs::read(&path).ok()?;
        Some(Changed { text: mark(&bytes)?, path: std::path::absolute(&path).ok()? })
    };
    paths.into_iter().filter_map(change).collect()
}

/// Files of the buffer that are neither the main file nor system headers.
fn user_headers(main: &Path, buffer: &str) -> Vec<PathBuf> {
    let lines = LineMap::from_preprocessed("", buffer);
    let mut names: Vec<&str> = Vec::new();
    let mut at = 0;
    for line in buffer.split_inclusive('\n') {
        at += line.len() as u32;
        if line.starts_with("# ") && (at as usize) < buffer.len() && !lines.is_system(at) {
            let name = lines.locate(at).file;
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let main = main.display().to_string();
    names
        .into_iter()
        .filter(|n| *n != main && !n.is_empty() && !n.starts_with('<'))
        .map(PathBuf::from)
        .collect()
}

fn expand(clang: &Clang, path: &Path, args: &[String], files: &[Changed]) -> Result<String, Error> {
    if files.is_empty() {
        return clang.preprocess(path, args, None);
    }
    let dir = tempfile::tempdir()?;
    let mut roots = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let copy = dir.path().join(index.to_string());
        std::fs::write(&copy, &file.text)?;
        roots.push(serde_json::json!({
            "name": normal(&file.path), "type": "file", "external-contents": copy,
        }));
    }
    let overlay = dir.path().join("overlay.yaml");
    let content = serde_json::json!({
        "version": 0, "case-sensitive": "true", "use-external-names": false, "roots": roots,
    });
    std::fs::write(&overlay, content.to_string())?;
    clang.preprocess(path, args, Some(&overlay))
}

/// The path without `.` and `..`, as Clang looks names up.
fn normal(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

/// The text with `omp ` put before `acc` in each directive; `None` if there is none. Lines in an encoding other
/// than UTF-8 contain none.
fn mark(text: &[u8]) -> Option<Vec<u8>> {
    let mut result = Vec::with_capacity(text.len() + 64);
    let mut changed = false;
    for bytes in text.split_inclusive(|b| *b == b'\n') {
        let Ok(line) = std::str::from_utf8(bytes) else {
            result.extend_from_slice(bytes);
            continue;
        };
        let marked = match unexpanded_pragma(line) {
            Some(at) => marked(line, at),
            None => line
                .replace("_Pragma(\"acc", "_Pragma(\"omp acc")
                .replace("_Pragma (\"acc", "_Pragma (\"omp acc"),
        };
        changed |= marked.len() != line.len();
        result.extend_from_slice(marked.as_bytes());
    }
    changed.then_some(result)
}

/// Where the words stand of a pragma in which Clang expands no macros: after `# pragma`.
fn unexpanded_pragma(line: &str) -> Option<usize> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    let word = rest.trim_start();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_directive = word.strip_prefix("acc").is_some_and(|after| !after.starts_with(is_part));
    let names = |after: &str| {
        after.trim_start_matches([' ', '\t', '(']).starts_with(|c: char| is_part(c) && !c.is_numeric())
    };
    let is_hint =
        word.strip_prefix("unroll").is_some_and(|after| !after.starts_with(is_part) && names(after));
    ((is_directive || is_hint) && word.len() < rest.len()).then(|| line.len() - word.len())
}

/// The line with a pragma in which Clang expands macros. `#pragma omp unroll` is a directive of its own.
fn marked(line: &str, at: usize) -> String {
    let word = if line[at..].starts_with("unroll") { "omp acc " } else { "omp " };
    format!("{}{word}{}", &line[..at], &line[at..])
}

fn restore(buffer: String) -> String {
    if !buffer.contains("omp acc") {
        return buffer;
    }
    let fix = |line: &str| match line.trim_start().strip_prefix("#pragma omp acc") {
        Some(rest) if rest.trim_start().starts_with("unroll") => format!("#pragma{rest}"),
        Some(rest) => format!("#pragma acc{rest}"),
        None => line.to_owned(),
    };
    buffer.split_inclusive('\n').map(fix).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_marked_and_restored() {
        let marked = mark(b" #pragma  acc loop\nint accelerate;\n_Pragma(\"acc wait\")\n").unwrap();
        assert_eq!(
            String::from_utf8_lossy(&marked),
            " #pragma  omp acc loop\nint accelerate;\n_Pragma(\"omp acc wait\")\n"
        );
        assert_eq!(
            restore("#pragma omp acc loop\nx\n#pragma omp simd\n".into()),
            "#pragma acc loop\nx\n#pragma omp simd\n"
        );
        let marked = mark(b"#pragma unroll N\n#pragma unroll 4\n#pragma unroll\n").unwrap();
        assert_eq!(
            String::from_utf8_lossy(&marked),
            "#pragma omp acc unroll N\n#pragma unroll 4\n#pragma unroll\n"
        );
        assert_eq!(restore("#pragma omp acc unroll 8\n".into()), "#pragma unroll 8\n");
        assert!(mark(b"#pragma accelerate\n#pragma once\n").is_none());
    }
}
