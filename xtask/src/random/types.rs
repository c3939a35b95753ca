//! Names of types that other languages or headers have built in, and that are something else here (`typedef int
//! bool`), hidden by others in inner scopes; as types of arrays, members, locals, casts and sizes, in clauses, too;
//! and names of variables, members and functions that are words of OpenCL, CUDA or C++.
//!
//! Defined in C, since
//! - no included header declares the names;
//! - what is converted from floating-point to an integer is not negative and small: every integer type has it.

use super::grammar::{Dice, Grammar, Lines, Rules};

const FUNCTIONS: usize = 6;

struct Types {
    dice: Dice,
    lines: Lines,
    /// Names of types with what they stand for, those of the file.
    names: Vec<(&'static str, &'static str)>,
    /// Members of `struct S`, with their types' names.
    members: Vec<(&'static str, &'static str)>,
    made: usize,
}

impl Grammar for Types {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

const NAMES: &[&str] = &[
    "bool",
    "half",
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "real",
    "size_type",
    "byte",
    "string",
    "complex",
    "float2",
    "int4",
    "double3",
    "float16",
    "bfloat16",
    "int8",
    "uint32",
    "i64",
    "f32",
    "event_t",
    "image2d_t",
    "sampler_t",
    "dim3",
    "vector",
    "wchar",
    "clk_event_t",
    "ptr",
    "index_t",
    "nv_bool",
    "accl_int",
    "queue",
    "string_t",
    "char16",
    "char32_t",
    "any",
    "auto_t",
];

const MEANINGS: &[&str] = &[
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "float",
    "float",
    "double",
    "double",
    "long long",
];

/// Of variables, members, functions.
const WORDS: &[&str] = &[
    "global",
    "local",
    "kernel",
    "constant",
    "private",
    "class",
    "template",
    "this",
    "new",
    "threadIdx",
    "blockDim",
    "warpSize",
    "get_global_id",
    "barrier",
    "vec_step",
    "pipe",
    "generic",
    "half2",
    "namespace",
    "operator",
    "public",
    "try",
    "using",
    "mutable",
    "laneid",
    "smem",
    "gridDim",
    "atomicAdd",
    "as_int",
    "convert_int",
    "float4",
    "x_",
    "true_",
    "explicit",
    "friend",
    "delete",
];

pub fn program(seed: u64) -> String {
    let mut g =
        Types { dice: Dice::new(seed), lines: Lines::default(), names: vec![], members: vec![], made: 0 };
    g.line("#include <stdio.h>\nenum { N = 200 };");
    for _ in 0..6 {
        let (name, meaning) = (g.pick(NAMES), g.pick(MEANINGS));
        if !g.names.iter().any(|(n, _)| *n == name) {
            g.line(format!("typedef {meaning} {name};"));
            g.names.push((name, meaning));
        }
    }
    g.block("struct S", |g| {
        for _ in 0..3 {
            let (word, (name, _)) = (g.pick(WORDS), g.of_names());
            if !g.members.iter().any(|(w, _)| *w == word) {
                g.line(format!("{name} {word};"));
                g.members.push((word, name));
            }
        }
        let (name, _) = g.of_names();
        g.line(format!("{name} v[3];"));
    });
    // The block ended without the semicolon that ends a declaration.
    g.line(";\ntypedef struct S rec;");
    let types: Vec<(&str, &str)> = (0..FUNCTIONS).map(|k| g.function(k)).collect();
    g.main(&types);
    g.lines.take()
}

const VALUES: &Rules<Types> = &[
    (4, |_, _| "u[i]".to_owned()),
    (4, |_, _| "r[i].v[i % 3]".to_owned()),
    (3, |g, _| {
        let members = g.members.clone();
        format!("r[i].{}", g.pick(&members).0)
    }),
    (3, |g, _| format!("({})(i % 40)", g.of_names().0)),
    (2, |g, _| format!("(long)sizeof({})", g.of_names().0)),
    (2, |_, _| "(int)sizeof *u".to_owned()),
    (2, |_, _| "x".to_owned()),
    (1, |_, _| "i % 7".to_owned()),
];

const CONSTRUCTS: &[&str] =
    &["parallel loop", "kernels loop independent", "parallel loop gang vector", "serial loop"];

impl Types {
    fn of_names(&mut self) -> (&'static str, &'static str) {
        let names = self.names.clone();
        self.pick(&names)
    }

