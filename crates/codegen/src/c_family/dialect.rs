//! The differences between CUDA C++, OpenCL C and host C.

use super::body::Aggregated;
use super::helper::{Combine, Helper};
use super::kernel::KernelText;
use super::library;
use super::scalar::Scalar;
use super::spaces::AddrSpace;
use super::stop::Stop;
use super::unit::{DeviceSource, Needs};
use crate::{Result, Style};
use accl_ir::{BarrierScope, Builtin, Check, Kernel, MathFn};
use accl_source::Span;

/// A built-in value: its text, its C type, how tightly it binds.
pub struct BuiltinText {
    pub text: &'static str,
    pub ty: Scalar,
}

/// How a mathematical function is written.
pub enum MathText {
    /// A call of this name; the result has this type.
    Call(String, Scalar),
    /// `before args after`, an expression that binds like a call.
    Around(&'static str, String, &'static str, Scalar),
    /// `head(args) != 0`; a condition needs the call alone.
    NonZero(String),
    /// `1 / sqrt(x)`; the one in the type's spelling.
    Reciprocal(&'static str, String),
}

/// An atomic operation that returns the value before it.
#[derive(Clone, Copy)]
pub struct AtomicRequest<'t> {
    pub ty: Scalar,
    /// The operand's type; where it differs from the place's, the update is computed in it.
    pub by: Scalar,
    pub space: AddrSpace,
    /// A pointer leads there that may be that of a variable of the thread, since a function is given it.
    pub may_be_own: bool,
    /// Text of the address, binding at least like an argument.
    pub address: &'t str,
    /// The operand, where C converts it to the place's type.
    pub value: &'t str,
    /// The operand in exactly the place's type.
    pub exact: &'t str,
    /// What [`Combine::Replace`] compares with, in the type `by`.
    pub expected: Option<&'t str>,
}

impl<'t> AtomicRequest<'t> {
    /// A value of the place's own type, with a place in global memory.
    pub fn global(ty: Scalar, address: &'t str, value: &'t str) -> AtomicRequest<'t> {
        let space = AddrSpace::Global;
        let may_be_own = false;
        AtomicRequest { ty, by: ty, space, may_be_own, address, value, exact: value, expected: None }
    }

    /// The arguments of an update behind the place, given the operand's text.
    pub fn arguments(&self, value: &str) -> String {
        match self.expected {
            Some(expected) => format!("{expected}, {value}"),
            None => value.to_owned(),
        }
    }
}

/// `ReduceGrid` of one variable.
#[derive(Clone, Copy)]
pub struct GridReduction<'t> {
    pub op: Combine,
    pub ty: Scalar,
    pub local: &'t str,
    /// The parameter's stem.
    pub param: &'t str,
}

