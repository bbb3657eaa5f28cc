//! Programs that stand beside this one.

use std::env;
use std::path::PathBuf;

/// What this program is called.
pub fn own_name() -> String {
    let own = env::current_exe().ok();
    own.as_deref().and_then(|path| path.file_stem()).map_or("alea".into(), |name| name.to_string_lossy().into_owned())
}

/// The program of this name in the folder of this one, or, for a program under test, in the folder above.
pub fn beside(name: &str) -> Option<PathBuf> {
    let own = env::current_exe().ok()?;
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    own.ancestors().skip(1).take(2).map(|folder| folder.join(&file)).find(|path| path.is_file())
}
