//! Networks of sparse features on disk: versions 3 and 4 of `ALEA-NET`.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic, `ALEA-NET` |
//! | 2 | version of the format: 3, or 4 if units are squared |
//! | 1, G | the length of the game's name, and the name |
//! | 4 | F, the number of features |
//! | 2 | U, the number of hidden units (images of the board not counted) |
//! | 1 | O, the number of outputs |
//! | 2 | where a unit is full, signed |
//! | 1 | binary digits after the point of an output |
//! | 4·O | what each output starts from, signed |
//! | 2·U | what each unit starts from, signed |
//! | 2·O·U | what each unit adds to the first output, then to the second, ..., signed |
//! | 2·F·U | weights of the first feature for each unit, then of the second, ..., signed |
//! | 4 | CRC-32 (IEEE) of everything before it |
//!
//! Features are numbered as the game's [`Layout`] says.

use super::layout::{Curve, Layout};
use super::network::{BadWeights, Network, Weights};
use crate::files;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const MAGIC: &[u8; 8] = b"ALEA-NET";
/// The versions of the format: of networks with clipped units, and with squared ones.
const CLIPPED: u16 = 3;
const SQUARED: u16 = 4;
/// Magic, version and the length of the name.
const OPENING: usize = 11;
/// What stands between the name and the lists.
const SIZES: usize = 10;
const CHECKSUM: usize = 4;
/// No network is larger.
const MAX_BYTES: u64 = 64 << 20;

/// The version of the format that networks of a layout are written in.
fn version_of(layout: &Layout) -> u16 {
    match layout.curve {
        Curve::Clipped => CLIPPED,
        Curve::Squared => SQUARED,
    }
}

