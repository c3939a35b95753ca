//! The files of a port: the program's own, the kernels', the helper, the Makefile.

use super::launch::{Launch, definition};
use super::{File, Input, PortLanguage, Refused};

/// What the Makefile needs to know.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// The executable.
    pub program: String,
    /// Path from the port's folder to the program's own sources and headers.
    pub source_dir: String,
    /// Options of the user's for the preprocessor and the compiler.
    pub flags: Vec<String>,
    /// Libraries and other words for the linker.
    pub libraries: Vec<String>,
    /// Files of the port that hold the program, with whether they have kernels.
    pub sources: Vec<Source>,
    /// The program asks for _OPENACC.
    pub asks_version: bool,
}

#[derive(Clone, Debug)]
pub struct Source {
    pub stem: String,
    /// "saxpy.c"
    pub file: String,
    pub has_kernels: bool,
}

pub fn of_source(input: &Input, host: String, launches: &[Launch]) -> Result<Vec<File>, Refused> {
    let file = |name: String, text: String| File { name, text };
    let stem = input.stem;
    let base = input.file.rsplit('/').next().unwrap_or(input.file);
    let mut files = vec![file(host_name(input), host)];
    if input.target != PortLanguage::C || !launches.is_empty() {
        files.push(file(format!("{stem}_kernels.h"), header(input, base, launches)));
    }
    if launches.is_empty() {
        return Ok(files);
    }
    let mut functions = String::new();
    for launch in launches {
        let text = definition(input, launch)?;
        functions.push_str(if text.is_empty() { "" } else { "\n" });
        functions.push_str(&text);
    }
    let kernels = input.kernels.trim_end();
    match input.target {
        PortLanguage::Cuda => {
            let head = format!("/* The kernels of {base} and the functions that launch them. */\n");
            let text = format!("{head}#include \"{stem}_kernels.h\"\n\n{kernels}\n{functions}");
            files.push(file(format!("{stem}_kernels.cu"), text));
        }
        PortLanguage::OpenCl => {
            let head = format!("/* The kernels of {base}. */\n");
            files.push(file(format!("{stem}_kernels.cl"), format!("{head}{kernels}\n")));
            files.push(file(format!("{stem}_launch.c"), opencl_launches(stem, base, &functions)));
        }
        PortLanguage::C => {
            let head = format!("/* The kernels of {base}, parallel by OpenMP. */\n");
            files.push(file(format!("{stem}_kernels.c"), format!("{head}{kernels}\n{functions}")));
        }
    }
    Ok(files)
}

/// The program stays in its own language.
fn host_name(input: &Input) -> String {
    format!("{}.{}", input.stem, if input.cplusplus { "cpp" } else { "c" })
}

fn opencl_launches(stem: &str, base: &str, functions: &str) -> String {
    format!(
        "/* Functions that launch the kernels of {base}. */\n\
         #define CL_TARGET_OPENCL_VERSION 120\n\
         #include <CL/cl.h>\n\
         #include \"{stem}_kernels.h\"\n\n\
         static struct port_program program = {{\n\
         #include \"{stem}_kernels.inc\" /* the text of {stem}_kernels.cl: see the Makefile */\n    , NULL\n}};\n{functions}"
    )
}

fn header(input: &Input, base: &str, launches: &[Launch]) -> String {
    let stem = input.stem;
    let guard: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    let prototypes: String = launches.iter().map(|l| l.prototype() + "\n").collect();
    let (what, include) = match input.target {
        PortLanguage::C => ("The parallel loops of", ""),
        PortLanguage::Cuda | PortLanguage::OpenCl => {
            ("Launches the kernels of", "#include \"accl_port.h\"\n")
        }
    };
    let body = if prototypes.is_empty() {
        String::new()
    } else {
        format!("#ifdef __cplusplus\nextern \"C\" {{\n#endif\n{prototypes}#ifdef __cplusplus\n}}\n#endif\n")
    };
    format!(
        "/* {what} {base}. Addresses are the host's. */\n#ifndef PORT_{guard}_KERNELS_H\n#define PORT_{guard}_KERNELS_H\n{include}{body}#endif\n"
    )
}

const HEADER: &str = include_str!("port/accl_port.h");
const TABLE: &str = include_str!("port/table.c");

/// The helper for device memory.
pub fn shared_files(target: PortLanguage) -> Vec<File> {
    let file = |name: &str, parts: &[&str]| File { name: name.to_owned(), text: parts.concat() };
    match target {
        PortLanguage::Cuda => vec![
            file("accl_port.h", &[HEADER, include_str!("port/launch_cuda.h")]),
            file(
                "accl_port.cu",
                &[include_str!("port/start_cuda.cu"), TABLE, include_str!("port/end_cuda.cu")],
            ),
        ],
        PortLanguage::OpenCl => vec![
            file("accl_port.h", &[HEADER, include_str!("port/launch_opencl.h")]),
            file(
                "accl_port.c",
                &[include_str!("port/start_opencl.c"), TABLE, include_str!("port/end_opencl.c")],
            ),
        ],
        PortLanguage::C => Vec::new(),
    }
}

