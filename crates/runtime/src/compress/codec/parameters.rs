//! The numbers with which the elements of a ranged array are computed.

use accl_abi::scheme;

/// The parameters of an array's codec: see `accl_codec_parameter` of accl_abi.h. For arrays of float they are floats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CodecParameters {
    pub scale: f64,
    pub bias: f64,
    pub inverse: f64,
    pub offset: f64,
}

impl CodecParameters {
    /// For a range of finite numbers, the smaller first.
    pub fn of(scheme: u32, double: bool, min: f64, max: f64) -> CodecParameters {
        let parameters = if scheme == scheme::AFFINE {
            CodecParameters::affine(min, max)
        } else {
            CodecParameters::symmetric(min, max)
        };
        if double { parameters } else { parameters.narrowed() }
    }

    /// The paper's: over [-M, M].
    fn symmetric(min: f64, max: f64) -> CodecParameters {
        let m = min.abs().max(max.abs());
        if m == 0.0 {
            return CodecParameters { scale: 0.0, bias: 0.0, inverse: 0.0, offset: 1.5 };
        }
        CodecParameters { scale: 2.0 * m, bias: -3.0 * m, inverse: 1.0 / (2.0 * m), offset: 1.5 }
    }

    /// Over [min, max].
    fn affine(min: f64, max: f64) -> CodecParameters {
        let extent = max - min;
        if extent == 0.0 {
            return CodecParameters { scale: 0.0, bias: min, inverse: 0.0, offset: 1.5 };
        }
        let inverse = 1.0 / extent;
        CodecParameters { scale: extent, bias: min - extent, inverse, offset: 1.0 - min * inverse }
    }

    fn narrowed(self) -> CodecParameters {
        let narrow = |x: f64| f64::from(x as f32);
        CodecParameters {
            scale: narrow(self.scale),
            bias: narrow(self.bias),
            inverse: narrow(self.inverse),
            offset: narrow(self.offset),
        }
    }
}

/// The magnitudes that parameters can be made for, by the type of the elements: beyond them 3M would overflow, or 1/2M be
/// no normal number.
pub fn limits(double: bool) -> (f64, f64) {
    if double {
        (f64::MIN_POSITIVE, f64::MAX / 8.0)
    } else {
        (f32::MIN_POSITIVE.into(), f64::from(f32::MAX) / 8.0)
    }
}
