//! Variants of kernels for CUDA, each compiled by itself, without a GPU: `fake_cuda/` holds a driver and an NVRTC that write down
//! what they are asked for. `programs/parts.c` does what its arguments say.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// With the program, `libcuda.so.1` and `nvrtc.so`.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parts");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
        let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../abi/include");
        for (source, library) in [("driver.c", "libcuda.so.1"), ("nvrtc.c", "nvrtc.so")] {
            let mut command = cc(&["-shared", "-fPIC", &format!("{tests}/fake_cuda/{source}")]);
            succeed(command.arg("-o").arg(folder.join(library)));
        }
        let mut command = cc(&["-I", include, &format!("{tests}/programs/parts.c")]);
        succeed(
            command.arg(common::library()).args(["-lpthread", "-ldl", "-lm", "-o"]).arg(folder.join("parts")),
        );
        folder
    })
}

fn cc(arguments: &[&str]) -> Command {
    let mut command = Command::new("cc");
    command.args(["-std=gnu99", "-O1", "-Wall", "-Wextra", "-Wno-unused"]).args(arguments);
    command
}

fn succeed(command: &mut Command) {
    let made = command.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// What a run has seen.
struct Run {
    log: Vec<String>,
    code: Option<i32>,
    err: String,
}

impl Run {
    /// How often the log has this line.
    fn count(&self, line: &str) -> usize {
        self.log.iter().filter(|l| *l == line).count()
    }

    fn of(&self, what: &str) -> Vec<&str> {
        let mut found: Vec<_> =
            self.log.iter().filter_map(|line| line.strip_prefix(what)?.strip_prefix(' ')).collect();
        found.sort_unstable();
        found
    }
}

/// Runs the program with a cache of the test's own; compiling a part takes so many milliseconds.
fn run(test: &str, part_ms: u32, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let log = folder().join(format!("{test}.log"));
    _ = std::fs::remove_file(&log);
    let mut command = Command::new(folder().join("parts"));
    command.env("LD_LIBRARY_PATH", folder()).env("ACCL_NVRTC", folder().join("nvrtc.so"));
    command.env("ACC_DEVICE_TYPE", "cuda").env("ACCL_CACHE_DIR", folder().join(test));
    command.env("FAKE_CUDA_LOG", &log).env("FAKE_NVRTC_MS", part_ms.to_string());
    command.args(arguments).envs(variables.iter().copied());
    let output = command.output().unwrap();
    let log = std::fs::read_to_string(log).unwrap_or_default().lines().map(str::to_owned).collect();
    Run { log, code: output.status.code(), err: String::from_utf8_lossy(&output.stderr).into_owned() }
}

/// Threads work in the background only where the program has more than one core.
fn has_background() -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1)
}

#[test]
fn a_launch_waits_for_its_own_variant_alone() {
    let run = run("alone", 2, &["c"], &[]);
    assert_eq!((run.code, run.of("launch")), (Some(0), vec!["c"]), "{}", run.err);
    assert_eq!(run.count("done c"), 1);
    assert!(
        run.log.iter().all(|line| line.split(' ').count() <= 2),
        "each compiled by itself: {:?}",
        run.log
    );
}

