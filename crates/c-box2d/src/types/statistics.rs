//! Times and counts.

use core::ffi::c_int;

c_structs! { list_statistics:
    b2Profile {
        step: f32,
        pairs: f32,
        collide: f32,
        solve: f32,
        solverSetup: f32,
        constraints: f32,
        prepareConstraints: f32,
        integrateVelocities: f32,
        warmStart: f32,
        solveImpulses: f32,
        integratePositions: f32,
        relaxImpulses: f32,
        applyRestitution: f32,
        storeImpulses: f32,
        splitIslands: f32,
        transforms: f32,
        sensorHits: f32,
        jointEvents: f32,
        hitEvents: f32,
        refit: f32,
        bullets: f32,
        sleepIslands: f32,
        sensors: f32,
    }

    b2Counters {
        byteCount: i64,
        bodyCount: c_int,
        shapeCount: c_int,
        contactCount: c_int,
        jointCount: c_int,
        islandCount: c_int,
        stackUsed: c_int,
        staticTreeHeight: c_int,
        treeHeight: c_int,
        taskCount: c_int,
        colorCounts: [c_int; 24],
        awakeContactCount: c_int,
        recycledContactCount: c_int,
    }

    b2Capacity {
        staticShapeCount: c_int,
        dynamicShapeCount: c_int,
        staticBodyCount: c_int,
        dynamicBodyCount: c_int,
        contactCount: c_int,
    }
}
