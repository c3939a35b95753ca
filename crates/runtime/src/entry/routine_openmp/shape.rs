//! What a copy moves: a box of elements, the same on both sides, out of arrays that may differ.
//!
//! A box is runs of bytes that lie together on both sides, repeated by each level, from the innermost outwards.

use crate::device::Rectangle;
use crate::error::Result;

/// `count` times what is within, so many bytes apart on either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BoxDimension {
    count: usize,
    to: usize,
    from: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Bytes of a run.
    width: usize,
    levels: Vec<BoxDimension>,
}

/// One of the two arrays of a box, the outermost dimension first.
#[derive(Clone, Copy)]
pub struct Array<'a> {
    pub offsets: &'a [usize],
    pub extents: &'a [usize],
}

impl Array<'_> {
    /// Bytes between elements that differ by one in each dimension, and the bytes before the box.
    fn strides(&self, element: usize) -> Option<(Vec<usize>, usize)> {
        let mut strides = vec![element; self.extents.len()];
        let mut skip = 0usize;
        for at in (0..strides.len()).rev() {
            if let Some(inner) = at.checked_add(1).filter(|inner| *inner < strides.len()) {
                strides[at] = strides[inner].checked_mul(self.extents[inner])?;
            }
            skip = skip.checked_add(strides[at].checked_mul(self.offsets[at])?)?;
        }
        Some((strides, skip))
    }
}

impl Shape {
    pub fn line(bytes: usize) -> Shape {
        Shape { width: bytes, levels: vec![] }
    }

    /// A box of `volume` elements, and how far into the two arrays it begins. None where bytes cannot be counted.
    pub fn of(element: usize, volume: &[usize], to: Array, from: Array) -> Option<(Shape, usize, usize)> {
        let ((to, to_skip), (from, from_skip)) = (to.strides(element)?, from.strides(element)?);
        let mut shape = Shape::line(element);
        for at in (0..volume.len()).rev() {
            shape.repeat(BoxDimension { count: volume[at], to: to[at], from: from[at] })?;
        }
        shape.end(|level| level.to)?.checked_add(to_skip)?;
        shape.end(|level| level.from)?.checked_add(from_skip)?;
        Some((shape, to_skip, from_skip))
    }

    /// Runs that follow each other on both sides are one.
    fn repeat(&mut self, level: BoxDimension) -> Option<()> {
        if self.levels.is_empty() && level.to == self.width && level.from == self.width {
            self.width = self.width.checked_mul(level.count)?;
        } else if level.count != 1 {
            self.levels.push(level);
        }
        self.checked_bytes().map(|_| ())
    }

    fn checked_bytes(&self) -> Option<usize> {
        self.levels.iter().try_fold(self.width, |bytes, level| bytes.checked_mul(level.count))
    }

    /// Bytes that are moved.
    pub fn bytes(&self) -> usize {
        self.checked_bytes().unwrap_or(usize::MAX)
    }

    /// Bytes from the first to the last on a side.
    fn end(&self, pitch: impl Fn(&BoxDimension) -> usize) -> Option<usize> {
        self.levels.iter().try_fold(self.width, |end, level| {
            end.checked_add(pitch(level).checked_mul(level.count.saturating_sub(1))?)
        })
    }

    pub fn span_from(&self) -> usize {
        self.end(|level| level.from).unwrap_or(usize::MAX)
    }

    pub fn span_to(&self) -> usize {
        self.end(|level| level.to).unwrap_or(usize::MAX)
    }

    /// The two halves of the way through memory that holds nothing else.
    pub fn packed(&self) -> (Shape, Shape) {
        let (mut gather, mut scatter) = (self.clone(), self.clone());
        let mut pitch = self.width;
        for (gathered, scattered) in gather.levels.iter_mut().zip(&mut scatter.levels) {
            (gathered.to, scattered.from) = (pitch, pitch);
            pitch *= gathered.count;
        }
        (gather, scatter)
    }

    /// Calls `action` for each rectangle, with how far it is from the beginning on either side.
    pub fn each(&self, action: &mut dyn FnMut(usize, usize, Rectangle) -> Result<()>) -> Result<()> {
        let line = Rectangle { width: self.width, rows: 1, pitch: self.width };
        match self.levels.split_first() {
            Some((rows, outer)) if rows.to == rows.from => {
                repeated(outer, (0, 0), Rectangle { rows: rows.count, pitch: rows.to, ..line }, action)
            }
            _ => repeated(&self.levels, (0, 0), line, action),
        }
    }
}

