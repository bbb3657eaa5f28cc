//! Files that are there whole or not at all, with errors that name them.

use std::path::Path;

/// Replace a file in one step: whoever reads it, whenever the machine stops, finds the old content or the new.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), String> {
    alea::files::replace(path, content).map_err(|error| format!("{}: {error}", path.display()))
}
