//! Snapshots: the engine's save, and behind it what C attached to the objects, without its pointers.

use crate::abi::{Fault, Flag, In, Out, Outcome};
use crate::chain_table::ChainTable;
use crate::joint_settings::JointSettings;
use crate::slot::{BodyExtra, ShapeExtra, Slot, item_at};
use crate::types::*;
use crate::worlds::{insert, world, world_mut};
use cairn2d::{BodyId, JointId, MAX_THREADS, ShapeId, World};
use core::ffi::c_int;
use std::ffi::CString;
use std::sync::{Arc, RwLock};

/// First bytes of a snapshot: its name and version.
const MAGIC: &[u8] = b"cairn2d-box2d snapshot 1\n";

/// A snapshot that is written.
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn floats(&mut self, floats: &[f32]) {
        floats.iter().for_each(|f| self.number(f.to_bits().into()));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}

/// A snapshot that is read. Each part may be missing or a lie.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Outcome<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(count).ok_or(BROKEN)?;
        self.0 = rest;
        Ok(head)
    }

    fn number(&mut self) -> Outcome<u64> {
        let bytes = self.take(8)?.try_into().map_err(|_| BROKEN)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Returns a count of things that take at least a number each.
    fn count(&mut self) -> Outcome<usize> {
        let count = self.number()? as usize;
        (count <= self.0.len()).then_some(count).ok_or(BROKEN)
    }

    fn float(&mut self) -> Outcome<f32> {
        Ok(f32::from_bits(self.number()? as u32))
    }

    fn flag(&mut self) -> Outcome<bool> {
        Ok(self.number()? != 0)
    }

    fn bytes(&mut self) -> Outcome<&'a [u8]> {
        let count = self.number()? as usize;
        self.take(count)
    }
}

const BROKEN: Fault = Fault::Value("snapshot");

impl JointSettings {
    /// All numbers but ids and pointers, for a snapshot.
    fn floats_mut(&mut self) -> [&mut f32; 34] {
        let (base, drive) = (&mut self.base, &mut self.drive);
        let [lower_force, upper_force] = &mut self.spring_forces;
        let (a, b) = (&mut base.localFrameA, &mut base.localFrameB);
        [
            &mut a.p.x,
            &mut a.p.y,
            &mut a.q.c,
            &mut a.q.s,
            &mut b.p.x,
            &mut b.p.y,
            &mut b.q.c,
            &mut b.q.s,
            &mut base.forceThreshold,
            &mut base.torqueThreshold,
            &mut base.constraintHertz,
            &mut base.constraintDampingRatio,
            &mut base.drawScale,
            &mut self.spring.hertz,
            &mut self.spring.damping_ratio,
            &mut self.spring.target,
            &mut self.limit.lower,
            &mut self.limit.upper,
            &mut self.motor.speed,
            &mut self.motor.max_effort,
            &mut self.length,
            lower_force,
            upper_force,
            &mut drive.linearVelocity.x,
            &mut drive.linearVelocity.y,
            &mut drive.maxVelocityForce,
            &mut drive.angularVelocity,
            &mut drive.maxVelocityTorque,
            &mut drive.linearHertz,
            &mut drive.linearDampingRatio,
            &mut drive.maxSpringForce,
            &mut drive.angularHertz,
            &mut drive.angularDampingRatio,
            &mut drive.maxSpringTorque,
        ]
    }

    fn flags(&self) -> [bool; 4] {
        [
            self.spring.is_on,
            self.limit.is_on,
            self.motor.is_on,
            self.base.collideConnected.is_set(),
        ]
    }

    fn set_flags(&mut self, [spring, limit, motor, collide]: [bool; 4]) {
        (self.spring.is_on, self.limit.is_on, self.motor.is_on) = (spring, limit, motor);
        self.base.collideConnected = Flag::new(collide);
    }
}

fn write_material(writer: &mut Writer, material: &b2SurfaceMaterial) {
    writer.floats(&[
        material.friction,
        material.restitution,
        material.rollingResistance,
        material.tangentSpeed,
    ]);
    writer.number(material.userMaterialId);
    writer.number(material.customColor.into());
}

