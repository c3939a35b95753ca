//! Each `tests/in/x.c` with its `x.ir` gives `tests/out/x.host.c`, exactly (`ACCL_BLESS=1` writes it anew), and
//! compiles as C99; `ACCL_HOST_OUT=folder` leaves the files of whole programs there.

use crate::{DeviceData, HostOptions, device_data_c, rewrite, testing};
use accl_codegen::EmitOptions;
use accl_ir::Module;
use accl_source::LineMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const UNIT: &str = "u0";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/in")
}

struct Program {
    stem: String,
    cplusplus: bool,
    buffer: String,
    module: Module,
}

/// Preprocessed by the compiler that is to compile them.
fn programs(compiler: &str) -> Vec<Program> {
    let mut files: Vec<_> = fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c" || e == "cpp"));
    files.sort();
    files.iter().map(|file| program(file, compiler)).collect()
}

fn program(file: &Path, compiler: &str) -> Program {
    let name = file.file_name().unwrap().to_str().unwrap();
    let out = Command::new(compiler).current_dir(folder()).args(["-E", name]).output().expect("clang runs");
    let buffer = String::from_utf8(out.stdout).unwrap();
    let mut module = testing::bound_module(&fs::read_to_string(file.with_extension("ir")).unwrap(), &buffer);
    let (mut diagnostics, mut remarks) = (vec![], vec![]);
    accl_transforms::pipeline::run(&mut module, &Default::default(), &mut diagnostics, &mut remarks);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    Program {
        stem: file.file_stem().unwrap().to_str().unwrap().to_owned(),
        cplusplus: name.ends_with(".cpp"),
        buffer,
        module,
    }
}

impl Program {
    fn host(&self) -> String {
        let lines = LineMap::from_preprocessed("buffer", &self.buffer);
        let options = HostOptions {
            unit_id: UNIT,
            cplusplus: self.cplusplus,
            exact_lines: false,
            check: false,
            host_threads: true,
            auto_data: false,
            addresses: &[],
            left_out: &[],
        };
        rewrite(&self.module, &self.buffer, &lines, &options).unwrap()
    }

    /// The part of the text that is the user's or ours, not of system headers.
    fn shown(&self) -> String {
        let text = self.host();
        let tables = text.find("static const accl_site").unwrap_or(0);
        let end_of_tables = text[tables..].find("# 1 ").map_or(text.len(), |at| tables + at);
        let own =
            text.rfind(&format!("\"{}.c", self.stem)).map(|_| own_lines(&text[end_of_tables..], &self.stem));
        format!("{}{}", &text[tables..end_of_tables], own.unwrap_or_default())
    }
}

/// Lines whose marker names the program's own file.
fn own_lines(text: &str, stem: &str) -> String {
    let (mut out, mut own) = (String::new(), false);
    for line in text.lines() {
        if line.starts_with("# ") {
            own = line.contains(&format!("\"{stem}.c"));
        }
        if own {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

fn compile(command: &str, args: &[&str], text: &str) {
    use std::io::Write;
    let mut child = Command::new(command)
        .args(args)
        .args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-"])
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("a compiler");
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "{command}: {}\n{text}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn texts_are_as_blessed() {
    let bless = std::env::var_os("ACCL_BLESS").is_some();
    for program in programs("gcc") {
        let blessed = folder().join(format!("../out/{}.host.c", program.stem));
        let text = program.shown();
        if bless {
            fs::write(&blessed, &text).unwrap();
        }
        let want = fs::read_to_string(&blessed).unwrap_or_default();
        assert!(text == want, "{}:\n{text}", blessed.display());
    }
}

#[test]
fn texts_compile_without_warnings() {
    for command in ["gcc", "clang"] {
        for program in programs(command) {
            let language = if program.cplusplus { ["-xc++", "-std=c++11"] } else { ["-xc", "-std=gnu99"] };
            compile(command, &language, &program.host());
        }
        compile(command, &["-xc", "-std=c99"], &device_data_c("x.c", UNIT, &DeviceData::default()));
    }
}

#[test]
fn whole_programs_are_left_where_asked() {
    let Some(out) = std::env::var_os("ACCL_HOST_OUT").map(PathBuf::from) else { return };
    for program in programs("gcc") {
        let emit = EmitOptions { unit_id: UNIT, ..EmitOptions::default() };
        let extension = if program.cplusplus { "cpp" } else { "c" };
        fs::write(out.join(format!("{}.host.{extension}", program.stem)), program.host()).unwrap();
        let cpu = accl_codegen::cpu::emit(&program.module, &emit).unwrap();
        fs::write(out.join(format!("{}.cpu.c", program.stem)), cpu).unwrap();
        let cuda = accl_codegen::cuda::emit(&program.module, &emit).unwrap();
        let opencl = accl_codegen::opencl::emit(&program.module, &emit).unwrap();
        let data = DeviceData {
            sources: crate::Sources { cuda: Some(&cuda), opencl: Some(&opencl) },
            images: &[],
            index64: None,
        };
        fs::write(out.join(format!("{}.data.c", program.stem)), device_data_c("x.c", UNIT, &data)).unwrap();
    }
}
