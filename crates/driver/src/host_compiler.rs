//! The host compiler: found, named for C and for C++, and run.
//!
//! Any gcc or clang will do. It is the one named by `--host-compiler`, else `ACCL_HOST_COMPILER`, else
//! the newest clang on PATH, else gcc, else cc.

use crate::invocation::{Class, Front, Invocation, write_response_file};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use tempfile::TempPath;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Clang,
    Gcc,
    /// Some other compiler with gcc's options.
    Other,
}

#[derive(Clone, Debug)]
pub struct HostCompiler {
    pub c: String,
    pub cxx: String,
    pub family: Family,
    /// `-v`: print each command before it runs.
    pub verbose: bool,
}

/// Longer command lines travel in a response file (Linux allows 128 KiB for one word, 2 MiB in all).
const MAX_COMMAND_LINE: usize = 100_000;

impl HostCompiler {
    pub fn find(invocation: &Invocation) -> Result<HostCompiler> {
        let named = invocation
            .acc
            .host_compiler
            .clone()
            .or_else(|| std::env::var("ACCL_HOST_COMPILER").ok().filter(|name| !name.is_empty()));
        let name = match named {
            Some(name) => name,
            None => default_compiler(invocation)
                .context("no C compiler found: install clang (or gcc), or name one with --host-compiler")?,
        };
        if on_path(&name).is_none() {
            bail!("host compiler '{name}' not found");
        }
        refuse_ourselves(&name)?;
        let (c, cxx) = both_names(&name);
        Ok(HostCompiler { family: family(&name), c, cxx, verbose: invocation.verbose })
    }

    /// A clang: this compiler, if it is one, otherwise the one that was found. Where there is none, the front end
    /// reports that before it is needed.
    pub fn clang(&self) -> HostCompiler {
        if self.family == Family::Clang {
            return self.clone();
        }
        let name = clang_names().find(|name| on_path(name).is_some()).unwrap_or_else(|| "clang".to_owned());
        let (c, cxx) = both_names(&name);
        HostCompiler { c, cxx, family: Family::Clang, verbose: self.verbose }
    }

    pub fn program(&self, front: Front) -> &str {
        match front {
            Front::C => &self.c,
            Front::Cxx => &self.cxx,
        }
    }

    /// Options that this family of compilers does not understand are left out.
    pub fn words(&self, words: impl IntoIterator<Item = String>) -> Vec<String> {
        let foreign = |w: &String| self.family != Family::Clang && w.starts_with("-Rpass");
        words.into_iter().filter(|w| !foreign(w)).collect()
    }

    /// Becomes the host compiler; returns only where that fails.
    pub fn replace_process(&self, front: Front, words: Vec<String>) -> anyhow::Error {
        use std::os::unix::process::CommandExt;
        let words = self.words(words);
        let error = Command::new(self.program(front)).args(&words).exec();
        anyhow::Error::new(error).context(format!("cannot run '{}'", self.program(front)))
    }

    /// Runs to the end with our own standard streams.
    pub fn status(&self, front: Front, words: Vec<String>, scratch: &Path) -> Result<ExitStatus> {
        let (mut command, _words) = self.command(front, self.words(words), scratch)?;
        command.status().with_context(|| format!("cannot run '{}'", self.program(front)))
    }

    /// Runs to the end; what it prints is in the result.
    pub fn run(&self, front: Front, words: Vec<String>, scratch: &Path) -> Result<Output> {
        self.run_with_input(front, words, scratch, None)
    }

    pub fn run_with_input(
        &self,
        front: Front,
        words: Vec<String>,
        scratch: &Path,
        input: Option<&[u8]>,
    ) -> Result<Output> {
        let words = self.words(words);
        self.show(self.program(front), &words);
        let (command, _words) = self.command(front, words, scratch)?;
        output(command, input, self.program(front))
    }

    /// The second value, the response file if there is one, must live until the command has ended.
    fn command(
        &self,
        front: Front,
        words: Vec<String>,
        scratch: &Path,
    ) -> Result<(Command, Option<TempPath>)> {
        let program = self.program(front);
        tracing::debug!(program, ?words, "host compiler");
        let mut command = Command::new(program);
        if words.iter().map(|w| w.len() + 1).sum::<usize>() > MAX_COMMAND_LINE {
            let file = tempfile::Builder::new().prefix("words").tempfile_in(scratch)?.into_temp_path();
            write_response_file(&file, &words)?;
            command.arg(format!("@{}", file.display()));
            return Ok((command, Some(file)));
        }
        command.args(&words);
        Ok((command, None))
    }

