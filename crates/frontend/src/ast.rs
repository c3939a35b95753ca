//! The program as we need it from any C or C++ front end: declarations, statements and expressions,
//! typed, with every implicit conversion written out.
//!
//! Declarations are flat: namespaces, classes and templates are dissolved, each function carries its
//! qualified name, and each template instantiation is a function of its own. What kernels cannot use
//! stays in the tree as `Unsupported` with its name, so that the message can say what it was; the host
//! parts of a program may hold any amount of it.
//!
//! Invariants: a [`Stmt`]'s span ends after its last `;` or `}`; children's spans lie within it.

use accl_source::Span;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A declaration; all redeclarations of one thing have the same id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeclId(pub u64);

#[derive(Clone, Debug, Default)]
pub struct Program {
    /// In the order of the source.
    pub functions: Vec<Function>,
    /// At file or namespace scope, static members, and static locals.
    pub globals: Vec<Var>,
    pub records: Vec<Record>,
    pub enumerators: HashMap<DeclId, i128>,
    /// Unqualified names of enumerators, for clause expressions.
    pub enumerator_names: HashMap<String, i128>,
    /// Names of types that clause expressions may use, without namespaces and classes; absent where several types
    /// have the name.
    pub types: HashMap<String, Option<Qual>>,
    /// Variables of which each thread has its own.
    pub of_threads: HashSet<DeclId>,
    /// Static members of classes that not everybody may name.
    pub not_public: HashSet<DeclId>,
    /// Names of structures and classes that are declared; most are defined, too.
    pub incomplete: HashMap<DeclId, Rc<str>>,
    /// Bodies of templates as written: nothing in them has a type, but directives may stand there.
    pub templates: Vec<Span>,
    /// Classes that functions declare.
    pub local_classes: Vec<LocalClass>,
}

#[derive(Clone, Debug)]
pub struct LocalClass {
    pub name: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub id: DeclId,
    /// Qualified: "Grid::step".
    pub name: String,
    pub span: Span,
    /// The text from the first word of its type, without `template <…>`, to its end.
    pub definition: Span,
    pub result: Qual,
    pub params: Vec<Var>,
    pub body: Option<Stmt>,
    pub kind: FunctionKind,
    /// Declared so here, or an override.
    pub is_virtual: bool,
    /// Made from a template.
    pub instance: Option<Instance>,
    /// Not written by the user: the compiler's own, or `= default`.
    pub defaulted: bool,
    /// The type as the front end writes it; it distinguishes overloaded constructors.
    pub signature: Rc<str>,
    /// The name by which other files call it.
    pub link_name: Option<Rc<str>>,
}

/// The template arguments of a function made from a template.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// The templates' parameters and their arguments, the outermost template's first. Empty where a specialisation could not be
    /// written.
    pub params: Vec<TemplateParam>,
    pub args: Vec<String>,
    /// How many of them are those of each class template around, the outermost first.
    pub of_classes: Vec<usize>,
    /// How many of them, the last ones, are the function's own and not its class's.
    pub own: usize,
    /// Of the outermost template's text.
    pub span: Span,
    /// The names of the function's own parameters that are packs.
    pub packs: Vec<String>,
    /// The class's parameters are not those that its name's arguments stand for.
    pub class: Option<NamedClass>,
}

