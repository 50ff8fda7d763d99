// Bodies: poses, velocities, forces, mass, sleep, and settings.
#include "scene.h"

static void poses( void )
{
	b2WorldId world = make_world();
	b2BodyId body = make_body( world, b2_dynamicBody, 2.0f, 3.0f );
	add_box( body, 0.5f, 0.5f );
	CHECK( b2Body_GetType( body ) == b2_dynamicBody );
	b2Body_SetTransform( body, ( b2Vec2 ){ 1.0f, 2.0f }, b2MakeRot( 0.5f * B2_PI ) );
	CHECK_NEAR( b2Rot_GetAngle( b2Body_GetRotation( body ) ), 0.5f * B2_PI, 1.0e-4f );
	b2Vec2 p = b2Body_GetWorldPoint( body, ( b2Vec2 ){ 1.0f, 0.0f } );
	CHECK_NEAR( p.x, 1.0f, 1.0e-4f );
	CHECK_NEAR( p.y, 3.0f, 1.0e-4f );
	p = b2Body_GetLocalPoint( body, p );
	CHECK_NEAR( p.x, 1.0f, 1.0e-4f );
	p = b2Body_GetWorldVector( body, ( b2Vec2 ){ 0.0f, 1.0f } );
	CHECK_NEAR( p.x, -1.0f, 1.0e-4f );
	p = b2Body_GetLocalVector( body, p );
	CHECK_NEAR( p.y, 1.0f, 1.0e-4f );
	b2AABB box = b2Body_ComputeAABB( body );
	// Box2D adds its speculative distance.
	CHECK_NEAR( box.lowerBound.x, 0.5f, 0.03f );
	CHECK_NEAR( box.upperBound.y, 2.5f, 0.03f );
	b2DestroyBody( body );
	CHECK( !b2Body_IsValid( body ) );
	b2DestroyWorld( world );
}

static void motion( void )
{
	b2WorldId world = make_world();
	b2World_SetGravity( world, b2Vec2_zero );
	b2BodyId body = make_body( world, b2_dynamicBody, 0.0f, 0.0f );
	add_box( body, 0.5f, 0.5f );
	b2Body_SetLinearVelocity( body, ( b2Vec2 ){ 3.0f, 0.0f } );
	b2Body_SetAngularVelocity( body, 2.0f );
	b2Vec2 v = b2Body_GetWorldPointVelocity( body, ( b2Vec2 ){ 0.0f, 1.0f } );
	CHECK_NEAR( v.x, 1.0f, 1.0e-4f );
	v = b2Body_GetLocalPointVelocity( body, ( b2Vec2 ){ 1.0f, 0.0f } );
	CHECK_NEAR( v.y, 2.0f, 1.0e-4f );
	run( world, 60 );
	CHECK_NEAR( b2Body_GetPosition( body ).x, 3.0f, 0.01f );
	CHECK_NEAR( b2Rot_GetAngle( b2Body_GetRotation( body ) ), 2.0f, 0.01f );

	b2Body_SetLinearVelocity( body, b2Vec2_zero );
	b2Body_ApplyLinearImpulseToCenter( body, ( b2Vec2 ){ 0.0f, 2.0f }, true );
	CHECK_NEAR( b2Body_GetLinearVelocity( body ).y, 2.0f, 1.0e-4f );
	b2Body_SetAngularVelocity( body, 0.0f );
	b2Body_ApplyAngularImpulse( body, b2Body_GetRotationalInertia( body ), true );
	CHECK_NEAR( b2Body_GetAngularVelocity( body ), 1.0f, 1.0e-4f );
	b2Body_SetLinearVelocity( body, b2Vec2_zero );
	b2Body_ApplyForceToCenter( body, ( b2Vec2 ){ 6.0f, 0.0f }, true );
	b2Body_ApplyTorque( body, 1.0f, true );
	run( world, 1 );
	CHECK_NEAR( b2Body_GetLinearVelocity( body ).x, 0.1f, 1.0e-3f );
	b2Body_SetLinearVelocity( body, b2Vec2_zero );
	b2Body_ApplyForceToCenter( body, ( b2Vec2 ){ 6.0f, 0.0f }, true );
	b2Body_ClearForces( body );
	run( world, 1 );
	CHECK_NEAR( b2Body_GetLinearVelocity( body ).x, 0.0f, 1.0e-3f );

	b2BodyId platform = make_body( world, b2_kinematicBody, 0.0f, 9.0f );
	b2WorldTransform target = { { 1.0f, 9.0f }, b2Rot_identity };
	b2Body_SetTargetTransform( platform, target, 0.5f, true );
	CHECK_NEAR( b2Body_GetLinearVelocity( platform ).x, 2.0f, 1.0e-3f );
	b2DestroyWorld( world );
}

