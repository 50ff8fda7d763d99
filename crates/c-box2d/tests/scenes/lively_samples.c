// Samples that move.
#include "stage.h"

// A bridge of planks, and boxes that fall on it.
static void bridge( b2WorldId world )
{
	enum
	{
		PLANKS = 30
	};
	b2BodyId ground = make_ground( world );
	b2BodyId last = ground;
	b2Vec2 anchor = { -15.0f, 11.0f };
	for ( int i = 0; i < PLANKS; ++i )
	{
		b2BodyId plank = drop_box( world, i - 14.5f, 10.0f, 0.5f, 0.125f );
		pin( world, last, anchor, plank, ( b2Vec2 ){ -0.5f, 0.0f } );
		last = plank;
		anchor = ( b2Vec2 ){ 0.5f, 0.0f };
	}
	pin( world, last, anchor, ground, ( b2Vec2 ){ 15.0f, 11.0f } );
	for ( int i = 0; i < 5; ++i )
	{
		drop_box( world, 2.0f * i - 4.0f, 12.0f, 0.5f, 0.5f );
	}
}

// A heavy ball on a chain swings down from the level.
static void ball_and_chain( b2WorldId world )
{
	b2BodyId last = make_ground( world );
	b2Vec2 anchor = { 0.0f, 26.0f };
	b2Capsule capsule = { { -0.5f, 0.0f }, { 0.5f, 0.0f }, 0.125f };
	b2ShapeDef def = b2DefaultShapeDef();
	def.filter = ( b2Filter ){ 2, 1, 0 };
	for ( int i = 0; i < 20; ++i )
	{
		b2BodyId link = keep( make_body( world, b2_dynamicBody, 0.5f + i, 25.0f ) );
		b2CreateCapsuleShape( link, &def, &capsule );
		pin( world, last, anchor, link, ( b2Vec2 ){ -0.5f, 0.0f } );
		last = link;
		anchor = ( b2Vec2 ){ 0.5f, 0.0f };
	}
	b2BodyId ball = drop_circle( world, 22.0f, 25.0f, 2.0f, &def );
	pin( world, last, anchor, ball, ( b2Vec2 ){ -2.0f, 0.0f } );
}

// A car with sprung wheels drives over waves.
static void car( b2WorldId world )
{
	b2BodyId ground = make_body( world, b2_staticBody, 0.0f, 0.0f );
	b2Vec2 points[60];
	for ( int i = 0; i < 60; ++i )
	{
		float x = 110.0f - 2.0f * i;
		points[i] = ( b2Vec2 ){ x, x < 5.0f ? 0.0f : 0.4f * sinf( 0.5f * ( x - 5.0f ) ) };
	}
	b2ChainDef chain = b2DefaultChainDef();
	chain.points = points;
	chain.count = 60;
	b2CreateChain( ground, &chain );

	b2BodyId body = drop_box( world, 0.0f, 1.2f, 1.5f, 0.3f );
	b2ShapeDef def = b2DefaultShapeDef();
	def.material.friction = 1.0f;
	for ( float side = -1.0f; side <= 1.0f; side += 2.0f )
	{
		b2BodyId wheel = drop_circle( world, side, 0.5f, 0.4f, &def );
		b2WheelJointDef axle = b2DefaultWheelJointDef();
		axle.base.bodyIdA = body;
		axle.base.bodyIdB = wheel;
		axle.base.localFrameA = ( b2Transform ){ { side, -0.7f }, b2MakeRot( 0.5f * B2_PI ) };
		axle.enableSpring = true;
		axle.hertz = 5.0f;
		axle.dampingRatio = 0.7f;
		axle.enableLimit = true;
		axle.lowerTranslation = -0.25f;
		axle.upperTranslation = 0.25f;
		axle.enableMotor = true;
		axle.motorSpeed = -15.0f;
		axle.maxMotorTorque = 10.0f;
		b2CreateWheelJoint( world, &axle );
	}
}

static void ragdolls( b2WorldId world )
{
	make_ground( world );
	for ( int i = 0; i < 5; ++i )
	{
		build_ragdoll( world, 1.5f * i, 3.0f + 0.37f * i, -( i + 1 ), bodies + body_count );
		body_count += RAGDOLL_BONES;
	}
}

// Cards that lean on each other, in two floors.
static void card_house( b2WorldId world )
{
	const float half = 0.5f, thin = 0.02f, lean = 0.35f;
	make_ground( world );
	b2ShapeDef def = b2DefaultShapeDef();
	def.material.friction = 0.7f;
	b2Polygon card = b2MakeBox( thin, half );
	b2BodyDef leaning = b2DefaultBodyDef();
	leaning.type = b2_dynamicBody;
	// The upper inner corners of a pair meet; each stands on its lower outer corner.
	float width = half * sinf( lean ) + thin * cosf( lean ), height = half * cosf( lean ) + thin * sinf( lean );
	for ( int floor = 0; floor < 2; ++floor )
	{
		float foot = floor * ( 2.0f * height + 2.0f * thin );
		for ( int pair = 0; pair < 3 - floor; ++pair )
		{
			float x = 4.0f * width * ( pair + 0.5f * floor );
			for ( int side = -1; side <= 1; side += 2 )
			{
				leaning.position = ( b2Vec2 ){ x + side * width, foot + height };
				leaning.rotation = b2MakeRot( side * lean );
				b2CreatePolygonShape( keep( b2CreateBody( world, &leaning ) ), &def, &card );
			}
			b2Polygon roof = b2MakeBox( 2.0f * width - 0.01f, thin );
			if ( pair < 2 - floor )
			{
				drop_polygon( world, x + 2.0f * width, foot + 2.0f * height + thin, &roof, &def );
			}
		}
	}
}

