//! `collision.h`: the dynamic tree.
//!
//! The struct that C holds has the number of the tree in its first pointer. Queries collect proxies first, then call the user.

use crate::abi::{Fault, In, Out, Outcome, Zeroed};
use crate::math::is_valid_box;
use crate::registry::Registry;
use crate::types::*;
use cairn2d::broadphase::tree::{LeafId, Tree};
use cairn2d::{Aabb, Point, Ray, Vec2};
use core::ffi::{c_int, c_void};
use core::ops::ControlFlow;

/// A box in a tree.
#[derive(Clone, Copy)]
struct TreeBox {
    leaf: LeafId,
    aabb: b2AABB,
    category: u64,
    user_data: u64,
    is_enlarged: bool,
}

/// A tree, and the proxies by number. The engine's categories are not used, since a box may have none here.
#[derive(Default)]
struct Forest {
    tree: Tree,
    proxies: Vec<Option<TreeBox>>,
    free: Vec<usize>,
}

/// Bounds of the number of boxes for which a tree is created.
const LEAST_CAPACITY: c_int = 16;
const MOST_CAPACITY: c_int = c_int::MAX / 2;

static TREES: Registry<Forest> = Registry::new("tree");

impl Forest {
    fn proxy(&mut self, id: c_int) -> Outcome<&mut TreeBox> {
        let found = usize::try_from(id).ok();
        let found = found.and_then(|index| self.proxies.get_mut(index));
        found.and_then(Option::as_mut).ok_or(Fault::Stale("proxy"))
    }

    fn insert(&mut self, aabb: b2AABB, category: u64, user_data: u64) -> Outcome<c_int> {
        let index = self.free.pop().unwrap_or(self.proxies.len());
        if index == self.proxies.len() {
            self.proxies.push(None);
        }
        self.proxies[index] = Some(TreeBox {
            leaf: self.tree.insert(checked(aabb)?, u64::MAX, index as u32),
            aabb,
            category,
            user_data,
            is_enlarged: false,
        });
        Ok(index as c_int)
    }

    fn remove(&mut self, id: c_int) -> Outcome<()> {
        let leaf = self.proxy(id)?.leaf;
        self.tree.remove(leaf);
        self.proxies[id as usize] = None;
        self.free.push(id as usize);
        Ok(())
    }

    fn place(&mut self, id: c_int, aabb: b2AABB, is_enlarged: bool) -> Outcome<()> {
        let checked = checked(aabb)?;
        let proxy = self.proxy(id)?;
        proxy.aabb = aabb;
        proxy.is_enlarged = is_enlarged;
        let leaf = proxy.leaf;
        self.tree.set(leaf, checked);
        Ok(())
    }

    fn len(&self) -> usize {
        self.proxies.len() - self.free.len()
    }

    /// Numbers and user data of the proxies of a list that have a category of the mask; all with `u64::MAX`.
    fn listed(&self, found: &[(u32, f32)], mask: Option<u64>) -> Vec<(c_int, u64, f32)> {
        let listed = found.iter().filter_map(|&(index, fraction)| {
            let proxy = self.proxies[index as usize]?;
            let is_asked = mask.is_none_or(|mask| proxy.category & mask != 0);
            is_asked.then_some((index as c_int, proxy.user_data, fraction))
        });
        listed.collect()
    }

    /// Proxies whose boxes overlap a box, and how many nodes were visited.
    fn query(&self, aabb: b2AABB, mask: Option<u64>) -> Outcome<Found> {
        let mut found = Vec::new();
        let (stats, _) = self.tree.query(&checked(aabb)?, u64::MAX, |index| {
            found.push((index, 0.0));
            ControlFlow::Continue(())
        });
        // A box that is looked at counts as a node.
        let visits = stats.nodes.max(found.len()) as c_int;
        Ok((self.listed(&found, mask), visits))
    }

    /// Proxies whose boxes a box along a ray touches, nearest first.
    fn along(&self, half: Vec2, ray: &Ray, mask: u64) -> Found {
        let mut found: Vec<_> = if half == Vec2::zeros() {
            self.tree.ray_iter(ray, u64::MAX).collect()
        } else {
            self.tree.box_along(half, ray, u64::MAX).collect()
        };
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        let visits = found.len() as c_int;
        (self.listed(&found, Some(mask)), visits)
    }

    /// Writes the counts into the struct that C holds: those of a binary tree of nodes, as Box2D has it.
    fn show(&self, handle: &mut b2DynamicTree) {
        let count = self.len() as i32;
        handle.proxyCount = count;
        handle.nodeCount = (2 * count - 1).max(0);
        while handle.nodeCapacity < handle.nodeCount {
            handle.nodeCapacity = 2 * handle.nodeCapacity + 1;
        }
        handle.root = if count == 0 { -1 } else { 0 };
        let is_full = handle.nodeCount == handle.nodeCapacity;
        handle.freeList = if is_full { -1 } else { handle.nodeCapacity - 1 };
    }

