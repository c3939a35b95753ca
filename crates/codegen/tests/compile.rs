//! Emitted texts are compiled by the real compilers: OpenCL C by clang, C by gcc and clang, CUDA by nvcc where
//! there is one (`ACCL_NVCC`, else on PATH). Inputs are those of the snapshots and what the passes make of
//! their own (`crates/transforms/tests/out`).

use accl_codegen::{CodegenError, EmitOptions, cpu, cuda, opencl};
use accl_ir::Module;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn inputs() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [here.join("tests/in"), here.join("../transforms/tests/out")];
    let entries = folders.iter().flat_map(|f| fs::read_dir(f).unwrap());
    let mut files: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

fn modules() -> Vec<(String, Module)> {
    let read = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        (
            file.display().to_string(),
            Module::from_text(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display())),
        )
    };
    inputs().iter().map(read).collect()
}

type Emit = fn(&Module, &EmitOptions) -> Result<String, CodegenError>;

/// Runs the compiler on each text; texts that the language cannot express are left out.
fn compile_all(emit: Emit, extension: &str, command: &str, args: &[&str]) {
    for (name, module) in modules() {
        let text = match emit(&module, &EmitOptions::default()) {
            Ok(text) => text,
            Err(CodegenError::Unsupported { .. }) => continue,
            Err(error) => panic!("{name}: {error}"),
        };
        let stem = Path::new(&name).file_stem().unwrap().to_string_lossy();
        let command_name = Path::new(command).file_name().unwrap().to_string_lossy();
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{stem}.{command_name}.{extension}"));
        fs::write(&file, &text).unwrap();
        let out =
            Command::new(command).args(args).arg(&file).output().unwrap_or_else(|e| panic!("{command}: {e}"));
        let messages = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success() && messages.is_empty(), "{name}: {command}: {messages}\n{text}");
    }
}

#[test]
fn opencl_by_clang() {
    let args = ["-xcl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-target", "spir64"];
    let warnings = ["-Wall", "-Werror", "-Wno-unused-variable", "-fsyntax-only"];
    compile_all(opencl::emit, "cl", "clang", &[&args[..], &warnings[..]].concat());
}

const C: [&str; 9] = [
    "-xc",
    "-std=gnu11",
    "-O3",
    "-fopenmp-simd",
    "-Wall",
    "-Werror",
    "-Wno-unused-variable",
    "-c",
    "-o/dev/null",
];

#[test]
fn c_by_gcc() {
    compile_all(cpu::emit, "c", "gcc", &C);
}

#[test]
fn c_by_clang() {
    compile_all(cpu::emit, "c", "clang", &[&C[..], &["-Wno-pass-failed"]].concat());
}

#[test]
fn cuda_by_nvcc() {
    let nvcc = std::env::var("ACCL_NVCC").unwrap_or_else(|_| "nvcc".into());
    if Command::new(&nvcc).arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("no nvcc");
        return;
    }
    compile_all(cuda::emit, "cu", &nvcc, &["-arch=sm_90", "-c", "-o", "/dev/null"]);
}
