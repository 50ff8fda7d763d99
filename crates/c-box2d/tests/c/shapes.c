// Shapes and chains.
#include "scene.h"

static void kinds( void )
{
	b2WorldId world = make_world();
	b2BodyId body = make_body( world, b2_dynamicBody, 1.0f, 0.0f );
	b2ShapeDef def = b2DefaultShapeDef();
	int tag = 0;
	def.userData = &tag;
	def.material.friction = 0.25f;
	def.material.userMaterialId = 77;
	def.material.customColor = 0x123456;
	def.filter.groupIndex = -3;
	b2Circle circle = { { 0.5f, 0.0f }, 0.25f };
	b2ShapeId shape = b2CreateCircleShape( body, &def, &circle );
	CHECK( b2Shape_GetType( shape ) == b2_circleShape );
	CHECK_NEAR( b2Shape_GetCircle( shape ).radius, 0.25f, 0.0f );
	CHECK( b2Shape_GetUserData( shape ) == &tag );
	CHECK( b2Shape_GetUserMaterial( shape ) == 77 );
	CHECK( b2Shape_GetSurfaceMaterial( shape ).customColor == 0x123456 );
	CHECK_NEAR( b2Shape_GetFriction( shape ), 0.25f, 0.0f );
	b2Shape_SetRestitution( shape, 0.5f );
	CHECK_NEAR( b2Shape_GetRestitution( shape ), 0.5f, 0.0f );
	CHECK( b2Shape_GetFilter( shape ).groupIndex == -3 );
	CHECK( SAME_ID( b2Shape_GetBody( shape ), body ) );
	CHECK( !b2Shape_IsSensor( shape ) );
	CHECK( b2Shape_TestPoint( shape, ( b2Vec2 ){ 1.6f, 0.0f } ) );
	CHECK( !b2Shape_TestPoint( shape, ( b2Vec2 ){ 1.0f, 0.0f } ) );
	b2CastOutput hit = b2Shape_RayCast( shape, ( b2Vec2 ){ 3.5f, 0.0f }, ( b2Vec2 ){ -2.0f, 0.0f } );
	CHECK( hit.hit );
	CHECK_NEAR( hit.point.x, 1.75f, 1.0e-4f );
	CHECK_NEAR( hit.normal.x, 1.0f, 1.0e-4f );
	b2Vec2 closest = b2Shape_GetClosestPoint( shape, ( b2Vec2 ){ 1.5f, 5.0f } );
	CHECK_NEAR( closest.y, 0.25f, 1.0e-4f );
	CHECK_NEAR( b2Shape_GetAABB( shape ).upperBound.x, 1.75f, 0.2f );
	CHECK_NEAR( b2Shape_ComputeMassData( shape ).mass, B2_PI / 16.0f, 1.0e-4f );

	b2Capsule capsule = { { -1.0f, 0.0f }, { 1.0f, 0.0f }, 0.5f };
	b2Shape_SetCapsule( shape, &capsule );
	CHECK( b2Shape_GetType( shape ) == b2_capsuleShape );
	CHECK_NEAR( b2Shape_GetCapsule( shape ).center2.x, 1.0f, 0.0f );
	b2Segment segment = { { -1.0f, 0.0f }, { 1.0f, 0.5f } };
	b2Shape_SetSegment( shape, &segment );
	CHECK( b2Shape_GetType( shape ) == b2_segmentShape );
	CHECK_NEAR( b2Shape_GetSegment( shape ).point2.y, 0.5f, 0.0f );
	b2Polygon box = b2MakeOffsetBox( 1.0f, 0.5f, ( b2Vec2 ){ 0.25f, 0.0f }, b2MakeRot( 0.3f ) );
	b2Shape_SetPolygon( shape, &box );
	CHECK( b2Shape_GetType( shape ) == b2_polygonShape );
	b2Polygon found = b2Shape_GetPolygon( shape );
	CHECK( found.count == 4 );
	for ( int i = 0; i < 4; ++i )
	{
		CHECK_NEAR( b2Distance( found.vertices[i], box.vertices[i] ), 0.0f, 1.0e-4f );
		CHECK_NEAR( b2Distance( found.normals[i], box.normals[i] ), 0.0f, 1.0e-4f );
	}
	b2Shape_EnableContactEvents( shape, true );
	b2Shape_EnableHitEvents( shape, true );
	b2Shape_EnableSensorEvents( shape, true );
	b2Shape_EnablePreSolveEvents( shape, true );
	CHECK( b2Shape_AreContactEventsEnabled( shape ) && b2Shape_AreHitEventsEnabled( shape ) );
	CHECK( b2Shape_AreSensorEventsEnabled( shape ) && b2Shape_ArePreSolveEventsEnabled( shape ) );
	b2Shape_EnableHitEvents( shape, false );
	CHECK( !b2Shape_AreHitEventsEnabled( shape ) && b2Shape_AreContactEventsEnabled( shape ) );
	b2DestroyShape( shape, true );
	CHECK( !b2Shape_IsValid( shape ) );
	b2DestroyWorld( world );
}