    /// Perimeter of all nodes' boxes relative to that of the root.
    fn area_ratio(&self) -> f32 {
        let Some(root) = self.tree.bounds() else {
            return 0.0;
        };
        let mut sum = 0.0;
        self.tree.visit_nodes(|_, node| sum += node.perimeter());
        let least = f32::MIN_POSITIVE;
        sum / root.perimeter().max(least)
    }
}

type Found = (Vec<(c_int, u64, f32)>, c_int);

/// Returns the box as the engine's, if it is one.
fn checked(aabb: b2AABB) -> Outcome<Aabb> {
    if is_valid_box(aabb) {
        Ok(aabb.aabb())
    } else {
        Err(Fault::Value("box"))
    }
}

/// Does work with a tree.
fn with<R>(handle: &b2DynamicTree, work: impl FnOnce(&mut Forest) -> Outcome<R>) -> Outcome<R> {
    TREES.with(handle.nodes as usize, work)
}

/// Reads a tree.
fn read<R>(handle: In<b2DynamicTree>, work: impl FnOnce(&Forest) -> Outcome<R>) -> Outcome<R> {
    with(handle.as_ref()?, |forest| work(forest))
}

/// Changes a tree, and shows its new counts.
fn change<R>(
    handle: Out<b2DynamicTree>,
    work: impl FnOnce(&mut Forest) -> Outcome<R>,
) -> Outcome<R> {
    let mut copy = handle.get()?;
    let result = TREES.with(copy.nodes as usize, |forest| {
        let result = work(forest)?;
        forest.show(&mut copy);
        Ok(result)
    })?;
    handle.set(copy);
    Ok(result)
}

fn query(
    tree: In<b2DynamicTree>,
    aabb: b2AABB,
    mask: Option<u64>,
    callback: b2TreeQueryCallbackFcn,
    context: *mut c_void,
) -> Outcome<b2TreeStats> {
    let (found, node_visits) = read(tree, |forest| forest.query(aabb, mask))?;
    let mut stats = b2TreeStats {
        nodeVisits: node_visits,
        leafVisits: 0,
    };
    for &(id, user_data, _) in &found {
        stats.leafVisits += 1;
        if callback.is_some_and(|callback| !callback(id, user_data, context)) {
            break;
        }
    }
    Ok(stats)
}

/// Calls the user for each box along a cast, nearest first. The answer shortens the cast: 0 ends it, a negative one skips the box.
fn visit_along(
    (found, node_visits): Found,
    max_fraction: f32,
    mut ask: impl FnMut(c_int, u64, f32) -> f32,
) -> b2TreeStats {
    let mut stats = b2TreeStats {
        nodeVisits: node_visits,
        leafVisits: 0,
    };
    let mut reach = max_fraction;
    for (id, user_data, fraction) in found {
        if fraction > reach {
            break;
        }
        stats.leafVisits += 1;
        let answer = ask(id, user_data, reach);
        if answer == 0.0 {
            break;
        }
        if answer > 0.0 && answer < reach {
            reach = answer;
        }
    }
    stats
}

fn ray_of(origin: b2Vec2, translation: b2Vec2, max_fraction: f32) -> Outcome<Ray> {
    let origin: Point = origin.finite("origin")?.point();
    Ok(Ray {
        max_fraction,
        ..Ray::new(origin, translation.finite("translation")?.vec())
    })
}

