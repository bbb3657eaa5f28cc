//! The book that comes with the engine.

use std::sync::OnceLock;
use std::thread;

use super::{Book, LAST};
use crate::game::dice::Shape;
use crate::sweep::dice::Setup;

/// 5/4, made by `alea-solve 5/4 --out`.
static BYTES: &[u8] = include_bytes!("5-4.book");

static OPENED: OnceLock<Option<Book>> = OnceLock::new();

/// How far the shipped book is.
pub enum Shipped {
    /// It does not know this position and what follows next.
    Unknown,
    /// It is being opened, in a thread of its own: ask again.
    Opening,
    /// Here it is.
    Open(&'static Book),
}

fn open() -> Option<&'static Book> {
    let decode = || Book::decode(BYTES).inspect_err(|error| log::warn!("the shipped book: {error}")).ok();
    OPENED.get_or_init(decode).as_ref()
}

/// The shipped book, if it knows this position and every move from it. The first call has it opened, which takes some tenths of
/// a second.
pub fn shipped(setup: &Setup) -> Shipped {
    static OPENER: OnceLock<bool> = OnceLock::new();
    if setup.shape != Shape::default() || setup.count() >= LAST {
        return Shipped::Unknown;
    }
    match OPENED.get() {
        Some(Some(book)) => Shipped::Open(book),
        Some(None) => Shipped::Unknown,
        None => {
            let started = OPENER.get_or_init(|| thread::Builder::new().name("book".into()).spawn(open).is_ok());
            if *started { Shipped::Opening } else { Shipped::Unknown }
        }
    }
}

/// The shipped book, however long it takes to open it; `None` if it is damaged.
pub fn shipped_book() -> Option<&'static Book> {
    open()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::dice::book::BookError;

    #[test]
    fn a_damaged_book_is_refused() {
        assert!(Book::decode(BYTES).is_ok());
        let mut bytes = BYTES.to_vec();
        let places = [8, 9, 10, 11, 1000, BYTES.len() / 2, BYTES.len() - 5, BYTES.len() - 1];
        for place in places {
            for bit in [1, 128] {
                bytes[place] ^= bit;
                assert_eq!(Book::decode(&bytes).err(), Some(BookError::Damaged), "{place}");
                bytes[place] ^= bit;
            }
        }
        bytes[0] ^= 1;
        assert_eq!(Book::decode(&bytes).err(), Some(BookError::NoBook));
        for len in [0, 7, 8, 11, 12, 14, 1000, BYTES.len() - 1] {
            assert!(Book::decode(&BYTES[..len]).is_err(), "{len}");
        }
        // Sealed anew, a book that is cut short or too long is refused all the same.
        for content in [&BYTES[10..BYTES.len() - 1000], &[BYTES[10..BYTES.len() - 4].to_vec(), vec![7; 9]].concat()] {
            let sealed = super::super::seal(Shape::default(), content);
            assert_eq!(Book::decode(&sealed).err(), Some(BookError::Length));
        }
        let sealed = super::super::seal(Shape::new(3, 3).unwrap(), &BYTES[10..BYTES.len() - 4]);
        assert_eq!(Book::decode(&sealed).err(), Some(BookError::Shape));
    }
}
