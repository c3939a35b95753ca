//! Routines for compressed arrays (an extension): the clauses ccopyin, ccreate and ccopyout as calls.

use super::routine::here;
use super::routine_data::exit;
use crate::call::CallContext;
use crate::data::{self, Counter};
use crate::error::guard;
use crate::location::SourceLocation;
use crate::present::Presence;
use crate::queues::ASYNC_SYNC;
use crate::variable::unnamed;
use accl_abi::{Format, Var, data_kind, layout, scalar_type, scheme};
use std::ffi::{c_int, c_void};

/// `acc_compress_format` of openacc.h.
#[repr(C)]
pub struct UserFormat {
    scheme: u32,
    type_: u32,
    bits: c_int,
    has_range: c_int,
    min: f64,
    max: f64,
}

impl UserFormat {
    /// As the clauses have it; an error for what no clause can say.
    fn checked(&self) -> Result<Format, String> {
        let most = match self.type_ {
            scalar_type::F32 => 23,
            scalar_type::F64 => 52,
            other => {
                return Err(format!("type is {other}, neither acc_compress_float nor acc_compress_double"));
            }
        };
        if !matches!(self.scheme, scheme::RANGE | scheme::AFFINE | scheme::BLOCK) {
            return Err(format!("scheme is {}, which is none of acc_compress_scheme", self.scheme));
        }
        let bits = match self.bits {
            0 if most == 23 => 16,
            0 => 32,
            bits => bits,
        };
        if !(4..=most).contains(&bits) {
            return Err(format!("bits is {bits}; elements of this type take 4 to {most}"));
        }
        let (min, max) = (self.min, self.max);
        let has_range = u32::from(self.has_range != 0);
        Ok(Format {
            scheme: self.scheme,
            bits: bits as u32,
            type_: self.type_,
            members: 1,
            layout: layout::SOA,
            has_range,
            min,
            max,
            checked: 0,
            reserved: 0,
        })
    }
}

unsafe fn enter(
    location: SourceLocation,
    kind: u32,
    host: *mut c_void,
    bytes: usize,
    format: *const UserFormat,
) -> c_int {
    if host.is_null() || bytes == 0 {
        return 0;
    }
    let call = CallContext::new(location, ASYNC_SYNC);
    // SAFETY: null, or the caller's.
    let Some(format) = (unsafe { format.as_ref() }) else {
        call.fatal(0, "the format is a null pointer", &[]);
    };
    let format = format.checked().unwrap_or_else(|message| call.fatal(0, &message, &[]));
    let mut vars = [Var { format: &raw const format, ..unnamed(kind, 0, host, bytes) }];
    data::enter(&call, &mut vars, Counter::Dynamic);
    call.finish_if_sync();
    let (table, found) = call.find(host as usize, bytes);
    match found {
        Presence::Inside(start) => {
            c_int::from(table.get(start).is_some_and(|mapping| mapping.storage.encoded().is_some()))
        }
        Presence::Absent | Presence::Partial(_) => 0,
    }
}

macro_rules! entering {
    ($kind:ident: $($name:ident $text:literal),*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(host: *mut c_void, bytes: usize, format: *const UserFormat) -> c_int {
            // SAFETY: the contract of openacc.h.
            guard(|| unsafe { enter(here!($text), data_kind::$kind, host, bytes, format) })
        }
    )* };
}

entering!(COPYIN: acc_compress_copyin c"acc_compress_copyin",
    acc_compress_present_or_copyin c"acc_compress_present_or_copyin");
entering!(CREATE: acc_compress_create c"acc_compress_create",
    acc_compress_present_or_create c"acc_compress_present_or_create");

#[unsafe(no_mangle)]
pub extern "C" fn acc_decompress_copyout(host: *mut c_void, bytes: usize) {
    guard(|| exit(here!(c"acc_decompress_copyout"), data_kind::COPYOUT, 0, host, bytes, ASYNC_SYNC as c_int));
}
