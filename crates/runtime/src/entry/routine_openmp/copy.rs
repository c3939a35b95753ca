//! Copies between devices and the host (OpenMP 5.2 sections 18.8.5 to 18.8.8).
//!
//! The asynchronous routines wait for the tasks that their depend objects name and copy before they return, so that tasks that
//! depend on them have nothing to wait for.

use super::super::routine::here;
use super::depend;
use super::devices::{Endpoint, place_or_warn, warn};
use super::memory::require_within;
use super::shape::{Array, Shape};
use super::{FAILED, name};
use crate::between_devices::{self, Place};
use crate::call::CallContext;
use crate::device::Rectangle;
use crate::error::{Result, guard};
use crate::location::SourceLocation;
use crate::profile::Work;
use crate::profiling::Data;
use crate::residency::touch;
use crate::state::DeviceState;
use crate::transfer::await_arrivals;
use std::ffi::{c_int, c_void};

/// Where one side of a copy begins.
#[derive(Clone, Copy)]
struct Side {
    place: Endpoint,
    address: u64,
}

impl Side {
    /// None, with a warning, where there is no such memory.
    fn new(
        location: SourceLocation,
        memory: *const c_void,
        offset: usize,
        device_num: c_int,
    ) -> Option<Side> {
        let place = place_or_warn(location, device_num)?;
        if memory.is_null() {
            warn(location, "a null pointer is no memory");
            return None;
        }
        Some(Side { place, address: (memory as u64).wrapping_add(offset as u64) })
    }

    fn require_within(self, location: SourceLocation, bytes: usize) {
        if let Endpoint::Device(state) = self.place {
            require_within(location, state, self.address, bytes);
        }
    }
}

fn copy(location: SourceLocation, to: Side, from: Side, shape: &Shape) {
    if shape.bytes() == 0 {
        return;
    }
    to.require_within(location, shape.span_to());
    from.require_within(location, shape.span_from());
    match (to.place, from.place) {
        (Endpoint::Host, Endpoint::Host) => within_host(to.address, from.address, shape),
        (Endpoint::Device(state), Endpoint::Host) => upload(location, state, to.address, from.address, shape),
        (Endpoint::Host, Endpoint::Device(state)) => {
            download(location, state, to.address, from.address, shape)
        }
        (Endpoint::Device(there), Endpoint::Device(here)) if std::ptr::eq(there, here) => {
            within_device(location, there, to.address, from.address, shape);
        }
        (Endpoint::Device(there), Endpoint::Device(here)) => {
            let (gather, scatter) = shape.packed();
            let mut between = vec![0u8; shape.bytes()];
            let address = between.as_mut_ptr() as u64;
            download(location, here, address, from.address, &gather);
            upload(location, there, to.address, address, &scatter);
        }
    }
}

fn within_host(to: u64, from: u64, shape: &Shape) {
    let copied = each_row(shape, &mut |to_skip, from_skip, width| {
        let (to, from) = ((to + to_skip) as *mut u8, (from + from_skip) as *const u8);
        // SAFETY: the user's memory on the host, for every run of the shape.
        unsafe { std::ptr::copy(from, to, width) };
        Ok(())
    });
    debug_assert!(copied.is_ok());
}

/// The rows of a shape's rectangles: how far each is on either side, and its bytes.
fn each_row(shape: &Shape, action: &mut dyn FnMut(u64, u64, usize) -> Result<()>) -> Result<()> {
    shape.each(&mut |to, from, Rectangle { width, rows, pitch }| {
        (0..rows).try_for_each(|row| action((to + row * pitch) as u64, (from + row * pitch) as u64, width))
    })
}

fn told(shape: &Shape, host: u64, device: u64) -> Data {
    Data { name: name(c"(omp_target_memcpy)"), bytes: shape.bytes(), host: host as usize, device }
}

fn upload(location: SourceLocation, state: &'static DeviceState, to: u64, from: u64, shape: &Shape) {
    let call = CallContext::on(state, location);
    await_arrivals(&call, from as usize, shape.span_from());
    call.transfer(Work::Upload, 0, told(shape, from, to), |queue| {
        shape.each(&mut |to_skip, from_skip, rectangle| {
            let (to, from) = (to + to_skip as u64, (from + from_skip as u64) as *const u8);
            // SAFETY: the user's memory on both sides, for every run of the shape.
            unsafe {
                match rectangle.rows {
                    1 => state.device.upload(queue, to, from, rectangle.width),
                    _ => state.device.upload_rectangle(queue, to, from, rectangle),
                }
            }
        })
    });
}

fn download(location: SourceLocation, state: &'static DeviceState, to: u64, from: u64, shape: &Shape) {
    let call = CallContext::on(state, location);
    touch(to as usize, shape.span_to(), true);
    call.transfer(Work::Download, 0, told(shape, to, from), |queue| {
        shape.each(&mut |to_skip, from_skip, rectangle| {
            let (to, from) = ((to + to_skip as u64) as *mut u8, from + from_skip as u64);
            // SAFETY: as in `upload`; the queue is finished before this function returns.
            unsafe {
                match rectangle.rows {
                    1 => state.device.download(queue, from, to, rectangle.width),
                    _ => state.device.download_rectangle(queue, from, to, rectangle),
                }
            }
        })
    });
    call.finish_if_sync();
}

fn within_device(location: SourceLocation, state: &'static DeviceState, to: u64, from: u64, shape: &Shape) {
    let call = CallContext::on(state, location);
    call.put("a copy within device memory", |queue| {
        each_row(shape, &mut |to_skip, from_skip, width| {
            // SAFETY: the user's device addresses, for every run of the shape.
            unsafe { state.device.copy(queue, to + to_skip, from + from_skip, width) }
        })
    });
}

