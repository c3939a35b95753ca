//! C++: function and class templates, references (parameters, locals, members' results), classes with methods and operators,
//! overloads, default arguments, `auto`, constants of templates, lambdas; regions in functions, methods, templates, and templates
//! that are given lambdas.
//!
//! A program has some classes and functions from lists; an iteration declares values of them and computes with these.
//!
//! Defined, since
//! - an iteration writes its own elements of `o` and `p`, and reads `a` and `q` anywhere;
//! - integers stay small, and numbers shrink where they are fed back.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 6;

struct Cxx {
    dice: Dice,
    lines: Lines,
    /// What is a number, a `V3<double>`, a place of a number.
    numbers: Vec<String>,
    vectors: Vec<String>,
    places: Vec<String>,
    made: usize,
}

impl Grammar for Cxx {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Cxx {
        dice: Dice::new(seed),
        lines: Lines::default(),
        numbers: vec![],
        vectors: vec![],
        places: vec![],
        made: 0,
    };
    g.line(HEAD);
    for k in 0..FUNCTIONS {
        g.function(k);
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

const NUMBERS: &Rules<Cxx> = &[
    (6, |g, _| g.number_leaf()),
    (3, |g, d| format!("({} {} {})", g.number(d), g.pick(&["+", "-"]), g.number(d))),
    (2, |g, d| format!("scaled<{}>({})", g.between(1, 3), g.number(d))),
    (2, |g, d| format!("larger({}, {})", g.double(d), g.double(d))),
    (1, |g, d| format!("larger<float>({}, 1.5f)", g.number(d))),
    (2, |g, d| format!("half_of({})", g.pick(&["i", "D"]).replace('D', &g.double(d)))),
    (2, |g, d| format!("{}.dot({})", g.vector(d), g.vector(d))),
    (2, |g, d| format!("{}[{}]", g.vector(d), g.pick(&["0", "i % 3", "2"]))),
    (1, |g, d| format!("step({})", g.double(d))),
    (1, |g, d| format!("step({}, 0.25)", g.double(d))),
    (2, |g, d| format!("Line{{0.5, {}}}({})", g.double(d), g.double(d))),
    (1, |_, _| "static_cast<double>(third<int>)".to_owned()),
    (1, |g, d| format!("(i % 2 ? {} : {})", g.double(d), g.double(d))),
    (1, |g, d| {
        format!(
            "double(sizeof({}))",
            g.pick(&["V3<float>", "Line", "decltype(W)"]).replace('W', &g.double(d))
        )
    }),
];

const VECTORS: &Rules<Cxx> = &[
    (4, |g, _| {
        let vectors = g.vectors.clone();
        g.pick(&vectors)
    }),
    (2, |g, d| format!("V3<double>{{{{{}, 1.0, {}}}}}", g.double(d), g.double(d))),
    (2, |g, d| format!("({} {} {})", g.vector(d), g.pick(&["+", "-"]), g.vector(d))),
    (2, |g, d| format!("({} * 0.5)", g.vector(d))),
    (1, |g, d| format!("larger({}, {})", g.vector(d), g.vector(d))),
    (1, |g, d| format!("make<double>({})", g.double(d))),
    (1, |g, _| g.pick(&["q[i].v", "q[(i * 3) & 63].v", "q[i].moved()"]).to_owned()),
];

const STATEMENTS: &Rules<Cxx, ()> = &[
    (4, |g, _| {
        let (name, value) = (g.name('x'), g.double(2));
        let ty = g.pick(&["double", "auto", "const auto", "const double &", "auto &&", "const auto &"]);
        g.line(format!("{ty} {name} = {value};"));
        g.numbers.push(name.clone());
        if ["double", "auto"].contains(&ty) {
            g.places.push(name);
        }
    }),
    (3, |g, _| {
        let (name, value) = (g.name('v'), g.vector(2));
        let ty = g.pick(&["V3<double>", "auto", "const V3<double> &", "V3<double>"]);
        // The object that a returned reference refers to may no longer exist, so a copy is kept.
        g.line(format!("{ty} {name} = V3<double>({value});"));
        g.vectors.push(name.clone());
        if !ty.starts_with("const") {
            g.places.push(format!("{name}[1]"));
            g.places.push(format!("{name}.e[i % 3]"));
        }
    }),
    (3, |g, _| {
        let (name, place) = (g.name('r'), g.place());
        let ty = g.pick(&["double &", "auto &", "auto &&"]);
        g.line(format!("{ty}{name} = {place};"));
        g.places.push(name.clone());
        g.numbers.push(name);
    }),
    (6, |g, _| {
        let (place, value) = (g.place(), g.number(2));
        let text =
            g.pick(&["P = V;", "P = 0.5 * P + V;", "P += V;", "set(P, V);", "mean(P) = V;", "P -= V;"]);
        g.line(text.replace('P', &place).replace('V', &value));
    }),
    (2, |g, _| {
        let (vector, value) = (g.pick(&["p[i].v", "p[i].self().v"]), g.vector(2));
        let operator = g.pick(&["=", "+="]);
        g.line(format!("{vector} {operator} {value};"));
    }),
    (2, |g, _| {
        let value = g.double(2);
        let text = g.pick(&[
            "p[i].push(D);",
            "p[i].push(D).push(1);",
            "p[i].count++;",
            "p[i] = Particle(D);",
            "Particle{D}.give(p[i]);",
        ]);
        g.line(text.replace('D', &value));
    }),
    (1, |g, _| {
        let (name, a, b) = (g.name('l'), g.double(1), g.double(1));
        g.line(format!("Line {name}{{{a}, {b}}};"));
        g.numbers.push(format!("{name}(0.5)"));
        g.places.push(format!("{name}.offset"));
    }),
    (1, |g, d| {
        let (a, b) = (g.number(1), g.number(1));
        g.block(format!("if ({a} > {b})"), |g| g.assign(d));
    }),
    (3, |g, _| {
        let (name, value) = (g.name('f'), g.double(1));
        let head = g.pick(&[
            "[=](double x)",
            "[&](double x)",
            "[=](auto x)",
            "[&, h = i * 0.5](double x)",
            "[=](double x) mutable",
        ]);
        let inside = if head.contains("h =") { "h" } else { "0.5 * x" };
        g.line(format!(
            "auto {name} = {head} {{ if (x > 4) return {inside} + {value}; x += 1; return {value} - x; }};"
        ));
        if g.chance(50) {
            // What was captured by copy stays what it was.
            g.assign(0);
        }
        let argument = g.double(1);
        if head.contains("mutable") {
            // Other lambdas that captured it by copy could not call it.
            let kept = g.name('m');
            g.line(format!("const double {kept} = {name}(double({argument}));"));
            g.numbers.push(kept);
            return;
        }
        g.numbers.push(format!("{name}(0.25)"));
        g.numbers.push(format!("{name}(double({argument}))"));
        g.numbers.push(format!("called({name}, i)"));
    }),
    (2, |g, _| {
        let (name, place, value) = (g.name('g'), g.place(), g.number(1));
        g.line(format!("auto {name} = [&](double x) {{ {place} = 0.5 * {place} + x; }};"));
        g.line(format!("{name}({value});"));
        g.line(format!("[&] {{ {name}(1); {name}({value}); }}();"));
    }),
    (1, |g, _| {
        let (place, value) = (g.place(), g.number(1));
        g.line(format!("for (auto k = 0; k < 3; ++k) {place} = 0.5 * {place} + {value} * k;"));
    }),
];

const CONSTRUCTS: &[&str] =
    &["parallel loop", "kernels loop independent", "parallel loop gang vector", "serial loop"];

impl Cxx {
    fn number_leaf(&mut self) -> String {
        let numbers = self.numbers.clone();
        self.pick(&numbers)
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 { self.number_leaf() } else { self.make(NUMBERS, depth - 1) }
    }

    /// A number of exactly that type: overloads and templates depend on it.
    fn double(&mut self, depth: usize) -> String {
        format!("double({})", self.number(depth))
    }

    fn vector(&mut self, depth: usize) -> String {
        if depth == 0 { self.vectors[0].clone() } else { self.make(VECTORS, depth - 1) }
    }

    fn place(&mut self) -> String {
        let places = self.places.clone();
        self.pick(&places)
    }

    fn name(&mut self, prefix: char) -> String {
        self.made += 1;
        format!("{prefix}{}", self.made)
    }

    fn assign(&mut self, _: usize) {
        let (place, value) = (self.place(), self.number(1));
        self.line(format!("{place} = 0.5 * {place} + {value};"));
    }

    fn scope(&mut self, numbers: &[&str], vectors: &[&str], places: &[&str]) {
        let own = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
        (self.numbers, self.vectors, self.places) = (own(numbers), own(vectors), own(places));
    }

    fn function(&mut self, k: usize) {
        let parameters = "int n, const double *a, double *o, Particle *p, const Particle *q, const Line &line, double &sum";
        match self.between(0, 5) {
            4 | 5 => self.block(format!("static void f{k}({parameters})"), Cxx::given),
            0 | 1 => {
                self.block(format!("static void f{k}({parameters})"), |g| g.region("o", "double(line.slope)"))
            }
            2 => {
                // The region in a template.
                let ty = self.pick(&["double", "float"]);
                self.line("template <class T, int K>");
                self.block(format!("static void t{k}({parameters})"), |g| g.region("o", "T(K)"));
                let (f, t) = (format!("f{k}"), format!("t{k}"));
                let constant = self.between(1, 5);
                self.line(format!(
                    "static void {f}({parameters}) {{ {t}<{ty}, {constant}>(n, a, o, p, q, line, sum); }}"
                ));
            }
            _ => {
                self.block(format!("struct Field{k}"), |g| {
                    g.line("double *data;\n    double factor;");
                    g.block(format!("void run({parameters})").replace(", double *o", ""), |g| {
                        g.line("double *data = this->data;\n        const double factor = this->factor;");
                        g.region("data", "factor");
                    });
                });
                self.line(";");
                self.line(format!(
                    "static void f{k}({parameters}) {{ Field{k}{{o, 0.75}}.run(n, a, p, q, line, sum); }}"
                ));
            }
        }
    }

    /// A region in a template that receives the iterations as a lambda.
    fn given(&mut self) {
        self.line("const int length = n; const double k = 0.25; double twice = 2 * k;");
        self.line("auto outside = [=](int j) { return 0.5 * a[j & 63] + twice; };");
        self.line("#pragma acc data copyin(a[0:1024], q[0:length], line) copy(o[0:1024], p[0:length])");
        let head = self.pick(&[
            "loops::all(n, [=](int i)",
            "loops::some(0, n, [=](int i)",
            "loops::through(length, [=](int i)",
            "loops::all(n, [=, &sum](int i)",
        ]);
        self.block("", |g| {
            g.scope(
                &[
                    "a[i]",
                    "a[i * 7]",
                    "i",
                    "line.slope",
                    "q[i].weight()",
                    "outside(i)",
                    "outside(3)",
                    "k",
                    "twice",
                ],
                &["q[i].v", "p[i].v"],
                &["o[i * 16]", "o[i * 16 + 3]", "p[i].mass", "p[i].v.e[2]", "p[i].at(0)", "p[i].v[i % 3]"],
            );
            g.block(head, |g| {
                for _ in 0..g.between(3, 7) {
                    g.make(STATEMENTS, 0);
                }
                let value = g.double(2);
                g.line(format!("o[i * 16] = 0.5 * o[i * 16] + {value};"));
            });
            g.line(");");
        });
        let value = self.pick(&["a[i]", "0.5 * i", "outside(i)"]);
        self.line("#pragma acc data copyin(a[0:1024])");
        self.line(format!("sum = loops::sum(n, 0.5, [=](int i) {{ return {value} + k; }});"));
    }

    /// A construct that writes the array `o` and may use the number `extra`.
    fn region(&mut self, o: &str, extra: &str) {
        let reduces = self.chance(30);
        self.line("const double &slope = line.slope;\nauto total = 0.25;\nconst int length = n;");
        self.line("auto outside = [=](int j) { return 0.5 * a[j & 63] + length; };");
        let construct = self.pick(CONSTRUCTS);
        let reduction = if reduces { " reduction(+:total)" } else { "" };
        self.line(format!("#pragma acc {construct} copyin(a[0:1024], q[0:length], line) copy({o}[0:1024], p[0:length]){reduction}"));
        let own = format!("{o}[i * 16]");
        let other = format!("{o}[i * 16 + 3]");
        self.scope(
            &["a[i]", "a[i * 7]", "i", "0.5f", "line.slope", "q[i].weight()", "line(2)", "outside(i)", extra],
            &["q[i].v", "p[i].v"],
            &[&own, &other, "p[i].mass", "p[i].v.e[2]", "p[i].at(0)", "p[i].v[i % 3]"],
        );
        self.block("for (int i = 0; i < length; i++)", |g| {
            for _ in 0..g.between(4, 9) {
                g.make(STATEMENTS, 0);
            }
            let value = g.double(2);
            g.line(format!("{own} = 0.5 * {own} + {value};"));
            if reduces {
                g.line("total += 0.125 * a[i];");
            }
        });
        self.line("sum = total + 0 * slope;");
    }
}

const HEAD: &str = "\
#include <cmath>
#include <cstdio>
template <class T> struct V3 {
    T e[3];
    T &operator[](int k) { return e[k]; }
    const T &operator[](int k) const { return e[k]; }
    V3 operator+(const V3 &b) const { return V3{{e[0] + b.e[0], e[1] + b.e[1], e[2] + b.e[2]}}; }
    V3 operator-(const V3 &b) const { V3 r = *this; for (int k = 0; k < 3; k++) r[k] -= b[k]; return r; }
    V3 operator*(T s) const { return {{s * e[0], s * e[1], s * e[2]}}; }
    V3 &operator+=(const V3 &b) { return *this = *this + b * T(0.5); }
    T dot(const V3 &b) const { T s = 0; for (int k = 0; k < 3; k++) s += T(0.0625) * e[k] * T(b.e[k] > 1 ? 1 : b.e[k] < -1 ? -1 : b.e[k]); return s; }
    bool operator<(const V3 &b) const { return e[0] < b.e[0]; }
};
struct Line {
    double slope, offset;
    double operator()(double x) const { return slope * x + 0.5 * offset; }
    operator bool() const { return slope > 0; }
};
struct Body {
    double mass = 1.5;
    int count = 0;
    double weight() const { return 0.5 * mass; }
};
struct Particle : Body {
    V3<double> v;
    Particle() = default;
    explicit Particle(double x) : v{{x, 1, -x}} { mass = 0.5 * x; }
    Particle &push(double f) { v[0] = 0.5 * v[0] + f; ++count; return *this; }
    Particle &self() { return *this; }
    double &at(int k) { return v[k]; }
    V3<double> moved() const { return v + V3<double>{{weight(), 0, 1}}; }
    void give(Particle &to) const { to.v = v; to.mass = mass; }
};
template <int K> static double scaled(double x) { return x * (1.0 / (K + 1)); }
template <class T> static const T &larger(const T &a, const T &b) { return a < b ? b : a; }
template <class T> static V3<T> make(T x) { V3<T> v{}; v[1] = x; return v; }
template <class T> constexpr T third = T(2.9);
static int half_of(int i) { return i / 2; }
static double half_of(double x) { return x / 2; }
static double step(double x, double by = 1) { return 0.5 * x + by; }
template <class F> static double called(const F &f, int i) { if (i % 2) return f(0.5); return f(1.5); }
namespace loops {
template <class F> void all(int n, F f)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        f(i);
}
template <class F> void some(int first, int last, F &&body)
{
    const int length = last - first;
#pragma acc parallel loop gang vector
    for (int k = 0; k < length; k++)
        body(first + k);
}
template <class F> void through(int n, const F &f) { all(n, f); }
template <class T, class F> T sum(int n, T first, F f)
{
    T s = first;
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < n; i++)
        s += f(i);
    return s;
}
}
static void set(double &to, double value) { to = value; }
static double &mean(double &of) { of *= 0.5; return of; }
";

const MAIN: &str = r#"
static double a[1024], o[1024];
static Particle p[64], q[64];

int main()
{
    void (*f[])(int, const double *, double *, Particle *, const Particle *, const Line &, double &) = {NAMES};
    const Line line{0.75, -0.5};
    for (int i = 0; i < 1024; i++)
        a[i] = (i * 7 % 31) * 0.125 - 2;
    for (int i = 0; i < 64; i++)
        q[i] = Particle(0.25 * i - 3);
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        double sum = 0;
        for (int i = 0; i < 1024; i++)
            o[i] = i % 17;
        for (int i = 0; i < 64; i++)
            p[i] = Particle(0.5 * i);
        f[k](64, a, o, p, q, line, sum);
        for (int i = 0; i < 1024; i++)
            std::printf("f%u %d %.9g\n", k, i, o[i]);
        for (int i = 0; i < 64; i++)
            std::printf("f%u p %d %.9g %d %.9g %.9g %.9g\n", k, i, p[i].mass, p[i].count, p[i].v[0], p[i].v[1], p[i].v[2]);
        std::printf("f%u sum %.9g\n", k, sum);
    }
    return 0;
}"#;