static void chains( void )
{
	b2WorldId world = make_world();
	b2BodyId ground = make_body( world, b2_staticBody, 0.0f, 0.0f );
	// Solid on the right side: from right to left, the top is solid.
	b2Vec2 points[6] = { { 9.0f, 0.0f }, { 6.0f, 0.0f }, { 2.0f, 0.0f }, { -2.0f, 0.0f }, { -6.0f, 0.0f }, { -9.0f, 0.0f } };
	b2SurfaceMaterial materials[6];
	for ( int i = 0; i < 6; ++i )
	{
		materials[i] = b2DefaultSurfaceMaterial();
		materials[i].userMaterialId = 10 + i;
	}
	b2ChainDef def = b2DefaultChainDef();
	def.points = points;
	def.count = 6;
	def.materials = materials;
	def.materialCount = 6;
	b2ChainId chain = b2CreateChain( ground, &def );
	CHECK( b2Chain_IsValid( chain ) );
	CHECK( b2Chain_GetSegmentCount( chain ) == 3 );
	b2ShapeId segments[6];
	CHECK( b2Chain_GetSegments( chain, segments, 6 ) == 3 );
	CHECK( SAME_ID( b2Shape_GetParentChain( segments[0] ), chain ) );
	b2ChainSegment piece = b2Shape_GetChainSegment( segments[0] );
	CHECK_NEAR( piece.ghost1.x, 9.0f, 0.0f );
	CHECK_NEAR( piece.segment.point1.x, 6.0f, 0.0f );
	CHECK_NEAR( piece.segment.point2.x, 2.0f, 0.0f );
	CHECK_NEAR( piece.ghost2.x, -2.0f, 0.0f );
	CHECK( b2Chain_GetSurfaceMaterialCount( chain ) == 6 );
	CHECK( b2Shape_GetUserMaterial( segments[0] ) == 11 );

	b2BodyId ball = make_body( world, b2_dynamicBody, 0.0f, 2.0f );
	b2ShapeDef shape = b2DefaultShapeDef();
	b2Circle circle = { { 0.0f, 0.0f }, 0.5f };
	b2CreateCircleShape( ball, &shape, &circle );
	run( world, 120 );
	CHECK_NEAR( b2Body_GetPosition( ball ).y, 0.5f, 0.01f );
	b2DestroyChain( chain );
	CHECK( !b2Chain_IsValid( chain ) && !b2Shape_IsValid( segments[1] ) );

	b2ChainDef ring = b2DefaultChainDef();
	b2Vec2 corners[4] = { { -1.0f, -1.0f }, { 1.0f, -1.0f }, { 1.0f, 1.0f }, { -1.0f, 1.0f } };
	ring.points = corners;
	ring.count = 4;
	ring.isLoop = true;
	chain = b2CreateChain( ground, &ring );
	CHECK( b2Chain_GetSegmentCount( chain ) == 4 && b2Chain_GetSurfaceMaterialCount( chain ) == 1 );
	b2DestroyBody( ground );
	CHECK( !b2Chain_IsValid( chain ) );
	b2DestroyWorld( world );
}

int main( void )
{
	kinds();
	chains();
	return 0;
}
