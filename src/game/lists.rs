//! Lists that need no memory of their own: every game says how long its lists can get.

use arrayvec::ArrayVec;
use std::fmt::Debug;
use std::ops::{Deref, DerefMut};

/// How many of something a node can have at most.
pub trait Capacity: Debug + Clone + Copy + Send + Sync + 'static {
    /// A list of up to so many.
    type List<T: Copy + Debug>: List<T>;
    /// One place for each of them.
    type Slots<T: Copy>: Slots<T>;
}

/// At most `N`.
#[derive(Debug, Clone, Copy)]
pub struct UpTo<const N: usize>;

impl<const N: usize> Capacity for UpTo<N> {
    type List<T: Copy + Debug> = ArrayVec<T, N>;
    type Slots<T: Copy> = [T; N];
}

/// A list of bounded length. To push more than fits is a mistake in the game's rules, and panics.
pub trait List<T>:
    Default + Clone + Debug + Deref<Target = [T]> + DerefMut + Extend<T> + FromIterator<T> + IntoIterator<Item = T>
{
    /// Put one at the end.
    fn push(&mut self, item: T);
}

impl<T: Copy + Debug, const N: usize> List<T> for ArrayVec<T, N> {
    #[inline(always)]
    fn push(&mut self, item: T) {
        ArrayVec::push(self, item);
    }
}

/// A place for each branch of a node.
pub trait Slots<T> {
    /// All filled with one thing.
    fn filled(item: T) -> Self;

    /// The `i`-th place. (Counted round, so that no check of bounds is needed.)
    fn slot(&mut self, i: usize) -> &mut T;

    /// All of them.
    fn all(&self) -> &[T];
}

impl<T: Copy, const N: usize> Slots<T> for [T; N] {
    #[inline(always)]
    fn filled(item: T) -> [T; N] {
        [item; N]
    }

    #[inline(always)]
    fn slot(&mut self, i: usize) -> &mut T {
        &mut self[i % N]
    }

    #[inline(always)]
    fn all(&self) -> &[T] {
        self
    }
}
