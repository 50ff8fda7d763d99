//! Box2D's tree, used as Box2D's broad phase uses it: enlarge, query once for each moved proxy, rebuild partly.

use crate::peer::Peer;
use boxdd_sys::ffi::{
    b2AABB, b2DynamicTree, b2DynamicTree_Create, b2DynamicTree_CreateProxy, b2DynamicTree_Destroy,
    b2DynamicTree_EnlargeProxy, b2DynamicTree_GetByteCount, b2DynamicTree_Query,
    b2DynamicTree_RayCast, b2DynamicTree_Rebuild, b2RayCastInput, b2Vec2,
};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::Ray;
use cairn2d_geometry::math::{point, vec2};
use core::ffi::c_void;
use hashbrown::HashSet;

pub struct Box2d {
    tree: b2DynamicTree,
    ids: Vec<i32>,
    boxes: Vec<Aabb>,
    moved: Vec<bool>,
    known: HashSet<u64>,
    pairs: Vec<(u32, u32)>,
}

fn convert(aabb: &Aabb) -> b2AABB {
    b2AABB {
        lowerBound: b2Vec2 {
            x: aabb.min.x,
            y: aabb.min.y,
        },
        upperBound: b2Vec2 {
            x: aabb.max.x,
            y: aabb.max.y,
        },
    }
}

/// Context of the pair callback.
struct PairContext<'a> {
    me: u32,
    moved: &'a [bool],
    known: &'a HashSet<u64>,
    pairs: &'a mut Vec<(u32, u32)>,
}

fn key(a: u32, b: u32) -> u64 {
    (u64::from(a.min(b)) << 32) | u64::from(a.max(b))
}

unsafe extern "C" fn on_pair(_: i32, other: u64, context: *mut c_void) -> bool {
    // SAFETY: the caller passes a PairContext that outlives the query.
    let context = unsafe { &mut *context.cast::<PairContext>() };
    let other = other as u32;
    let twice = other < context.me && context.moved[other as usize];
    if other != context.me && !twice && !context.known.contains(&key(other, context.me)) {
        context
            .pairs
            .push((other.min(context.me), other.max(context.me)));
    }
    true
}

unsafe extern "C" fn on_overlap(_: i32, _: u64, context: *mut c_void) -> bool {
    // SAFETY: the caller passes a usize that outlives the query.
    unsafe { *context.cast::<usize>() += 1 };
    true
}

/// Context of the ray callback.
struct RayContext<'a> {
    boxes: &'a [Aabb],
    first: f32,
}

unsafe extern "C" fn on_ray(
    input: *const b2RayCastInput,
    _: i32,
    data: u64,
    context: *mut c_void,
) -> f32 {
    // SAFETY: Box2D passes a valid input, the caller a RayContext that outlives the cast.
    let (input, context) = unsafe { (&*input, &mut *context.cast::<RayContext>()) };
    let ray = Ray {
        origin: point(input.origin.x, input.origin.y),
        translation: vec2(input.translation.x, input.translation.y),
        max_fraction: input.maxFraction,
    };
    if let Some(hit) = context.boxes[data as usize].ray_cast(&ray) {
        context.first = hit.fraction;
        return hit.fraction;
    }
    input.maxFraction
}

impl Box2d {
    pub fn new() -> Self {
        // SAFETY: no precondition.
        let tree = unsafe { b2DynamicTree_Create(16) };
        let (ids, boxes, moved) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            tree,
            ids,
            boxes,
            moved,
            known: HashSet::new(),
            pairs: Vec::new(),
        }
    }

    fn find(&mut self, moved: impl Iterator<Item = u32>) {
        for i in moved {
            let mut context = PairContext {
                me: i,
                moved: &self.moved,
                known: &self.known,
                pairs: &mut self.pairs,
            };
            let aabb = convert(&self.boxes[i as usize]);
            let context: *mut PairContext = &mut context;
            // SAFETY: the context lives through the call, and `on_pair` expects it.
            unsafe {
                b2DynamicTree_Query(&self.tree, aabb, u64::MAX, Some(on_pair), context.cast())
            };
        }
        self.pairs.sort_unstable();
        self.known
            .extend(self.pairs.iter().map(|&(a, b)| key(a, b)));
    }
}

impl Drop for Box2d {
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed once.
        unsafe { b2DynamicTree_Destroy(&mut self.tree) };
    }
}

impl Peer for Box2d {
    fn fill(&mut self, boxes: &[Aabb]) {
        self.boxes = boxes.to_vec();
        self.moved = vec![false; boxes.len()];
        let boxes = boxes.iter().enumerate();
        // SAFETY: the tree is valid, the boxes are finite.
        self.ids = boxes
            .map(|(i, b)| unsafe {
                b2DynamicTree_CreateProxy(&mut self.tree, convert(b), 1, i as u64)
            })
            .collect();
    }

    fn settle(&mut self) -> usize {
        self.pairs.clear();
        self.moved.fill(true);
        // SAFETY: the tree is valid.
        unsafe { b2DynamicTree_Rebuild(&mut self.tree, true) };
        self.find(0..self.boxes.len() as u32);
        self.moved.fill(false);
        self.pairs.len()
    }

    fn step(&mut self, moved: &[(u32, Aabb)]) -> usize {
        self.pairs.clear();
        for &(i, aabb) in moved {
            // SAFETY: the id is one that CreateProxy gave.
            unsafe {
                b2DynamicTree_EnlargeProxy(&mut self.tree, self.ids[i as usize], convert(&aabb))
            };
            self.boxes[i as usize] = aabb;
            self.moved[i as usize] = true;
        }
        // SAFETY: the tree is valid.
        unsafe { b2DynamicTree_Rebuild(&mut self.tree, false) };
        self.find(moved.iter().map(|m| m.0));
        for m in moved {
            self.moved[m.0 as usize] = false;
        }
        self.pairs.len()
    }

    fn pairs(&self) -> Vec<(u32, u32)> {
        self.pairs.clone()
    }

    fn forget(&mut self, (a, b): (u32, u32)) {
        self.known.remove(&key(a, b));
    }

    fn overlaps(&self, aabb: &Aabb) -> usize {
        let mut n = 0_usize;
        let context: *mut usize = &mut n;
        // SAFETY: the counter lives through the call.
        unsafe {
            b2DynamicTree_Query(
                &self.tree,
                convert(aabb),
                u64::MAX,
                Some(on_overlap),
                context.cast(),
            )
        };
        n
    }

    fn ray(&self, ray: &Ray) -> f32 {
        let input = b2RayCastInput {
            origin: b2Vec2 {
                x: ray.origin.x,
                y: ray.origin.y,
            },
            translation: b2Vec2 {
                x: ray.translation.x,
                y: ray.translation.y,
            },
            maxFraction: ray.max_fraction,
        };
        let mut context = RayContext {
            boxes: &self.boxes,
            first: 1.0,
        };
        let pointer: *mut RayContext = &mut context;
        // SAFETY: the context lives through the call, and `on_ray` expects it.
        unsafe {
            b2DynamicTree_RayCast(&self.tree, &input, u64::MAX, Some(on_ray), pointer.cast())
        };
        context.first
    }

    fn bytes(&self) -> usize {
        // SAFETY: the tree is valid.
        unsafe { b2DynamicTree_GetByteCount(&self.tree) as usize }
    }
}
