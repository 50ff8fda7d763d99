// Scenes that run with Box2D and with this library: what a scene is, and parts that several share.
#pragma once

#include "scene.h"

typedef struct Scene
{
	const char* name;
	void ( *build )( b2WorldId world );
	// Change before step number `step`, which counts from 0; null for none.
	void ( *before_step )( b2WorldId world, int step );
	// Steps that are timed, after one that builds all pairs.
	int steps;
	// The bodies start where they rest with rigid contacts and joints.
	bool is_quiet;
	bool is_sleepless;
	bool is_weightless;
} Scene;

extern const Scene benchmarks[10];
extern const Scene quiet_samples[10];
extern const Scene lively_samples[10];

// The moving bodies of the scene. A scene may destroy some and use their places again.
enum
{
	MAX_BODIES = 24000
};
extern b2BodyId bodies[MAX_BODIES];
extern int body_count;

// Adds to the moving bodies.
static inline b2BodyId keep( b2BodyId body )
{
	CHECK( body_count < MAX_BODIES );
	return bodies[body_count++] = body;
}

static inline b2BodyId drop_polygon( b2WorldId world, float x, float y, const b2Polygon* polygon, const b2ShapeDef* def )
{
	b2BodyId body = keep( make_body( world, b2_dynamicBody, x, y ) );
	b2CreatePolygonShape( body, def, polygon );
	return body;
}

static inline b2BodyId drop_box( b2WorldId world, float x, float y, float half_width, float half_height )
{
	b2ShapeDef def = b2DefaultShapeDef();
	b2Polygon box = b2MakeBox( half_width, half_height );
	return drop_polygon( world, x, y, &box, &def );
}

static inline b2BodyId drop_circle( b2WorldId world, float x, float y, float radius, const b2ShapeDef* def )
{
	b2BodyId body = keep( make_body( world, b2_dynamicBody, x, y ) );
	b2Circle circle = { { 0.0f, 0.0f }, radius };
	b2CreateCircleShape( body, def, &circle );
	return body;
}

// Adds a box about a point of the body.
static inline void add_box_at( b2BodyId body, float half_width, float half_height, float x, float y, const b2ShapeDef* def )
{
	b2Polygon box = b2MakeOffsetBox( half_width, half_height, ( b2Vec2 ){ x, y }, b2Rot_identity );
	b2CreatePolygonShape( body, def, &box );
}

static inline b2RevoluteJointDef hinge( b2BodyId a, b2Vec2 at_a, b2BodyId b, b2Vec2 at_b )
{
	b2RevoluteJointDef def = b2DefaultRevoluteJointDef();
	def.base.bodyIdA = a;
	def.base.bodyIdB = b;
	def.base.localFrameA.p = at_a;
	def.base.localFrameB.p = at_b;
	return def;
}

static inline b2JointId pin( b2WorldId world, b2BodyId a, b2Vec2 at_a, b2BodyId b, b2Vec2 at_b )
{
	b2RevoluteJointDef def = hinge( a, at_a, b, at_b );
	return b2CreateRevoluteJoint( world, &def );
}

enum
{
	RAGDOLL_BONES = 11
};

// Builds a ragdoll whose feet are near (`x`, `y`), and writes its bones. Those of one negative group do not collide.
void build_ragdoll( b2WorldId world, float x, float y, int group, b2BodyId bones[RAGDOLL_BONES] );
