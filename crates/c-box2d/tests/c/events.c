// Events: contacts, hits, sensors, moves; and the data of contacts.
#include "scene.h"

static b2ShapeId add_event_box( b2BodyId body, float half )
{
	b2ShapeDef def = b2DefaultShapeDef();
	def.enableContactEvents = true;
	def.enableHitEvents = true;
	def.enableSensorEvents = true;
	b2Polygon box = b2MakeSquare( half );
	return b2CreatePolygonShape( body, &def, &box );
}

static void contacts( void )
{
	b2WorldId world = make_world();
	b2BodyId ground = make_ground( world );
	b2BodyId body = make_body( world, b2_dynamicBody, 0.0f, 1.5f );
	int tag = 0;
	b2Body_SetUserData( body, &tag );
	b2ShapeId shape = add_event_box( body, 0.5f );
	int begins = 0, hits = 0, moves = 0, slept = 0;
	for ( int i = 0; i < 180; ++i )
	{
		run( world, 1 );
		b2ContactEvents events = b2World_GetContactEvents( world );
		for ( int k = 0; k < events.beginCount; ++k )
		{
			b2ContactBeginTouchEvent event = events.beginEvents[k];
			CHECK( SAME_ID( event.shapeIdA, shape ) || SAME_ID( event.shapeIdB, shape ) );
			CHECK( b2Contact_IsValid( event.contactId ) );
			b2ContactData data = b2Contact_GetData( event.contactId );
			CHECK( data.manifold.pointCount > 0 );
			begins += 1;
		}
		CHECK( events.endCount == 0 );
		for ( int k = 0; k < events.hitCount; ++k )
		{
			CHECK_NEAR( events.hitEvents[k].approachSpeed, 4.4f, 0.3f );
			CHECK_NEAR( events.hitEvents[k].point.y, 0.0f, 0.1f );
			hits += 1;
		}
		b2BodyEvents bodies = b2World_GetBodyEvents( world );
		for ( int k = 0; k < bodies.moveCount; ++k )
		{
			CHECK( SAME_ID( bodies.moveEvents[k].bodyId, body ) && bodies.moveEvents[k].userData == &tag );
			moves += 1;
			slept += bodies.moveEvents[k].fellAsleep;
		}
	}
	CHECK( begins == 1 && hits >= 1 && moves > 30 && slept == 1 );

	b2ContactData data[4];
	CHECK( b2Body_GetContactCapacity( body ) >= 1 );
	CHECK( b2Body_GetContactData( body, data, 4 ) == 1 );
	CHECK( b2Shape_GetContactData( shape, data, 4 ) == 1 );
	CHECK( data[0].manifold.pointCount == 2 );
	CHECK_NEAR( fabsf( data[0].manifold.normal.y ), 1.0f, 1.0e-3f );
	CHECK_NEAR( data[0].manifold.points[0].separation, 0.0f, 0.01f );
	CHECK( b2Body_GetContactData( ground, data, 4 ) == 1 );

	b2Body_SetTransform( body, ( b2Vec2 ){ 0.0f, 5.0f }, b2Rot_identity );
	b2Body_SetAwake( body, true );
	int ends = 0;
	for ( int i = 0; i < 3; ++i )
	{
		run( world, 1 );
		ends += b2World_GetContactEvents( world ).endCount;
	}
	CHECK( ends == 1 );
	b2DestroyWorld( world );
}

static void sensors( void )
{
	b2WorldId world = make_world();
	b2BodyId post = make_body( world, b2_staticBody, 0.0f, 0.0f );
	b2ShapeDef def = b2DefaultShapeDef();
	def.isSensor = true;
	def.enableSensorEvents = true;
	b2Circle circle = { { 0.0f, 0.0f }, 1.0f };
	b2ShapeId sensor = b2CreateCircleShape( post, &def, &circle );
	CHECK( b2Shape_IsSensor( sensor ) );
	b2BodyId ball = make_body( world, b2_dynamicBody, 0.0f, 2.0f );
	b2ShapeId visitor = add_event_box( ball, 0.25f );
	b2BodyId quiet = make_body( world, b2_dynamicBody, 0.5f, 2.0f );
	add_box( quiet, 0.1f, 0.1f );
	int begins = 0, ends = 0, inside = 0;
	for ( int i = 0; i < 120; ++i )
	{
		run( world, 1 );
		b2SensorEvents events = b2World_GetSensorEvents( world );
		for ( int k = 0; k < events.beginCount; ++k )
		{
			CHECK( SAME_ID( events.beginEvents[k].sensorShapeId, sensor ) );
			CHECK( SAME_ID( events.beginEvents[k].visitorShapeId, visitor ) );
			begins += 1;
		}
		ends += events.endCount;
		b2ShapeId found[4];
		if ( b2Shape_GetSensorData( sensor, found, 4 ) == 1 )
		{
			CHECK( SAME_ID( found[0], visitor ) );
			inside += 1;
		}
	}
	CHECK( begins == 1 && ends == 1 && inside > 5 );
	b2DestroyWorld( world );
}

int main( void )
{
	contacts();
	sensors();
	return 0;
}