/// The game that a file's bytes name, whatever else is in them; `None` if they do not begin as a network of this format.
pub fn game_of(bytes: &[u8]) -> Option<String> {
    let (version, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
    let (&length, rest) = rest.split_first()?;
    let name = rest.get(..usize::from(length))?;
    [CLIPPED, SQUARED].contains(&u16::from_le_bytes(*version)).then(|| String::from_utf8_lossy(name).into_owned())
}

/// Why a file is no network, or not the one wanted.
#[derive(Debug)]
pub enum FileError {
    /// It could not be read or written.
    Io(io::Error),
    /// It is larger than any network.
    TooLarge,
    /// It does not start with the magic.
    Foreign,
    /// It is of a version this program does not know, or not for this game.
    Version {
        /// Its own.
        got: u16,
        /// The one wanted.
        due: u16,
    },
    /// It ends too soon, or goes on after its end.
    Length {
        /// Its bytes.
        got: usize,
        /// How many its header promises.
        due: u64,
    },
    /// Its checksum is wrong.
    Corrupt,
    /// It is a sound network of another game.
    OtherGame {
        /// Its own.
        got: String,
        /// The one wanted.
        due: &'static str,
    },
    /// It has other features or outputs than the game's networks have.
    Count {
        /// Of what.
        what: &'static str,
        /// As the file says.
        got: usize,
        /// As it should be.
        due: usize,
    },
    /// Its numbers make no network.
    Weights(BadWeights),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Io(error) => write!(f, "{error}"),
            FileError::TooLarge => f.write_str("not a network: the file is too large to be one"),
            FileError::Foreign => f.write_str("not a network: the file does not start with ALEA-NET"),
            FileError::Version { got, due } => {
                write!(f, "a network of version {got}, where one of version {due} is wanted")
            }
            FileError::Length { got, due } if (*got as u64) < *due => {
                write!(f, "truncated: {got} bytes, expected {due}")
            }
            FileError::Length { got, due } => write!(f, "damaged: {got} bytes, expected {due}"),
            FileError::Corrupt => f.write_str("damaged: the checksum is wrong"),
            FileError::OtherGame { got, due } => write!(f, "a network for {got}, where one for {due} is wanted"),
            FileError::Count { what, got, due } => write!(f, "it has {got} {what}, expected {due}"),
            FileError::Weights(bad) => write!(f, "unsound: {bad}"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> FileError {
        FileError::Io(error)
    }
}

/// The bytes of the file of a network of a layout.
pub fn to_bytes(layout: &Layout, weights: &Weights) -> Vec<u8> {
    let (game, units) = (layout.game, weights.units());
    let mut bytes = MAGIC.to_vec();
    bytes.extend(version_of(layout).to_le_bytes());
    bytes.push(game.len() as u8);
    bytes.extend(game.as_bytes());
    bytes.extend(((weights.first.len() / units.max(1)) as u32).to_le_bytes());
    bytes.extend((units as u16).to_le_bytes());
    bytes.push(weights.out.len() as u8);
    bytes.extend(weights.one.to_le_bytes());
    bytes.push(weights.shift);
    bytes.extend(weights.out_bias.iter().flat_map(|x| x.to_le_bytes()));
    let lists = [&weights.bias].into_iter().chain(&weights.out).chain([&weights.first]);
    bytes.extend(lists.flatten().flat_map(|x| x.to_le_bytes()));
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

/// The first of several networks that stand one after the other, and the rest; all, and nothing, if the first does not say
/// how long it is or is longer than that.
pub fn split_first(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = || {
        let name = usize::from(*bytes.get(OPENING - 1)?);
        let mut reader = Reader(bytes.get(OPENING + name..OPENING + name + SIZES)?);
        let (features, units) = (u32::from_le_bytes(reader.take()), u16::from_le_bytes(reader.take()));
        let [outputs] = reader.take();
        usize::try_from(length_of(OPENING + name + SIZES, features, units, outputs)).ok()
    };
    length().and_then(|length| bytes.split_at_checked(length)).unwrap_or((bytes, &[]))
}

/// The bytes of a network with a header of this length.
fn length_of(header: usize, features: u32, units: u16, outputs: u8) -> u64 {
    let (features, units, outputs) = (u64::from(features), u64::from(units), u64::from(outputs));
    (header + CHECKSUM) as u64 + 4 * outputs + 2 * units * (1 + outputs + features)
}

/// The network of a layout in a file's bytes.
pub fn from_bytes<const N: usize>(layout: Layout, bytes: &[u8]) -> Result<Network<N>, FileError> {
    let known = bytes.len().min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] || known == 0 {
        return Err(FileError::Foreign);
    }
    let too_short = |due: usize| Err(FileError::Length { got: bytes.len(), due: due as u64 });
    if bytes.len() < OPENING {
        return too_short(OPENING + SIZES + CHECKSUM);
    }
    let mut reader = Reader(&bytes[known..]);
    let version = u16::from_le_bytes(reader.take());
    if version != version_of(&layout) {
        return Err(FileError::Version { got: version, due: version_of(&layout) });
    }
    let [name] = reader.take();
    let header = OPENING + usize::from(name) + SIZES;
    if bytes.len() < header + CHECKSUM {
        return too_short(header + CHECKSUM);
    }
    let (name, rest) = reader.0.split_at(name.into());
    reader = Reader(rest);
    let features = u32::from_le_bytes(reader.take());
    let units = u16::from_le_bytes(reader.take());
    let [outputs] = reader.take();
    let one = i16::from_le_bytes(reader.take());
    let [shift] = reader.take();
    let due = length_of(header, features, units, outputs);
    if bytes.len() as u64 != due {
        return Err(FileError::Length { got: bytes.len(), due });
    }
    let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
    if crc32fast::hash(body).to_le_bytes() != checksum {
        return Err(FileError::Corrupt);
    }
    if name != layout.game.as_bytes() {
        return Err(FileError::OtherGame { got: String::from_utf8_lossy(name).into_owned(), due: layout.game });
    }
    let (features, units, outputs) = (features as usize, usize::from(units), usize::from(outputs));
    for (what, got, due) in [("features", features, layout.features()), ("outputs", outputs, layout.outputs)] {
        if got != due {
            return Err(FileError::Count { what, got, due });
        }
    }
    let out_bias = (0..outputs).map(|_| i32::from_le_bytes(reader.take())).collect();
    let bias = reader.list(units);
    let out = (0..outputs).map(|_| reader.list(units)).collect();
    let first = reader.list(units * features);
    Network::new(layout, Weights { one, shift, first, bias, out, out_bias }).map_err(FileError::Weights)
}

/// Read the network of a layout.
pub fn load<const N: usize>(layout: Layout, path: &Path) -> Result<Network<N>, FileError> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(FileError::TooLarge);
    }
    from_bytes(layout, &bytes)
}

/// Write a network; whatever happens, the file is afterwards either as it was or whole.
pub fn save(path: &Path, layout: &Layout, weights: &Weights) -> Result<(), FileError> {
    Ok(files::replace(path, &to_bytes(layout, weights))?)
}

#[cfg(test)]
mod tests {
    use super::super::layout::Group;
    use super::*;
    use crate::game::mix;

    fn layout(outputs: usize) -> Layout {
        let mut layout =
            Layout::new("test", vec![Group { features: 3, most: 1 }, Group { features: 4, most: 2 }], outputs);
        layout.images.push(vec![2, 1, 0, 6, 5, 4, 3]);
        layout
    }

    fn weights(outputs: usize) -> Weights {
        let draws =
            |seed: u64, len: usize| (0..len as u64).map(|i| (mix(seed << 32 | i) % 2001) as i16 - 1000).collect();
        Weights {
            one: 4000,
            shift: 20,
            first: draws(1, 7 * 5),
            bias: draws(2, 5),
            out: (0..outputs).map(|output| draws(3 + output as u64, 5)).collect(),
            out_bias: (0..outputs as i32).map(|output| 70_000 - 90_000 * output).collect(),
        }
    }

