//! C programs with hand-written tables, linked to the static library and run on each device.
//!
//! A program prints `ok` and ends with 0, or the test shows what it printed. A new test is a new
//! file in `tests/programs/` and its name in the list below. Devices this machine lacks are
//! skipped with a message.

mod common;

use accl_runtime::device::{Kind, probe};
use common::library;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    })
}

/// Compiles a program once for each `tag`, which keeps parallel tests apart.
fn build(program: &str, tag: &str, options: &[&str]) -> PathBuf {
    let binary = folder().join(format!("{program}-{tag}"));
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../abi/include");
    let compiled = Command::new("cc")
        .args(["-std=gnu99", "-O1", "-Wall", "-Wextra", "-Wno-unused", "-I", include, "-I", sources])
        .args(options)
        .arg(format!("{sources}/{program}.c"))
        .arg(library())
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&binary)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    binary
}

/// Runs a program on a device ("cpu", "separate", "opencl", "cuda"), with more variables set.
fn run(binary: &Path, device: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(binary);
    for inherited in
        ["ACCL_NOTIFY", "ACCL_TIME", "ACCL_TRACE", "ACC_DEVICE_NUM", "ACCL_LAUNCH_BLOCKING", "ACCL_VARIANT"]
    {
        command.env_remove(inherited);
    }
    command.env("ACCL_CACHE_DIR", folder().join("cache")).env("ACCL_NUM_THREADS", "3");
    command.env("ACC_DEVICE_TYPE", if matches!(device, "opencl" | "cuda") { device } else { "cpu" });
    command.env("ACCL_CPU_MEMORY", if device == "separate" { "separate" } else { "shared" });
    command.args(arguments).envs(variables.iter().copied()).output().unwrap()
}

fn lacks(device: &str) -> bool {
    let kind = match device {
        "opencl" => Kind::OpenCl,
        "cuda" => Kind::Cuda,
        _ => Kind::Cpu,
    };
    probe(kind).inspect_err(|reason| eprintln!("skipped: {reason}")).is_err()
}

fn passes(program: &str, device: &str) {
    if lacks(device) {
        return;
    }
    let binary = build(program, device, &[]);
    for variables in [&[][..], &[("ACCL_NOTIFY", "31"), ("ACCL_TIME", "1")]] {
        let output = run(&binary, device, &[], variables);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && out.ends_with("ok\n"), "{:?}\n{out}\n{err}", output.status);
    }
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

on_every_device!(saxpy routines attach declare strided threads variants named_variants openmp_devices);

/// The message of a mistake, with addresses and folders taken out.
fn message(device: &str, mistake: &str, variables: &[(&str, &str)]) -> String {
    let binary = build("errors", &format!("{device}-{mistake}"), &[]);
    let output = run(&binary, device, &[mistake], variables);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("went on"));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/");
    let mut text = String::new();
    for (i, part) in err.replace(folder, "").split("0x").enumerate() {
        let digits = part.chars().take_while(char::is_ascii_hexdigit).count();
        text += if i == 0 { part } else { "0x…" };
        text += if i == 0 { "" } else { &part[digits..] };
    }
    text
}

#[test]
fn absent_data_is_named_with_what_would_help() {
    let text = message("separate", "absent", &[]);
    assert!(
        text.starts_with(
            "accl: error[ACCL0801]: data in PRESENT clause was not found on device 0: name=a host=0x… bytes=400\n  \
             errors.c:10: data (in main)\n  nearest mapping: name="
        ),
        "{text}"
    );
    assert!(text.contains("help: add copy(a[0:100]) to this directive"), "{text}");
    // The same where memory is shared: programs must not work by accident.
    assert_eq!(text.lines().next(), message("cpu", "absent", &[]).lines().next());
}

#[test]
fn partly_present_data_is_named_with_what_is_present() {
    let text = message("cpu", "partial", &[]);
    assert!(
        text.starts_with(
            "accl: error[ACCL0802]: variable in data clause is partially present on device 0: name=b"
        ),
        "{text}"
    );
    assert!(text.contains("errors.c:11: data (in main)"), "{text}");
    assert!(text.contains("make the first data clause for b cover b[0:100]"), "{text}");
}

#[test]
fn other_mistakes_are_explained() {
    for (mistake, words) in [
        (
            "update",
            "data in UPDATE clause was not found on device 0: name=a host=0x… bytes=400\n  errors.c:30: update",
        ),
        ("free", "was not given out by acc_malloc"),
        ("device", "there is no CPU device number 99; this machine has 1"),
        ("pointer", "the pointers of name=(unnamed) lead to memory that the program mapped, or lie in it"),
        ("version", "was compiled for version 0 of the runtime's interface"),
        ("code", "the program was built without code for the cpu"),
    ] {
        let text = message("cpu", mistake, &[]);
        assert!(text.contains(words), "{mistake}: {text}");
    }
    assert!(message("cpu", "", &[("ACC_DEVICE_TYPE", "toaster")]).contains("ACC_DEVICE_TYPE is `toaster`"));
}