fn read_material(reader: &mut Reader<'_>) -> Outcome<b2SurfaceMaterial> {
    Ok(b2SurfaceMaterial {
        friction: reader.float()?,
        restitution: reader.float()?,
        rollingResistance: reader.float()?,
        tangentSpeed: reader.float()?,
        userMaterialId: reader.number()?,
        customColor: reader.number()? as u32,
    })
}

fn write_bodies(writer: &mut Writer, slot: &Slot) {
    writer.number(slot.bodies.len() as u64);
    for body in &slot.bodies {
        writer.bytes(body.name.as_ref().map_or(b"", |name| name.to_bytes()));
        writer.floats(&[body.sleep_threshold]);
        writer.number(body.recycles_contacts.into());
    }
}

fn read_bodies(reader: &mut Reader<'_>) -> Outcome<Vec<BodyExtra>> {
    let count = reader.count()?;
    (0..count)
        .map(|_| {
            let name = CString::new(reader.bytes()?).map_err(|_| BROKEN)?;
            Ok(BodyExtra {
                name: (!name.is_empty()).then_some(name),
                sleep_threshold: reader.float()?,
                recycles_contacts: reader.flag()?,
            })
        })
        .collect()
}

fn write_shapes(writer: &mut Writer, slot: &Slot) {
    let shapes = slot.shape_extras();
    writer.number(shapes.len() as u64);
    for shape in shapes.iter() {
        writer.number(shape.color.into());
        writer.number(shape.chain.into());
    }
}

fn read_shapes(reader: &mut Reader<'_>) -> Outcome<Vec<ShapeExtra>> {
    let count = reader.count()?;
    (0..count)
        .map(|_| {
            Ok(ShapeExtra {
                user_data: 0,
                color: reader.number()? as u32,
                chain: reader.number()? as u32,
            })
        })
        .collect()
}

fn write_joints(writer: &mut Writer, slot: &Slot) {
    let live = |joint: &&JointSettings| slot.world.get_joint(joint.id).is_some();
    let joints: Vec<_> = slot.joints.iter().flatten().filter(live).collect();
    writer.number(joints.len() as u64);
    for joint in joints {
        let mut joint = *joint;
        writer.number(joint.id.to_bits());
        writer.number(joint.kind as u64);
        writer.number(joint.base.bodyIdA.engine().to_bits());
        writer.number(joint.base.bodyIdB.engine().to_bits());
        joint
            .flags()
            .iter()
            .for_each(|&flag| writer.number(flag.into()));
        let floats = joint.floats_mut().map(|float| *float);
        writer.floats(&floats);
    }
}

fn read_joint(reader: &mut Reader<'_>, world0: u16) -> Outcome<JointSettings> {
    let id = JointId::from_bits(reader.number()?);
    let kind = reader.number()? as b2JointType;
    let mut bodies = [b2BodyId::NULL; 2];
    for body in &mut bodies {
        *body = b2BodyId::of(BodyId::from_bits(reader.number()?), world0);
    }
    let mut flags = [false; 4];
    for flag in &mut flags {
        *flag = reader.flag()?;
    }
    let base: b2JointDef = crate::abi::Zeroed::zeroed();
    let mut joint = JointSettings::new(kind, base);
    joint.id = id;
    [joint.base.bodyIdA, joint.base.bodyIdB] = bodies;
    joint.set_flags(flags);
    for float in joint.floats_mut() {
        *float = reader.float()?;
    }
    Ok(joint)
}

fn read_joints(reader: &mut Reader<'_>, world0: u16) -> Outcome<Vec<Option<JointSettings>>> {
    // Slots of joints are dense; a number far beyond is a lie.
    const MOST_SLOTS: u32 = 1 << 24;
    let count = reader.count()?;
    let mut joints = Vec::new();
    for _ in 0..count {
        let joint = read_joint(reader, world0)?;
        if joint.id.index() > MOST_SLOTS {
            return Err(BROKEN);
        }
        *item_at(&mut joints, joint.id.index(), None) = Some(joint);
    }
    Ok(joints)
}

