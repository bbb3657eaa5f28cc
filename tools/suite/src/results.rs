//! Results on disk: a CSV that grows by a row as each search ends, so that a run that was cut short loses nothing and can
//! be taken up again.

use crate::naming;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a row may wait in the system's memory. A crash of this program loses none; one of the machine, this much.
const SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// A kind of row.
pub trait Record: Serialize + DeserializeOwned {
    /// The first line of its file.
    const HEADER: &'static str;
}

/// One search. COLUMNS.md explains the columns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The position's number in the suite, from 1.
    pub position: usize,
    /// n/k.
    pub shape: String,
    /// The algorithm's name.
    pub algorithm: String,
    /// Its options.
    pub options: String,
    /// The depth asked for.
    pub depth: u32,
    /// The value of the root, for the side to move, to eight decimals.
    pub value: f64,
    /// The best move, or `(none)` where the die is not rolled.
    pub best_move: String,
    /// Nodes entered.
    pub nodes: u64,
    /// Leaves evaluated.
    pub evaluations: u64,
    /// Probing phases tried.
    pub probes: u64,
    /// Probing phases that cut.
    pub probe_cuts: u64,
    /// Table look-ups that found their position.
    pub table_hits: u64,
    /// Milliseconds.
    pub time_ms: f64,
    /// Whether the value is the game's own.
    pub exact: bool,
}

impl Record for Row {
    const HEADER: &'static str = "position,shape,algorithm,options,depth,value,best_move,nodes,evaluations,probes,\
                                  probe_cuts,table_hits,time_ms,exact";
}

/// A file of rows, open for more.
pub struct Store<R> {
    path: PathBuf,
    file: File,
    synced: Instant,
    kind: std::marker::PhantomData<R>,
}

impl<R: Record> Store<R> {
    /// Open or make a file, mend its last line if a crash tore it, and hand back the rows it has.
    pub fn open(path: &Path) -> Result<(Store<R>, Vec<R>), String> {
        let fail = |error: std::io::Error| naming(path, error);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(fail)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(naming(path, "another run is writing to it; wait or stop it")),
            // Some file systems know no locks; one can do without.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fail)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole == 0 && !R::HEADER.as_bytes().starts_with(&bytes) {
            return Err(naming(path, "not a file of results; move it away or give another --out"));
        }
        let rows = parse_bytes(path, &bytes[..whole])?;
        file.set_len(whole as u64).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        if whole == 0 {
            file.write_all(format!("{}\n", R::HEADER).as_bytes()).map_err(fail)?;
            file.sync_all().map_err(fail)?;
        }
        let kind = std::marker::PhantomData;
        Ok((Store { path: path.to_path_buf(), file, synced: Instant::now(), kind }, rows))
    }

    /// Add a row.
    pub fn add(&mut self, row: &R) -> Result<(), String> {
        let line = line_of(row).map_err(|error| naming(&self.path, error))?;
        self.file.write_all(&line).map_err(|error| naming(&self.path, error))?;
        if self.synced.elapsed() >= SYNC_INTERVAL { self.sync() } else { Ok(()) }
    }

    /// Have everything written to the disk itself.
    pub fn sync(&mut self) -> Result<(), String> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|error| naming(&self.path, error))
    }
}

fn line_of<R: Record>(row: &R) -> Result<Vec<u8>, String> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(row).map_err(|error| error.to_string())?;
    writer.into_inner().map_err(|error| error.to_string())
}

/// The rows of a file, which may still be growing: a last line without an end is left out.
pub fn read<R: Record>(path: &Path) -> Result<Vec<R>, String> {
    let bytes = std::fs::read(path).map_err(|error| naming(path, error))?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    parse_bytes(path, &bytes[..whole])
}

fn parse_bytes<R: Record>(path: &Path, bytes: &[u8]) -> Result<Vec<R>, String> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if first.trim_ascii_end() != R::HEADER.as_bytes() {
        return Err(format!("{}:1: not a file of results: expected '{}'", path.display(), R::HEADER));
    }
    let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
    let mut rows = Vec::new();
    for row in reader.deserialize() {
        rows.push(row.map_err(|error: csv::Error| {
            let line = error.position().map_or(0, csv::Position::line);
            format!("{}:{line}: a row that cannot be read ({error}); mend or remove it", path.display())
        })?);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(position: usize) -> Row {
        Row {
            position,
            shape: "5/4".into(),
            algorithm: "Star2".into(),
            options: "probing=1".into(),
            depth: 7,
            value: -0.12345678,
            best_move: "c3".into(),
            nodes: 1234,
            evaluations: 999,
            probes: 10,
            probe_cuts: 5,
            table_hits: 77,
            time_ms: 1.5,
            exact: false,
        }
    }

    #[test]
    fn rows_come_back_and_a_torn_line_is_mended_at_every_length() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.csv");
        let (mut store, none) = Store::<Row>::open(&path).unwrap();
        assert!(none.is_empty());
        assert!(Store::<Row>::open(&path).is_err(), "locked");
        (1..=2).for_each(|i| store.add(&row(i)).unwrap());
        store.sync().unwrap();
        drop(store);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            let (mut store, rows) = Store::<Row>::open(&path).unwrap();
            assert_eq!(rows.len(), lines.saturating_sub(1), "cut to {length}");
            for i in rows.len() + 1..=2 {
                store.add(&row(i)).unwrap();
            }
            drop(store);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut to {length}");
        }
        assert_eq!(read::<Row>(&path).unwrap(), [row(1), row(2)]);
    }

    #[test]
    fn other_files_are_refused_and_bad_rows_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.csv");
        let bad_row = format!("{}\n1,5/4,Star2,probing=1,x,0,a1,1,1,1,1,1,1.0,false\n", Row::HEADER);
        let cases =
            [("my diary", "not a file of results"), ("a,b\n1,2\n", ":1: not a file"), (bad_row.as_str(), ":2: a row")];
        for (text, message) in cases {
            std::fs::write(&path, text).unwrap();
            let error = Store::<Row>::open(&path).err().unwrap();
            assert!(error.contains(message), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "left alone");
        }
    }
}
