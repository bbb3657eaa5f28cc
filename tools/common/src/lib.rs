//! What the tools of Alea share: files that are whole or not there ([`files`]), words on stdout that nobody may want any
//! more ([`output`]), signs of life on anything longer than a second ([`progress`],
//! [`shared_progress`]), Ctrl-C and how to go on after it
//! ([`interrupt`]), programs beside this one ([`programs`]), random numbers ([`random`]), play at depth 1 ([`greedy`]),
//! tables ([`tables`]) and pictures ([`plots`]).

pub mod files;
pub mod greedy;
pub mod interrupt;
pub mod output;
pub mod plots;
pub mod programs;
pub mod progress;
pub mod random;
pub mod shared_progress;
pub mod tables;
