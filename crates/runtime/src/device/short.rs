//! Lists of a launch's parameters: small kernels are launched by the thousand, so that usual numbers take no heap memory.

/// Parameters that need no heap.
const USUAL: usize = 24;

/// A list on the stack, or on the heap where it is unusually long.
pub enum Short<T: Copy> {
    Stack([T; USUAL]),
    Heap(Vec<T>),
}

impl<T: Copy> Short<T> {
    #[inline]
    pub fn new(count: usize, value: T) -> Short<T> {
        if count <= USUAL { Short::Stack([value; USUAL]) } else { Short::Heap(vec![value; count]) }
    }

    #[inline]
    pub fn items(&mut self) -> &mut [T] {
        match self {
            Short::Stack(items) => items,
            Short::Heap(items) => items,
        }
    }
}
