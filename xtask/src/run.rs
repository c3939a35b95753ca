//! Running programs: shown, or captured with a limit on time.

use anyhow::{Context, Result, bail};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a captured program gave.
#[derive(Clone, Debug)]
pub struct Captured {
    /// The exit status; 128 + n for signal n.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Captured {
    /// Both outputs, for a report of failure.
    pub fn text(&self) -> String {
        let mut text = self.stdout.clone();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text + &self.stderr
    }
}

/// Runs to the end or to the limit; a program past it is killed and is an error.
pub fn capture(command: &mut Command, limit: Duration) -> Result<Captured> {
    let name = format!("{:?}", command.get_program());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot run {name}"))?;
    let stdout = reader(child.stdout.take());
    let stderr = reader(child.stderr.take());
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            child.kill().ok();
            child.wait().ok();
            bail!("{name} ran longer than {} s", limit.as_secs());
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    Ok(Captured { code: code(status), stdout: collect(stdout), stderr: collect(stderr) })
}

type Reader = Option<std::thread::JoinHandle<Vec<u8>>>;

fn reader(pipe: Option<impl std::io::Read + Send + 'static>) -> Reader {
    let mut pipe = pipe?;
    Some(std::thread::spawn(move || {
        let mut bytes = vec![];
        pipe.read_to_end(&mut bytes).ok();
        bytes
    }))
}

fn collect(reader: Reader) -> String {
    let bytes = reader.and_then(|r| r.join().ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn code(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// Runs with our own standard streams; failure is an error.
pub fn show(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {:?}", command.get_program()))?;
    if !status.success() {
        bail!("{:?} failed ({status})", command.get_program());
    }
    Ok(())
}

/// Cargo, in the root of the repository.
pub fn cargo(words: &[&str]) -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    command.args(words).current_dir(crate::paths::root());
    command
}

/// Whether a command is on PATH.
pub fn has(name: &str) -> bool {
    find(name).is_some()
}

pub fn find(name: &str) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|d| d.join(name)).find(|f| f.is_file())
}