fn copy_line(
    location: SourceLocation,
    bytes: usize,
    (to, to_offset, to_device): (*mut c_void, usize, c_int),
    (from, from_offset, from_device): (*const c_void, usize, c_int),
) -> c_int {
    if bytes == 0 {
        return 0;
    }
    let (Some(to), Some(from)) =
        (Side::new(location, to, to_offset, to_device), Side::new(location, from, from_offset, from_device))
    else {
        return FAILED;
    };
    to.require_within(location, bytes);
    from.require_within(location, bytes);
    match (to.place, from.place) {
        (Endpoint::Device(there), Endpoint::Device(here)) if !std::ptr::eq(there, here) => {
            let to = Place { state: there, address: to.address };
            let from = Place { state: here, address: from.address };
            between_devices::copy(&CallContext::on(here, location), to, from, bytes);
        }
        _ => copy(location, to, from, &Shape::line(bytes)),
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_target_memcpy(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    to_offset: usize,
    from_offset: usize,
    to_device: c_int,
    from_device: c_int,
) -> c_int {
    let (to, from) = ((to, to_offset, to_device), (from, from_offset, from_device));
    guard(|| copy_line(here!(c"omp_target_memcpy"), bytes, to, from))
}

/// # Safety
/// `list` points to `count` depend objects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_target_memcpy_async(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    to_offset: usize,
    from_offset: usize,
    to_device: c_int,
    from_device: c_int,
    count: c_int,
    list: *mut c_void,
) -> c_int {
    let (to, from) = ((to, to_offset, to_device), (from, from_offset, from_device));
    let location = here!(c"omp_target_memcpy_async");
    // SAFETY: the caller's promise.
    unsafe { depend::wait(location, count, list) };
    guard(|| copy_line(location, bytes, to, from))
}

/// The arguments of a copy of a box, each list as long as there are dimensions.
#[derive(Clone, Copy)]
struct Boxes {
    to: *mut c_void,
    from: *const c_void,
    element: usize,
    dimensions: c_int,
    volume: *const usize,
    to_offsets: *const usize,
    from_offsets: *const usize,
    to_extents: *const usize,
    from_extents: *const usize,
    to_device: c_int,
    from_device: c_int,
}

/// # Safety
/// The lists are as long as there are dimensions, or null.
unsafe fn copy_box(location: SourceLocation, boxes: Boxes) -> c_int {
    if boxes.to.is_null() && boxes.from.is_null() {
        // Any number of dimensions will do.
        return c_int::MAX;
    }
    let lists = [boxes.volume, boxes.to_offsets, boxes.from_offsets, boxes.to_extents, boxes.from_extents];
    if boxes.dimensions < 1 || boxes.element == 0 || lists.iter().any(|list| list.is_null()) {
        warn(location, "it needs a dimension, elements of a byte at least, and all five lists");
        return FAILED;
    }
    // SAFETY: the caller's promise.
    let [volume, to_offsets, from_offsets, to_extents, from_extents] =
        lists.map(|list| unsafe { accl_abi::slice(list, boxes.dimensions as u32) });
    let (to, from) = (
        Array { offsets: to_offsets, extents: to_extents },
        Array { offsets: from_offsets, extents: from_extents },
    );
    let Some((shape, to_skip, from_skip)) = Shape::of(boxes.element, volume, to, from) else {
        warn(location, "more bytes than a size_t counts");
        return FAILED;
    };
    let (to, from) = (
        Side::new(location, boxes.to, to_skip, boxes.to_device),
        Side::new(location, boxes.from, from_skip, boxes.from_device),
    );
    let (Some(to), Some(from)) = (to, from) else { return FAILED };
    copy(location, to, from, &shape);
    0
}

/// # Safety
/// The lists have an entry for each dimension.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_target_memcpy_rect(
    to: *mut c_void,
    from: *const c_void,
    element: usize,
    dimensions: c_int,
    volume: *const usize,
    to_offsets: *const usize,
    from_offsets: *const usize,
    to_extents: *const usize,
    from_extents: *const usize,
    to_device: c_int,
    from_device: c_int,
) -> c_int {
    let boxes = Boxes {
        to,
        from,
        element,
        dimensions,
        volume,
        to_offsets,
        from_offsets,
        to_extents,
        from_extents,
        to_device,
        from_device,
    };
    // SAFETY: the caller's promise.
    guard(|| unsafe { copy_box(here!(c"omp_target_memcpy_rect"), boxes) })
}

/// # Safety
/// The lists have an entry for each dimension, and `list` points to `count` depend objects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_target_memcpy_rect_async(
    to: *mut c_void,
    from: *const c_void,
    element: usize,
    dimensions: c_int,
    volume: *const usize,
    to_offsets: *const usize,
    from_offsets: *const usize,
    to_extents: *const usize,
    from_extents: *const usize,
    to_device: c_int,
    from_device: c_int,
    count: c_int,
    list: *mut c_void,
) -> c_int {
    let boxes = Boxes {
        to,
        from,
        element,
        dimensions,
        volume,
        to_offsets,
        from_offsets,
        to_extents,
        from_extents,
        to_device,
        from_device,
    };
    let location = here!(c"omp_target_memcpy_rect_async");
    // SAFETY: the caller's promise.
    unsafe { depend::wait(location, count, list) };
    // SAFETY: as above.
    guard(|| unsafe { copy_box(location, boxes) })
}
