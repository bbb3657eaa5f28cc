//! Blocks kept in memory.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use super::{Block, Store};

/// Memory alone. What is let go of is used again: fresh memory would have to be cleared by the system first.
#[derive(Default)]
pub struct Memory {
    blocks: HashMap<Block, Arc<Vec<i32>>>,
    spare: Vec<Vec<i32>>,
}

/// Let go blocks that wait to be used again, at most.
const SPARE: usize = 6;

impl Memory {
    /// A block that is kept.
    pub fn block(&self, block: Block) -> Option<&[i32]> {
        self.blocks.get(&block).map(|values| values.as_slice())
    }

    /// Give back the memory that only waits to be used again.
    pub fn trim(&mut self) {
        self.spare = Vec::new();
    }
}

impl Store for Memory {
    type Error = Infallible;

    fn room(&mut self, len: usize) -> Result<Vec<i32>, Infallible> {
        let fitting = (0..self.spare.len()).filter(|&i| self.spare[i].capacity() >= len);
        let mut room = match fitting.min_by_key(|&i| self.spare[i].capacity()) {
            Some(i) => self.spare.swap_remove(i),
            None => Vec::with_capacity(len),
        };
        room.resize(len, 0);
        Ok(room)
    }

    fn put(&mut self, block: Block, values: Vec<i32>) -> Result<(), Infallible> {
        self.blocks.insert(block, Arc::new(values));
        Ok(())
    }

    fn has(&self, block: Block) -> bool {
        self.blocks.contains_key(&block)
    }

    fn get(&mut self, block: Block) -> Result<Arc<Vec<i32>>, Infallible> {
        Ok(Arc::clone(self.blocks.get(&block).expect("a block is asked for only while it is needed")))
    }

    fn release(&mut self, block: Block) -> Result<(), Infallible> {
        let Some(Ok(values)) = self.blocks.remove(&block).map(Arc::try_unwrap) else { return Ok(()) };
        self.spare.push(values);
        if self.spare.len() > SPARE {
            let smallest = (0..self.spare.len()).min_by_key(|&i| self.spare[i].capacity());
            smallest.map(|i| self.spare.swap_remove(i));
        }
        Ok(())
    }
}
