//! Results on disk: a CSV that grows by a row as each search ends, so that a run that was cut short loses nothing and can
//! be taken up again. Each row ends with the CRC-32 of what stands before it: a damaged one is refused, never believed.

use alea_tools::files::FileError;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a row may wait in the system's memory. A crash of this program loses none; one of the machine, this much.
const SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// A kind of row.
pub trait Record: Serialize + DeserializeOwned {
    /// The columns, but for the last, `crc32`.
    const COLUMNS: &'static str;

    /// The first line of its file.
    fn header() -> String {
        format!("{},crc32", Self::COLUMNS)
    }
}

/// One search. COLUMNS.md explains the columns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The position's number in the suite, from 1.
    pub position: usize,
    /// n/k in Dice; the game's name in others.
    pub shape: String,
    /// The algorithm's name.
    pub algorithm: String,
    /// Its options.
    pub options: String,
    /// The depth asked for.
    pub depth: u32,
    /// The value of the root, for the side to move, in points to eight decimals.
    pub value: f64,
    /// The best move, or `(none)` where chance is to come.
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
    const COLUMNS: &'static str = "position,shape,algorithm,options,depth,value,best_move,nodes,evaluations,probes,\
                                   probe_cuts,table_hits,time_ms,exact";
}

/// What is wrong with a line.
#[derive(Debug)]
pub enum RowFault {
    /// Its checksum is not that of its fields.
    Checksum,
    /// It does not end where the next one should start.
    End,
    /// A field is not what its column is for.
    Field(csv::Error),
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowFault::Checksum => f.write_str("a damaged row: its checksum is wrong"),
            RowFault::End => f.write_str("a damaged row: its end of line is missing"),
            RowFault::Field(error) => match error.kind() {
                csv::ErrorKind::Deserialize { err, .. } => write!(f, "a row that cannot be read ({err})"),
                _ => write!(f, "a row that cannot be read ({error})"),
            },
        }
    }
}

/// Why a file of results cannot be used.
#[derive(Debug)]
pub enum ResultsError {
    /// It cannot be read or written.
    File(FileError),
    /// Another process has it locked.
    Busy(PathBuf),
    /// It is something else.
    Foreign {
        /// Which file.
        path: PathBuf,
        /// How it should begin.
        header: String,
    },
    /// A line is wrong.
    Row {
        /// In which file.
        path: PathBuf,
        /// Which line.
        line: usize,
        /// What about it.
        fault: RowFault,
    },
    /// A row that cannot be put into words.
    Unwritable(PathBuf, csv::Error),
}

impl fmt::Display for ResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResultsError::File(error) => write!(f, "{error}"),
            ResultsError::Busy(path) => write!(f, "{}: another run is writing to it; wait or stop it", path.display()),
            ResultsError::Foreign { path, header } => {
                let path = path.display();
                write!(
                    f,
                    "{path}:1: not a file of results, or of an earlier version: expected '{header}'; \
                     move it away or give another --out"
                )
            }
            ResultsError::Row { path, line, fault } => {
                write!(f, "{}:{line}: {fault}; remove the line to have it made again, or --fresh", path.display())
            }
            ResultsError::Unwritable(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for ResultsError {}

/// A file of rows, open for more.
pub struct Store<R> {
    path: PathBuf,
    file: File,
    synced: Instant,
    kind: std::marker::PhantomData<R>,
}

impl<R: Record> Store<R> {
    /// Open or make a file, as its only writer, take off a last line that a crash tore, and hand back the rows it has. With
    /// `fresh`, take off all rows, sound or not.
    pub fn open(path: &Path, fresh: bool) -> Result<(Store<R>, Vec<R>), ResultsError> {
        let fail = |error: io::Error| ResultsError::File(FileError::new(path, error));
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(fail)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(ResultsError::Busy(path.to_owned())),
            // Some file systems know no locks; one can do without.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fail)?;
        let text = Text::<R>::new(path, &bytes)?;
        let (rows, length) = if fresh { (Vec::new(), 0) } else { (text.rows()?, text.whole.len()) };
        file.set_len(length as u64).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        if length == 0 {
            file.write_all(format!("{}\n", R::header()).as_bytes()).map_err(fail)?;
            file.sync_all().map_err(fail)?;
        }
        let kind = std::marker::PhantomData;
        Ok((Store { path: path.to_owned(), file, synced: Instant::now(), kind }, rows))
    }

    /// Add a row.
    pub fn add(&mut self, row: &R) -> Result<(), ResultsError> {
        let line = line_of(row).map_err(|error| ResultsError::Unwritable(self.path.clone(), error))?;
        self.file.write_all(&line).map_err(|error| self.failed(error))?;
        if self.synced.elapsed() >= SYNC_INTERVAL { self.sync() } else { Ok(()) }
    }

    /// Have everything written to the disk itself.
    pub fn sync(&mut self) -> Result<(), ResultsError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> ResultsError {
        ResultsError::File(FileError::new(&self.path, error))
    }
}

fn line_of<R: Record>(row: &R) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(row)?;
    let mut line = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    line.truncate(line.trim_ascii_end().len());
    let checksum = checksum(&line);
    line.extend(format!(",{checksum}\n").bytes());
    Ok(line)
}

/// What the last column says of those before it.
fn checksum(fields: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(fields))
}

/// The fields of a line without its end, if they are what was written.
fn sound(line: &[u8]) -> Option<&[u8]> {
    let comma = line.iter().rposition(|&byte| byte == b',')?;
    (checksum(&line[..comma]).as_bytes() == &line[comma + 1..]).then(|| &line[..comma])
}

