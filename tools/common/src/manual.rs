//! Shell completions and man pages, made from the command line itself so that they cannot disagree with it.

use crate::files::{self, FileError};
use crate::output::say;
use clap::{Command, Subcommand};
use clap_complete::Shell;
use std::path::{Path, PathBuf};

/// Two commands that every tool has: `#[command(flatten)] Manual(Manual)` among its own.
#[derive(Subcommand, Clone, Debug)]
pub enum Manual {
    /// Print completions for a shell: `TOOL completions bash > ~/.local/share/bash-completion/completions/TOOL`
    #[command(display_order = 100)]
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write man pages into a folder: `TOOL man ~/.local/share/man/man1`
    #[command(display_order = 101)]
    Man {
        /// The folder; made if it is not there
        #[arg(value_name = "DIR")]
        dir: PathBuf,
    },
}

impl Manual {
    /// Do what is asked, for this command line.
    pub fn run(&self, command: Command) -> Result<(), FileError> {
        match self {
            Manual::Completions { shell } => {
                say(&completions(command, *shell));
                Ok(())
            }
            Manual::Man { dir } => pages(command, dir),
        }
    }
}

fn completions(mut command: Command, shell: Shell) -> String {
    let name = command.get_name().to_string();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// A page for the tool and one for each of its commands: `tool.1`, `tool-run.1`, …
fn pages(command: Command, dir: &Path) -> Result<(), FileError> {
    files::make_dir(dir)?;
    let command = command.disable_help_subcommand(true);
    clap_mangen::generate_to(command, dir).map_err(|error| FileError::new(dir, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool() -> Command {
        Manual::augment_subcommands(Command::new("alea-example").subcommand(Command::new("run").about("Runs.")))
    }

    #[test]
    fn completions_know_every_command_in_every_shell() {
        for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
            let script = completions(tool(), shell);
            assert!(script.contains("alea-example") && script.contains("completions"), "{shell}: {script}");
        }
    }

    #[test]
    fn every_command_has_a_page() {
        let dir = tempfile::tempdir().unwrap();
        pages(tool(), &dir.path().join("new/man1")).unwrap();
        for name in ["alea-example.1", "alea-example-run.1", "alea-example-man.1"] {
            let page = std::fs::read_to_string(dir.path().join("new/man1").join(name)).unwrap();
            assert!(page.contains(".TH"), "{name}: {page}");
        }
    }
}
