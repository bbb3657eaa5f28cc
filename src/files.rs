//! Files that are written whole or not at all, and read without waiting for anybody.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

/// Replace a file in one step: whoever reads it, whenever the machine stops, finds the old content or the new.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().ok_or_else(|| io::Error::other("the path names no file"))?.to_os_string();
    name.push(".part");
    let part = path.with_file_name(name);
    let mut file = File::create(&part)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&part, path)?;
    // The new name is safe only once its directory is on disk too.
    if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
        File::open(dir)?.sync_all()?;
    }
    Ok(())
}

/// Why a file could not be read whole.
#[derive(Debug)]
pub enum ReadError {
    /// The system says so.
    Io(io::Error),
    /// It is a directory, a pipe, a device or the like.
    NotRegular,
    /// It has no bytes, or says so: many files that the system makes up as they are read do.
    Empty,
    /// It has more bytes than are wanted.
    TooLarge {
        /// Its bytes.
        size: u64,
        /// The most that are wanted.
        most: u64,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => error.fmt(f),
            ReadError::NotRegular => f.write_str("this is no regular file"),
            ReadError::Empty => f.write_str("the file is empty"),
            ReadError::TooLarge { size, most } => write!(f, "the file has {size} bytes, more than {most}"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

/// Read a regular file of at most so many bytes. Whatever the path leads to, neither opening nor reading it waits for
/// another program, and no more is read than the file says it has.
pub fn read_regular(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    // Opening alone can have effects on a device.
    if !fs::metadata(path)?.is_file() {
        return Err(ReadError::NotRegular);
    }
    let file = open_at_once(path)?;
    // The path may lead elsewhere by now.
    let data = file.metadata()?;
    match data.len() {
        _ if !data.is_file() => Err(ReadError::NotRegular),
        0 => Err(ReadError::Empty),
        size if size > most => Err(ReadError::TooLarge { size, most }),
        size => {
            let mut bytes = Vec::new();
            file.take(size).read_to_end(&mut bytes)?;
            Ok(bytes)
        }
    }
}

#[cfg(unix)]
fn open_at_once(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    File::options().read(true).custom_flags(flags.bits() as i32).open(path)
}

#[cfg(not(unix))]
fn open_at_once(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_fair_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, size) in [("empty", 0), ("one", 1), ("ten", 10), ("eleven", 11)] {
            fs::write(path(name), vec![7; size]).unwrap();
        }
        let read = |name: &str| read_regular(&path(name), 10).map_err(|error| error.to_string());
        let cases: [(&str, Result<Vec<u8>, &str>); 6] = [
            ("empty", Err("the file is empty")),
            ("one", Ok(vec![7])),
            ("ten", Ok(vec![7; 10])),
            ("eleven", Err("the file has 11 bytes, more than 10")),
            (".", Err("this is no regular file")),
            ("none", Err("No such file or directory (os error 2)")),
        ];
        for (name, expected) in cases {
            assert_eq!(read(name), expected.map_err(Into::into), "{name}");
        }
    }

    /// None of these may be waited for.
    #[cfg(target_os = "linux")]
    #[test]
    fn devices_pipes_and_made_up_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        for path in ["/dev/zero", "/dev/tty", "/proc/kmsg", "/proc/self/mem", "/proc", pipe.to_str().unwrap()] {
            assert!(read_regular(Path::new(path), 1 << 20).is_err(), "{path}");
        }
    }
}
