//! The encoded arrays of a launch: what the kernel is handed of each, and what is to be done after it.
//!
//! A kernel takes an encoded array as it is stored, or a decoded copy of it. Which of the two, [`prepare`] decides from the
//! versions that the kernel has; it makes the copies and replaces the arguments. Launches of plain arrays come by none of
//! this.

use super::Exclusive;
use super::arguments::ArgumentRange;
use crate::call::CallContext;
use crate::compress::block::written::{self, EncodeAfter};
use crate::compress::{decoded_copy, performance_warnings};
use crate::device::Argument;
use accl_abi::{Arg, LaunchInfo, Var};

/// The form in which a launch's encoded arrays are handed to the kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The kernel gets them as they are stored, but for block arrays that it writes, of which it gets decoded copies. Launches
    /// of plain arrays have this form, too.
    Stored,
    /// It gets decoded copies also of those that its versions for decoded arrays take plain.
    Decoded,
    /// It gets all of them as they are stored, in a version that writes whole groups of block arrays.
    WholeGroups,
}

/// The versions of the kernel that could be launched, as far as forms are concerned.
pub struct Versions {
    /// There is a version that writes whole groups of block arrays.
    pub whole_groups: bool,
    /// The version that takes decoded copies, if there is one.
    pub decoded: Option<DecodedVersion>,
}

/// A version of a kernel that takes decoded copies of arrays.
#[derive(Clone, Copy)]
pub struct DecodedVersion {
    /// It reads each element many times, so that copies pay at once.
    pub reused: bool,
}

/// The arrays of a launch.
pub struct LaunchArrays<'a> {
    pub info: &'a LaunchInfo,
    /// The kernel's parameters.
    pub table: &'a [Arg],
    /// What is given for each parameter, and its extent in device memory.
    pub arguments: &'a mut [Argument],
    pub ranges: &'a mut [ArgumentRange],
}

impl<'a> LaunchArrays<'a> {
    /// The variable that a parameter is made of, one whose kind says that there is such a variable.
    pub fn var(&self, arg: &Arg) -> &'a Var {
        // SAFETY: the index is within the launch's variables.
        unsafe { &*self.info.vars.add(arg.index as usize) }
    }
}

/// What is to be done when the launch is on its queue.
#[derive(Default)]
pub struct AfterLaunch(Option<EncodeAfter>);

impl AfterLaunch {
    /// True where nothing is to be done: such a launch may be repeated as it is.
    pub fn is_nothing(&self) -> bool {
        self.0.is_none()
    }

    /// Encodes what the kernel wrote decoded.
    pub fn run(self, call: &CallContext) {
        if let Some(arrays) = self.0 {
            arrays.encode(call);
        }
    }
}

/// Decides in which form the kernel gets the encoded arrays, and hands them to it. From then on until the launch is on the
/// call's queue, `exclusive` is held.
pub fn prepare(
    call: &CallContext,
    exclusive: &Exclusive,
    arrays: &mut LaunchArrays,
    versions: &Versions,
) -> (Form, AfterLaunch) {
    let decoded = decoded_copy::provide(call, exclusive, arrays, versions.decoded);
    let (form, after) = match (versions.whole_groups, decoded) {
        (true, _) => (Form::WholeGroups, written::wait(call, arrays)),
        (false, true) => (Form::Decoded, written::hand(call, arrays)),
        (false, false) => (Form::Stored, written::hand(call, arrays)),
    };
    performance_warnings::on_launch(call, arrays, decoded);
    (form, AfterLaunch(after))
}
