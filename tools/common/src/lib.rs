//! What the tools of Alea share: engines as processes ([`engine`]), files that are whole or not there ([`files`]), words on stdout that nobody may want any
//! more ([`output`]), text of others made safe to show ([`text`]), signs of life on anything longer than a second
//! ([`progress`], [`shared_progress`]), Ctrl-C and the line that goes on after it ([`interrupt`], [`resume`]), errors that
//! name a word ([`words`]), completions and man pages ([`manual`]), programs beside this one ([`programs`]), random numbers
//! ([`random`]), the rules in words ([`rules`]) and games as they are kept ([`records`]), play at depth 1 ([`greedy`]), tables ([`tables`]) and pictures ([`plots`]).

#[cfg(unix)]
pub mod engine;
pub mod files;
pub mod greedy;
pub mod interrupt;
pub mod manual;
pub mod output;
pub mod plots;
pub mod programs;
pub mod progress;
pub mod random;
pub mod records;
pub mod rules;
pub mod shared_progress;
pub mod tables;
pub mod text;
pub mod words;