fn write_chains(writer: &mut Writer, chains: &ChainTable) {
    writer.number(chains.len() as u64);
    for (generation, chain) in chains.iter() {
        writer.number(generation.into());
        writer.number(chain.is_some().into());
        let Some(chain) = chain else {
            continue;
        };
        writer.number(chain.body.to_bits());
        writer.number(chain.segments.len() as u64);
        chain
            .segments
            .iter()
            .for_each(|s| writer.number(s.to_bits()));
        writer.number(chain.materials.len() as u64);
        chain
            .materials
            .iter()
            .for_each(|m| write_material(writer, m));
    }
}

fn read_chains(reader: &mut Reader<'_>) -> Outcome<ChainTable> {
    let mut chains = ChainTable::default();
    for _ in 0..reader.count()? {
        let generation = reader.number()? as u16;
        if !reader.flag()? {
            chains.push(generation, None);
            continue;
        }
        let body = BodyId::from_bits(reader.number()?);
        let segments = (0..reader.count()?)
            .map(|_| Ok(ShapeId::from_bits(reader.number()?)))
            .collect::<Outcome<Vec<_>>>()?;
        let materials = (0..reader.count()?)
            .map(|_| read_material(reader))
            .collect::<Outcome<Vec<_>>>()?;
        let chain = crate::chain_table::Chain {
            body,
            segments,
            materials,
        };
        chains.push(generation, Some(chain));
    }
    Ok(chains)
}

pub(crate) fn write(slot: &Slot) -> Vec<u8> {
    let mut writer = Writer(MAGIC.to_vec());
    writer.bytes(&slot.world.save());
    writer.floats(&[slot.recycle_distance]);
    write_bodies(&mut writer, slot);
    write_shapes(&mut writer, slot);
    write_joints(&mut writer, slot);
    write_chains(&mut writer, &slot.chains);
    writer.0
}

/// Returns the world of a snapshot in a slot without C's callbacks and pointers.
pub(crate) fn read(image: &[u8], world0: u16) -> Outcome<Slot> {
    let mut reader = Reader(image);
    if reader.take(MAGIC.len())? != MAGIC {
        return Err(BROKEN);
    }
    let saved = World::load(reader.bytes()?);
    let mut world = saved.map_err(|error| Fault::Engine(error.to_string()))?;
    let bodies: Vec<_> = world.bodies().map(|body| body.id()).collect();
    for body in bodies {
        if let Some(mut body) = world.get_body_mut(body) {
            body.set_user_data(0);
        }
    }
    let mut slot = Slot::new(world, world0);
    slot.recycle_distance = reader.float()?;
    slot.bodies = read_bodies(&mut reader)?;
    slot.shapes = Arc::new(RwLock::new(read_shapes(&mut reader)?));
    slot.joints = read_joints(&mut reader, world0)?;
    slot.watches_joints = slot.joints.iter().flatten().any(JointSettings::is_watched);
    slot.chains = read_chains(&mut reader)?;
    Ok(slot)
}

/// Replaces a world by a snapshot. Its callbacks and its own pointer stay.
fn restore(slot: &mut Slot, image: &[u8]) -> Outcome<()> {
    let mut restored = read(image, slot.world0)?;
    slot.stop_recording();
    restored.user_data = slot.user_data;
    restored.callbacks = slot.callbacks;
    restored.restore_callbacks();
    *slot = restored;
    Ok(())
}

fn create(image: &[u8], threads: c_int) -> Outcome<b2WorldId> {
    insert(|world0| {
        let mut slot = read(image, world0)?;
        let threads = threads.clamp(1, MAX_THREADS as c_int) as u32;
        slot.change_def(|def| def.threads = threads)?;
        Ok(slot)
    })
}

c_functions! {
    fn b2World_Snapshot(id: b2WorldId, image: Out<u8>, capacity: c_int) -> c_int {
        let bytes = world(id, |slot| Ok(write(slot)))?;
        let size = c_int::try_from(bytes.len()).map_err(|_| Fault::Count(c_int::MAX))?;
        if !image.is_null() && capacity >= size {
            image.fill(size, bytes)?;
        }
        size
    }

    fn b2World_Restore(id: b2WorldId, image: In<u8>, size: c_int) -> bool {
        let image = image.slice(size)?;
        world_mut(id, |slot| restore(slot, image))?;
        true
    }

    fn b2CreateWorldFromSnapshot(image: In<u8>, size: c_int, threads: c_int) -> b2WorldId {
        create(image.slice(size)?, threads)?
    }
}
