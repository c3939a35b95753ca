//! Constructs and directives of the host program. Their clause arguments are host expressions, kept as
//! text: the host crate writes them back where they stood, in their own scope.

use crate::{
    Block, Compression, Expr, Format, Global, Handle, Kernel, Local, PointerTypes, Reduction, Type, TypeKind,
    Types,
};
use accl_source::Span;

/// An expression that the host evaluates at the directive.
#[derive(Clone, Debug, PartialEq)]
pub struct HostExpr {
    /// Valid C where the directive stands, with macros expanded.
    pub text: String,
    pub span: Span,
    /// Its value, if it is an integer constant.
    pub value: Option<i64>,
}

impl HostExpr {
    pub fn constant(value: i64, span: Span) -> HostExpr {
        HostExpr { text: value.to_string(), span, value: Some(value) }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub kind: RegionKind,
    /// The combined form: the body is one loop.
    pub combined: bool,
    pub clauses: RegionClauses,
    pub body: Block,
    /// The pragma's line in the buffer (from `#` to its end).
    pub directive_span: Span,
    /// Which of the constructs that come of one line of a function, from 0: each instance of a template has one, and so has each call in
    /// whose place the body of a function stands. The transforms set it.
    pub copy: u32,
    /// The statement the directive governs, its last `;` or `}` included.
    pub body_span: Span,
    /// The compute construct's kernels in order, after outlining.
    pub kernels: Vec<Handle<Kernel>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionKind {
    Parallel,
    Kernels,
    Serial,
    Data,
    HostData,
    /// A kernels construct whose sequential code the host runs. It holds the construct's data; what runs on
    /// the device are constructs of kind `Kernels` in its body. Made by the transforms.
    Partitioned,
    /// A compute construct that the host runs, since it cannot be translated. It holds the construct's data; its body is text.
    OnHost,
}

impl RegionKind {
    pub fn is_compute(self) -> bool {
        match self {
            RegionKind::Parallel | RegionKind::Kernels | RegionKind::Serial => true,
            RegionKind::Data | RegionKind::HostData | RegionKind::Partitioned | RegionKind::OnHost => false,
        }
    }
}

impl Region {
    /// The construct is there for its data's sake alone: without it the host runs the statement.
    pub fn follows_data(&self) -> bool {
        self.clauses.if_.as_ref().is_some_and(|e| e.text.contains(DEVICE_IS_NEWER))
    }
}

/// Asks the runtime whether the device has newer contents of an object than the host: the condition of constructs that only
/// follow their data.
pub const DEVICE_IS_NEWER: &str = "accl_device_is_newer";

/// OpenACC 3.3 §2.5, §2.6.5, §2.8.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RegionClauses {
    pub if_: Option<HostExpr>,
    pub self_: Option<Option<HostExpr>>,
    pub if_present: bool,
    pub async_: Option<Async>,
    pub waits: Vec<Wait>,
    pub num_gangs: Option<HostExpr>,
    pub num_workers: Option<HostExpr>,
    pub vector_length: Option<HostExpr>,
    pub default: Option<DefaultData>,
    /// The user's first, then the implicit ones that analysis adds.
    pub data: Vec<DataItem>,
    /// Lines of the host that add data to a list, where only the running program knows how much there is (`map_list`).
    pub list: Vec<String>,
    pub compression: Vec<Compressed>,
    pub private: Vec<Handle<Local>>,
    pub firstprivate: Vec<Handle<Local>>,
    pub reductions: Vec<Reduction>,
}

impl RegionClauses {
    /// A clause says that there is one gang.
    pub fn ask_for_one_gang(&self) -> bool {
        self.num_gangs.as_ref().is_some_and(|n| n.value == Some(1))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Async {
    /// `None`: `async` without an argument.
    pub queue: Option<HostExpr>,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Wait {
    /// The number of the device whose queues are meant; `None`: the current one.
    pub devnum: Option<HostExpr>,
    /// Empty: all queues.
    pub queues: Vec<HostExpr>,
    /// The host's tasks of OpenMP that the one at hand has made are waited for, and no queues.
    pub tasks: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultData {
    None,
    Present,
    /// What a pointer points to is on the device if it is mapped; if not, the pointer keeps its value (OpenMP 5.2 §5.8.6).
    IfMapped,
}

/// One item of a data clause. The kinds are those of `accl_abi.h`, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataKind {
    Copy,
    Copyin,
    Copyout,
    Create,
    NoCreate,
    Present,
    Delete,
    Deviceptr,
    Attach,
    Detach,
    UpdateSelf,
    UpdateDevice,
    UseDevice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct DataFlags {
    pub implicit: bool,
    pub zero: bool,
    pub readonly: bool,
    /// Values travel even where the variable is present: to the device at the entry, to the host at the exit.
    pub always_in: bool,
    pub always_out: bool,
    /// `private(p[a:n])`, or `firstprivate` where the kind is `Copyin`: the construct has memory of its own, uninitialised or
    /// with the host's values. Its iterations share it, which the transforms have proved to make no difference.
    pub private: bool,
    /// With `private`: a row for each iteration, so that they share nothing.
    pub rows: bool,
    /// For a pointer: its value is needed, and nothing is known to be read or written through it.
    pub address: bool,
    /// Implicit, and kernels dereference pointers that lie in it: their targets must be attached, so it must be present.
    pub indirect: bool,
    /// Absent data is an error, whatever the kind.
    pub must_be_present: bool,
    /// `exit data`: the reference count becomes 0.
    pub finalize: bool,
    /// `NoCreate`: where the data is absent kernels get the address itself, which may be the device's already.
    pub keeps_address: bool,
    /// Implicit: the object stays on the device, and the program while it runs finds out what is stale. `Copy`, `Copyin`, `Copyout` and `Create` say
    /// what kernels do with it. The section may be unknown.
    pub resident: bool,
    /// With `resident`: the variable itself is an object with static storage.
    pub object: bool,
    /// With `resident`: kernels get a copy of this array of pointers, or of structures with pointers, whose pointers lead to resident
    /// objects, and the kind says what they do there, or beside the pointers. `pointers` of the item says where they lie.
    pub followed: bool,
    /// With `followed`: kernels may write what lies beside these pointers.
    pub followed_written: bool,
    /// With `followed_written`: kernels only read what these pointers lead to.
    pub rows_read: bool,
    /// One of several sections of the variable, all of which kernels reach from one address.
    pub one_place: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DataItem {
    pub kind: DataKind,
    pub flags: DataFlags,
    /// What a kernel would see as the base of the section.
    pub var: DataVar,
    /// As the user wrote it, for messages: `a`, `a[0:n]`, `grid->cells[0:n]`.
    pub name: String,
    /// Text of the base lvalue ("a", "grid->cells").
    pub base: String,
    /// Type of the base: a pointer, an array, a scalar or a structure.
    pub ty: Handle<Type>,
    /// Empty: the whole variable.
    pub section: Vec<SectionDim>,
    /// How the device stores it, where that differs from the host.
    pub compression: Option<Compression>,
    /// The elements of a row, of a matrix that the device may store by columns.
    pub row: Option<u32>,
    /// Where pointers lie that kernels follow from there.
    pub pointers: Option<PointerTypes>,
    pub span: Span,
}

impl DataItem {
    /// A whole variable, stored as the host has it.
    pub fn new(
        kind: DataKind,
        var: DataVar,
        name: String,
        base: String,
        ty: Handle<Type>,
        span: Span,
    ) -> DataItem {
        let (flags, section) = (DataFlags::default(), vec![]);
        DataItem {
            kind,
            flags,
            var,
            name,
            base,
            ty,
            section,
            compression: None,
            row: None,
            pointers: None,
            span,
        }
    }

    /// A local stands for an element or a member, whose memory this is.
    pub fn is_part(&self) -> bool {
        let is_name = self.base.chars().all(|c| c.is_alphanumeric() || c == '_');
        matches!(self.var, DataVar::Local(_)) && self.section.is_empty() && !is_name
    }

    /// The section goes through pointers: `a[0:n][0:m]` of an array of pointers.
    pub fn is_deep(&self, types: &Types) -> bool {
        self.levels(types).len() > 1
    }

    /// The dimensions of the array itself, then of what its elements point to, and so on.
    pub fn levels(&self, types: &Types) -> Vec<std::ops::Range<usize>> {
        let mut levels = vec![];
        let (mut start, mut ty) = (0, Some(self.ty));
        for at in 0..self.section.len() {
            let is_pointer = ty.is_some_and(|ty| matches!(types.kind(ty), TypeKind::Pointer { .. }));
            if at > 0 && is_pointer {
                levels.push(start..at);
                start = at;
            }
            ty = ty.and_then(|ty| types.element(ty));
        }
        levels.push(start..self.section.len());
        levels
    }
}

/// An entry of the `compression` clause (extension): the array is compressed on the device.
#[derive(Clone, Debug, PartialEq)]
pub struct Compressed {
    pub var: DataVar,
    pub name: String,
    /// Type of the variable, as in [`DataItem`].
    pub ty: Handle<Type>,
    /// As far as the clause says.
    pub format: Option<Format>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum DataVar {
    Local(Handle<Local>),
    Global(Handle<Global>),
    /// A member path (`p->x`, `s.a`, `this->x`): the place expression in the function's body.
    Member(Handle<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct SectionDim {
    /// `None`: 0.
    pub lower: Option<HostExpr>,
    /// `None`: the whole extent, which the type must tell.
    pub length: Option<HostExpr>,
}

/// A directive that governs no statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Standalone {
    pub kind: StandaloneKind,
    pub if_: Option<HostExpr>,
    pub async_: Option<Async>,
    pub waits: Vec<Wait>,
    pub data: Vec<DataItem>,
    /// As of a region.
    pub list: Vec<String>,
    /// update: absent data is no error; exit data: reference count to zero.
    pub if_present: bool,
    pub finalize: bool,
    pub directive_span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StandaloneKind {
    EnterData,
    ExitData,
    Update,
    Wait,
    /// No type: that of the current device.
    Init {
        device_types: Vec<String>,
        device_num: Option<HostExpr>,
    },
    Shutdown {
        device_types: Vec<String>,
        device_num: Option<HostExpr>,
    },
    Set {
        device_types: Vec<String>,
        device_num: Option<HostExpr>,
        default_async: Option<HostExpr>,
    },
    /// `declare` at function or file scope: data live as long as the scope.
    Declare,
}
