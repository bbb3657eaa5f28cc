//! The files of a run, all named after its network.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where a run puts what it makes: `my.net`, `my.last.net`, `my.csv`, `my.checkpoint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// The best network so far; at the end, the result.
    pub net: PathBuf,
    /// The network as it was last.
    pub last: PathBuf,
    /// The learning curve. Who writes to it has it locked.
    pub curve: PathBuf,
    /// Where the run goes on from.
    pub checkpoint: PathBuf,
}

/// A name that a network cannot be given: the other files of its run might be mistaken for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoNetName(PathBuf);

impl fmt::Display for NoNetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.display();
        write!(f, "--out '{name}': expected a name that ends in .net; curve and checkpoint are named after it")
    }
}

impl std::error::Error for NoNetName {}

impl Paths {
    /// The files of a run whose network goes to `out`.
    pub fn new(out: &Path) -> Result<Paths, NoNetName> {
        if out.extension().is_none_or(|extension| extension != "net") {
            return Err(NoNetName(out.to_owned()));
        }
        Ok(Paths {
            net: out.to_owned(),
            last: out.with_extension("last.net"),
            curve: out.with_extension("csv"),
            checkpoint: out.with_extension("checkpoint"),
        })
    }

    /// All of them.
    pub fn all(&self) -> [&PathBuf; 4] {
        [&self.net, &self.last, &self.curve, &self.checkpoint]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_of_a_run_is_another() {
        let paths = Paths::new(Path::new("nets/my.net")).unwrap();
        assert_eq!(
            paths.all().map(|path| path.to_str().unwrap()),
            ["nets/my.net", "nets/my.last.net", "nets/my.csv", "nets/my.checkpoint"]
        );
        for name in ["my.csv", "my.checkpoint", "my", "my.net.csv", ".net", "my.net/", "..", ""] {
            let refused = Paths::new(Path::new(name));
            // A path that ends in a slash names the same file without it.
            assert_eq!(refused.is_err(), name != "my.net/", "{name}");
        }
    }
}
