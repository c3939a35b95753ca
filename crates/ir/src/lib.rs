//! The program IR: typed, structured, close to the source.
//!
//! # What it is
//!
//! A [`Module`] is one translation unit: its types, its global variables, the functions that matter
//! (those with directives, and those that kernels call) and, after outlining, its kernels. A function's
//! [`Body`] is a tree of statements over an arena of expressions. Everything is named by a typed
//! [`Handle`]; nothing owns a reference to anything else.
//!
//! # When an expression is evaluated
//!
//! Expressions have no side effects. An expression is evaluated where the statement that uses it
//! stands, each time it is used: an expression handle is not a register, and two uses of one handle
//! are two evaluations (which, without side effects between them, agree). Order of effects is the
//! order of statements alone. The front end introduces a temporary wherever the source's order matters
//! (`a[i++] = f(x)`).
//!
//! # Places and values
//!
//! [`ExprKind::Local`], [`Global`](ExprKind::Global), [`Deref`](ExprKind::Deref),
//! [`Index`](ExprKind::Index) and [`Member`](ExprKind::Member) denote *places*; every other kind
//! denotes a value. [`ExprKind::Load`] is the only way to read a place, [`Stmt::Store`],
//! [`Stmt::Atomic`] and the `dest` of [`Stmt::Call`] the only ways to write one. How the bytes of a place are
//! stored (plain, shared memory, compressed) is part of the type, so only these change when a format is added. The
//! type of a place expression is the type of the object it denotes.
//!
//! `Index` takes as base either a place of array type or a value of pointer type. An array place used
//! as a pointer is [`ExprKind::Decay`].
//!
//! # Loops
//!
//! A [`Loop`] is canonical: one induction variable, which the body does not write, bounds and step
//! evaluated once before the first iteration, no `break` out of it. Any other loop is a
//! [`Stmt::While`]. Directives are fields of the loop they stand on.
//!
//! # Working with it
//!
//! [`Module::to_text`] and [`Module::from_text`] are its readable form (grammar: [`text`]); [`mod@print`] shows
//! single pieces. [`visit`] has the walks, [`rewrite`] clones and changes, and `Body` has short methods
//! that make expressions. [`verify`] checks what is promised here.
//!
//! # What is deliberately absent
//!
//! No basic blocks, no phi nodes, no `goto`: optimisation here is about loops and data, and what is
//! emitted must be readable. No implicit conversions: the front end writes each [`ExprKind::Cast`].
//! No variable-length array types in pointers: `a[i][j]` of a VLA is lowered to `a[i * m + j]`.
//! Host statements that no analysis needs are [`Stmt::Host`] with their span.
#![forbid(unsafe_code)]

mod arena;
mod build;
pub mod calls;
mod expr;
mod infer;
mod kernel;
pub mod link;
pub mod map_list;
mod names;
mod operands;
mod pointers;
mod region;
pub mod rewrite;
pub mod schedule;
mod stmt;
mod storage;
pub mod text;
pub mod trips;
mod types;
mod verify;
pub mod visit;
mod window;

pub use accl_abi::pointers::PointerTypes;
pub use accl_abi::{CLUSTER, MEASURED, MOST_LANES, Requirements, parts};
pub use arena::{Arena, Handle};
pub use expr::{BinaryOp, Builtin, Check, Expr, ExprKind, MathFn, UnaryOp};
pub use infer::{Natural, natural_type};
pub use kernel::{
    APART, CpuArrays, Dim, DynamicTile, DynamicTileDim, GridRule, INDEX64, IndirectPointer, Kernel,
    KernelSite, Param, ParamKind, ROWS, SharedDecl, TripCount, USUAL_SHARED, Variant,
};
pub use operands::Access;
pub use pointers::pointer_types;
pub use region::{
    Async, Compressed, DEVICE_IS_NEWER, DataFlags, DataItem, DataKind, DataVar, DefaultData, HostExpr,
    Region, RegionClauses, RegionKind, SectionDim, Standalone, StandaloneKind, Wait,
};
pub use rewrite::{Cloner, Subst};
pub use schedule::{GivenSchedule, Schedule};
pub use stmt::{
    Atomic, AtomicKind, BarrierScope, Block, Case, Compare, LaunchTest, Level, Loop, LoopDirective,
    LoopLevels, Reduction, ReductionOp, Rows, Search, Stmt, StmtNode, TensorProduct,
};
pub use storage::{CodecParameter, Compression, Format, Layout, Scheme};
pub use text::{ParseError, print};
pub use window::{HaloExtent, Staged, Window, WindowDim, WindowKind};

