//! Windows: arrays that a block of iterations keeps in memory of its own for the length of a statement.
//!
//! A [`Window`] is the extension `fcw` (fetch, communicate, write back) or the standard's `cache` (OpenACC 3.3
//! §2.10). The iterations of the distributed loops around it that share a block of threads each name the elements
//! they use, `pivot - before ..= pivot + after` in each dimension; the block keeps the union. The mapping passes
//! replace windows by fetches, barriers and accesses to shared memory, so no mapped body holds one.

use crate::{Block, Expr, Handle, HostExpr};
use accl_source::Span;

/// A statement with the arrays that are kept close while it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    pub arrays: Vec<Staged>,
    pub body: Block,
}

/// One array of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Staged {
    pub kind: WindowKind,
    /// The array as the user names it.
    pub name: String,
    /// Its element at the pivot, a place: `a[i][j]`. An array of variable extents has one linear subscript.
    pub element: Handle<Expr>,
    /// One for each dimension, outermost first.
    pub dims: Vec<WindowDim>,
    pub span: Span,
}

/// `PIVOT:BEFORE:AFTER`
#[derive(Clone, Debug, PartialEq)]
pub struct WindowDim {
    pub pivot: Handle<Expr>,
    pub before: HaloExtent,
    pub after: HaloExtent,
}

impl WindowDim {
    /// Only the launch knows how many elements it has.
    pub fn at_launch(&self) -> bool {
        self.before.known().is_none() || self.after.known().is_none()
    }

    /// The number of its elements, where the compiler knows it; not positive for a window without elements.
    pub fn width(&self) -> Option<i64> {
        self.before.known()?.checked_add(self.after.known()?)?.checked_add(1)
    }
}

/// How many elements a window has before or after its pivot.
#[derive(Clone, Debug, PartialEq)]
pub enum HaloExtent {
    Known(i64),
    /// What only the launch knows: an integer of the body, and for the host the same in its terms. Outlining fills that in
    /// where the host can tell it before the launch.
    Launch {
        value: Handle<Expr>,
        host: Option<HostExpr>,
    },
}

impl HaloExtent {
    pub fn known(&self) -> Option<i64> {
        match self {
            HaloExtent::Known(n) => Some(*n),
            HaloExtent::Launch { .. } => None,
        }
    }

    /// The integer of the body.
    pub fn value(&self) -> Option<Handle<Expr>> {
        match self {
            HaloExtent::Known(_) => None,
            HaloExtent::Launch { value, .. } => Some(*value),
        }
    }

    pub fn value_mut(&mut self) -> Option<&mut Handle<Expr>> {
        match self {
            HaloExtent::Known(_) => None,
            HaloExtent::Launch { value, .. } => Some(value),
        }
    }
}

/// What happens to the elements: the types of `fcw`, and `cache`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowKind {
    FetchOnly,
    ChannelOnly,
    FetchChannel,
    ChannelWb,
    FetchChannelWb,
    FetchWb,
    WbOnly,
    /// As `FetchOnly`, but accesses outside the window go to the array.
    Cache,
}

impl WindowKind {
    /// The window begins with the array's values.
    pub fn fetches(self) -> bool {
        match self {
            WindowKind::FetchOnly
            | WindowKind::FetchChannel
            | WindowKind::FetchChannelWb
            | WindowKind::FetchWb
            | WindowKind::Cache => true,
            WindowKind::ChannelOnly | WindowKind::ChannelWb | WindowKind::WbOnly => false,
        }
    }

    /// Iterations see what other iterations of their block write.
    pub fn channels(self) -> bool {
        match self {
            WindowKind::ChannelOnly
            | WindowKind::FetchChannel
            | WindowKind::ChannelWb
            | WindowKind::FetchChannelWb => true,
            WindowKind::FetchOnly | WindowKind::FetchWb | WindowKind::WbOnly | WindowKind::Cache => false,
        }
    }

    /// What was written is stored to the array at the end.
    pub fn writes_back(self) -> bool {
        match self {
            WindowKind::ChannelWb | WindowKind::FetchChannelWb | WindowKind::FetchWb | WindowKind::WbOnly => {
                true
            }
            WindowKind::FetchOnly
            | WindowKind::ChannelOnly
            | WindowKind::FetchChannel
            | WindowKind::Cache => false,
        }
    }

    /// How the directive names it.
    pub fn name(self) -> &'static str {
        match self {
            WindowKind::FetchOnly => "FETCH_ONLY",
            WindowKind::ChannelOnly => "CHANNEL_ONLY",
            WindowKind::FetchChannel => "FETCH_CHANNEL",
            WindowKind::ChannelWb => "CHANNEL_WB",
            WindowKind::FetchChannelWb => "FETCH_CHANNEL_WB",
            WindowKind::FetchWb => "FETCH_WB",
            WindowKind::WbOnly => "WB_ONLY",
            WindowKind::Cache => "cache",
        }
    }
}