c_functions! {
    fn b2DynamicTree_Create(capacity: c_int) -> b2DynamicTree {
        let number = TREES.insert(Forest::default());
        b2DynamicTree {
            nodes: number as *mut c_void,
            root: -1,
            nodeCapacity: capacity.clamp(LEAST_CAPACITY, MOST_CAPACITY) * 2 - 1,
            ..b2DynamicTree::zeroed()
        }
    }

    fn b2DynamicTree_Destroy(tree: Out<b2DynamicTree>) {
        TREES.remove(tree.get()?.nodes as usize)?;
        tree.set(b2DynamicTree::zeroed());
    }

    fn b2DynamicTree_CreateProxy(tree: Out<b2DynamicTree>, aabb: b2AABB, category: u64, user_data: u64) -> c_int {
        change(tree, |forest| forest.insert(aabb, category, user_data))?
    }

    fn b2DynamicTree_DestroyProxy(tree: Out<b2DynamicTree>, id: c_int) { change(tree, |forest| forest.remove(id))? }

    fn b2DynamicTree_MoveProxy(tree: Out<b2DynamicTree>, id: c_int, aabb: b2AABB) {
        change(tree, |forest| forest.place(id, aabb, false))?
    }

    fn b2DynamicTree_EnlargeProxy(tree: Out<b2DynamicTree>, id: c_int, aabb: b2AABB) {
        change(tree, |forest| forest.place(id, aabb, true))?
    }

    fn b2DynamicTree_SetCategoryBits(tree: Out<b2DynamicTree>, id: c_int, category: u64) {
        change(tree, |forest| {
            forest.proxy(id)?.category = category;
            Ok(())
        })?
    }

    fn b2DynamicTree_GetCategoryBits(tree: Out<b2DynamicTree>, id: c_int) -> u64 {
        with(&tree.get()?, |forest| Ok(forest.proxy(id)?.category))?
    }

    fn b2DynamicTree_Query(
        tree: In<b2DynamicTree>,
        aabb: b2AABB,
        mask: u64,
        callback: b2TreeQueryCallbackFcn,
        context: *mut c_void,
    ) -> b2TreeStats {
        query(tree, aabb, Some(mask), callback, context)?
    }

    fn b2DynamicTree_QueryAll(
        tree: In<b2DynamicTree>,
        aabb: b2AABB,
        callback: b2TreeQueryCallbackFcn,
        context: *mut c_void,
    ) -> b2TreeStats {
        query(tree, aabb, None, callback, context)?
    }

    fn b2DynamicTree_RayCast(
        tree: In<b2DynamicTree>,
        input: In<b2RayCastInput>,
        mask: u64,
        callback: b2TreeRayCastCallbackFcn,
        context: *mut c_void,
    ) -> b2TreeStats {
        let input = input.get()?;
        let ray = ray_of(input.origin, input.translation, input.maxFraction)?;
        let found = read(tree, |forest| Ok(forest.along(Vec2::zeros(), &ray, mask)))?;
        visit_along(found, input.maxFraction, |id, user_data, reach| {
            let part = b2RayCastInput { maxFraction: reach, ..input };
            callback.map_or(reach, |callback| callback(In::of(&part), id, user_data, context))
        })
    }

    fn b2DynamicTree_BoxCast(
        tree: In<b2DynamicTree>,
        input: In<b2BoxCastInput>,
        mask: u64,
        callback: b2TreeBoxCastCallbackFcn,
        context: *mut c_void,
    ) -> b2TreeStats {
        let input = input.get()?;
        let aabb = checked(input.r#box)?;
        let ray = ray_of(aabb.center().into(), input.translation, input.maxFraction)?;
        let found = read(tree, |forest| Ok(forest.along(aabb.extents(), &ray, mask)))?;
        visit_along(found, input.maxFraction, |id, user_data, reach| {
            let part = b2BoxCastInput { maxFraction: reach, ..input };
            callback.map_or(reach, |callback| callback(In::of(&part), id, user_data, context))
        })
    }

    fn b2DynamicTree_GetHeight(tree: In<b2DynamicTree>) -> c_int { read(tree, |forest| Ok(forest.tree.height() as c_int))? }

    fn b2DynamicTree_GetAreaRatio(tree: In<b2DynamicTree>) -> f32 { read(tree, |forest| Ok(forest.area_ratio()))? }

    fn b2DynamicTree_GetRootBounds(tree: In<b2DynamicTree>) -> b2AABB {
        read(tree, |forest| Ok(forest.tree.bounds().map_or(b2AABB::zeroed(), b2AABB::from)))?
    }

    fn b2DynamicTree_GetProxyCount(tree: In<b2DynamicTree>) -> c_int { read(tree, |forest| Ok(forest.len() as c_int))? }

    /// Sorts the tree. Returns how many boxes it sorted: all, or those enlarged since the last time.
    fn b2DynamicTree_Rebuild(tree: Out<b2DynamicTree>, full: bool) -> c_int {
        change(tree, |forest| {
            forest.tree.rebuild();
            let mut sorted = 0;
            for proxy in forest.proxies.iter_mut().flatten() {
                sorted += c_int::from(full || proxy.is_enlarged);
                proxy.is_enlarged = false;
            }
            Ok(sorted)
        })?
    }

    fn b2DynamicTree_GetByteCount(tree: In<b2DynamicTree>) -> c_int { read(tree, |forest| Ok(forest.tree.bytes() as c_int))? }

    fn b2DynamicTree_GetUserData(tree: In<b2DynamicTree>, id: c_int) -> u64 {
        with(tree.as_ref()?, |forest| Ok(forest.proxy(id)?.user_data))?
    }

    fn b2DynamicTree_GetAABB(tree: In<b2DynamicTree>, id: c_int) -> b2AABB {
        with(tree.as_ref()?, |forest| Ok(forest.proxy(id)?.aabb))?
    }

    /// The engine's tree is consistent by construction.
    fn b2DynamicTree_Validate(tree: In<b2DynamicTree>) { read(tree, |_| Ok(()))? }

    fn b2DynamicTree_ValidateNoEnlarged(tree: In<b2DynamicTree>) { read(tree, |_| Ok(()))? }
}