/// Builds the program with plain compilers.
pub fn makefile(target: PortLanguage, build: &Build) -> File {
    let mut text = format!("# Builds {}. SRC is where the program's own headers are.\n", build.program);
    text += &variables(target, build);
    let objects = objects(target, build);
    let link = match (target, any_cplusplus(build)) {
        (PortLanguage::Cuda, _) => "$(NVCC) $(NVCCFLAGS)",
        (_, true) => "$(CXX) $(CFLAGS)",
        (_, false) => "$(CC) $(CFLAGS)",
    };
    text += &format!("\n{}: {}\n\t{link} -o $@ $^ $(LDLIBS)\n", build.program, objects.join(" "));
    text += &rules(target, build);
    text += &format!("\nclean:\n\trm -f {} *.o *.inc\n.PHONY: clean\n", build.program);
    File { name: "Makefile".into(), text }
}

fn any_cplusplus(build: &Build) -> bool {
    build.sources.iter().any(|s| s.file.ends_with(".cpp"))
}

fn variables(target: PortLanguage, build: &Build) -> String {
    let mut lines = vec![format!("SRC = {}", build.source_dir), "CC = cc".to_owned()];
    if any_cplusplus(build) {
        lines.push("CXX = c++".into());
    }
    let version = if build.asks_version { " -D_OPENACC=202211" } else { "" };
    lines.push(format!("CPPFLAGS = -I. -I$(SRC){version}"));
    let flags = if build.flags.is_empty() { "-O2".to_owned() } else { build.flags.join(" ") };
    lines.push(format!("CFLAGS = {flags}"));
    match target {
        PortLanguage::Cuda => lines.extend(["NVCC = nvcc".to_owned(), "NVCCFLAGS = -O2".to_owned()]),
        PortLanguage::C => lines.push("OPENMP = -fopenmp".into()),
        PortLanguage::OpenCl => {}
    }
    let mut libraries = build.libraries.clone();
    match target {
        PortLanguage::Cuda => {}
        PortLanguage::OpenCl => libraries.insert(0, "-lOpenCL".into()),
        PortLanguage::C => libraries.insert(0, "$(OPENMP)".into()),
    }
    if !libraries.iter().any(|l| l == "-lm") {
        libraries.push("-lm".into());
    }
    lines.push(format!("LDLIBS = {}", libraries.join(" ")));
    lines.iter().map(|l| format!("{l}\n")).collect()
}

fn objects(target: PortLanguage, build: &Build) -> Vec<String> {
    let mut objects: Vec<String> = build.sources.iter().map(|s| format!("{}.o", s.stem)).collect();
    let kernels = if target == PortLanguage::OpenCl { "launch" } else { "kernels" };
    objects.extend(build.sources.iter().filter(|s| s.has_kernels).map(|s| format!("{}_{kernels}.o", s.stem)));
    if target != PortLanguage::C {
        objects.push("accl_port.o".into());
    }
    objects
}

/// One rule for each object, since a program may itself be called `x_kernels`.
fn rules(target: PortLanguage, build: &Build) -> String {
    let mut text = String::new();
    for source in &build.sources {
        let Source { stem, file, .. } = source;
        let (compiler, header) = (
            if file.ends_with(".cpp") { "$(CXX)" } else { "$(CC)" },
            if source.has_kernels { format!(" {stem}_kernels.h") } else { String::new() },
        );
        text += &rule(&format!("{stem}.o"), file, &header, &format!("{compiler} $(CPPFLAGS) $(CFLAGS)"));
        if source.has_kernels {
            text += &kernel_rules(target, stem);
        }
    }
    text + &match target {
        PortLanguage::Cuda => rule("accl_port.o", "accl_port.cu", " accl_port.h", "$(NVCC) $(NVCCFLAGS)"),
        PortLanguage::OpenCl => {
            rule("accl_port.o", "accl_port.c", " accl_port.h", "$(CC) $(CPPFLAGS) $(CFLAGS)")
        }
        PortLanguage::C => String::new(),
    }
}

fn rule(object: &str, file: &str, others: &str, compiler: &str) -> String {
    format!("\n{object}: {file}{others}\n\t{compiler} -c -o $@ {file}\n")
}

fn kernel_rules(target: PortLanguage, stem: &str) -> String {
    match target {
        PortLanguage::Cuda => {
            let header = format!(" {stem}_kernels.h");
            rule(&format!("{stem}_kernels.o"), &format!("{stem}_kernels.cu"), &header, "$(NVCC) $(NVCCFLAGS)")
        }
        PortLanguage::OpenCl => {
            let others = format!(" {stem}_kernels.h {stem}_kernels.inc");
            let file = format!("{stem}_launch.c");
            rule(&format!("{stem}_launch.o"), &file, &others, "$(CC) $(CPPFLAGS) $(CFLAGS)")
                + &format!("\n{stem}_kernels.inc: {stem}_kernels.cl\n")
                + "\tsed 's/\\\\/\\\\\\\\/g; s/\"/\\\\\"/g; s/^/\"/; s/$$/\\\\n\"/' $< > $@\n"
        }
        PortLanguage::C => {
            rule(&format!("{stem}_kernels.o"), &format!("{stem}_kernels.c"), "", "$(CC) $(CFLAGS) $(OPENMP)")
        }
    }
}