pub use types::{ArrayLen, Field, Named, Space, StructDef, Type, TypeKind, Types};

pub use verify::{VerifyError, verify};

/// The word behind `#pragma omp` with which the front end marks directives of the host's compiler that would be taken for
/// devices' otherwise. The host crate takes it away.
pub const HOST_DIRECTIVE: &str = "accl_host";

/// How all names begin that the compiler puts into the host's text.
pub const OURS: &str = "accl_";

/// What stands before the program's own names that begin so, until the host crate takes it away.
pub const OF_PROGRAM: &str = "program_s_";

use accl_source::Span;
use std::collections::BTreeMap;

/// One translation unit.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The user's main source file, as named on the command line.
    pub file: String,
    /// The host's code is C++: text that is written into it spells types so.
    pub cplusplus: bool,
    pub types: Types,
    pub globals: Arena<Global>,
    pub functions: Arena<Function>,
    /// `declare` directives outside functions: their data live as long as the program.
    pub declares: Vec<Standalone>,
    /// Filled by outlining, in the order of the directives.
    pub kernels: Arena<Kernel>,
    /// What the host's version of a construct has copies of, by where its directive ends. Only the host's text needs them.
    pub host_copies: BTreeMap<u32, HostCopies>,
    /// Where the host's code names an object whose device address a construct of OpenMP's hands out, by where its directive ends:
    /// there the name means the object on the device.
    pub device_objects: BTreeMap<u32, Vec<(String, Span)>>,
}

/// The copies of a construct that the host runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostCopies {
    pub of_construct: Vec<HostCopy>,
    /// Those of statements in it that directives govern, outer ones first.
    pub inside: Vec<(Span, Vec<HostCopy>)>,
    /// OpenMP: it asks for numbers of threads, which are not those of the host's threads around it.
    pub numbered: bool,
    /// OpenMP: how the host's compiler reads it; one thread runs it where there is none.
    pub threads: Option<HostThreads>,
}

/// A construct of OpenMP that the host runs with its own teams and threads. A directive's text stands behind the sentinel; an
/// empty one is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostThreads {
    pub directive: String,
    /// In the place of directives in the construct.
    pub directives: Vec<(Span, String)>,
    /// The copies that no clause asks for.
    pub copies: Vec<HostCopy>,
}

/// A variable of which a construct has its own copy, on the host as well.
#[derive(Clone, Debug, PartialEq)]
pub struct HostCopy {
    pub name: String,
    pub is_array: bool,
    /// It starts with the value outside.
    pub starts: bool,
    /// The statement names it by its class or namespace, so that no copy can have that name: the variable itself changes, and gets its
    /// value back.
    pub restored: bool,
}

/// A variable at file or namespace scope, or a static local.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    pub ty: Handle<Type>,
    pub span: Span,
    /// A C++ reference, which has the pointer type here.
    pub reference: bool,
    /// Never written: `const`, or `constexpr`.
    pub constant: bool,
    /// A constant scalar's value, where the front end knows it; kernels use it in place of the variable.
    pub value: Option<ConstValue>,
    /// The name by which the linker knows it, if other units can name it.
    pub link_name: Option<String>,
    /// A variable of another unit, which the host's text of this one has no name for.
    pub foreign: Option<ForeignObject>,
}

/// How the host's text reaches a variable of another unit.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignObject {
    /// The constant that holds its address.
    pub address: String,
    /// What denotes the variable.
    pub text: String,
}