/// A class that is named by all its arguments as Clang writes them: a partial specialisation made it, or a template with packs.
#[derive(Clone, Debug, Default)]
pub struct NamedClass {
    /// Where the name of the partial specialisation stands.
    pub partial: Option<u32>,
    /// The arguments of its name.
    pub args: Vec<String>,
    /// Parameters that have no argument of their own: a body that names one cannot be written out.
    pub unknown: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct TemplateParam {
    pub name: String,
    /// The type of a parameter that is a value.
    pub value_type: Option<String>,
    /// It stands for any number of arguments, a list.
    pub is_pack: bool,
}

#[derive(Clone, Debug)]
pub enum FunctionKind {
    Free,
    Method { record: DeclId, is_static: bool },
    Constructor { record: DeclId, inits: Vec<MemberInit> },
}

#[derive(Clone, Debug)]
pub struct MemberInit {
    /// `None`: a base class or a delegated constructor.
    pub field: Option<DeclId>,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub struct Var {
    pub id: DeclId,
    pub name: String,
    pub ty: Qual,
    /// Its type as the front end writes it.
    pub type_text: Rc<str>,
    /// Of the name.
    pub span: Span,
    /// Of the declarator with its initialiser.
    pub decl_span: Span,
    pub storage: Storage,
    /// The outermost extent of a parameter that was declared as an array; its type is a pointer to what the
    /// array holds.
    pub extent: Option<Len>,
    pub init: Option<Expr>,
    /// The name by which other files know it: of variables at file or namespace scope, and of static members.
    pub link_name: Option<Rc<str>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Auto,
    Param,
    /// Lives as long as the program.
    Static,
    Extern,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub id: DeclId,
    /// The name by which types refer to it.
    pub name: Rc<str>,
    /// It has no name: its location in the source stands for one.
    pub nameless: bool,
    pub is_union: bool,
    pub fields: Vec<Field>,
    /// The names of bit-fields that lie in members.
    pub bit_fields: Vec<String>,
    pub bases: Vec<Qual>,
    /// In the sense of the C++ ABI: nothing may be placed into its padding.
    pub is_pod: bool,
    pub packed: bool,
    pub align: Option<u64>,
    /// It has virtual functions, its own or a base's.
    pub is_polymorphic: bool,
    pub has_virtual_bases: bool,
    /// It stands for a type of the standard library, whose own declaration is never read.
    pub library: Option<Library>,
}

/// Types of the standard library that device code knows, with the members that their records have here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Library {
    /// `std::complex<T>` and C's `_Complex`: the real part, the imaginary part.
    Complex,
    /// `std::array<T, n>`: one array.
    Array,
    /// `std::pair<A, B>`: `first`, `second`.
    Pair,
    /// `std::tuple<…>`: its elements in the order of memory, called by their numbers.
    Tuple,
    /// `std::integer_sequence<…>`, `std::integral_constant<…>`: nothing. Overloads are chosen by these, and templates take what
    /// they need from their types.
    Empty,
    /// `std::plus<T>` and its kin, by their names: nothing. Calls say what they do.
    FunctionObject(&'static str),
    /// GNU's vectors, `__attribute__((vector_size(n)))`, which are the compiler's own: one array.
    Vector,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub id: DeclId,
    pub name: String,
    pub ty: Qual,
    /// The bits of a bit-field.
    pub bitfield: Option<u64>,
    pub access: Access,
    pub align: Option<u64>,
    pub init: Option<Expr>,
}

/// Who may name a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Public,
    Protected,
    Private,
    /// It is no member of the program's: it holds bit-fields.
    Nobody,
}

/// A type with the `const` of its outermost level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Qual {
    pub ty: Rc<Ty>,
    pub constant: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    Void,
    Bool,
    Int {
        bits: u8,
        signed: bool,
    },
    Float {
        bits: u8,
    },
    Pointer {
        to: Qual,
        restrict: bool,
    },
    /// Both kinds of C++ reference.
    Reference(Qual),
    Array {
        of: Qual,
        len: Len,
    },
    Record(DeclId),
    Function,
    /// Its spelling.
    Opaque(Rc<str>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Len {
    Const(u64),
    /// The text of a variable-length array's extent.
    Text(Rc<str>),
    Unknown,
}

impl Qual {
    pub fn new(ty: Ty) -> Qual {
        Qual { ty: Rc::new(ty), constant: false }
    }
    /// What a reference refers to, else the type itself.
    pub fn referred(&self) -> &Qual {
        match &*self.ty {
            Ty::Reference(to) => to,
            _ => self,
        }
    }
    pub fn is_reference(&self) -> bool {
        matches!(&*self.ty, Ty::Reference(_))
    }
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Compound(Vec<Stmt>),
    Decl(Vec<Var>),
    Expr(Expr),
    If {
        init: Option<Box<Stmt>>,
        cond: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    For {
        init: Option<Box<Stmt>>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    /// `for (var : range)`, as the declarations and the loop it stands for.
    RangeFor {
        setup: Vec<Stmt>,
        cond: Expr,
        step: Expr,
        var: Box<Stmt>,
        body: Box<Stmt>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    /// `case low ... high:`; `None`: a value that could not be computed.
    Case {
        range: Option<(i64, i64)>,
        body: Box<Stmt>,
    },
    Default(Box<Stmt>),
    Break,
    Continue,
    Return(Option<Expr>),
    Null,
    Goto,
    Label(Box<Stmt>),
    /// Anything else, by name, with the statements in it.
    Unsupported(&'static str, Vec<Stmt>),
    /// A directive, by its index, and the statement it governs. Put in by `bind`.
    Directed {
        directive: usize,
        body: Option<Box<Stmt>>,
    },
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Qual,
    pub span: Span,
    /// Denotes an object (an lvalue or xvalue), not a value.
    pub place: bool,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i128),
    Float(f64),
    /// A string's bytes, without the zero at its end; `None`: of characters wider than a byte.
    Str(Option<Rc<[u8]>>),
    /// A variable or parameter.
    Var(DeclId, Rc<str>),
    Function(DeclId, Rc<str>),
    /// `base.field`, or `base->field`.
    Member {
        base: Box<Expr>,
        arrow: bool,
        member: DeclId,
        name: Rc<str>,
    },
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    Deref(Box<Expr>),
    AddrOf(Box<Expr>),
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    /// `++` and `--`.
    Step {
        operand: Box<Expr>,
        by: i8,
        postfix: bool,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),
    Assign {
        place: Box<Expr>,
        value: Box<Expr>,
    },
    /// `place op= value`, computed in `compute`.
    CompoundAssign {
        op: BinaryOp,
        place: Box<Expr>,
        value: Box<Expr>,
        compute: Qual,
    },
    Conditional {
        cond: Box<Expr>,
        yes: Box<Expr>,
        no: Box<Expr>,
    },
    Cast {
        kind: CastKind,
        operand: Box<Expr>,
    },
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    /// A parameter's default argument, or a member's default initialiser.
    DefaultArg,
    SizeOf(Qual),
    AlignOf(Qual),
    InitList(Vec<Expr>),
    /// The value-initialised object of the type.
    Zero,
    /// `T(args)` of a class; the signature names the constructor.
    Construct {
        signature: Rc<str>,
        args: Vec<Expr>,
    },
    This,
    Lambda(Box<Lambda>),
    /// Names of members and numbers of elements, the outermost first.
    OffsetOf(Qual, Vec<String>),
    /// GNU's `({ statements; value; })`: its compound statement.
    Statements(Box<Stmt>),
    /// Anything else, by name, with the statements in it.
    Unsupported(&'static str, Vec<Stmt>),
}

/// A lambda. Its bodies name captured variables as the enclosing function does.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// As written; in a generic lambda they have no types.
    pub params: Vec<Var>,
    pub body: Stmt,
    pub captures: Vec<Capture>,
    /// One, or of a generic lambda those for the types that it is called with.
    pub calls: Vec<LambdaCall>,
    /// Its calls may change what it captured by copy.
    pub mutable: bool,
}

#[derive(Clone, Debug)]
pub struct LambdaCall {
    pub id: DeclId,
    pub params: Vec<Var>,
    pub body: Stmt,
    pub result: Qual,
}

#[derive(Clone, Debug)]
pub struct Capture {
    /// What the body names; `this` is none.
    pub id: Option<DeclId>,
    pub name: String,
    /// Of the lambda's member: a reference, or what is kept.
    pub ty: Qual,
    pub init: Expr,
    /// `[x = …]` declares a variable; others are captured under their names.
    pub declares: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
}

pub use accl_ir::BinaryOp;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastKind {
    /// Reads the object.
    Load,
    /// Array to pointer.
    Decay,
    /// Changes qualifiers only.
    NoOp,
    /// Between arithmetic and pointer types.
    Convert,
    /// To `bool`: compares with zero.
    ToBool,
    ToVoid,
    /// A function used as a pointer.
    Function,
    /// By a constructor or conversion function: the operand already is the call.
    Class,
    /// A base class, or a pointer to one, as the class that it is a part of.
    Derived,
    /// A class, or a pointer to one, as its base class.
    Base,
    Other,
}
