// A world, the ground, and a box that falls and comes to rest on it.
#include "check.h"

int main( void )
{
	b2WorldDef worldDef = b2DefaultWorldDef();
	b2WorldId world = b2CreateWorld( &worldDef );
	CHECK( b2World_IsValid( world ) );

	b2BodyDef groundDef = b2DefaultBodyDef();
	groundDef.position = ( b2Vec2 ){ 0.0f, -10.0f };
	b2BodyId ground = b2CreateBody( world, &groundDef );
	b2Polygon groundBox = b2MakeBox( 50.0f, 10.0f );
	b2ShapeDef groundShape = b2DefaultShapeDef();
	CHECK( b2Shape_IsValid( b2CreatePolygonShape( ground, &groundShape, &groundBox ) ) );

	b2BodyDef boxDef = b2DefaultBodyDef();
	boxDef.type = b2_dynamicBody;
	boxDef.position = ( b2Vec2 ){ 0.0f, 4.0f };
	b2BodyId box = b2CreateBody( world, &boxDef );
	b2Polygon dynamicBox = b2MakeBox( 1.0f, 1.0f );
	b2ShapeDef shapeDef = b2DefaultShapeDef();
	shapeDef.density = 1.0f;
	shapeDef.material.friction = 0.3f;
	b2CreatePolygonShape( box, &shapeDef, &dynamicBox );
	CHECK_NEAR( b2Body_GetMass( box ), 4.0f, 1.0e-5f );

	for ( int i = 0; i < 90; ++i )
	{
		b2World_Step( world, 1.0f / 60.0f, 4 );
	}

	b2Vec2 position = b2Body_GetPosition( box );
	CHECK_NEAR( position.x, 0.0f, 0.01f );
	CHECK_NEAR( position.y, 1.0f, 0.01f );
	CHECK_NEAR( b2Rot_GetAngle( b2Body_GetRotation( box ) ), 0.0f, 0.01f );

	b2DestroyWorld( world );
	CHECK( !b2World_IsValid( world ) );
	return 0;
}