impl Global {
    /// What denotes the variable in the host's text.
    pub fn host_text(&self) -> &str {
        self.foreign.as_ref().map_or(&self.name, |foreign| &foreign.text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstValue {
    Int(i128),
    Float(f64),
}

#[derive(Clone, Debug)]
pub struct Function {
    /// The name in the source ("axpy", "Grid::step").
    pub name: String,
    /// A C identifier unique in the module: what device code calls it.
    pub symbol: String,
    pub params: Vec<Handle<Local>>,
    pub result: Handle<Type>,
    /// `None`: only declared here.
    pub body: Option<Body>,
    /// From a `routine` directive, or `Level::Seq` where a kernel calls a function without one.
    pub routine: Option<Level>,
    /// Holds at least one directive.
    pub has_regions: bool,
    /// The name by which the linker knows it, if other units can call it or it is another unit's.
    pub link_name: Option<String>,
    pub span: Span,
}

impl Function {
    /// A function of the device's own library that takes or gives back memory.
    pub fn is_allocation(&self) -> bool {
        self.body.is_none() && Function::ALLOCATIONS.contains(&&*self.symbol)
    }

    pub const ALLOCATIONS: [&str; 2] = ["malloc", "free"];

    /// The seconds since some time before, by the device's clock.
    pub fn is_clock(&self) -> bool {
        self.body.is_none() && self.symbol == Function::CLOCK
    }

    pub const CLOCK: &str = "accl_seconds";

    /// It orders what its thread read and wrote before it and what it does after it, as other threads see them.
    pub fn is_fence(&self) -> bool {
        self.body.is_none() && self.symbol == Function::FENCE
    }

    pub const FENCE: &str = "accl_fence";

    /// A function of the device's own library that stores the sine and the cosine of an angle.
    pub fn is_sine_and_cosine(&self) -> bool {
        self.body.is_none() && Function::SINE_AND_COSINE.contains(&&*self.symbol)
    }

    /// Of a float and of a double.
    pub const SINE_AND_COSINE: [&str; 2] = ["sincosf", "sincos"];

    /// The handle of a function that a library has: the device's own or the runtime's.
    pub fn of_library(
        functions: &mut Arena<Function>,
        symbol: &str,
        result: Handle<Type>,
    ) -> Handle<Function> {
        let known = functions.iter().find(|(_, f)| f.symbol == symbol && f.body.is_none());
        let known = known.map(|(handle, _)| handle);
        known.unwrap_or_else(|| {
            functions.append(Function {
                name: symbol.to_owned(),
                symbol: symbol.to_owned(),
                params: vec![],
                result,
                body: None,
                routine: None,
                has_regions: false,
                link_name: None,
                span: Span::NOWHERE,
            })
        })
    }

    /// One of the runtime's, which kernels of the cpu call; see accl_abi.h.
    pub fn is_runtimes(&self) -> bool {
        self.body.is_none() && self.symbol.starts_with("accl_")
    }
}

/// Statements, and the arenas they name.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub locals: Arena<Local>,
    pub exprs: Arena<Expr>,
    /// How many elements a parameter of the function points to, where the user declared it as an array: an integer
    /// whose value is the same wherever it is evaluated.
    pub extents: BTreeMap<Handle<Local>, Handle<Expr>>,
    pub block: Block,
    /// Which names `locals` have taken; [`Body::unique_name`] keeps it.
    pub names: names::NameIndex,
}

/// A parameter, a local variable, or a temporary of ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// The user's name. Unique within a body: the front end appends `_2`, … to a shadowing name.
    pub name: String,
    /// A C++ reference has the pointer type here and each use is a `Deref` of its load.
    pub ty: Handle<Type>,
    pub kind: LocalKind,
    /// A C++ reference: the source has no `*` where it is used.
    pub reference: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    Param,
    Auto,
    /// `this` of a C++ method.
    This,
    /// Made by the compiler; messages never name it.
    Temp,
    /// The device's copy of a variable of the user's, with its name; the host's text has no such variable.
    Copy,
    /// Made by the compiler, and also a variable of the host program: it takes a value that a kernel computes for a
    /// declaration there.
    Hoisted,
}

impl Body {
    /// Appends an expression.
    pub fn expr(&mut self, kind: ExprKind, ty: Handle<Type>, span: Span) -> Handle<Expr> {
        self.exprs.append(Expr { kind, ty, span })
    }
}