    fn show(&self, program: &str, words: &[String]) {
        if self.verbose {
            let quoted: Vec<String> = words.iter().map(|w| shell_quote(w)).collect();
            eprintln!(" {program} {}", quoted.join(" "));
        }
    }
}

fn output(mut command: Command, input: Option<&[u8]>, program: &str) -> Result<Output> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::inherit() });
    let mut child = command.spawn().with_context(|| format!("cannot run '{program}'"))?;
    let pipe = child.stdin.take();
    std::thread::scope(|scope| {
        if let (Some(mut pipe), Some(bytes)) = (pipe, input) {
            // A compiler that stops reading has reported why on its standard error.
            scope.spawn(move || std::io::Write::write_all(&mut pipe, bytes).ok());
        }
        child.wait_with_output().with_context(|| format!("cannot run '{program}'"))
    })
}

pub fn shell_quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The executable a name stands for.
pub fn on_path(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return is_executable(Path::new(name)).then(|| name.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

/// The newest clang, unless the program needs OpenMP on the host and only gcc has its header and library.
fn default_compiler(invocation: &Invocation) -> Option<String> {
    let found =
        || clang_names().chain(["gcc", "cc"].map(str::to_owned)).filter(|name| on_path(name).is_some());
    let openmp =
        invocation.options(|class| class == Class::Compile).iter().any(|w| w.starts_with("-fopenmp"));
    let able = if openmp { found().find(|name| has_openmp(name)) } else { None };
    able.or_else(|| found().next())
}

fn has_openmp(compiler: &str) -> bool {
    let words = ["-fopenmp", "-fsyntax-only", "-include", "omp.h", "-x", "c", "/dev/null"];
    Command::new(compiler).args(words).output().is_ok_and(|output| output.status.success())
}

fn clang_names() -> impl Iterator<Item = String> {
    let named = std::env::var("ACCL_CLANG").ok().filter(|name| !name.is_empty());
    let versions = (14..=22).rev().map(|v| format!("clang-{v}"));
    named.into_iter().chain(["clang".to_owned()]).chain(versions)
}

/// With CC=acclcc in the environment a script may pass `--host-compiler $CC`.
fn refuse_ourselves(name: &str) -> Result<()> {
    let ours = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    let theirs = on_path(name).and_then(|p| std::fs::canonicalize(p).ok());
    // A wheel has scripts by these names.
    if ours.is_some() && ours == theirs || crate::cli::front_of_name(name).is_some() {
        bail!("the host compiler '{name}' is accl itself: name the compiler behind it");
    }
    Ok(())
}

/// gcc-13 → (gcc-13, g++-13); /usr/bin/clang++ → (/usr/bin/clang, /usr/bin/clang++).
fn both_names(name: &str) -> (String, String) {
    let (dir, base) = match name.rfind('/') {
        Some(at) => name.split_at(at + 1),
        None => ("", name),
    };
    let pairs = [("clang", "clang++"), ("gcc", "g++"), ("cc", "c++")];
    for (c, cxx) in pairs {
        if base.contains(cxx) {
            return (format!("{dir}{}", base.replacen(cxx, c, 1)), name.to_owned());
        }
        if base.contains(c) {
            return (name.to_owned(), format!("{dir}{}", base.replacen(c, cxx, 1)));
        }
    }
    (name.to_owned(), name.to_owned())
}

fn family(name: &str) -> Family {
    let base = name.rsplit('/').next().unwrap_or(name);
    if base.contains("clang") {
        return Family::Clang;
    }
    if base.contains("gcc") || base.contains("g++") {
        return Family::Gcc;
    }
    let version = Command::new(name).arg("--version").output();
    let text = version.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    if text.contains("clang") {
        Family::Clang
    } else if text.contains("Free Software Foundation") {
        Family::Gcc
    } else {
        Family::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_in_pairs() {
        let pair = |name| {
            let (c, cxx) = both_names(name);
            format!("{c} {cxx}")
        };
        assert_eq!(pair("gcc-13"), "gcc-13 g++-13");
        assert_eq!(pair("/opt/clang/bin/clang++"), "/opt/clang/bin/clang /opt/clang/bin/clang++");
        assert_eq!(pair("x86_64-linux-gnu-g++-12"), "x86_64-linux-gnu-gcc-12 x86_64-linux-gnu-g++-12");
        assert_eq!(pair("cc"), "cc c++");
        assert_eq!(pair("icx"), "icx icx");
    }

    #[test]
    fn quoting_is_for_the_shell() {
        assert_eq!(shell_quote("-DX=a b"), "'-DX=a b'");
        assert_eq!(shell_quote("it's"), "'it'\\''s'");
        assert_eq!(shell_quote("-O2"), "-O2");
    }
}
