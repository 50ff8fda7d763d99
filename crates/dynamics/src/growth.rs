//! Growth of the arrays by slot: small ones to twice their size, large ones by half.
//!
//! They are most of the memory of a world. On average the spare room is a quarter of the length instead of a
//! half. Each value is copied about three times in all, twice as often as with doubling.

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
