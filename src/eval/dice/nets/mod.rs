//! The networks that come with the program, one a shape, as `alea-train --recipe strong` made them.

use super::file;
use super::network::Network;
use crate::game::dice::Shape;
use std::sync::{Arc, OnceLock};

/// A network in the program's own memory, unpacked when first asked for.
struct Shipped {
    shape: (usize, usize),
    bytes: &'static [u8],
    network: OnceLock<Option<Arc<Network>>>,
}

macro_rules! shipped {
    ($($n:literal / $k:literal),* $(,)?) => {
        [$(Shipped {
            shape: ($n, $k),
            bytes: include_bytes!(concat!(stringify!($n), "-", stringify!($k), ".net")),
            network: OnceLock::new(),
        }),*]
    };
}

static SHIPPED: [Shipped; 11] =
    shipped![5 / 4, 7 / 4, 9 / 4, 9 / 6, 9 / 8, 13 / 4, 13 / 6, 13 / 8, 17 / 4, 17 / 6, 17 / 8];

/// The shapes that have a network.
pub fn shapes() -> impl Iterator<Item = Shape> {
    SHIPPED.iter().filter_map(|shipped| Shape::new(shipped.shape.0, shipped.shape.1))
}

/// The network that comes with the program for a shape, if there is one.
pub fn shipped(shape: Shape) -> Option<Arc<Network>> {
    let shipped = SHIPPED.iter().find(|shipped| shipped.shape == (shape.size(), shape.win()))?;
    shipped.network.get_or_init(|| file::from_bytes(shipped.bytes).ok().map(Arc::new)).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_network_is_sound_and_of_its_shape() {
        for shape in shapes() {
            let network = shipped(shape).unwrap_or_else(|| panic!("the network for {shape} does not load"));
            assert_eq!(network.weights().shape, shape);
        }
    }
}
