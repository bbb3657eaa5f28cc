//! Networks on disk.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic, `ALEA-NET` |
//! | 2 | version of the format: 1, or 2 if there are straight units |
//! | 1, 1 | the shape: n, k |
//! | 1 | the features: 1 checkers and streaks, 2 checkers, threats and live segments, 3 counts of the same |
//! | 1 | U, the number of hidden units (mirror images not counted) |
//! | 2 | where a unit is full, signed |
//! | 2 | binary digits after the point of the output |
//! | 4 | what the output starts from, signed |
//! | 4 | F, the number of features; the shape and the set of features determine it |
//! | 2 | in version 2 only: how many of the units, the last ones, are straight (never clipped), at least 1 |
//! | 2·U | what each unit starts from, signed |
//! | 2·U | what each unit adds to the output, signed |
//! | 2·F·U | weights of the first feature for each unit, then of the second, ..., signed |
//! | 4 | CRC-32 (IEEE) of everything before it |
//!
//! Features are numbered as [`super::features`] says.

use super::features::{FeatureSet, Layout};
use super::network::{BadWeights, Network, Weights};
use crate::files;
use crate::game::dice::Shape;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const MAGIC: &[u8; 8] = b"ALEA-NET";
/// The versions: without straight units, and with.
const CLIPPED: u16 = 1;
const STRAIGHT: u16 = 2;
const HEADER: usize = 26;
/// What version 2 adds to the header.
const HEADER_MORE: usize = 2;
const CHECKSUM: usize = 4;
/// No network of any shape is larger.
const MAX_BYTES: u64 = 16 << 20;

/// Why a file is no network, or not the one wanted.
#[derive(Debug)]
pub enum FileError {
    /// It could not be read or written.
    Io(io::Error),
    /// It is larger than any network.
    TooLarge,
    /// It does not start with the magic.
    Foreign,
    /// It is of a version this program does not know.
    Version(u16),
    /// It ends too soon, or goes on after its end.
    Length {
        /// Its bytes.
        got: usize,
        /// How many its header promises.
        due: usize,
    },
    /// Its checksum is wrong.
    Corrupt,
    /// The shape in its header does not exist.
    NoShape {
        /// n.
        size: u8,
        /// k.
        win: u8,
    },
    /// The set of features is one this program does not know.
    Features(u8),
    /// It promises another number of features than its shape has.
    FeatureCount {
        /// As the file says.
        got: u32,
        /// As it should be.
        due: usize,
    },
    /// Its numbers make no network.
    Weights(BadWeights),
    /// It is a sound network of another shape.
    OtherShape {
        /// Its own.
        got: Shape,
        /// The one wanted.
        due: Shape,
    },
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Io(error) => write!(f, "{error}"),
            FileError::TooLarge => f.write_str("not a network: the file is too large to be one"),
            FileError::Foreign => f.write_str("not a network: the file does not start with ALEA-NET"),
            FileError::Version(version) => {
                write!(f, "a network of version {version}; this program reads versions {CLIPPED} and {STRAIGHT}")
            }
            FileError::Length { got, due } if got < due => write!(f, "truncated: {got} bytes, expected {due}"),
            FileError::Length { got, due } => write!(f, "damaged: {got} bytes, expected {due}"),
            FileError::Corrupt => f.write_str("damaged: the checksum is wrong"),
            FileError::NoShape { size, win } => write!(f, "damaged: there is no shape {size}/{win}"),
            FileError::Features(set) => write!(f, "its features are of a kind ({set}) unknown to this program"),
            FileError::FeatureCount { got, due } => write!(f, "damaged: {got} features, expected {due}"),
            FileError::Weights(bad) => write!(f, "unsound: {bad}"),
            FileError::OtherShape { got, due } => write!(f, "a network for {got}, where one for {due} is wanted"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> FileError {
        FileError::Io(error)
    }
}

/// The bytes of a network's file.
pub fn to_bytes(weights: &Weights) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let version = if weights.straight == 0 { CLIPPED } else { STRAIGHT };
    bytes.extend(version.to_le_bytes());
    let set = match weights.set {
        FeatureSet::Streaks => 1,
        FeatureSet::Lines => 2,
        FeatureSet::Counts => 3,
    };
    bytes.extend([weights.shape.size() as u8, weights.shape.win() as u8, set, weights.units() as u8]);
    bytes.extend(weights.one.to_le_bytes());
    bytes.extend(u16::from(weights.shift).to_le_bytes());
    bytes.extend(weights.out_bias.to_le_bytes());
    bytes.extend(((weights.first.len() / weights.units().max(1)) as u32).to_le_bytes());
    if version == STRAIGHT {
        bytes.extend((weights.straight as u16).to_le_bytes());
    }
    for list in [&weights.bias, &weights.out, &weights.first] {
        bytes.extend(list.iter().flat_map(|x| x.to_le_bytes()));
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Reads little-endian numbers off the front of a slice that is known to be long enough.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_first_chunk::<N>().unwrap_or((&[0; N], &[]));
        self.0 = rest;
        *head
    }

