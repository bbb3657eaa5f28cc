//! What the tools of Alea share: files that are whole or not there ([`files`]), words on stdout that nobody may want any
//! more ([`output`]), signs of life on anything longer than a second ([`progress`]), and programs beside this one
//! ([`programs`]).

pub mod files;
pub mod output;
pub mod programs;
pub mod progress;
