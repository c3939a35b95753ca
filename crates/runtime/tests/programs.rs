//! C programs with hand-written tables, linked to the static library and run on each device.
//!
//! A program prints `ok` and ends with 0, or the test shows what it printed. A new test is a new
//! file in `tests/programs/` and a line in the list at the end.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The static library that cargo built along with this test.
fn library() -> PathBuf {
    let me = std::env::current_exe().unwrap();
    let deps = me.parent().unwrap();
    [deps.to_path_buf(), deps.parent().unwrap().to_path_buf()]
        .iter()
        .map(|folder| folder.join("libaccl_runtime.a"))
        .find(|path| path.exists())
        .expect("libaccl_runtime.a lies beside the test")
}

fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("accl-runtime-programs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    })
}

/// Compiles a program; `device` only keeps parallel tests apart.
fn build(program: &str, device: &str) -> PathBuf {
    let binary = folder().join(format!("{program}-{device}"));
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../abi/include");
    let compiled = Command::new("cc")
        .args(["-std=gnu99", "-O1", "-Wall", "-Wextra", "-Wno-unused", "-I", include, "-I", sources])
        .arg(format!("{sources}/{program}.c"))
        .arg(library())
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&binary)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    binary
}

/// Runs a program on a device ("cpu", "separate", "opencl"), with more variables set.
fn run(program: &str, device: &str, variables: &[(&str, &str)]) -> Output {
    let binary = build(program, device);
    let mut command = Command::new(binary);
    for inherited in ["ACCL_NOTIFY", "ACCL_TIME", "ACCL_TRACE", "ACC_DEVICE_NUM"] {
        command.env_remove(inherited);
    }
    command.env("ACCL_CACHE_DIR", folder().join("cache")).env("ACCL_NUM_THREADS", "3");
    command.env("ACC_DEVICE_TYPE", if device == "opencl" || device == "cuda" { device } else { "cpu" });
    command.env("ACCL_CPU_MEMORY", if device == "separate" { "separate" } else { "shared" });
    command.envs(variables.iter().copied());
    command.output().unwrap()
}

fn has(kind: accl_runtime::device::Kind) -> bool {
    let found = accl_runtime::device::probe(kind);
    if let Err(reason) = &found {
        eprintln!("skipped: {reason}");
    }
    found.is_ok()
}

fn passes(program: &str, device: &str) {
    let skipped = match device {
        "opencl" => !has(accl_runtime::device::Kind::OpenCl),
        "cuda" => !has(accl_runtime::device::Kind::Cuda),
        _ => false,
    };
    if skipped {
        return;
    }
    let output = run(program, device, &[]);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.ends_with("ok\n"), "{:?}\n{out}\n{err}", output.status);
}

macro_rules! on_every_device {
    ($($program:ident)*) => {
        $( mod $program {
            #[test]
            fn cpu() { super::passes(stringify!($program), "cpu") }
            #[test]
            fn separate() { super::passes(stringify!($program), "separate") }
            #[test]
            fn opencl() { super::passes(stringify!($program), "opencl") }
            #[test]
            fn cuda() { super::passes(stringify!($program), "cuda") }
        } )*
    };
}

on_every_device!(saxpy);
