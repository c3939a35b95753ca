//! How the elements of an array are stored on a device in a form other than their own.
//!
//! An array of `float` or `double` may be held in fewer bits an element (the compression extension). On the
//! host's side a [`Compression`] stands on the data clause's item; in a kernel the element type of the
//! array is [`TypeKind::Compressed`](crate::TypeKind::Compressed), a place of which is read as a number
//! (decoded) and written with one (encoded). The pass `compress::lower` of the transforms writes the
//! arithmetic out, last of all, so that every pass before it sees plain loads and stores.
//!
//! Decoding needs numbers beyond the bits themselves, such as the scale: the [`CodecParameter`]s. They are parameters of the
//! kernel ([`ParamKind::Codec`](crate::ParamKind::Codec)), which the runtime fills in at launch.

use crate::HostExpr;
use accl_source::Span;

/// The codec: how a number becomes bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// `x / 2M + 1.5`, the leading bits of the mantissa; M is the largest magnitude.
    Range,
    /// The same arithmetic over [min, max].
    Affine,
    /// IEEE 754's half precision, 16 bits.
    Half,
    /// The upper half of a float.
    Bfloat,
    /// Block floating point: integer multiples of a step size. Each group of 32 elements has its own step size,
    /// given by its largest element.
    Block,
}

impl Scheme {
    /// The word of the clause.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Range => "range",
            Scheme::Affine => "affine",
            Scheme::Half => "half",
            Scheme::Bfloat => "bfloat",
            Scheme::Block => "block",
        }
    }

    /// Numbers are spread over a range that is known for the whole array.
    pub fn has_range(self) -> bool {
        match self {
            Scheme::Range | Scheme::Affine => true,
            Scheme::Half | Scheme::Bfloat | Scheme::Block => false,
        }
    }

    /// Elements may have any width; the other schemes are floating formats of 16 bits.
    pub fn has_width(self) -> bool {
        match self {
            Scheme::Range | Scheme::Affine | Scheme::Block => true,
            Scheme::Half | Scheme::Bfloat => false,
        }
    }
}

/// Where the members of an array of structures lie. For other arrays it has no meaning and is `Soa`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Layout {
    /// Each member in a plane of its own.
    #[default]
    Soa,
    /// As in the program: the members of an element side by side.
    Aos,
}

impl Layout {
    /// The word of the clause.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Soa => "soa",
            Layout::Aos => "aos",
        }
    }
}

/// Scheme, width and layout: the properties for which a kernel is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    pub scheme: Scheme,
    pub bits: u8,
    pub layout: Layout,
}

impl Format {
    /// The width that the paper uses: half of the number's own.
    pub fn usual(float_bits: u8) -> Format {
        Format { scheme: Scheme::Range, bits: float_bits / 2, layout: Layout::Soa }
    }

    /// Elements are integers of their own, and do not share words with their neighbours.
    pub fn is_direct(self) -> bool {
        matches!(self.bits, 8 | 16 | 32)
    }
}

/// What a data clause says of a compressed array.
#[derive(Clone, Debug, PartialEq)]
pub struct Compression {
    pub format: Format,
    /// Bits of the number itself, 32 or 64.
    pub float_bits: u8,
    /// Members of an element, all numbers of this width; 1 where elements are numbers themselves.
    pub members: u32,
    /// The ends of the range, where the user gave them; host expressions.
    pub range: Option<(HostExpr, HostExpr)>,
    /// The clause that says so.
    pub span: Span,
}

/// A number that the runtime finds with the data and a kernel needs to decode or encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CodecParameter {
    /// Decoding: `value = mantissa * scale + bias`.
    Scale,
    Bias,
    /// Encoding: `mantissa = value * inverse + offset`.
    Inverse,
    Offset,
    /// Packed and block elements: the number of the base's element within its group, an integer.
    First,
    /// Block elements: bytes from the base to the exponent of its element's group, an integer.
    Exponents,
}

impl CodecParameter {
    pub const ALL: [CodecParameter; 6] = [
        CodecParameter::Scale,
        CodecParameter::Bias,
        CodecParameter::Inverse,
        CodecParameter::Offset,
        CodecParameter::First,
        CodecParameter::Exponents,
    ];

    /// Ending of the parameter's name.
    pub fn name(self) -> &'static str {
        match self {
            CodecParameter::Scale => "scale",
            CodecParameter::Bias => "bias",
            CodecParameter::Inverse => "inverse",
            CodecParameter::Offset => "offset",
            CodecParameter::First => "first",
            CodecParameter::Exponents => "exponents",
        }
    }
}
