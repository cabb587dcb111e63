//! A list that grows without ever moving what it holds.

/// How many items a piece of a column has.
const PIECE: usize = 1 << 12;

/// A growing list in pieces of equal length: a large vector would be copied, and for a moment held twice,
/// each time it grows.
pub(crate) struct Column<T> {
    pieces: Vec<Vec<T>>,
}

impl<T: Copy> Column<T> {
    pub(crate) const fn new() -> Column<T> {
        Column { pieces: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * PIECE + last.len())
    }

    pub(crate) fn push(&mut self, item: T) {
        match self.pieces.last_mut() {
            Some(last) if last.len() < PIECE => last.push(item),
            // The first piece grows as it must, so that a short list is small.
            None => self.pieces.push(vec![item]),
            Some(_) => {
                let mut piece = Vec::with_capacity(PIECE);
                piece.push(item);
                self.pieces.push(piece);
            }
        }
    }

    /// Adds all items of another column.
    pub(crate) fn extend(&mut self, other: &Column<T>) {
        other.pieces.iter().for_each(|piece| self.extend_from_slice(piece));
    }

    /// Adds these items.
    pub(crate) fn extend_from_slice(&mut self, mut items: &[T]) {
        while let [first, rest @ ..] = items {
            // The first of them opens a new piece where it must.
            self.push(*first);
            let Some(last) = self.pieces.last_mut() else { return };
            let (fitting, left) = rest.split_at(rest.len().min(PIECE - last.len()));
            last.extend_from_slice(fitting);
            items = left;
        }
    }

    pub(crate) fn get(&self, index: usize) -> T {
        self.pieces[index / PIECE][index % PIECE]
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> &mut T {
        &mut self.pieces[index / PIECE][index % PIECE]
    }
}
