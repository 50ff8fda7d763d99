//! Growth of the tables by slot: arrays of small records, and chunks of large ones.
//!
//! Small arrays grow to twice their size, large ones by half: on average the spare room is a quarter of the length
//! instead of a half. Each value is copied about three times in all, twice as often as with doubling.

/// Initial capacity of an array. Larger: a world of three bodies takes mostly spare room.
const MIN_CAPACITY: usize = 4;

/// Capacity from which arrays grow by half. Larger: a world of twenty bodies takes a fifth more memory.
const LARGE_CAPACITY: usize = 16;

/// Extends `list` to at least `len` elements with copies of `value`.
pub(crate) fn grow_to<T: Clone>(list: &mut Vec<T>, len: usize, value: T) {
    if len > list.len() {
        reserve(list, len);
        list.resize(len, value);
    }
}

/// Appends `value`.
pub(crate) fn push<T>(list: &mut Vec<T>, value: T) {
    reserve(list, list.len() + 1);
    list.push(value);
}

/// A list whose values are in chunks that are never moved, except for the first one while it is small: value `i` is number
/// `i % CHUNK` of chunk `i / CHUNK`.
///
/// For large records: growth of an array would copy them and touch twice as much memory again, which took a quarter of the
/// time of creating 100 000 bodies. The arrays that the solver walks stay arrays.
pub(crate) type Chunks<T> = Vec<Vec<T>>;

/// Values in a chunk. Larger: more spare room. Smaller: more addresses of chunks, which should stay in the first-level
/// cache.
pub(crate) const CHUNK: usize = 128;

/// Appends `value`.
pub(crate) fn push_chunked<T>(list: &mut Chunks<T>, value: T) {
    match list.last_mut() {
        Some(chunk) if chunk.len() < CHUNK => push(chunk, value),
        last => {
            let room = if last.is_some() { CHUNK } else { MIN_CAPACITY };
            list.push(Vec::with_capacity(room));
            push_chunked(list, value);
        }
    }
}

fn reserve<T>(list: &mut Vec<T>, len: usize) {
    let room = list.capacity();
    if len > room {
        let more = if room < LARGE_CAPACITY {
            room
        } else {
            room / 2
        };
        let wanted = len.max(room + more).max(MIN_CAPACITY);
        list.reserve_exact(wanted - list.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_chunks_keep_their_order_and_their_places() {
        let mut list = Chunks::new();
        (0..CHUNK).for_each(|i| push_chunked(&mut list, i));
        let last_of_first: *const usize = &list[0][CHUNK - 1];
        (CHUNK..10 * CHUNK + 3).for_each(|i| push_chunked(&mut list, i));
        assert!(core::ptr::eq(last_of_first, &list[0][CHUNK - 1]));
        assert_eq!(list[7 * CHUNK / CHUNK][5], 7 * CHUNK + 5);
        // A copy has no spare room, and grows as well.
        let mut copy = list.clone();
        push_chunked(&mut copy, 10 * CHUNK + 3);
        for (list, len) in [(list, 10 * CHUNK + 3), (copy, 10 * CHUNK + 4)] {
            let (last, full) = list.split_last().unwrap();
            assert!(full.iter().all(|chunk| chunk.len() == CHUNK) && last.len() <= CHUNK);
            assert!(list.into_iter().flatten().eq(0..len));
        }
    }

    #[test]
    fn spare_room_is_at_most_half_and_each_value_is_copied_few_times() {
        let (mut list, mut copied, mut room) = (Vec::new(), 0, 0);
        for i in 0..100_000 {
            push(&mut list, i);
            if list.capacity() != room {
                (room, copied) = (list.capacity(), copied + i);
            }
            assert!(
                room <= LARGE_CAPACITY.max(list.len() + list.len() / 2 + 1),
                "{i}: {room}"
            );
        }
        assert!(copied < 3 * list.len(), "{copied}");
        let expected: Vec<_> = (0..100_000).collect();
        assert_eq!(list, expected);
        grow_to(&mut list, 5, 7);
        assert_eq!(list.len(), 100_000);
        grow_to(&mut list, 300_000, 7);
        assert_eq!((list.len(), list[299_999]), (300_000, 7));
    }
}
