//! What the networks of several games share: sparse binary features, one hidden layer of units that are clipped, or clipped and squared, integers throughout.
//!
//! A game says what its features are ([`layout`]); a [`network`] of them is read from and written to a [`file`](mod@file);
//! the sums of its hidden units are kept in [`lanes`], one for each player's perspective, and follow the game by adding and
//! subtracting rows of weights. One output goes through [`squash`].

pub mod file;
pub mod lanes;
pub mod layout;
pub mod network;
pub mod squash;

pub use file::FileError;
pub use lanes::Lanes;
pub use layout::{Curve, Featured, Group, Layout};
pub use network::{BadWeights, Network, Weights};
