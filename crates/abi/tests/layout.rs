//! The Rust mirror and the C header agree: a C program prints sizes, offsets and codes.
use accl_abi::*;
use std::fmt::Write as _;
use std::mem::{offset_of, size_of};
use std::process::Command;

/// Each row: an expression for C, and its value in Rust.
fn rows() -> Vec<(String, usize)> {
    let mut rows = Vec::new();
    macro_rules! layout {
        ($c:literal, $rust:ty { $($field:ident $(as $cfield:ident)?),* }) => {
            rows.push((format!("sizeof({})", $c), size_of::<$rust>()));
            $( #[allow(unused_mut, unused_assignments, reason = "only renamed members assign")]
               { let mut name = stringify!($field); $( name = stringify!($cfield); )?
                 rows.push((format!("offsetof({}, {})", $c, name), offset_of!($rust, $field))); } )*
        };
    }
    layout!("accl_site", Site { file, function, directive, line, end_line });
    layout!("accl_dim", Dim { stride, count });
    layout!("accl_object", StaticObject { address, bytes });
    layout!(
        "accl_var",
        Var {
            name,
            base,
            offset,
            bytes,
            kind,
            flags,
            elem_size,
            n_dims,
            dims,
            line,
            reserved,
            format,
            row_bytes,
            pointers
        }
    );
    layout!("accl_format", Format { scheme, bits, type_ as type, members, layout, has_range, min, max, checked, reserved });
    layout!("accl_variant", Variant { symbol, needs, block, per_thread, shared_bytes, femtoseconds });
    layout!("accl_dynamic_tile_dim", DynamicTileDim { span, before, after });
    layout!("accl_dynamic_tile", DynamicTile { array, variant, elem_size, n_dims, dims });
    layout!("accl_arg", Arg { kind, index, size, flags });
    layout!("accl_reduction", Reduction { op, type_ as type });
    layout!("accl_indirect_pointer", IndirectPointer { index, further, stride, offset, bytes });
    layout!(
        "accl_kernel",
        Kernel {
            site,
            cpu,
            flags,
            n_dims,
            grid,
            n_variants,
            variants,
            n_args,
            n_reductions,
            args,
            reductions,
            n_indirect_pointers,
            indirect_pointers,
            obstacle
        }
    );
    layout!("accl_image", Image { arch, data, size });
    layout!("accl_module", Module { abi_version, n_images, file, cuda, opencl, images });
    layout!("accl_launch_info", LaunchInfo { module, kernel, vars, values, reduction_vars, trips, num_gangs, num_workers, vector_length, row_length, async_ as async, dynamic_tiles, halo_extents, n_dynamic_tiles });
    macro_rules! codes {
        ($module:ident $prefix:literal: $($name:ident)*) => {
            $( rows.push((concat!($prefix, stringify!($name)).to_string(), $module::$name as usize)); )*
        };
    }
    codes!(data_kind "ACCL_": COPY COPYIN COPYOUT CREATE NO_CREATE PRESENT DELETE DEVICEPTR ATTACH DETACH UPDATE_SELF UPDATE_DEVICE USE_DEVICE);
    codes!(data_flags "ACCL_": IMPLICIT ZERO READONLY IF_PRESENT FINALIZE ALWAYS_IN ADDRESS DEEP INDIRECT ALWAYS_OUT);
    codes!(grid_rule "ACCL_GRID_": ONE TRIPS GANGS FIXED);
    codes!(needs "ACCL_NEEDS_": NOALIAS ALIGN16 INT32 HIGH_OCCUPANCY DECODED REUSED GANGS_COVER ILP WHOLE_GROUPS FULL_BLOCKS
        LOW_OCCUPANCY FITS_SHARED ALIGNED_ORIGIN FEW_LANES ONE_LANE TENSOR_F64 FEW_IN_X AGGREGATES CLUSTERS
        LONG_LINES FEW_BLOCKS);
    codes!(arg_kind "ACCL_ARG_": DATA VALUE REDUCTION TRIPS CODEC EXTENT STRIDE);
    codes!(scheme "ACCL_SCHEME_": RANGE AFFINE HALF BFLOAT BLOCK);
    codes!(layout "ACCL_LAYOUT_": SOA AOS);
    codes!(codec_parameter "ACCL_CODEC_": SCALE BIAS INVERSE OFFSET FIRST EXPONENTS);
    codes!(arg_flags "ACCL_ARG_": READ WRITTEN VECTOR END ON_CPU DECODED OF_ROWS);
    codes!(scalar_type "ACCL_": I8 U8 I16 U16 I32 U32 I64 U64 F32 F64);
    codes!(op "ACCL_": ADD MUL MAX MIN BAND BOR BXOR LAND LOR);
    codes!(kernel_flags "ACCL_KERNEL_": GANGS SERIAL VECTOR_X FREE_X DISTINCT WORKERS_Y DYNAMIC_TILES STOPS PRINTS HAS_FALLBACK FALLBACK DISTINCT_ROWS DISTINCT_IN_ELEMENTS WAITS);
    rows.push(("ACCL_ABI_VERSION".into(), ABI_VERSION as usize));
    rows.push(("ACCL_MOST_LANES".into(), MOST_LANES as usize));
    rows.push(("ACCL_CLUSTER".into(), CLUSTER as usize));
    rows.push(("ACCL_SYNC".into(), SYNC as usize));
    rows.push(("ACCL_NOVAL".into(), NOVAL as usize));
    rows
}

#[test]
fn layouts_agree() {
    let rows = rows();
    let mut program = String::from(
        "#include \"accl_abi.h\"\n#include \"openacc.h\"\n#include <stdio.h>\nint main(void) {\n",
    );
    for (expression, _) in &rows {
        writeln!(program, "printf(\"%zu\\n\", (size_t)({expression}));").unwrap();
    }
    program.push_str("return 0; }\n");
    let folder = std::env::temp_dir().join(format!("accl-abi-layout-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("layout.c"), folder.join("layout"));
    std::fs::write(&source, program).unwrap();
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/include");
    let compiled = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-I", include])
        .arg(&source)
        .arg("-o")
        .arg(&binary)
        .status()
        .unwrap();
    assert!(compiled.success(), "the headers do not compile as C99");
    let printed = String::from_utf8(Command::new(&binary).output().unwrap().stdout).unwrap();
    for ((expression, ours), theirs) in rows.iter().zip(printed.lines()) {
        assert_eq!(ours.to_string(), theirs, "{expression}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn headers_are_cxx11() {
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/include");
    for header in ["accl_abi.h", "openacc.h", "omp.h"] {
        let compiled = Command::new("c++")
            .args(["-std=c++11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", include])
            .args(["-include", header, "-x", "c++", "/dev/null"])
            .status()
            .unwrap();
        assert!(compiled.success(), "{header} does not compile as C++11");
    }
}
