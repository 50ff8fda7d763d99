//! Pairs whose boxes have ceased to overlap: an optional record of the broad phase.

use crate::pair_set::{Pair, pair_key};
use crate::proxy::{Pairing, ProxyId, ProxyKind};
use cairn2d_geometry::{Aabb, HashState, StateHasher};
use slab::Slab;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A number of the user: its proxies, and the members of its known pairs.
#[derive(Clone, Debug, Default)]
struct Member {
    number: u32,
    /// Whether the member is in `EndedPairs::changed`.
    has_changed: bool,
    proxies: SmallVec<[ProxyId; 1]>,
    /// Places of the other members, in no particular order.
    partners: SmallVec<[u32; 8]>,
}

/// The known pairs from both sides, so that the pairs of a changed proxy can be searched.
///
/// Only changed proxies are searched: an update tests each partner of a moved proxy. It stands beside the
/// structures instead of inside one, so that all of them list the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndedPairs {
    members: Slab<Member>,
    by_number: BTreeMap<u32, u32>,
    /// Place of the member, by kind and index of the proxy.
    by_proxy: [Vec<u32>; ProxyKind::ALL.len()],
    /// Places of members whose proxies have changed since the last update, each once.
    changed: Vec<u32>,
    ended: Vec<Pair>,
}

/// Hashes the rest of the state: the numbers of proxies and the known pairs follow from the structure and the set of pairs.
impl HashState for EndedPairs {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            members,
            by_number,
            // Indices of members, which are never visible.
            by_proxy: _,
            // The members with `has_changed`; the pairs that they end are sorted.
            changed: _,
            // The report of the last update.
            ended: _,
        } = self;
        hash.add(&by_number.len());
        for place in by_number.values() {
            let Member {
                number,
                has_changed,
                proxies,
                partners,
            } = &members[*place as usize];
            hash.add(number).add(has_changed);
            hash.add(&proxies.len()).add(&partners.len());
        }
    }
}

impl EndedPairs {
    /// The pairs that the last `collect` found, sorted.
    pub(crate) fn list(&self) -> &[Pair] {
        &self.ended
    }

    /// Notes a new proxy.
    pub(crate) fn insert(&mut self, id: ProxyId, number: u32) {
        let (members, place) = (&mut self.members, &mut self.by_number);
        let place = *place.entry(number).or_insert_with(|| {
            let newcomer = Member {
                number,
                ..Member::default()
            };
            members.insert(newcomer) as u32
        });
        members[place as usize].proxies.push(id);
        let places = &mut self.by_proxy[id.kind() as usize];
        let index = id.index() as usize;
        places.resize(places.len().max(index + 1), 0);
        places[index] = place;
        self.change(id);
    }

    /// Notes that a proxy is gone.
    pub(crate) fn remove(&mut self, id: ProxyId) {
        self.change(id);
        let place = self.place(id);
        self.members[place as usize].proxies.retain(|p| *p != id);
    }

    /// Notes that the box of a proxy has changed.
    pub(crate) fn change(&mut self, id: ProxyId) {
        let place = self.place(id);
        let member = &mut self.members[place as usize];
        if !member.has_changed {
            member.has_changed = true;
            self.changed.push(place);
        }
    }

    fn place(&self, id: ProxyId) -> u32 {
        self.by_proxy[id.kind() as usize][id.index() as usize]
    }

    /// Notes a pair that has become known.
    pub(crate) fn begin(&mut self, pair: Pair) {
        let [a, b] = [pair.a, pair.b].map(|number| self.by_number[&number]);
        self.members[a as usize].partners.push(b);
        self.members[b as usize].partners.push(a);
    }

    /// Notes a pair that the user has forgotten.
    pub(crate) fn forget(&mut self, a: u32, b: u32) {
        if let (Some(&a), Some(&b)) = (self.by_number.get(&a), self.by_number.get(&b)) {
            self.part(a, b);
        }
    }

    fn part(&mut self, a: u32, b: u32) {
        self.members[a as usize].partners.retain(|p| *p != b);
        self.members[b as usize].partners.retain(|p| *p != a);
    }

    /// Lists the pairs of which no boxes overlap any more, and hands the key of each to `forget`.
    pub(crate) fn collect(
        &mut self,
        pairing: Pairing,
        aabb: impl Fn(ProxyId) -> Aabb,
        mut forget: impl FnMut(u64),
    ) {
        self.ended.clear();
        for place in core::mem::take(&mut self.changed) {
            let member = &mut self.members[place as usize];
            member.has_changed = false;
            let (number, partners) = (member.number, member.partners.clone());
            for other in partners {
                if !self.touch(place, other, pairing, &aabb) {
                    let key = pair_key(number, self.members[other as usize].number);
                    self.part(place, other);
                    self.ended.push(Pair::from_key(key));
                    forget(key);
                }
            }
            if self.members[place as usize].proxies.is_empty() {
                self.members.remove(place as usize);
                self.by_number.remove(&number);
            }
        }
        self.ended.sort_unstable();
    }

    /// Returns `true` if a box of one member overlaps one of the other that it may pair with.
    fn touch(&self, a: u32, b: u32, pairing: Pairing, aabb: impl Fn(ProxyId) -> Aabb) -> bool {
        let [a, b] = [a, b].map(|place| &self.members[place as usize].proxies);
        a.iter().any(|&a| {
            b.iter()
                .any(|&b| pairing.allows(a.kind(), b.kind()) && aabb(a).overlaps(&aabb(b)))
        })
    }

    /// Memory held \[bytes\], without lists that are longer than their record.
    pub(crate) fn bytes(&self) -> usize {
        let places: usize = self.by_proxy.iter().map(Vec::capacity).sum();
        self.members.capacity() * size_of::<Member>()
            + self.by_number.len() * size_of::<(u32, u32)>()
            + (places + self.changed.capacity()) * size_of::<u32>()
            + self.ended.capacity() * size_of::<Pair>()
    }

    /// Checks that every pair is noted on both sides, once, between numbers that are known.
    ///
    /// # Panics
    /// When that does not hold.
    pub(crate) fn assert_consistent(&self, is_known: impl Fn(u64) -> bool) {
        for (place, member) in &self.members {
            assert_eq!(self.by_number[&member.number] as usize, place);
            assert!(member.has_changed || !member.proxies.is_empty());
            for &other in &member.partners {
                let other = &self.members[other as usize];
                let noted = |p: &&u32| **p as usize == place;
                assert_eq!(other.partners.iter().filter(noted).count(), 1);
                assert!(is_known(pair_key(member.number, other.number)));
            }
        }
    }
}
