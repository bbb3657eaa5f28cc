//! What the tools of Alea share: files that are whole or not there ([`files`]), words on stdout that nobody may want any
//! more ([`output`]), text of others made safe to show ([`text`]), signs of life on anything longer than a second
//! ([`progress`]), the line that goes on ([`resume`]), errors that name a word ([`words`]), completions and man pages
//! ([`manual`]), and programs beside this one ([`programs`]).

pub mod files;
pub mod manual;
pub mod output;
pub mod programs;
pub mod progress;
pub mod resume;
pub mod text;
pub mod words;
