//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Replace a file in one step: whoever reads it, whenever the machine stops, finds the old content or the new.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), String> {
    let replace = || -> io::Result<()> {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(".tmp");
        let temporary = path.with_file_name(name);
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            File::open(dir)?.sync_all()?;
        }
        Ok(())
    };
    replace().map_err(|error| format!("{}: {error}", path.display()))
}