/// A language of the C family.
pub trait Dialect {
    /// Names that the user's variables cannot have.
    fn keywords(&self) -> &'static [&'static str];
    /// Names that functions and structures cannot have either: those of the language's library.
    fn library(&self) -> &'static [&'static [&'static str]] {
        &[library::NAMES]
    }
    /// Prefixes of names that belong to the language, which are too many to list.
    fn families(&self) -> &'static [&'static str] {
        &[]
    }
    fn scalar(&self, ty: Scalar) -> &'static str;
    /// The spelling in memory that is shared with the host; differs from `scalar` where a language has no `bool`
    /// there.
    fn stored_scalar(&self, ty: Scalar) -> &'static str {
        self.scalar(ty)
    }
    fn restrict(&self) -> &'static str;
    /// Qualifier of a pointee, with a space after it; empty where pointers are generic.
    fn space(&self, _space: AddrSpace) -> &'static str {
        ""
    }
    /// Whether pointer types name their address space.
    fn has_spaces(&self) -> bool {
        false
    }
    /// Whether the length of an array may be any expression.
    fn has_variable_lengths(&self) -> bool {
        false
    }
    /// Whether functions may call themselves.
    fn has_recursion(&self) -> bool {
        true
    }
    /// Qualifier of a variable in shared memory.
    fn shared(&self) -> &'static str;
    fn aligned(&self, bytes: u64) -> String {
        format!("__attribute__((aligned({bytes}))) ")
    }
    /// Structures are aligned no more than so; what lies at greater multiples has padding before it.
    fn most_aligned(&self) -> u64 {
        u64::MAX
    }
    /// The prefix of device functions.
    fn function_qualifier(&self) -> &'static str;
    /// `T *q = p` where p is `void *` needs a cast in C++ alone; `f(double)` of an int is ambiguous
    /// where `f` is overloaded.
    fn overloads_math(&self) -> bool;
    /// C++: a structure is named without `struct` or typedef.
    fn is_cplusplus(&self) -> bool {
        false
    }

    /// Whether workers cannot synchronise by themselves. A kernel in which they do is then written as if its gangs
    /// had one worker, whose lanes are all threads of the block. OpenACC allows such a launch instead, since
    /// nothing depends on the numbers of workers and lanes.
    fn folds_workers(&self) -> bool {
        false
    }

    /// Whether a structure may end in an array without a length.
    fn has_flexible_arrays(&self) -> bool {
        true
    }

    /// Whether a kernel's text says how many lanes a gang has where no launch decides it, and the compiler is told.
    fn knows_lanes(&self, _unit: &DeviceSource) -> bool {
        false
    }

    /// `folded`: of a kernel with folded workers.
    fn builtin(&self, builtin: Builtin, folded: bool) -> Option<BuiltinText>;
    /// The text for `BlockIdx(d) * BlockDim(d) + ThreadIdx(d)`, if there is one.
    fn global_index(&self, _dim: u8) -> Option<BuiltinText> {
        None
    }
    /// `arg`: the first argument's type.
    fn math(&self, fun: MathFn, arg: Scalar, unit: &DeviceSource) -> MathText;
    /// Stores the sine and the cosine of an angle: `args` are the angle and the two addresses, `name` is the function of C.
    fn sine_and_cosine(&self, name: &str, args: &[String]) -> String {
        format!("{name}({})", args.join(", "))
    }

    /// The statement that adds counts to what is measured of the variant, where the language can.
    fn measure(&self, _: [&str; 3], _: &KernelText, _: &DeviceSource) -> Option<String> {
        None
    }
    /// The statement that adds the product of two matrices to a third ([`accl_ir::TensorProduct`]), where the language can.
    fn tensor_product(&self, _operands: &str, _: &DeviceSource) -> Option<String> {
        None
    }
    fn barrier(&self, scope: BarrierScope, kernel: Option<&KernelText>, unit: &DeviceSource) -> String;
    fn vector_type(&self, ty: Scalar, n: u8) -> String;

    fn atomic_load(&self, request: &AtomicRequest, unit: &DeviceSource) -> String;
    fn atomic_store(&self, request: &AtomicRequest, unit: &DeviceSource) -> String;
    fn atomic_exchange(&self, request: &AtomicRequest, unit: &DeviceSource) -> String;
    fn atomic_update(&self, op: Combine, request: &AtomicRequest, unit: &DeviceSource) -> String;
    /// Warps can combine what their lanes have for one place ([`Dialect::combined_update`]).
    fn combines_lanes(&self, _unit: &DeviceSource) -> bool {
        false
    }
    /// An update whose value before nobody asks for, made once for all lanes of a warp that have the same place.
    fn combined_update(&self, op: Combine, request: &AtomicRequest, unit: &DeviceSource) -> String {
        self.atomic_update(op, request, unit)
    }

    /// A block can keep what such updates with this operator and type come to, and update memory when it ends
    /// ([`Dialect::aggregation`]).
    fn aggregates(&self, _op: Combine, _ty: Scalar) -> bool {
        false
    }
    /// An update that the block's table of so many elements takes, where it has the place or room for it.
    fn aggregated_update(
        &self,
        op: Combine,
        request: &AtomicRequest,
        _entries: u32,
        unit: &DeviceSource,
    ) -> String {
        self.atomic_update(op, request, unit)
    }
    /// The lines that declare and clear these tables, before a kernel's body, and those that update memory, after it.
    fn aggregation(&self, _: &Aggregated, _: &DeviceSource) -> (Vec<String>, Vec<String>) {
        (vec![], vec![])
    }

    /// The statement for `ReduceAcross`: `local` becomes the result in each thread.
    fn reduce_across(
        &self,
        op: Combine,
        ty: Scalar,
        local: &str,
        scope: BarrierScope,
        kernel: &KernelText,
        unit: &DeviceSource,
    ) -> String;
    /// The statements for several `ReduceAcross` by columns in a row, each an operator, a type and a local, where the language can.
    fn reduce_columns(&self, _all: &[(Combine, Scalar, &str)], _unit: &DeviceSource) -> Option<Vec<String>> {
        None
    }

    /// The statement for `ReduceGrid`; `param` is the parameter's stem.
    fn reduce_grid(
        &self,
        op: Combine,
        ty: Scalar,
        local: &str,
        param: &str,
        kernel: &KernelText,
        unit: &DeviceSource,
    ) -> String;

    /// The statements for several of these in a row.
    fn reduce_grids(&self, all: &[GridReduction], kernel: &KernelText, unit: &DeviceSource) -> Vec<String> {
        all.iter().map(|r| self.reduce_grid(r.op, r.ty, r.local, r.param, kernel, unit)).collect()
    }

    /// A helper's text, without a newline at the end, and the helpers it calls.
    fn helper(&self, helper: Helper, unit: &DeviceSource) -> String;
    fn helper_needs(&self, helper: Helper) -> Vec<Helper>;

    /// A line before a loop whose iterations are independent. `branches`: they access arrays under conditions.
    fn independent_loop(
        &self,
        _reductions: &[(Combine, String)],
        _branches: bool,
        _unit: &DeviceSource,
    ) -> Option<String> {
        None
    }
    /// A line before a loop that a compiler could take for one whose iterations are independent, and that must not become vectors.
    fn in_order_loop(&self, _unit: &DeviceSource) -> Option<&'static str> {
        None
    }
    /// A line before the outermost parallel loop of a kernel in a port, where threads share its iterations; `own`
    /// names variables of which each thread has a copy.
    fn team_loop(&self, _reductions: &[(Combine, String)], _own: &[String]) -> Option<String> {
        None
    }
    /// The function that tests a subscript; none where a kernel cannot end the program.
    fn checker(&self, _what: Check) -> Option<&'static str> {
        None
    }
    /// The statements that end the program, or that set the flag which asks for its end.
    fn stop(&self, stop: &Stop, unit: &DeviceSource, span: Span) -> Result<Vec<String>>;
    /// The declaration of the parameter for that flag, where kernels cannot end the program.
    fn stop_flag(&self) -> Option<&'static str> {
        None
    }
    /// A line before a short loop of constant length.
    fn unroll(&self) -> Option<&'static str> {
        None
    }
    /// The beginning of the text.
    fn prelude(&self, needs: &Needs, style: Style) -> String;
    /// All versions of one kernel.
    fn kernel(&self, unit: &DeviceSource, kernel: &Kernel) -> Result<Vec<String>>;
}