static void mass( void )
{
	b2WorldId world = make_world();
	b2BodyId body = make_body( world, b2_dynamicBody, 0.0f, 0.0f );
	b2ShapeId shape = add_box( body, 1.0f, 1.0f );
	CHECK_NEAR( b2Body_GetMass( body ), 4.0f, 1.0e-4f );
	CHECK_NEAR( b2Body_GetRotationalInertia( body ), 8.0f / 3.0f, 1.0e-4f );
	b2Body_SetMassData( body, ( b2MassData ){ 10.0f, { 0.5f, 0.0f }, 3.0f } );
	CHECK_NEAR( b2Body_GetMass( body ), 10.0f, 1.0e-4f );
	CHECK_NEAR( b2Body_GetLocalCenter( body ).x, 0.5f, 1.0e-4f );
	CHECK_NEAR( b2Body_GetWorldCenter( body ).x, 0.5f, 1.0e-4f );
	CHECK_NEAR( b2Body_GetMassData( body ).rotationalInertia, 3.0f, 1.0e-4f );
	b2Body_ApplyMassFromShapes( body );
	CHECK_NEAR( b2Body_GetMass( body ), 4.0f, 1.0e-4f );
	b2Shape_SetDensity( shape, 2.0f, false );
	CHECK_NEAR( b2Body_GetMass( body ), 4.0f, 1.0e-4f );
	b2Body_ApplyMassFromShapes( body );
	CHECK_NEAR( b2Body_GetMass( body ), 8.0f, 1.0e-4f );
	b2Body_SetType( body, b2_staticBody );
	CHECK_NEAR( b2Body_GetMass( body ), 0.0f, 0.0f );
	b2DestroyWorld( world );
}

static void settings( void )
{
	b2WorldId world = make_world();
	int tag = 0;
	b2BodyDef def = b2DefaultBodyDef();
	def.type = b2_dynamicBody;
	def.name = "a name that is cut";
	def.userData = &tag;
	def.linearDamping = 0.25f;
	def.motionLocks.angularZ = true;
	b2BodyId body = b2CreateBody( world, &def );
	CHECK( strcmp( b2Body_GetName( body ), "a name tha" ) == 0 );
	b2Body_SetName( body, "x" );
	CHECK( strcmp( b2Body_GetName( body ), "x" ) == 0 );
	CHECK( b2Body_GetUserData( body ) == &tag );
	CHECK_NEAR( b2Body_GetLinearDamping( body ), 0.25f, 0.0f );
	b2Body_SetAngularDamping( body, 0.5f );
	CHECK_NEAR( b2Body_GetAngularDamping( body ), 0.5f, 0.0f );
	CHECK_NEAR( b2Body_GetLinearDamping( body ), 0.25f, 0.0f );
	b2Body_SetGravityScale( body, -1.0f );
	CHECK_NEAR( b2Body_GetGravityScale( body ), -1.0f, 0.0f );
	CHECK( b2Body_GetMotionLocks( body ).angularZ && !b2Body_GetMotionLocks( body ).linearX );
	b2Body_SetBullet( body, true );
	CHECK( b2Body_IsBullet( body ) );
	b2Body_EnableSleep( body, false );
	CHECK( !b2Body_IsSleepEnabled( body ) );
	b2Body_SetSleepThreshold( body, 0.125f );
	CHECK_NEAR( b2Body_GetSleepThreshold( body ), 0.125f, 0.0f );
	b2Body_Disable( body );
	CHECK( !b2Body_IsEnabled( body ) );
	b2Body_Enable( body );
	CHECK( b2Body_IsEnabled( body ) );
	b2ShapeId a = add_box( body, 1.0f, 1.0f );
	b2ShapeId b = add_box( body, 0.5f, 2.0f );
	b2ShapeId shapes[4];
	CHECK( b2Body_GetShapeCount( body ) == 2 && b2Body_GetShapes( body, shapes, 4 ) == 2 );
	CHECK( b2Body_GetShapes( body, shapes, 1 ) == 1 );
	CHECK( ( SAME_ID( shapes[0], a ) || SAME_ID( shapes[0], b ) ) );
	b2WorldId found = b2Body_GetWorld( body );
	CHECK( found.index1 == world.index1 && found.generation == world.generation );
	b2DestroyWorld( world );
}