/// What the program of OpenMP's device numbers prints on standard output and standard error, and its status.
fn openmp(mistake: &str, variables: &[(&str, &str)]) -> (String, String, Option<i32>) {
    let tag = variables.iter().map(|(_, value)| format!("-{value}")).collect::<String>();
    let binary = build("openmp_devices", &format!("{mistake}{tag}"), &[]);
    let output = run(&binary, "cpu", &[mistake], variables);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn numbers_of_no_device_end_openmp_programs() {
    let help = "\n  help: there is one CPU device, number 0; the host has number 1\n";
    for (mistake, error) in [
        ("invalid", "the device of an OpenMP construct: -4 (omp_invalid_device) is the number of no device"),
        ("large", "the device of an OpenMP construct: 2 is the number of no device"),
        ("set", "-2 is the number of no device\n  in a call of omp_set_default_device"),
    ] {
        let (out, err, status) = openmp(mistake, &[]);
        assert_eq!((out.as_str(), status), ("", Some(1)), "{err}");
        assert_eq!(err, format!("accl: error[ACCL0803]: {error}{help}"));
    }
    let (_, err, _) = openmp("default", &[("OMP_DEFAULT_DEVICE", "7")]);
    assert!(
        err.contains("7 is the number of no device, which OMP_DEFAULT_DEVICE or ACC_DEVICE_NUM asks for"),
        "{err}"
    );
}

#[test]
fn two_devices_of_openmp() {
    if lacks("opencl") {
        return;
    }
    let binary = build("openmp_two_devices", "two", &[]);
    // PoCL's; other drivers show theirs beside.
    let two = [("POCL_DEVICES", "pthread pthread"), ("OCL_ICD_VENDORS", "pocl.icd")];
    let output = run(&binary, "opencl", &[], &two);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if out.contains("omp_get_num_devices() == 2") {
        return eprintln!("skipped: there are not two devices");
    }
    assert!(output.status.success() && out.ends_with("ok\n"), "{out}{err}");
    for (mistake, number) in [("device", 1), ("host", 2)] {
        let output = run(&binary, "opencl", &[mistake], &two);
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{err}");
        assert!(
            err.contains(&format!("was not given out by omp_target_alloc for device {number}, or was")),
            "{err}"
        );
        assert!(err.contains("help: it is memory of OpenCL device 0"), "{err}");
    }
}

#[test]
fn the_environment_chooses_where_openmp_runs() {
    let prints = |variables: &[(&str, &str)]| openmp("default", variables).0;
    assert_eq!(prints(&[]), "1\nwent on\n");
    assert_eq!(prints(&[("OMP_DEFAULT_DEVICE", "1")]), "0\nwent on\n");
    assert_eq!(prints(&[("OMP_TARGET_OFFLOAD", "DISABLED")]), "0\nwent on\n");
    // The cpu is asked for here, and may stand in for nothing there.
    assert_eq!(prints(&[("OMP_TARGET_OFFLOAD", "mandatory")]), "1\nwent on\n");
    if lacks("cuda") {
        let (out, err, status) =
            openmp("default", &[("OMP_TARGET_OFFLOAD", "mandatory"), ("ACC_DEVICE_TYPE", "")]);
        assert_eq!((out.as_str(), status), ("", Some(1)), "{err}");
        assert!(err.starts_with("accl: error[ACCL0803]: OMP_TARGET_OFFLOAD is mandatory, but "), "{err}");
    }
    let (_, err, _) = openmp("default", &[("OMP_TARGET_OFFLOAD", "maybe")]);
    assert!(
        err.contains("OMP_TARGET_OFFLOAD is `maybe`; it must be `mandatory`, `disabled` or `default`"),
        "{err}"
    );
}

#[test]
fn a_device_that_is_asked_for_and_absent_is_an_error() {
    if lacks("cuda") {
        let text = message("cuda", "", &[]);
        assert!(text.contains("ACC_DEVICE_TYPE=cuda asks for a CUDA device, but there is none: "), "{text}");
        assert!(text.contains("accl devices"), "{text}");
    }
}

#[test]
fn device_code_that_does_not_compile_is_our_bug() {
    if !lacks("opencl") {
        let text = message("opencl", "code", &[]);
        assert!(text.contains("internal error: the generated OpenCL code does not compile"), "{text}");
    }
}

#[test]
fn a_kernel_that_faults_is_named() {
    if !lacks("cuda") {
        let text = message("cuda", "fault", &[]);
        assert!(
            text.contains("kernels launched since the last wait")
                && text.contains("saxpy.h:12: parallel loop"),
            "{text}"
        );
    }
}

#[test]
fn two_runtimes_are_refused() {
    let program = build("instance", "program", &[]);
    // -Bsymbolic: the library uses its own copy even where the program exports one.
    let library = build("instance_library", "library.so", &["-shared", "-fPIC", "-Wl,-Bsymbolic"]);
    let output = run(&program, "cpu", &[library.to_str().unwrap()], &[]);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}{}", String::from_utf8_lossy(&output.stdout));
    assert!(err.contains("two copies of the accl runtime") && err.contains("--shared-runtime"), "{err}");
}

