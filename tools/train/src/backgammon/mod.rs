//! Training of the networks of backgammon: one for positions with contact, one for races.
//!
//! A [`trainer`] plays batches of games against itself at depth 1 ([`selfplay`]), steps down the gradient with the models of
//! [`crate::sparse`], perhaps from the games of a [`teacher`], and is measured in paired games on fixed dice ([`arena`], [`check`]). All sums are taken in a fixed
//! order and all draws are those of a seed: neither the number of threads nor an interruption changes a bit of the result.

pub mod arena;
pub mod check;
pub mod recipe;
pub mod selfplay;
pub mod teacher;
pub mod trainer;
