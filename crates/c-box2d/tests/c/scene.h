// Parts of scenes that several tests have.
#pragma once

#include "check.h"

static inline b2WorldId make_world( void )
{
	b2WorldDef def = b2DefaultWorldDef();
	b2WorldId world = b2CreateWorld( &def );
	CHECK( b2World_IsValid( world ) );
	return world;
}

static inline b2BodyId make_body( b2WorldId world, b2BodyType type, float x, float y )
{
	b2BodyDef def = b2DefaultBodyDef();
	def.type = type;
	def.position = ( b2Vec2 ){ x, y };
	b2BodyId body = b2CreateBody( world, &def );
	CHECK( b2Body_IsValid( body ) );
	return body;
}

static inline b2ShapeId add_box( b2BodyId body, float half_width, float half_height )
{
	b2ShapeDef def = b2DefaultShapeDef();
	b2Polygon box = b2MakeBox( half_width, half_height );
	b2ShapeId shape = b2CreatePolygonShape( body, &def, &box );
	CHECK( b2Shape_IsValid( shape ) );
	return shape;
}

// Ground whose top is at y = 0.
static inline b2BodyId make_ground( b2WorldId world )
{
	b2BodyId ground = make_body( world, b2_staticBody, 0.0f, -1.0f );
	add_box( ground, 50.0f, 1.0f );
	return ground;
}

static inline void run( b2WorldId world, int steps )
{
	for ( int i = 0; i < steps; ++i )
	{
		b2World_Step( world, 1.0f / 60.0f, 4 );
	}
}

#define SAME_ID( a, b ) B2_ID_EQUALS( a, b )