    fn read(outputs: usize, bytes: &[u8]) -> Result<Network<2>, FileError> {
        from_bytes(layout(outputs), bytes)
    }

    #[test]
    fn networks_survive_being_written_and_read() {
        for outputs in [1, 5] {
            let bytes = to_bytes(&layout(outputs), &weights(outputs));
            assert_eq!(read(outputs, &bytes).unwrap().weights(), &weights(outputs));
        }
    }

    #[test]
    fn files_name_their_game() {
        for bytes in [to_bytes(&layout(1), &weights(1)), squared()] {
            assert_eq!(game_of(&bytes).as_deref(), Some("test"));
            assert_eq!(game_of(&bytes[..14]), None);
            let mut later = bytes;
            later[8] = 5;
            assert_eq!(game_of(&later), None);
        }
    }

    #[test]
    fn networks_stand_one_after_the_other() {
        let [one, other] = [1, 5].map(|outputs| to_bytes(&layout(1), &weights(outputs)));
        let both = [&one[..], &other].concat();
        assert_eq!(split_first(&both), (&one[..], &other[..]));
        assert_eq!(split_first(&one), (&one[..], &[][..]));
        for len in 0..one.len() {
            assert_eq!(split_first(&one[..len]), (&one[..len], &[][..]), "cut to {len}");
        }
    }

    #[test]
    fn every_damage_is_found() {
        let bytes = to_bytes(&layout(1), &weights(2));
        for len in 0..bytes.len() {
            assert!(read(2, &bytes[..len]).is_err(), "cut to {len}");
        }
        for (at, flip) in (0..bytes.len()).flat_map(|at| (1..=255).map(move |flip| (at, flip))) {
            let mut bad = bytes.clone();
            bad[at] ^= flip;
            assert!(read(2, &bad).is_err(), "byte {at} ^ {flip}");
        }
        assert!(read(2, &[&bytes[..], &[0]].concat()).is_err());
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let sealed = |mut bytes: Vec<u8>| {
            let body = bytes.len() - CHECKSUM;
            let checksum = crc32fast::hash(&bytes[..body]).to_le_bytes();
            bytes[body..].copy_from_slice(&checksum);
            bytes
        };
        let changed = |at: usize, to: u8| {
            let mut bytes = to_bytes(&layout(1), &weights(1));
            bytes[at] = to;
            sealed(bytes)
        };
        let with = |change: fn(&mut Weights)| {
            let mut weights = weights(1);
            change(&mut weights);
            to_bytes(&layout(1), &weights)
        };
        let cases = [
            (b"".to_vec(), "not a network: the file does not start with ALEA-NET"),
            (b"GIF89a".to_vec(), "not a network: the file does not start with ALEA-NET"),
            (b"ALEA-".to_vec(), "truncated: 5 bytes, expected 25"),
            (changed(8, 2), "a network of version 2, where one of version 3 is wanted"),
            (squared(), "a network of version 4, where one of version 3 is wanted"),
            (
                to_bytes(&Layout { game: "chess", ..layout(1) }, &weights(1)),
                "a network for chess, where one for test is wanted",
            ),
            (to_bytes(&layout(1), &weights(2)), "it has 2 outputs, expected 1"),
            (changed(24, 6), "unsound: shift is 6, out of range"),
            (with(|weights| weights.one = 0), "unsound: one is 0, out of range"),
            (with(|weights| weights.bias[3] = i16::MAX), "unsound: the sum of unit 3 could overflow"),
            (
                with(|weights| {
                    weights.one = i16::MAX;
                    weights.out[0].fill(i16::MIN);
                }),
                "unsound: the sum of output 0 could overflow",
            ),
            (to_bytes(&layout(1), &many_units()), "unsound: it has 9 hidden units, expected 1 to 8"),
            (with(|weights| weights.first.truncate(30)), "it has 6 features, expected 7"),
        ];
        for (bytes, message) in cases {
            assert_eq!(read(1, &bytes).unwrap_err().to_string(), message);
        }
        assert!(load::<2>(layout(1), Path::new("nowhere.net")).is_err());
    }

    /// A sound network of squared units.
    fn squared() -> Vec<u8> {
        let squared = Layout { curve: Curve::Squared, ..layout(1) };
        let bytes = to_bytes(&squared, &Weights { one: 1000, ..weights(1) });
        assert!(from_bytes::<2>(squared.clone(), &bytes).is_ok());
        let full = from_bytes::<2>(squared.clone(), &to_bytes(&squared, &Weights { one: 1024, ..weights(1) }));
        assert_eq!(full.unwrap_err().to_string(), "unsound: one is 1024, out of range");
        bytes
    }

    fn many_units() -> Weights {
        Weights { first: vec![0; 7 * 9], bias: vec![0; 9], out: vec![vec![0; 9]], ..weights(1) }
    }
}
