use super::*;

fn read(line: &str) -> Invocation {
    parse(Front::C, line.split_whitespace().map(str::to_owned).collect()).unwrap()
}

/// The classes of the options, in order, as one letter each.
fn classes(line: &str) -> String {
    read(line)
        .items
        .iter()
        .map(|item| match item {
            Item::Option { class: Class::Preprocess, .. } => 'P',
            Item::Option { class: Class::Depend, .. } => 'D',
            Item::Option { class: Class::Link, .. } => 'L',
            Item::Option { class: Class::Compile, .. } => 'C',
            Item::Option { class: Class::Structure, .. } => '-',
            Item::Source { .. } => 's',
            Item::Object(_) => 'o',
        })
        .collect()
}

#[test]
fn the_plainest_command_line() {
    let i = read("-O3 jacobi.c -o jacobi");
    assert_eq!(i.mode, Mode::Link);
    assert_eq!(i.output, Some("jacobi".into()));
    assert_eq!(i.sources().count(), 1);
    assert_eq!(i.host_words(), ["-O3", "jacobi.c", "-o", "jacobi"]);
}

#[test]
fn every_option_has_its_class() {
    assert_eq!(classes("-Iinc -I inc -DX=1 -D Y -U Z -include a.h -isystem d"), "PPPPPPP");
    assert_eq!(classes("-L. -lm -l m -Wl,-rpath,. -shared -Xlinker -z -pie -rdynamic"), "LLLLLLLL");
    assert_eq!(classes("-O3 -g -std=c99 -fPIC -Wall -march=native -pthread -Ofast -fopenmp"), "CCCCCCCCC");
    assert_eq!(classes("-MD -MF a.d -MT a.o -MP -MFx.d"), "DDDDD");
    assert_eq!(classes("-c a.c -o a.o b.o libx.a -x c++ d"), "-s-oo-s");
    assert_eq!(classes("-Xclang -ast-dump -mllvm -x --param max=3"), "CCC");
    assert_eq!(classes("-undef -traditional-cpp -target x86_64-linux-gnu -T script -Tscript"), "PCCLL");
}

#[test]
fn our_options_do_not_reach_the_host() {
    let i = read(
        "-acc=gpu,multicore -gpu=cc90,maxregcount:64 -Minfo=accel --keep out --host-compiler gcc -c a.c -O2",
    );
    assert_eq!(i.host_words(), ["-c", "a.c", "-O2"]);
    assert_eq!(i.acc.archs, ["sm_90"]);
    assert_eq!(i.acc.max_registers, Some(64));
    assert!(i.acc.minfo);
    assert_eq!(i.acc.targets.len(), 3);
    assert_eq!(i.acc.host_compiler.as_deref(), Some("gcc"));
}

#[test]
fn aliases_of_gcc_and_clang() {
    let i = read("-fopenacc -foffload=nvptx-none=-misa=sm_80 a.c");
    assert_eq!(i.acc.archs, ["sm_80"]);
    assert!(!i.acc.targets.contains(&Target::OpenCl));
    assert!(!read("-fopenacc -fno-openacc a.c").acc.enabled);
    assert_eq!(read("--offload-arch=sm_70,sm_90 a.c").acc.archs, ["sm_70", "sm_90"]);
    assert_eq!(read("-Rpass-missed=.* a.c").acc.remark_filters, [RemarkFilter::Missed]);
    assert_eq!(read("-mp a.c").host_words(), ["-fopenmp", "a.c"]);
}

#[test]
fn options_of_other_compilers() {
    let host = |line: &str| read(line).host_words().join(" ");
    assert_eq!(host("-fast -Mfprelaxed -Mvect=simd -tp=native -tp host -Kieee -cuda a.c"), "-O3 a.c");
    assert_eq!(host("-c11 -gopt -cudalib=cublas,cufft a.c"), "-std=gnu11 -g -lcublas -lcufft a.c");
    assert_eq!(host("-M -MF a.d -fopenmp-simd a.c"), "-M -MF a.d -fopenmp-simd a.c");
    assert_eq!(host("-fiopenmp -fopenmp-targets=spir64 -fopenmp-version=51 a.c"), "-fopenmp a.c");
    let clang =
        read("-fopenmp -fopenmp-targets=nvptx64 -Xopenmp-target=nvptx64 -march=sm_70 --cuda-path=/c a.c");
    assert_eq!(
        (clang.host_words().join(" ").as_str(), &*clang.acc.archs),
        ("-fopenmp a.c", &["sm_70".to_owned()][..])
    );
    assert_eq!(host("-fopenmp -Xopenmp-target -march=gfx906 a.c"), "-fopenmp a.c");
    assert!(!read("-ta=multicore a.c").acc.targets.contains(&Target::Cuda));
    assert!(read("--offload-arch=native a.c").acc.archs.is_empty());
}

#[test]
fn probes_only_inform() {
    for probe in ["-v", "--version", "-dumpversion", "-print-search-dirs", "-E a.c", "-### a.c", "-MM a.c"] {
        let i = read(probe);
        assert!(i.mode == Mode::Inform || !i.has_inputs(), "{probe}");
        assert_eq!(i.host_words().join(" "), probe);
    }
    assert_eq!(read("-M -c a.c").mode, Mode::Inform);
    assert_eq!(read("-c -S a.c").mode, Mode::Assembly);
}

#[test]
fn languages_follow_x_and_suffix() {
    let of = |line: &str| read(line).sources().map(|(_, l)| l.clone()).collect::<Vec<_>>();
    assert_eq!(of("a.c b.cpp c.C d.i"), [Language::C, Language::Cxx, Language::Cxx, Language::PreprocessedC]);
    assert_eq!(of("-x c++ a.c - -x none b.c"), [Language::Cxx, Language::Cxx, Language::C]);
    assert_eq!(of("-xc -"), [Language::C]);
    assert_eq!(of("a.s a.o a.so.1"), []);
    let cxx = parse(Front::Cxx, vec!["a.c".into()]).unwrap();
    assert!(cxx.sources().all(|(_, l)| *l == Language::Cxx));
}

#[test]
fn mistakes_are_said() {
    let message = |line: &str| {
        parse(Front::C, line.split_whitespace().map(str::to_owned).collect()).unwrap_err().to_string()
    };
    assert_eq!(message("a.c -o"), "argument to '-o' is missing");
    assert!(message("-acc=vulkan").starts_with("unknown argument 'vulkan' of '-acc'"));
    assert!(message("-gpu=cc90,maxregs").contains("'maxregs' of '-gpu'"));
    assert!(message("--offload-arch=gfx90a").contains("sm_XX"));
}

#[test]
fn the_standard_of_cxx_where_none_is_named() {
    let std = |line: &str| {
        let mut i = read(line);
        i.name_standard();
        i.options(|class| class == Class::Compile)
            .into_iter()
            .filter(|w| w.starts_with("-std"))
            .collect::<Vec<_>>()
    };
    assert_eq!(std("-O2 a.cpp b.o"), ["-std=gnu++17"]);
    assert_eq!(std("-x c++ a.c"), ["-std=gnu++17"]);
    assert_eq!(std("-std=c++14 a.cpp"), ["-std=c++14"]);
    assert_eq!(std("a.c b.cpp"), [""; 0]);
    assert_eq!(std("a.o -o a"), [""; 0]);
}