#[test]
fn the_log_has_its_formats() {
    let binary = build("saxpy", "log", &[]);
    let text =
        |device: &str| String::from_utf8(run(&binary, device, &[], &[("ACCL_NOTIFY", "3")]).stderr).unwrap();
    let separate = text("separate");
    assert!(separate.contains("launch CPU kernel  file="), "{separate}");
    assert!(separate.contains(
        "function=main line=12 device=0 threadid=1 queue=1 num_gangs=3 num_workers=1 vector_length=1 grid=3 block=1\n"
    ));
    assert!(separate.contains("upload CPU data  file="));
    assert!(separate.contains("function=main line=10 device=0 threadid=1 variable=x bytes=400012\n"));
    let shared = text("cpu");
    assert!(shared.contains("launch CPU kernel") && !shared.contains("load CPU data"), "{shared}");
}

#[test]
fn the_timeline_is_json_with_events() {
    let binary = build("saxpy", "trace", &[]);
    let file = folder().join("trace.json");
    run(&binary, "separate", &[], &[("ACCL_TRACE", file.to_str().unwrap())]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"), "{text}");
    assert!(text.trim_end().ends_with("]}") && text.contains("\"cat\":\"upload\""), "{text}");
}

/// What the program of that name prints, the variants that it ran, and what the runtime says.
fn named(device: &str, rules: &str) -> (String, String) {
    let tag = format!("{device}-{}", rules.replace(|c: char| !c.is_alphanumeric(), "-"));
    let binary = build("named_variants", &tag, &[]);
    let variables = [("ACCL_VARIANT", rules), ("ACCL_NOTIFY", "1"), ("ACCL_TIME", "1")];
    let output = run(&binary, device, &[], &variables);
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_launch_takes_the_variant_that_is_named() {
    if lacks("opencl") {
        return;
    }
    // Whether it pays does not matter, and launches that repeat one take what it took. Where it would be wrong, another is
    // taken, and that is said once.
    let overlaps = "ACCL_VARIANT: the variant jam cannot run a launch, which takes the usual choice: an array that the \
                    kernel writes overlaps another, or may\n  ";
    let (out, err) = named("opencl", "main:10=jam");
    assert_eq!(out, "1 1 1 1 3 3 ok\n");
    assert_eq!(err.matches(overlaps).count(), 1, "{err}");
    assert_eq!(err.matches(" block=32 variant=jam\n").count(), 4, "{err}");
    let rows = [
        "    kernel   parallel loop            count       6 ",
        "      variant jam                     count       4 ",
    ];
    assert!(rows.iter().all(|row| err.contains(row)), "{err}");
    assert!(err.contains("      variant plain                   count       2 "), "{err}");

    assert_eq!(named("opencl", "*:10=noalias").0, "2 2 2 2 3 3 ok\n");
    let (out, err) = named("opencl", "other:*=jam;*=");
    assert_eq!(out, "3 3 3 3 3 3 ok\n");
    assert!(err.contains("count       6 ") && err.contains("  variant plain\n"), "{err}");
    assert!(err.contains("warning: ACCL_VARIANT: no launch was told by `other:*=jam`"), "{err}");
}

#[test]
fn a_variant_that_is_named_in_vain_is_said_once() {
    if !lacks("opencl") {
        let (out, err) = named("opencl", "main:*=wide");
        let usual = named("opencl", "*:99=jam").0;
        assert_eq!(out, usual);
        let said = "ACCL_VARIANT: the kernel has no variant wide; its variants: jam, noalias, plain\n  ";
        assert_eq!(err.matches(said).count(), 1, "{err}");
    }
    let (out, err) = named("cpu", "*=jam");
    assert_eq!(out, "0 0 0 0 0 0 ok\n");
    assert_eq!(err.matches("ACCL_VARIANT has no effect on the cpu device").count(), 1, "{err}");
    assert!(!err.contains("variant=") && !err.contains("  variant "), "{err}");
}

#[test]
fn an_unreadable_list_of_variants_is_an_error() {
    let text = message("cpu", "", &[("ACCL_VARIANT", "jam")]);
    assert!(text.contains("ACCL_VARIANT is `jam`; it must be a list of `function:line=variant`"), "{text}");
}