    /// A function of arrays of two types; their names, first that of the array that it writes.
    fn function(&mut self, k: usize) -> (&'static str, &'static str) {
        let ((written, _), (read, _)) = (self.of_names(), self.of_names());
        let other = self.pick(MEANINGS);
        self.block(format!("static {written} add{k}({written} x, {other} y)"), |g| {
            g.line(format!("return x + ({written})y;"));
        });
        let head = format!(
            "static void f{k}(int n, {written} *restrict w, const {read} *restrict u, const rec *restrict r, int x, long *res)"
        );
        self.block(head, |g| {
            let word = g.pick(WORDS);
            g.line(format!("{written} {word} = 3;"));
            g.line("long sum = 0;");
            if g.chance(40) {
                // A name that is hidden in this function.
                let (name, _) = g.of_names();
                if name != written && name != read {
                    let meaning = g.pick(MEANINGS);
                    g.line(format!("typedef {meaning} {name};"));
                    g.line(format!("res[1] = sizeof({name});"));
                }
            }
            let (construct, size) = (
                g.pick(CONSTRUCTS),
                g.pick(&["N", "n", "N * sizeof(*w) / sizeof(REC)", "sizeof(REC) * n / sizeof *w"]),
            );
            let size = size.replace("REC", written);
            g.line(format!(
                "#pragma acc {construct} copy(w[0:{size}]) copyin(u[0:n], r[0:N]) reduction(+:sum)"
            ));
            g.block("for (int i = 0; i < n; i++)", |g| g.body(k, written, word));
            g.line("res[0] = sum;");
        });
        (written, read)
    }

    fn body(&mut self, k: usize, written: &str, word: &str) {
        for _ in 0..self.between(1, 3) {
            self.made += 1;
            let ((name, _), value) = (self.of_names(), self.make(VALUES, 0));
            let local = format!("t{}", self.made);
            if self.chance(25) {
                self.line(format!("{name} {local}[3] = {{{value}, 2}};"));
                self.line(format!("w[i] += ({written}){local}[i % 2];"));
            } else if self.chance(20) {
                self.line(format!("rec {local} = r[i];"));
                self.line(format!("{local}.v[1] = ({name})({value});"));
                self.line(format!("w[i] -= ({written}){local}.v[i % 3];"));
            } else {
                self.line(format!("{name} {local} = ({name})({value});"));
                self.line(format!("w[i] = ({written})({local} + ((int)w[i] & 7));"));
            }
        }
        let (a, b) = (self.make(VALUES, 0), self.make(VALUES, 0));
        match self.between(0, 3) {
            0 => self.line(format!("if ({a} > {b}) w[i] = ({written})({a});")),
            1 => self.line(format!("w[i] = add{k}(({written})({a}), {b});")),
            2 => self.line(format!("w[i] = ({written})({a} + {b} + {word});")),
            _ => self.line(format!("w[i] = ({written})({a}) + {word};")),
        }
        self.line("sum += (long)w[i];");
    }

    fn main(&mut self, types: &[(&str, &str)]) {
        self.line("static rec r[N];");
        self.line("static double d[N];");
        let members: String =
            self.members.clone().iter().map(|(w, _)| format!("r[i].{w} = i % 23; ")).collect();
        self.block("int main(void)", |g| {
            g.line(format!("for (int i = 0; i < N; i++) {{ {members}r[i].v[0] = i % 5; r[i].v[1] = i % 3; r[i].v[2] = 9; }}"));
            for (k, (written, read)) in types.iter().enumerate() {
                g.call(k, written, read);
            }
            g.line("return 0;");
        });
    }

    fn call(&mut self, k: usize, written: &str, read: &str) {
        self.block("", |g| {
            g.line(format!("static {written} w[N];"));
            g.line(format!("static {read} u[N];"));
            g.line("long res[2] = {0};");
            g.line("for (int i = 0; i < N; i++) w[i] = i % 20, u[i] = i % 11;");
            g.line(format!("f{k}(N, w, u, r, 5, res);"));
            g.line("for (int i = 0; i < N; i++) d[i] = (double)w[i];");
            g.line(format!(r#"for (int i = 0; i < N; i++) printf("f{k} %d %.9g\n", i, d[i]);"#));
            g.line(format!(r#"printf("f{k} res %ld %ld\n", res[0], res[1]);"#));
        });
    }
}