static void dominoes( b2WorldId world )
{
	make_ground( world );
	for ( int i = 0; i < 20; ++i )
	{
		b2BodyId body = drop_box( world, 0.8f * i, 1.0f, 0.1f, 1.0f );
		if ( i == 0 )
		{
			b2Body_SetAngularVelocity( body, -1.5f );
		}
	}
}

// Belts carry boxes to a wall.
static void conveyor( b2WorldId world )
{
	b2BodyId ground = make_ground( world );
	b2ShapeDef def = b2DefaultShapeDef();
	add_box_at( ground, 0.5f, 2.0f, 10.5f, 2.0f, &def );
	def.material.tangentSpeed = 2.0f;
	def.material.friction = 0.8f;
	add_box_at( ground, 10.0f, 0.25f, 0.0f, 1.25f, &def );
	for ( int i = 0; i < 5; ++i )
	{
		drop_box( world, 2.0f * i - 8.0f, 1.0f, 0.5f, 0.5f );
	}
}

// Boxes of several frictions slide down a ramp and come to rest on the level.
static void ramp( b2WorldId world )
{
	static const float frictions[5] = { 0.75f, 0.5f, 0.35f, 0.2f, 0.1f };
	make_ground( world );
	b2ShapeDef def = b2DefaultShapeDef();
	for ( int i = 0; i < 5; ++i )
	{
		// They are on lanes of their own.
		def.filter = ( b2Filter ){ UINT64_C( 2 ) << i, 1 | UINT64_C( 2 ) << i, 0 };
		b2BodyDef slope = b2DefaultBodyDef();
		slope.position = ( b2Vec2 ){ -8.0f, 4.0f };
		slope.rotation = b2MakeRot( -0.4f );
		b2BodyId body = b2CreateBody( world, &slope );
		def.material.friction = frictions[i];
		b2Polygon board = b2MakeBox( 10.0f, 0.25f );
		b2CreatePolygonShape( body, &def, &board );
		slope.type = b2_dynamicBody;
		slope.position = b2Body_GetWorldPoint( body, ( b2Vec2 ){ -8.0f, 0.75f } );
		b2Polygon box = b2MakeSquare( 0.5f );
		b2CreatePolygonShape( keep( b2CreateBody( world, &slope ) ), &def, &box );
	}
}

// Bullets fly at a thin wall, in front of which stand boxes.
static void bullets( b2WorldId world )
{
	b2BodyId ground = make_ground( world );
	b2ShapeDef def = b2DefaultShapeDef();
	b2Segment wall = { { 20.0f, 1.0f }, { 20.0f, 21.0f } };
	b2CreateSegmentShape( ground, &def, &wall );
	for ( int i = 0; i < 30; ++i )
	{
		drop_box( world, 17.0f + 0.55f * ( i % 3 ), 0.25f + 0.5f * ( i / 3 ), 0.25f, 0.25f );
	}
	b2Circle circle = { { 0.0f, 0.0f }, 0.1f };
	b2BodyDef bullet = b2DefaultBodyDef();
	bullet.type = b2_dynamicBody;
	bullet.isBullet = true;
	bullet.linearVelocity = ( b2Vec2 ){ 200.0f, 0.0f };
	for ( int i = 0; i < 10; ++i )
	{
		bullet.position = ( b2Vec2 ){ -20.0f - 3.0f * i, 0.5f + i };
		b2CreateCircleShape( keep( b2CreateBody( world, &bullet ) ), &def, &circle );
	}
}

// A ring of capsules with soft welds falls.
static void soft_ring( b2WorldId world )
{
	enum
	{
		SIDES = 16
	};
	make_ground( world );
	b2BodyId ring[SIDES];
	float turn = 2.0f * B2_PI / SIDES, half = tanf( 0.5f * turn );
	b2Capsule capsule = { { 0.0f, -half }, { 0.0f, half }, 0.15f };
	b2ShapeDef def = b2DefaultShapeDef();
	def.filter.groupIndex = -1;
	for ( int i = 0; i < SIDES; ++i )
	{
		b2BodyDef body = b2DefaultBodyDef();
		body.type = b2_dynamicBody;
		body.position = ( b2Vec2 ){ cosf( turn * i ), 4.0f + sinf( turn * i ) };
		body.rotation = b2MakeRot( turn * i );
		ring[i] = keep( b2CreateBody( world, &body ) );
		b2CreateCapsuleShape( ring[i], &def, &capsule );
	}
	for ( int i = 0; i < SIDES; ++i )
	{
		b2WeldJointDef weld = b2DefaultWeldJointDef();
		weld.base.bodyIdA = ring[i];
		weld.base.bodyIdB = ring[( i + 1 ) % SIDES];
		weld.base.localFrameA.p = ( b2Vec2 ){ 0.0f, half };
		weld.base.localFrameB = ( b2Transform ){ { 0.0f, -half }, b2MakeRot( -turn ) };
		weld.angularHertz = 5.0f;
		weld.angularDampingRatio = 0.5f;
		b2CreateWeldJoint( world, &weld );
	}
}

const Scene lively_samples[10] = {
	{ .name = "bridge", .build = bridge, .steps = 600 },
	{ .name = "ball_and_chain", .build = ball_and_chain, .steps = 600 },
	{ .name = "car", .build = car, .steps = 600 },
	{ .name = "ragdolls", .build = ragdolls, .steps = 600 },
	{ .name = "card_house", .build = card_house, .steps = 300 },
	{ .name = "dominoes", .build = dominoes, .steps = 600 },
	{ .name = "conveyor", .build = conveyor, .steps = 600 },
	{ .name = "ramp", .build = ramp, .steps = 600 },
	{ .name = "bullets", .build = bullets, .steps = 300 },
	{ .name = "soft_ring", .build = soft_ring, .steps = 600 },
};
