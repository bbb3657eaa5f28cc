//! The memory of the transposition table and the like, and the only place in Alea that Rust's rules of safety do not cover.
//!
//! A search reads the table at random: on small pages nearly every look-up would also miss the processor's page cache.
//! So the memory is mapped from the system, which is asked for large pages, and comes zeroed without being written.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::MmapMut;

/// Words of zeroed memory, aligned to a page; by default, none.
#[derive(Default)]
pub(super) struct Memory {
    map: Option<MmapMut>,
    words: usize,
    /// Whether all of it has been brought in.
    pub fetched: bool,
}

/// No page of memory is smaller.
const PAGE_WORDS: usize = 4096 / size_of::<AtomicU64>();

impl Memory {
    /// This many words, all zero; `None` if they cannot be had.
    pub fn new(words: usize) -> Option<Memory> {
        if words == 0 {
            return Some(Memory::default());
        }
        let map = MmapMut::map_anon(words.checked_mul(size_of::<AtomicU64>())?).ok()?;
        #[cfg(target_os = "linux")]
        if let Err(error) = map.advise(memmap2::Advice::HugePage) {
            log::debug!("no large pages: {error}");
        }
        Some(Memory { map: Some(map), words, fetched: false })
    }

    /// Have the system bring all pages in now, as they are, so that no search waits for them. Once is enough.
    pub fn fetch(&mut self) {
        if !std::mem::replace(&mut self.fetched, true) {
            self.words().iter().step_by(PAGE_WORDS).for_each(|word| word.store(word.load(Relaxed), Relaxed));
        }
    }

    /// The words.
    pub fn words(&self) -> &[AtomicU64] {
        let Some(map) = &self.map else { return &[] };
        // SAFETY: the map is page-aligned, at least `words` words long, lives as long as `self`, belongs to nobody else,
        // and is reached only through these atomics; any bytes are a valid atomic.
        unsafe { std::slice::from_raw_parts(map.as_ptr().cast::<AtomicU64>(), self.words) }
    }
}

/// Ask for the cache line of something to be fetched, where that can be asked for.
#[inline]
pub(super) fn prefetch<T>(wanted: Option<&T>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(wanted) = wanted {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch changes nothing, whatever it points to.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(wanted).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = wanted;
}
