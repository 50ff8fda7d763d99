// Queries of a world: overlaps, casts, movers, explosions.
#include "scene.h"

static bool count_shape( b2ShapeId shape, void* context )
{
	CHECK( b2Shape_IsValid( shape ) );
	*(int*)context += 1;
	return true;
}

static bool stop_at_once( b2ShapeId shape, void* context )
{
	(void)shape;
	*(int*)context += 1;
	return false;
}

typedef struct Hits
{
	int count;
	float answer, nearest;
	b2ShapeId shape;
} Hits;

static float note_hit( b2ShapeId shape, b2Vec2 point, b2Vec2 normal, float fraction, void* context )
{
	Hits* hits = context;
	(void)point;
	CHECK_NEAR( normal.x, -1.0f, 1.0e-3f );
	hits->count += 1;
	if ( hits->count == 1 || fraction < hits->nearest )
	{
		hits->nearest = fraction;
		hits->shape = shape;
	}
	return hits->answer == 2.0f ? fraction : hits->answer;
}

static bool note_plane( b2ShapeId shape, const b2PlaneResult* plane, void* context )
{
	(void)shape;
	*(b2PlaneResult*)context = *plane;
	return true;
}

int main( void )
{
	b2WorldId world = make_world();
	b2World_SetGravity( world, b2Vec2_zero );
	b2ShapeId shapes[3];
	for ( int i = 0; i < 3; ++i )
	{
		shapes[i] = add_box( make_body( world, b2_staticBody, 3.0f * i + 2.0f, 0.0f ), 0.5f, 0.5f );
	}
	run( world, 1 );
	b2QueryFilter filter = b2DefaultQueryFilter();
	int count = 0;
	b2AABB area = { { 1.0f, -1.0f }, { 5.0f, 1.0f } };
	b2World_OverlapAABB( world, b2Vec2_zero, area, filter, count_shape, &count );
	CHECK( count == 2 );
	count = 0;
	b2World_OverlapAABB( world, ( b2Vec2 ){ 3.0f, 0.0f }, area, filter, stop_at_once, &count );
	CHECK( count == 1 );
	b2Vec2 center = { 2.6f, 0.0f };
	b2ShapeProxy disk = b2MakeProxy( &center, 1, 0.25f );
	count = 0;
	b2World_OverlapShape( world, b2Vec2_zero, &disk, filter, count_shape, &count );
	CHECK( count == 1 );
	b2QueryFilter other = filter;
	other.maskBits = 2;
	count = 0;
	b2World_OverlapShape( world, b2Vec2_zero, &disk, other, count_shape, &count );
	CHECK( count == 0 );

	b2Vec2 origin = { 0.0f, 0.25f }, way = { 10.0f, 0.0f };
	b2RayResult ray = b2World_CastRayClosest( world, origin, way, filter );
	CHECK( ray.hit && SAME_ID( ray.shapeId, shapes[0] ) );
	CHECK_NEAR( ray.fraction, 0.15f, 1.0e-3f );
	CHECK_NEAR( ray.point.x, 1.5f, 1.0e-3f );
	CHECK_NEAR( ray.normal.x, -1.0f, 1.0e-3f );
	ray = b2World_CastRayClosest( world, origin, ( b2Vec2 ){ -1.0f, 0.0f }, filter );
	CHECK( !ray.hit );
	// 1: all hits. -1: ignored, so all. 0: ends. The fraction: cut, the nearest is the last.
	Hits hits = { 0, 1.0f, 0.0f, { 0 } };
	b2World_CastRay( world, origin, way, filter, note_hit, &hits );
	CHECK( hits.count == 3 );
	hits = ( Hits ){ 0, -1.0f, 0.0f, { 0 } };
	b2World_CastRay( world, origin, way, filter, note_hit, &hits );
	CHECK( hits.count == 3 );
	hits = ( Hits ){ 0, 0.0f, 0.0f, { 0 } };
	b2World_CastRay( world, origin, way, filter, note_hit, &hits );
	CHECK( hits.count == 1 );
	hits = ( Hits ){ 0, 2.0f, 0.0f, { 0 } };
	b2World_CastRay( world, origin, way, filter, note_hit, &hits );
	CHECK( SAME_ID( hits.shape, shapes[0] ) );
	CHECK_NEAR( hits.nearest, 0.15f, 1.0e-3f );

	b2Vec2 start = { 0.0f, 0.0f };
	b2ShapeProxy ball = b2MakeProxy( &start, 1, 0.5f );
	hits = ( Hits ){ 0, 2.0f, 0.0f, { 0 } };
	b2World_CastShape( world, b2Vec2_zero, &ball, way, filter, note_hit, &hits );
	CHECK( SAME_ID( hits.shape, shapes[0] ) );
	CHECK_NEAR( hits.nearest, 0.1f, 2.0e-3f );

	b2Capsule mover = { { 0.0f, -0.25f }, { 0.0f, 0.25f }, 0.5f };
	CHECK_NEAR( b2World_CastMover( world, b2Vec2_zero, &mover, way, filter ), 0.1f, 2.0e-3f );
	CHECK_NEAR( b2World_CastMover( world, b2Vec2_zero, &mover, ( b2Vec2 ){ -9.0f, 0.0f }, filter ), 1.0f, 0.0f );
	b2PlaneResult plane = { 0 };
	b2World_CollideMover( world, ( b2Vec2 ){ 1.1f, 0.0f }, &mover, filter, note_plane, &plane );
	CHECK( plane.hit );
	CHECK_NEAR( plane.plane.normal.x, -1.0f, 1.0e-3f );
	CHECK_NEAR( plane.plane.offset, 0.1f, 1.0e-3f );
	b2CollisionPlane push = { plane.plane, 100.0f, 0.0f, true };
	b2PlaneSolverResult solved = b2SolvePlanes( b2Vec2_zero, &push, 1 );
	CHECK_NEAR( solved.translation.x, -0.1f, 0.006f );
	CHECK( push.push > 0.0f );
	CHECK_NEAR( b2ClipVector( ( b2Vec2 ){ 1.0f, 1.0f }, &push, 1 ).x, 0.0f, 1.0e-4f );

	b2BodyId loose = make_body( world, b2_dynamicBody, 0.0f, 10.0f );
	add_box( loose, 0.5f, 0.5f );
	run( world, 1 );
	b2ExplosionDef explosion = b2DefaultExplosionDef();
	explosion.position = ( b2Vec2 ){ -2.0f, 10.0f };
	explosion.radius = 4.0f;
	explosion.impulsePerLength = 1.0f;
	b2World_Explode( world, &explosion );
	// A side of 1 m faces the explosion, so the impulse is 1 N s, on 1 kg.
	CHECK_NEAR( b2Body_GetLinearVelocity( loose ).x, 1.0f, 0.05f );
	b2DestroyWorld( world );
	return 0;
}
