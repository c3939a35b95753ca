//! Lists of data that grow while the program runs: `accl_list` of accl_abi.h.

use crate::{DataFlags, DataKind};

/// The name of the list that a directive's lines add to.
pub const NAME: &str = "accl_list_of_data";

/// What a line adds, in texts of the host's language.
pub struct Entry<'a> {
    pub name: &'a str,
    /// An address.
    pub base: &'a str,
    /// Bytes from there, and of the section.
    pub offset: &'a str,
    pub bytes: &'a str,
    pub kind: DataKind,
    pub flags: DataFlags,
    /// Entries of the same base are one stretch of device memory, from the first to the last.
    pub together: bool,
    /// Update: absent data is no error.
    pub if_present: bool,
}

/// A line that adds data of a directive of OpenMP's.
pub fn add(entry: &Entry<'_>) -> String {
    let Entry { name, base, offset, bytes, kind, flags, together, if_present } = entry;
    let flags = flag_code(flags)
        | accl_abi::data_flags::OPENMP
        | if *together { accl_abi::data_flags::TOGETHER } else { 0 }
        | if *if_present { accl_abi::data_flags::IF_PRESENT } else { 0 };
    let name = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    format!(
        "accl_list_add(&{NAME}, {name}, (const void *)({base}), {offset}, {bytes}, {}, {flags}, 1, 0);",
        kind_code(*kind)
    )
}

/// `accl_data_kind`: the IR keeps the header's order.
pub fn kind_code(kind: DataKind) -> u32 {
    use accl_abi::data_kind as code;
    match kind {
        DataKind::Copy => code::COPY,
        DataKind::Copyin => code::COPYIN,
        DataKind::Copyout => code::COPYOUT,
        DataKind::Create => code::CREATE,
        DataKind::NoCreate => code::NO_CREATE,
        DataKind::Present => code::PRESENT,
        DataKind::Delete => code::DELETE,
        DataKind::Deviceptr => code::DEVICEPTR,
        DataKind::Attach => code::ATTACH,
        DataKind::Detach => code::DETACH,
        DataKind::UpdateSelf => code::UPDATE_SELF,
        DataKind::UpdateDevice => code::UPDATE_DEVICE,
        DataKind::UseDevice => code::USE_DEVICE,
    }
}

/// `accl_data_flags`.
pub fn flag_code(flags: &DataFlags) -> u32 {
    use accl_abi::data_flags as code;
    let bits = [
        (flags.implicit, code::IMPLICIT),
        (flags.zero, code::ZERO),
        (flags.readonly, code::READONLY),
        (flags.always_in, code::ALWAYS_IN),
        (flags.always_out, code::ALWAYS_OUT),
        (flags.private, code::PRIVATE),
        (flags.address, code::ADDRESS),
        (flags.indirect, code::INDIRECT),
        (flags.must_be_present, code::MUST_BE_PRESENT),
        (flags.finalize, code::FINALIZE),
        (flags.keeps_address, code::KEEPS_ADDRESS),
        (flags.resident, code::RESIDENT),
        (flags.object, code::OBJECT),
        (flags.followed, code::FOLLOWED),
        (flags.followed_written, code::FOLLOWED_WRITTEN),
        (flags.rows_read, code::ROWS_READ),
        (flags.one_place, code::ONE_PLACE),
    ];
    bits.iter().filter(|(on, _)| *on).map(|(_, bit)| bit).sum()
}