fn repeated(
    levels: &[BoxDimension],
    (to, from): (usize, usize),
    shape: Rectangle,
    action: &mut dyn FnMut(usize, usize, Rectangle) -> Result<()>,
) -> Result<()> {
    let Some((last, inner)) = levels.split_last() else {
        return action(to, from, shape);
    };
    (0..last.count).try_for_each(|i| repeated(inner, (to + i * last.to, from + i * last.from), shape, action))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn array<'a>(offsets: &'a [usize], extents: &'a [usize]) -> Array<'a> {
        Array { offsets, extents }
    }

    #[test]
    fn whole_arrays_are_one_run() {
        let all = array(&[0, 0, 0], &[4, 5, 6]);
        let (shape, to, from) = Shape::of(8, &[4, 5, 6], all, all).unwrap();
        assert_eq!((shape, to, from), (Shape::line(960), 0, 0));
    }

    #[test]
    fn large_numbers_are_counted_or_refused() {
        let (to, from) = (array(&[3 << 30, 1], &[4 << 30, 8]), array(&[0, 0], &[1, 8]));
        let (shape, to_skip, from_skip) = Shape::of(8, &[1, 2], to, from).unwrap();
        assert_eq!((shape.bytes(), to_skip, from_skip), (16, (3 << 36) + 8, 0));
        let huge = array(&[1, 1], &[usize::MAX, usize::MAX]);
        assert_eq!(Shape::of(8, &[1, 1], huge, from), None);
        assert_eq!(Shape::of(8, &[usize::MAX, 8], from, from), None);
    }

    /// The bytes that a shape moves, pairs of where to and where from.
    fn moved(shape: &Shape, to_skip: usize, from_skip: usize) -> Vec<(usize, usize)> {
        let mut pairs = vec![];
        let action = &mut |to: usize, from: usize, rectangle: Rectangle| {
            for row in 0..rectangle.rows {
                let skip = row * rectangle.pitch;
                pairs.extend(
                    (0..rectangle.width).map(|i| (to_skip + to + skip + i, from_skip + from + skip + i)),
                );
            }
            Ok(())
        };
        shape.each(action).unwrap();
        pairs.sort_unstable();
        pairs
    }

    /// Elements of the box, and those before and behind it on either side.
    type Dimension = (usize, usize, usize, usize, usize);

    proptest! {
        #[test]
        fn shapes_move_what_loops_would(
            dims in proptest::collection::vec((1usize..4, 0usize..3, 0usize..3, 0usize..3, 0usize..3), 1..4),
            element in 1usize..4,
        ) {
            let column = |of: &dyn Fn(&Dimension) -> usize| dims.iter().map(of).collect::<Vec<_>>();
            let volume = column(&|d| d.0);
            let (to_offsets, to_extents) = (column(&|d| d.1), column(&|d| d.0 + d.1 + d.2));
            let (from_offsets, from_extents) = (column(&|d| d.3), column(&|d| d.0 + d.3 + d.4));
            let (to, from) = (array(&to_offsets, &to_extents), array(&from_offsets, &from_extents));
            let (shape, to_skip, from_skip) = Shape::of(element, &volume, to, from).unwrap();
            let mut expected = vec![];
            for number in 0..volume.iter().product::<usize>() {
                let (mut rest, mut places, mut steps) = (number, (0, 0), (1, 1));
                for at in (0..volume.len()).rev() {
                    let index = rest % volume[at];
                    rest /= volume[at];
                    places.0 += (to_offsets[at] + index) * steps.0;
                    places.1 += (from_offsets[at] + index) * steps.1;
                    steps = (steps.0 * to_extents[at], steps.1 * from_extents[at]);
                }
                expected.extend((0..element).map(|i| (places.0 * element + i, places.1 * element + i)));
            }
            expected.sort_unstable();
            prop_assert_eq!(moved(&shape, to_skip, from_skip), expected.clone());
            prop_assert_eq!(shape.bytes(), expected.len());
            prop_assert_eq!(to_skip + shape.span_to(), expected.last().unwrap().0 + 1);
            // By way of memory of their own, the same bytes arrive at the same places.
            let (gather, scatter) = shape.packed();
            let (first, second) = (moved(&gather, 0, from_skip), moved(&scatter, to_skip, 0));
            let mut both: Vec<_> = second.iter().map(|(to, between)| (*to, first[*between].1)).collect();
            both.sort_unstable();
            prop_assert_eq!(both, expected);
        }
    }
}
