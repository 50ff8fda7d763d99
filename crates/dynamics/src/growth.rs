//! How the arrays by slot grow: by half, not to twice their size. They are most of a world's memory, and on the average a
//! quarter of it is then spare instead of half; values are copied twice as often on the way, each three times in all.

/// Room that an array begins with.
const FIRST: usize = 16;

/// Makes `list` at least `len` long; what is new is `value`.
pub(crate) fn grow_to<T: Clone>(list: &mut Vec<T>, len: usize, value: T) {
    if len > list.len() {
        make_room(list, len);
        list.resize(len, value);
    }
}

/// Appends `value`.
pub(crate) fn push<T>(list: &mut Vec<T>, value: T) {
    make_room(list, list.len() + 1);
    list.push(value);
}

fn make_room<T>(list: &mut Vec<T>, len: usize) {
    let room = list.capacity();
    if len > room {
        let wanted = len.max(room + room / 2).max(FIRST);
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
                room <= FIRST.max(list.len() + list.len() / 2 + 1),
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