    fn list(&mut self, len: usize) -> Vec<i16> {
        (0..len).map(|_| i16::from_le_bytes(self.take())).collect()
    }
}

/// The network in a file's bytes.
pub fn from_bytes(bytes: &[u8]) -> Result<Network, FileError> {
    let known = bytes.len().min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] || known == 0 {
        return Err(FileError::Foreign);
    }
    let mut reader = Reader(&bytes[known..]);
    let version = u16::from_le_bytes(reader.take());
    let header = match version {
        STRAIGHT => HEADER + HEADER_MORE,
        _ => HEADER,
    };
    if bytes.len() < header + CHECKSUM {
        return Err(FileError::Length { got: bytes.len(), due: header + CHECKSUM });
    }
    if ![CLIPPED, STRAIGHT].contains(&version) {
        return Err(FileError::Version(version));
    }
    let [size, win, set, units] = reader.take();
    let one = i16::from_le_bytes(reader.take());
    let shift = u16::from_le_bytes(reader.take());
    let out_bias = i32::from_le_bytes(reader.take());
    let features = u32::from_le_bytes(reader.take());
    let straight = if version == STRAIGHT { u16::from_le_bytes(reader.take()).into() } else { 0 };
    let units = usize::from(units);
    let due = (2 * units as u64) * (2 + u64::from(features)) + (header + CHECKSUM) as u64;
    if bytes.len() as u64 != due {
        return Err(FileError::Length { got: bytes.len(), due: due as usize });
    }
    let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
    if crc32fast::hash(body).to_le_bytes() != checksum {
        return Err(FileError::Corrupt);
    }
    let shape = Shape::new(size.into(), win.into()).ok_or(FileError::NoShape { size, win })?;
    let set = match set {
        1 => FeatureSet::Streaks,
        2 => FeatureSet::Lines,
        3 => FeatureSet::Counts,
        other => return Err(FileError::Features(other)),
    };
    let count = Layout::new(shape, set).len();
    if features as usize != count {
        return Err(FileError::FeatureCount { got: features, due: count });
    }
    let shift = u8::try_from(shift)
        .map_err(|_| FileError::Weights(BadWeights::Scale { field: "shift", value: shift.into() }))?;
    if version == STRAIGHT && straight == 0 {
        return Err(FileError::Weights(BadWeights::Scale { field: "straight", value: 0 }));
    }
    let (bias, out) = (reader.list(units), reader.list(units));
    let first = reader.list(units * count);
    let weights = Weights { shape, set, one, shift, first, bias, out, out_bias, straight };
    Network::new(weights).map_err(FileError::Weights)
}

/// Read a network of a given shape.
pub fn load(path: &Path, shape: Shape) -> Result<Network, FileError> {
    let network = load_any(path)?;
    match network.weights().shape {
        got if got != shape => Err(FileError::OtherShape { got, due: shape }),
        _ => Ok(network),
    }
}

/// Read a network of whatever shape.
pub fn load_any(path: &Path) -> Result<Network, FileError> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(FileError::TooLarge);
    }
    from_bytes(&bytes)
}

/// Write a network; whatever happens, the file is afterwards either as it was or whole.
pub fn save(path: &Path, weights: &Weights) -> Result<(), FileError> {
    Ok(files::replace(path, &to_bytes(weights))?)
}