/// The rows of a file, which may still be growing: a last line without an end is left out. The first is on line 2.
pub fn read<R: Record>(path: &Path) -> Result<Vec<R>, ResultsError> {
    let bytes = fs::read(path).map_err(|error| ResultsError::File(FileError::new(path, error)))?;
    Text::<R>::new(path, &bytes)?.rows()
}

/// What a file holds.
struct Text<'a, R> {
    path: &'a Path,
    /// All lines that have an end.
    whole: &'a [u8],
    /// What comes after them: nothing, or what a crash left of a line.
    torn: &'a [u8],
    kind: std::marker::PhantomData<R>,
}

impl<'a, R: Record> Text<'a, R> {
    /// The text of a file that starts as it should, or has not got so far.
    fn new(path: &'a Path, bytes: &'a [u8]) -> Result<Text<'a, R>, ResultsError> {
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (whole, torn) = bytes.split_at(end);
        let header = R::header();
        let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let good = if whole.is_empty() { header.as_bytes().starts_with(first) } else { first == header.as_bytes() };
        if !good {
            return Err(ResultsError::Foreign { path: path.to_owned(), header });
        }
        Ok(Text { path, whole, torn, kind: std::marker::PhantomData })
    }

    fn rows(&self) -> Result<Vec<R>, ResultsError> {
        let lines = self.whole.split_inclusive(|&byte| byte == b'\n').skip(1);
        let mut rows = Vec::new();
        for line in lines {
            rows.push(row(&line[..line.len() - 1]).map_err(|fault| self.fault(rows.len(), fault))?);
        }
        // A torn line has nothing after its checksum; one that has was whole before something happened to its end.
        match self.torn.split_last() {
            Some((_, line)) if sound(line).is_some() => Err(self.fault(rows.len(), RowFault::End)),
            _ => Ok(rows),
        }
    }

    /// A fault of the row after so many.
    fn fault(&self, rows: usize, fault: RowFault) -> ResultsError {
        ResultsError::Row { path: self.path.to_owned(), line: rows + 2, fault }
    }
}

fn row<R: Record>(line: &[u8]) -> Result<R, RowFault> {
    let fields = sound(line).ok_or(RowFault::Checksum)?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).buffer_capacity(1 << 10).from_reader(fields);
    let row = reader.deserialize().next();
    row.unwrap_or_else(|| Err(csv::Error::from(io::Error::other("no fields")))).map_err(RowFault::Field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(position: usize) -> Row {
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

    /// A file of three rows, and its bytes.
    fn file(path: &Path) -> Vec<u8> {
        let (mut store, none) = Store::<Row>::open(path, false).unwrap();
        assert!(none.is_empty());
        assert!(matches!(Store::<Row>::open(path, false), Err(ResultsError::Busy(_))));
        (1..=3).for_each(|i| store.add(&sample(i)).unwrap());
        store.sync().unwrap();
        fs::read(path).unwrap()
    }

    #[test]
    fn rows_come_back_and_a_torn_line_is_mended_at_every_length() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.csv");
        let whole = file(&path);
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            let (mut store, rows) = Store::<Row>::open(&path, false).unwrap();
            assert_eq!(rows.len(), lines.saturating_sub(1), "cut to {length}");
            for i in rows.len() + 1..=3 {
                store.add(&sample(i)).unwrap();
            }
            drop(store);
            assert_eq!(fs::read(&path).unwrap(), whole, "cut to {length}");
        }
        assert_eq!(read::<Row>(&path).unwrap(), [1, 2, 3].map(sample));
    }

    #[test]
    fn every_flipped_bit_is_refused_with_its_line_and_nothing_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.csv");
        let whole = file(&path);
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                fs::write(&path, &bytes).unwrap();
                let line = whole[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
                let error = Store::<Row>::open(&path, false).err().map_or("accepted".into(), |error| error.to_string());
                assert!(error.contains(&format!("results.csv:{line}: ")), "bit {bit} of byte {at}: {error}");
                assert_eq!(read::<Row>(&path).unwrap_err().to_string(), error);
                assert_eq!(fs::read(&path).unwrap(), bytes, "left alone");
            }
        }
    }

    #[test]
    fn other_files_are_refused_and_bad_rows_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.csv");
        let fields = "1,5/4,Star2,probing=1,x,0,a1,1,1,1,1,1,1.0,false";
        let bad_row = format!("{}\n{fields},{}\n", Row::header(), checksum(fields.as_bytes()));
        let older = format!("{}\n{fields}\n", Row::COLUMNS);
        let cases = [
            ("my diary", ":1: not a file of results"),
            ("a,b\n1,2\n", ":1: not a file"),
            (older.as_str(), ":1: not a file"),
            (bad_row.as_str(), ":2: a row that cannot be read (field 4"),
        ];
        for (text, message) in cases {
            fs::write(&path, text).unwrap();
            let error = Store::<Row>::open(&path, false).err().unwrap().to_string();
            assert!(error.contains(message), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "left alone");
        }
    }

    #[test]
    fn a_fresh_start_takes_damaged_rows_away_but_no_other_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.csv");
        fs::write(&path, format!("{}\nnonsense\n", Row::header())).unwrap();
        assert!(Store::<Row>::open(&path, true).unwrap().1.is_empty());
        assert_eq!(fs::read_to_string(&path).unwrap(), Row::header() + "\n");
        fs::write(&path, "my diary\n").unwrap();
        assert!(matches!(Store::<Row>::open(&path, true), Err(ResultsError::Foreign { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "my diary\n");
    }
}