static void sleep_and_wake( void )
{
	b2WorldId world = make_world();
	make_ground( world );
	b2BodyId body = make_body( world, b2_dynamicBody, 0.0f, 0.5f );
	add_box( body, 0.5f, 0.5f );
	CHECK( b2Body_IsAwake( body ) && b2World_GetAwakeBodyCount( world ) == 1 );
	run( world, 120 );
	CHECK( !b2Body_IsAwake( body ) && b2World_GetAwakeBodyCount( world ) == 0 );
	b2Body_ApplyLinearImpulseToCenter( body, ( b2Vec2 ){ 0.0f, 9.0f }, false );
	CHECK( !b2Body_IsAwake( body ) );
	b2Body_SetAwake( body, true );
	CHECK( b2Body_IsAwake( body ) );
	b2Body_SetAwake( body, false );
	CHECK( !b2Body_IsAwake( body ) );
	b2DestroyWorld( world );
}

// Shapes do not wake a body that was created asleep.
static void created_asleep( void )
{
	b2WorldId world = make_world();
	b2BodyDef def = b2DefaultBodyDef();
	def.type = b2_dynamicBody;
	def.isAwake = false;
	b2ShapeDef shape = b2DefaultShapeDef();
	b2Polygon box = b2MakeSquare( 0.5f );
	b2BodyId body = b2CreateBody( world, &def );
	b2CreatePolygonShape( body, &shape, &box );
	shape.updateBodyMass = false;
	b2CreatePolygonShape( body, &shape, &box );
	CHECK( !b2Body_IsAwake( body ) );
	run( world, 10 );
	CHECK_NEAR( b2Body_GetPosition( body ).y, 0.0f, 0.0f );
	CHECK_NEAR( b2Body_GetMass( body ), 1.0f, 1.0e-6f );
	b2DestroyWorld( world );
}

static void conveyor( void )
{
	b2WorldId world = make_world();
	b2BodyId ground = make_body( world, b2_staticBody, 0.0f, -1.0f );
	b2ShapeDef def = b2DefaultShapeDef();
	def.material.tangentSpeed = 2.0f;
	b2Polygon box = b2MakeBox( 50.0f, 1.0f );
	b2ShapeId belt = b2CreatePolygonShape( ground, &def, &box );
	CHECK_NEAR( b2Shape_GetSurfaceMaterial( belt ).tangentSpeed, 2.0f, 0.0f );
	b2BodyId body = make_body( world, b2_dynamicBody, 0.0f, 0.5f );
	add_box( body, 0.5f, 0.5f );
	run( world, 60 );
	CHECK_NEAR( b2Body_GetLinearVelocity( body ).x, 2.0f, 0.01f );
	b2DestroyWorld( world );
}

static void wind( void )
{
	b2WorldId world = make_world();
	b2World_SetGravity( world, b2Vec2_zero );
	b2BodyId body = make_body( world, b2_dynamicBody, 0.0f, 0.0f );
	b2Shape_ApplyWind( add_box( body, 0.5f, 0.5f ), ( b2Vec2 ){ 10.0f, 0.0f }, 1.0f, 0.5f, true );
	run( world, 1 );
	// Half the density of air times the square of the speed, for a sixtieth of a second, on 1 kg.
	CHECK_NEAR( b2Body_GetLinearVelocity( body ).x, 0.5f * 1.225f * 100.0f / 60.0f, 0.001f );
	b2DestroyWorld( world );
}

int main( void )
{
	poses();
	conveyor();
	wind();
	motion();
	mass();
	settings();
	sleep_and_wake();
	created_asleep();
	return 0;
}
