//! The trainer as a program, in a folder of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test, removed with it.
pub struct Folder(pub PathBuf);

impl Folder {
    /// An empty one.
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("alea-trainer-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// What is in a file.
    pub fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Every file in it.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.map(|name| (name.clone(), self.file(&name))).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// The trainer with these words, in a folder.
pub fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alea-train"));
    command.current_dir(folder).args(words.split_whitespace());
    command
}

/// The same, run to its end.
pub fn trainer(folder: &Path, words: &str) -> Output {
    command(folder, words).output().unwrap()
}

/// Run, expecting success; gives back what was printed.
pub fn train(folder: &Folder, words: &str) -> String {
    let output = trainer(&folder.0, words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Run, expecting a refusal; gives back the message.
pub fn refused(folder: &Folder, words: &str) -> String {
    let output = trainer(&folder.0, words);
    assert!(!output.status.success(), "{words} should have been refused");
    String::from_utf8(output.stderr).unwrap()
}
