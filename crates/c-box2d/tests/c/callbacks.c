// Callbacks of a step: filter, pre-solve, friction and restitution. They read their shapes and bodies.
#include "scene.h"

typedef struct Seen
{
	b2BodyId body;
	int filtered, solved;
	bool let_pass;
} Seen;

static bool filter( b2ShapeId a, b2ShapeId b, void* context )
{
	Seen* seen = context;
	seen->filtered += 1;
	CHECK( b2Shape_IsValid( a ) && b2Shape_IsValid( b ) );
	return b2Shape_GetUserData( a ) != seen && b2Shape_GetUserData( b ) != seen;
}

static bool pre_solve( b2ShapeId a, b2ShapeId b, b2Vec2 point, b2Vec2 normal, void* context )
{
	Seen* seen = context;
	seen->solved += 1;
	CHECK( seen->let_pass || fabsf( point.y ) < 0.2f );
	CHECK_NEAR( fabsf( normal.y ), 1.0f, 0.01f );
	bool is_b = SAME_ID( b2Shape_GetBody( b ), seen->body );
	CHECK( is_b || SAME_ID( b2Shape_GetBody( a ), seen->body ) );
	CHECK( b2Body_GetLinearVelocity( seen->body ).y <= 0.5f );
	return !seen->let_pass;
}

static float no_friction( float a, uint64_t idA, float b, uint64_t idB )
{
	(void)a, (void)b;
	CHECK( idA == 5 || idB == 5 );
	return 0.0f;
}

static float no_bounce( float a, uint64_t idA, float b, uint64_t idB )
{
	(void)a, (void)b, (void)idA, (void)idB;
	return 0.0f;
}

static b2ShapeId add_asking_box( b2BodyId body, void* user_data )
{
	b2ShapeDef def = b2DefaultShapeDef();
	def.enableCustomFiltering = true;
	def.enablePreSolveEvents = true;
	def.userData = user_data;
	def.material.restitution = 0.9f;
	def.material.userMaterialId = 5;
	b2Polygon box = b2MakeSquare( 0.5f );
	return b2CreatePolygonShape( body, &def, &box );
}

int main( void )
{
	Seen seen = { 0 };
	b2WorldId world = make_world();
	make_ground( world );
	b2World_SetCustomFilterCallback( world, filter, &seen );
	b2BodyId ghost = make_body( world, b2_dynamicBody, 5.0f, 0.6f );
	add_asking_box( ghost, &seen );
	run( world, 60 );
	CHECK( seen.filtered > 0 && b2Body_GetPosition( ghost ).y < -2.0f );

	seen.body = make_body( world, b2_dynamicBody, 0.0f, 0.6f );
	add_asking_box( seen.body, NULL );
	b2World_SetPreSolveCallback( world, pre_solve, &seen );
	b2World_SetRestitutionCallback( world, no_bounce );
	b2World_SetFrictionCallback( world, no_friction );
	run( world, 60 );
	CHECK( seen.solved > 0 );
	CHECK_NEAR( b2Body_GetPosition( seen.body ).y, 0.5f, 0.01f );
	b2Body_SetLinearVelocity( seen.body, ( b2Vec2 ){ 2.0f, 0.0f } );
	run( world, 30 );
	CHECK_NEAR( b2Body_GetLinearVelocity( seen.body ).x, 2.0f, 0.01f );
	seen.let_pass = true;
	run( world, 60 );
	CHECK( b2Body_GetPosition( seen.body ).y < 0.0f );
	b2World_SetCustomFilterCallback( world, NULL, NULL );
	b2World_SetPreSolveCallback( world, NULL, NULL );
	run( world, 1 );
	b2DestroyWorld( world );
	return 0;
}
