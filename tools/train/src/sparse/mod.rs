//! Training of networks of sparse features, for any game that says what its features are ([`game::Taught`]).
//!
//! A [`trainer`] plays batches of games against itself at depth 1 ([`selfplay`]), steps down the gradient ([`model`]) and
//! is measured in paired games on fixed dice ([`arena`], [`check`]). All sums are taken in a fixed order and all draws are
//! [`draws`] of a seed: neither the number of threads nor an interruption changes a bit of the result.

pub mod arena;
pub mod check;
pub mod darkchess;
pub mod draws;
pub mod einstein;
pub mod flips;
pub mod game;
pub mod model;
pub mod recipe;
pub mod selfplay;
pub mod trainer;