#[test]
fn the_others_are_compiled_meanwhile_and_once() {
    if !has_background() {
        return;
    }
    let first = run("meanwhile", 2, &["init", "3000", "a", "b", "c", "second", "a"], &[]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    assert_eq!(first.of("done"), ["a", "a_plain", "b", "c"]);
    let at = |line: &str| first.log.iter().position(|l| l == line).unwrap();
    assert!(at("done a_plain") < at("launch a"), "{:?}", first.log);
    // The second device and the second run take what is there.
    assert_eq!(first.of("launch"), ["a", "a", "b", "c"]);
    let second = run("meanwhile", 2, &["init", "100", "b"], &[]);
    assert_eq!((second.of("begin"), second.of("launch")), (vec![], vec!["b"]));
}

#[test]
fn launches_of_all_kernels_compile_each_once() {
    let run = run("all", 20, &["a", "b", "c"], &[]);
    assert_eq!((run.code, run.of("launch")), (Some(0), vec!["a", "b", "c"]), "{}", run.err);
    for kernel in ["begin a", "begin b", "begin c"] {
        assert_eq!(run.count(kernel), 1);
    }
}

#[test]
fn what_is_seldom_needed_waits_for_the_first_launch() {
    let before = run("seldom", 1, &["init", "500"], &[]);
    assert_eq!(before.count("begin d") + before.count("begin e"), 0);
    let after = run("seldom", 1, &["d", "500"], &[]);
    assert_eq!((after.count("done d"), after.of("launch")), (1, vec!["d"]));
    assert_eq!(after.count("done e"), usize::from(has_background()));
}

#[test]
fn the_end_of_the_program_waits_for_what_is_compiled_and_begins_no_more() {
    if !has_background() {
        return;
    }
    let run = run("end", 3_000, &["init", "500"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.of("begin"), run.of("done"));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    assert!((1..=cores.min(8)).contains(&run.of("begin").len()), "{:?}", run.log);
}

#[test]
fn forked_children_end_while_their_parent_compiles() {
    let run = run("fork", 3_000, &["init", "300", "fork", "300"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.of("begin"), run.of("done"));
}

#[test]
fn texts_of_unloaded_libraries_are_not_read() {
    let run = run("unloaded", 1, &["unloaded", "init", "500", "a"], &[]);
    assert_eq!((run.code, run.of("launch")), (Some(0), vec!["a"]), "{}", run.err);
    assert_eq!(run.count("done f"), usize::from(has_background()), "{:?}", run.log);
}

#[test]
fn code_that_does_not_compile_is_told_at_its_launch() {
    let run = run("wrong", 1, &["a", "wrong"], &[]);
    assert_eq!((run.code, run.of("launch")), (Some(1), vec!["a"]));
    assert!(run.err.contains("kernel wrong could not be made ready for the CUDA device"), "{}", run.err);
    assert!(run.err.contains("the generated CUDA code does not compile"), "{}", run.err);
}

#[test]
fn code_that_the_driver_refuses_is_compiled_again() {
    assert_eq!(run("refused", 1, &["a", "b", "c", "d", "100"], &[]).code, Some(0));
    let run = run("refused", 1, &["b"], &[("FAKE_CUDA_REFUSES", "1")]);
    assert_eq!((run.code, run.count("done b"), run.of("launch")), (Some(0), 1, vec!["b"]), "{}", run.err);
}

#[test]
fn nvcc_compiles_the_whole_text_where_there_is_no_nvrtc() {
    if Path::new("/usr/local/cuda/lib64/libnvrtc.so").exists() {
        return;
    }
    let none = folder().join("no-nvrtc");
    std::fs::create_dir_all(&none).unwrap();
    std::fs::copy(folder().join("libcuda.so.1"), none.join("libcuda.so.1")).unwrap();
    for name in ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"] {
        std::fs::write(none.join(name), "no library").unwrap();
    }
    let nvcc = none.join("nvcc");
    std::fs::write(&nvcc, "#!/bin/sh\necho nvcc >>\"$FAKE_CUDA_LOG\"\nshift 5\ncp \"$2\" \"$1\"\n").unwrap();
    std::fs::set_permissions(&nvcc, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", none.display(), std::env::var("PATH").unwrap());
    let (none, path) = (none.to_str().unwrap(), path.as_str());
    let variables = [
        ("LD_LIBRARY_PATH", none),
        ("ACCL_NVRTC", none),
        ("PATH", path),
        ("CUDA_HOME", none),
        ("CUDA_PATH", none),
    ];
    let run = run("nvcc", 1, &["a", "b", "100", "c"], &variables);
    assert_eq!((run.code, run.of("launch")), (Some(0), vec!["a", "b", "c"]), "{}", run.err);
    assert_eq!(
        (run.count("nvcc"), run.of("begin").len(), run.count("load module")),
        (1, 0, 1),
        "{:?}",
        run.log
    );
}
