//! What the renderers print. The expected text is in tests/snapshots.

use accl_source::codes::{directives, remarks as ids};
use accl_source::render::{self, Options};
use accl_source::*;

const SOURCE: &str = "\
#define N 64
void forward(float *x, float *w, int m) {
#pragma acc parallel loop \\
    copyin( x[0 : m] ) vector_length(N)
  for (int i = 0; i < m; i++)
    w[i] = w[i + 1] * x[i];
}

void other(int n) {
}
";

const BUFFER: &str = "\
# 1 \"t.c\"
# 1 \"t.c\" 2

void forward(float *x, float *w, int m) {
#pragma omp acc parallel loop copyin( x[0 : m] ) vector_length(64)

  for (int i = 0; i < m; i++)
    w[i] = w[i + 1] * x[i];
}

void other(int n) {
}
";

struct Fixture {
    files: Files,
    file: FileId,
}

fn fixture() -> Fixture {
    let mut files = Files::new();
    files.set_original("t.c", SOURCE);
    let file = files.add_preprocessed("t.i", BUFFER);
    Fixture { files, file }
}

impl Fixture {
    fn span(&self, text: &str) -> Span {
        let start = BUFFER.find(text).expect("text of the buffer") as u32;
        Span::new(self.file, start, start + text.len() as u32)
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        vec![
            Diagnostic::error(directives::BAD_SECTION, "malformed array section")
                .label(self.span("x[0 : m]"), "this section")
                .label(self.span("x[i]"), "used here")
                .with_note("a section is `[start:length]`")
                .with_help("write it so"),
            Diagnostic::warning(directives::NOT_POSITIVE, "a value from a macro").at(self.span("64")),
            Diagnostic::note(directives::BAD_TOKEN, "about nothing in particular"),
        ]
    }

    fn remarks(&self) -> Vec<Remark> {
        let at = |text| self.span(text);
        let remark = |id, kind, text, message: &str| Remark::new(id, kind, "forward", at(text), message);
        vec![
            Remark::new(
                ids::ROUTINE_CODE,
                RemarkKind::Generated,
                "other",
                at("void other"),
                "Generating acc routine seq",
            ),
            remark(
                ids::NOT_PARALLELIZED,
                RemarkKind::NotParallelized,
                "for (int",
                "Loop carried dependence of w-> prevents parallelization",
            )
            .with_related(at("w[i + 1]"), "w[i+1] is read in one iteration and written in the next")
            .with_help("declare w restrict, or write independent on the loop"),
            remark(ids::DATA_MOVEMENT, RemarkKind::DataMovement, "parallel", "Generating copyin(x[:m])"),
            remark(ids::GENERATING_CODE, RemarkKind::Generated, "parallel", "Generating NVIDIA GPU code"),
            remark(
                ids::LOOP_SCHEDULE,
                RemarkKind::Parallelized,
                "for (int",
                "#pragma acc loop gang, vector(64) /* blockIdx.x threadIdx.x */",
            )
            .nested(),
            remark(
                ids::GENERATING_REDUCTION,
                RemarkKind::Reduction,
                "for (int",
                "Generating implicit reduction(+:s)",
            )
            .nested(),
        ]
    }
}

#[test]
fn text() {
    let f = fixture();
    insta::assert_snapshot!(render::text::render(&f.files, &f.diagnostics(), &Options::default()));
}

#[test]
fn text_with_colour_says_the_same() {
    let f = fixture();
    let colored =
        render::text::render(&f.files, &f.diagnostics(), &Options { color: true, ..Options::default() });
    assert!(colored.contains("\x1b[") && colored.contains("malformed array section"));
}

#[test]
fn minfo() {
    let f = fixture();
    insta::assert_snapshot!(render::minfo::render(
        &f.files,
        &f.remarks(),
        &Options { ids: false, ..Options::default() }
    ));
}

#[test]
fn minfo_with_ids() {
    let f = fixture();
    insta::assert_snapshot!(render::minfo::render(&f.files, &f.remarks(), &Options::default()));
}

#[test]
fn explain() {
    let f = fixture();
    insta::assert_snapshot!(render::explain::render(&f.files, &f.remarks(), &Options::default()));
}

#[test]
fn json() {
    let f = fixture();
    let all = render::json::diagnostics_array(&f.files, &f.diagnostics())
        + &render::json::remarks_lines(&f.files, &f.remarks());
    insta::assert_snapshot!(all);
}

#[test]
fn sarif() {
    let f = fixture();
    let log = render::sarif::render(&f.files, &f.diagnostics()[..1], &f.remarks()[1..2], "0.1.0");
    insta::assert_snapshot!(log);
}

#[test]
fn nothing_renders_to_nothing() {
    let files = Files::new();
    assert_eq!(render::minfo::render(&files, &[], &Options::default()), "");
    assert_eq!(render::json::remarks_array(&files, &[]), "[]\n");
}
