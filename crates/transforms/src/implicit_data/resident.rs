//! Items of arrays and pointers that no clause names, with `-gpu=autodata`: what they point to is *resident*.
//!
//! The runtime keeps the whole object on the device, and finds out by itself what is stale on either side. So no section is needed,
//! and one that rests on assumptions is not used. The kind says what kernels do with the section: `Copyin`, they read it; `Copy`, they write it,
//! too; `Copyout`, they write all of it; `Create`, they only need its address.

use super::Items;
use accl_analysis::data::{self, Variable, VariableForm};
use accl_analysis::provenance::Root;
use accl_analysis::rows;
use accl_analysis::section::{self, AccessedSection};
use accl_ir::{DataFlags, DataItem, DataKind, DefaultData, RegionKind};

/// What a construct does through pointers of which nobody knows where they lead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Elsewhere {
    Nothing,
    Reads,
    Writes,
}

impl Items<'_, '_> {
    /// The variable is an array, or a pointer that is followed, and residency is wanted.
    pub(super) fn is_resident(&self, v: &Variable) -> bool {
        let wanted = self.cx.options.auto_data && self.region.clauses.default != Some(DefaultData::Present);
        wanted
            && match v.form {
                VariableForm::Scalar => false,
                VariableForm::Aggregate => matches!(v.root, Root::Global(_) | Root::Member(_)),
                VariableForm::Pointer => {
                    self.name(v) != "this" && rows::dereferenced(self.summary, v).is_none()
                }
            }
    }

    /// `None` in a partitioned construct: each of the constructs in it has an item of its own, since the host's code between them may use
    /// the array, too.
    pub(super) fn resident(&self, v: &Variable) -> Option<DataItem> {
        if self.region.kind == RegionKind::Partitioned {
            return None;
        }
        if let Some(pointers) = self.followed_pointers(v) {
            return Some(self.followed(v, pointers));
        }
        let mut item = match v.form {
            VariableForm::Pointer => self.resident_pointer(v),
            VariableForm::Scalar | VariableForm::Aggregate => self.aggregate(v),
        };
        let object = v.form == VariableForm::Aggregate && matches!(v.root, Root::Global(_));
        // By OpenMP's rule a pointer to what is not mapped keeps its value, which may be an address of the device.
        let keeps_address = self.is_openmp() && v.form == VariableForm::Pointer && !self.refers_to_object(v);
        item.flags = DataFlags { resident: true, object, keeps_address, ..item.flags };
        Some(item)
    }

    fn resident_pointer(&self, v: &Variable) -> DataItem {
        let elsewhere = self.elsewhere();
        if self.referred(v).is_some() {
            return self.reference(v, self.kind_for(v, false));
        }
        let proven = |found: &AccessedSection| found.proven && elsewhere == Elsewhere::Nothing;
        let found = section::of_pointer(self.summary, v).filter(proven);
        let kind = match elsewhere {
            Elsewhere::Writes => DataKind::Copy,
            Elsewhere::Reads if !v.written => DataKind::Copyin,
            Elsewhere::Nothing if data::is_address_only(self.summary, v) => DataKind::Create,
            _ => self.kind_for(v, found.as_ref().is_some_and(|found| found.fully_written)),
        };
        match found {
            Some(found) if kind != DataKind::Create => self.make(v, kind, vec![found.dim], &found.shown),
            _ => self.make(v, kind, vec![], ""),
        }
    }

    fn elsewhere(&self) -> Elsewhere {
        // Which objects these pointers lead to the running program finds out.
        if self.follows_everything() {
            return Elsewhere::Nothing;
        }
        let of = |a: &accl_analysis::access::Access| match a.root {
            Root::Unknown if a.written => Elsewhere::Writes,
            Root::Unknown => Elsewhere::Reads,
            Root::Local(_) | Root::Global(_) | Root::Member(_) => Elsewhere::Nothing,
        };
        self.summary.accesses.list.iter().map(of).max().unwrap_or(Elsewhere::Nothing)
    }
}
