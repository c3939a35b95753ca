//! A text that is edited more than once, as the parts that are left of the original and those that are new: so that all
//! changes can be told as changes of the original.

use super::edits::TextEdit;
use std::ops::Range;

pub struct Pieces<'a> {
    original: &'a str,
    pieces: Vec<Piece>,
}

enum Piece {
    Kept(Range<usize>),
    New(String),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Kept(range) => range.len(),
            Piece::New(text) => text.len(),
        }
    }

    fn split(&self, at: usize) -> (Piece, Piece) {
        match self {
            Piece::Kept(r) => (Piece::Kept(r.start..r.start + at), Piece::Kept(r.start + at..r.end)),
            Piece::New(text) => (Piece::New(text[..at].to_owned()), Piece::New(text[at..].to_owned())),
        }
    }
}

impl<'a> Pieces<'a> {
    pub fn new(original: &'a str) -> Pieces<'a> {
        Pieces { original, pieces: vec![Piece::Kept(0..original.len())] }
    }

    /// Edits of the text as it is now; they do not overlap.
    pub fn edit(&mut self, edits: &[TextEdit]) {
        let mut edits: Vec<&TextEdit> = edits.iter().collect();
        edits.sort_by_key(|e| (e.range.start, e.range.end));
        let mut rest = std::mem::take(&mut self.pieces).into_iter().rev().collect::<Vec<_>>();
        let mut at = 0;
        for edit in edits {
            self.pieces.extend(take(&mut rest, edit.range.start.saturating_sub(at)));
            take(&mut rest, edit.range.len());
            at = edit.range.end;
            self.pieces.push(Piece::New(edit.text.clone()));
        }
        self.pieces.extend(rest.into_iter().rev());
    }

    pub fn text(&self) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Kept(range) => self.original[range.clone()].to_owned(),
            Piece::New(text) => text.clone(),
        };
        self.pieces.iter().map(text).collect()
    }

    /// Everything that was done, as edits of the original.
    pub fn edits(&self) -> Vec<TextEdit> {
        let (mut edits, mut at, mut new) = (vec![], 0, String::new());
        let end = Piece::Kept(self.original.len()..self.original.len());
        for piece in self.pieces.iter().chain([&end]) {
            match piece {
                Piece::New(text) => new += text,
                Piece::Kept(range) => {
                    if !new.is_empty() || range.start > at {
                        edits.push(TextEdit { range: at..range.start, text: std::mem::take(&mut new) });
                    }
                    at = range.end;
                }
            }
        }
        edits
    }
}

/// The next bytes of pieces that lie in reverse.
fn take(rest: &mut Vec<Piece>, mut bytes: usize) -> Vec<Piece> {
    let mut taken = vec![];
    while bytes > 0 {
        let Some(piece) = rest.pop() else { break };
        if piece.len() <= bytes {
            bytes -= piece.len();
            taken.push(piece);
        } else {
            let (first, second) = piece.split(bytes);
            rest.push(second);
            taken.push(first);
            bytes = 0;
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(range: Range<usize>, text: &str) -> TextEdit {
        TextEdit { range, text: text.to_owned() }
    }

    #[test]
    fn two_rounds_of_edits_are_edits_of_the_original() {
        let mut pieces = Pieces::new("for (i) { a; b; }");
        pieces.edit(&[edit(10..11, "alpha"), edit(0..0, "x ")]);
        assert_eq!(pieces.text(), "x for (i) { alpha; b; }");
        pieces.edit(&[edit(2..2, "y "), edit(17..17, "+1"), edit(19..20, "beta")]);
        assert_eq!(pieces.text(), "x y for (i) { alpha+1; beta; }");
        assert_eq!(pieces.edits(), [edit(0..0, "x y "), edit(10..11, "alpha+1"), edit(13..14, "beta")]);
    }

    #[test]
    fn what_is_taken_away_is_an_edit_too() {
        let mut pieces = Pieces::new("abc");
        pieces.edit(&[edit(1..2, "")]);
        assert_eq!(pieces.edits(), [edit(1..2, "")]);
    }
}
