// Mistakes of a caller: each is logged, has no effect, and gives zero. For this library alone; Box2D trusts its callers.
#include "scene.h"

#include <pthread.h>

static int logged;

static void count_log( const char* message )
{
	CHECK( strlen( message ) > 0 );
	logged += 1;
}

// The call must be logged.
#define LOGGED( call )                                                                                                \
	do                                                                                                                \
	{                                                                                                                 \
		int before = logged;                                                                                          \
		call;                                                                                                         \
		if ( logged == before )                                                                                       \
		{                                                                                                             \
			printf( "%s:%d: not logged: %s\n", __FILE__, __LINE__, #call );                                           \
			exit( 1 );                                                                                                \
		}                                                                                                             \
	} while ( 0 )

static void stale_ids( void )
{
	b2WorldId world = make_world();
	b2BodyId body = make_body( world, b2_dynamicBody, 0.0f, 0.0f );
	b2ShapeId shape = add_box( body, 1.0f, 1.0f );
	b2BodyId other = make_body( world, b2_dynamicBody, 1.0f, 0.0f );
	b2RevoluteJointDef def = b2DefaultRevoluteJointDef();
	def.base.bodyIdA = body;
	def.base.bodyIdB = other;
	b2JointId joint = b2CreateRevoluteJoint( world, &def );
	LOGGED( b2DistanceJoint_SetLength( joint, 1.0f ) );
	LOGGED( b2WheelJoint_GetMotorTorque( joint ) );
	b2DestroyBody( body );
	LOGGED( b2DestroyBody( body ) );
	LOGGED( b2Body_GetMass( body ) );
	LOGGED( b2Body_SetTransform( body, b2Vec2_zero, b2Rot_identity ) );
	LOGGED( b2Shape_GetFriction( shape ) );
	LOGGED( b2DestroyShape( shape, true ) );
	LOGGED( b2RevoluteJoint_GetAngle( joint ) );
	LOGGED( b2DestroyJoint( joint, true ) );
	LOGGED( b2CreateRevoluteJoint( world, &def ) );
	LOGGED( b2Body_GetMass( b2_nullBodyId ) );
	LOGGED( b2Chain_GetSegmentCount( b2_nullChainId ) );
	LOGGED( b2Contact_GetData( b2_nullContactId ) );
	b2BodyId wild = { -5, 65535, 9 };
	LOGGED( b2Body_GetPosition( wild ) );
	CHECK( !b2Body_IsValid( wild ) && !b2Shape_IsValid( shape ) && !b2Joint_IsValid( joint ) );
	b2DestroyWorld( world );
	LOGGED( b2DestroyWorld( world ) );
	LOGGED( b2World_Step( world, 1.0f / 60.0f, 4 ) );
	LOGGED( b2Body_GetMass( other ) );
	LOGGED( b2World_GetContactEvents( world ) );
}

static void bad_values( void )
{
	b2WorldId world = make_world();
	b2BodyId body = make_body( world, b2_dynamicBody, 0.0f, 0.0f );
	b2ShapeId shape = add_box( body, 1.0f, 1.0f );
	LOGGED( b2CreateWorld( NULL ) );
	b2WorldDef world_def = { 0 };
	LOGGED( b2CreateWorld( &world_def ) );
	b2BodyDef body_def = b2DefaultBodyDef();
	body_def.position.x = NAN;
	LOGGED( b2CreateBody( world, &body_def ) );
	body_def = b2DefaultBodyDef();
	body_def.type = (b2BodyType)42;
	LOGGED( b2CreateBody( world, &body_def ) );
	LOGGED( b2CreateBody( world, NULL ) );
	LOGGED( b2Body_SetLinearVelocity( body, ( b2Vec2 ){ NAN, 0.0f } ) );
	LOGGED( b2Body_SetTransform( body, ( b2Vec2 ){ INFINITY, 0.0f }, b2Rot_identity ) );
	LOGGED( b2Body_ApplyForceToCenter( body, ( b2Vec2 ){ 0.0f, NAN }, true ) );
	LOGGED( b2Body_SetMassData( body, ( b2MassData ){ -1.0f, { 0.0f, 0.0f }, 1.0f } ) );
	LOGGED( b2Shape_SetFriction( shape, -1.0f ) );
	LOGGED( b2Shape_SetDensity( shape, NAN, true ) );
	LOGGED( b2World_Step( world, NAN, 4 ) );
	LOGGED( b2World_Step( world, -1.0f, 4 ) );
	LOGGED( b2World_Step( world, 1.0f / 60.0f, 0 ) );
	LOGGED( b2World_SetGravity( world, ( b2Vec2 ){ NAN, 0.0f } ) );
	b2ShapeDef shape_def = b2DefaultShapeDef();
	b2Polygon lie = b2MakeBox( 1.0f, 1.0f );
	lie.count = 1000;
	LOGGED( b2CreatePolygonShape( body, &shape_def, &lie ) );
	lie.count = -3;
	LOGGED( b2CreatePolygonShape( body, &shape_def, &lie ) );
	b2Circle dot = { { 0.0f, 0.0f }, -1.0f };
	LOGGED( b2CreateCircleShape( body, &shape_def, &dot ) );
	LOGGED( b2CreateCircleShape( body, &shape_def, NULL ) );
	b2ChainDef chain = b2DefaultChainDef();
	chain.count = 9;
	LOGGED( b2CreateChain( body, &chain ) );
	LOGGED( b2Body_GetShapes( body, NULL, 5 ) );
	b2ShapeId shapes[1];
	LOGGED( b2Body_GetShapes( body, shapes, -5 ) );
	LOGGED( b2MakeProxy( NULL, 3, 0.0f ) );
	b2Vec2 points[9] = { { 0 } };
	CHECK( b2MakeProxy( points, 9, 0.0f ).count == 8 && b2ComputeHull( points, 9 ).count == 0 );
	LOGGED( b2TimeOfImpact( NULL ) );
	LOGGED( b2SolvePlanes( b2Vec2_zero, NULL, 2 ) );
	LOGGED( b2World_CastMover( world, b2Vec2_zero, NULL, b2Vec2_zero, b2DefaultQueryFilter() ) );
	LOGGED( b2World_Draw( world, NULL ) );
	LOGGED( b2RecPlayer_StepFrame( (b2RecPlayer*)&dot ) );
	LOGGED( b2RecPlayer_Create( "x", 1, 1 ) );
	LOGGED( b2World_Restore( world, (const uint8_t*)"x", 1 ) );
	b2DynamicTree tree = b2DynamicTree_Create( -7 );
	LOGGED( b2DynamicTree_DestroyProxy( &tree, 3 ) );
	LOGGED( b2DynamicTree_CreateProxy( &tree, ( b2AABB ){ { NAN, 0.0f }, { 1.0f, 1.0f } }, 1, 0 ) );
	b2DynamicTree copy = tree;
	b2DynamicTree_Destroy( &tree );
	LOGGED( b2DynamicTree_Destroy( &copy ) );
	// The world is as before.
	CHECK( b2Body_GetShapeCount( body ) == 1 && b2World_GetCounters( world ).bodyCount == 1 );
	run( world, 2 );
	b2DestroyWorld( world );
}

static bool destroy_all( b2ShapeId shape, void* context )
{
	b2DestroyBody( b2Shape_GetBody( shape ) );
	b2DestroyWorld( *(b2WorldId*)context );
	return true;
}

static bool step_inside( b2ShapeId a, b2ShapeId b, b2Vec2 point, b2Vec2 normal, void* context )
{
	(void)b, (void)point, (void)normal;
	b2WorldId world = *(b2WorldId*)context;
	LOGGED( b2World_Step( world, 1.0f / 60.0f, 4 ) );
	LOGGED( b2DestroyBody( b2Shape_GetBody( a ) ) );
	CHECK( b2World_IsValid( world ) );
	return true;
}

static void callbacks_that_change_the_world( void )
{
	b2WorldId world = make_world();
	make_ground( world );
	b2BodyId body = make_body( world, b2_dynamicBody, 0.0f, 0.5f );
	b2Shape_EnablePreSolveEvents( add_box( body, 0.5f, 0.5f ), true );
	b2World_SetPreSolveCallback( world, step_inside, &world );
	run( world, 5 );
	b2AABB area = { { -9.0f, -9.0f }, { 9.0f, 9.0f } };
	b2World_OverlapAABB( world, b2Vec2_zero, area, b2DefaultQueryFilter(), destroy_all, &world );
	CHECK( !b2World_IsValid( world ) );
}

static void* use( void* context )
{
	b2BodyId body = *(b2BodyId*)context;
	for ( int i = 0; i < 2000; ++i )
	{
		b2Body_SetLinearVelocity( body, ( b2Vec2 ){ 0.0f, 1.0f } );
		CHECK( b2IsValidVec2( b2Body_GetPosition( body ) ) );
	}
	return NULL;
}

static void two_threads( void )
{
	b2WorldId world = make_world();
	b2BodyId body = make_body( world, b2_dynamicBody, 0.0f, 0.5f );
	add_box( body, 0.5f, 0.5f );
	pthread_t thread;
	CHECK( pthread_create( &thread, NULL, use, &body ) == 0 );
	run( world, 200 );
	pthread_join( thread, NULL );
	b2DestroyWorld( world );
}

int main( void )
{
	b2SetLogFcn( count_log );
	stale_ids();
	bad_values();
	callbacks_that_change_the_world();
	two_threads();
	return 0;
}
