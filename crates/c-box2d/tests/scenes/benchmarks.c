// The ten scenes for which Box2D publishes results; docs/performance.md describes them.
#include "stage.h"

// Towers of bodies of two triangles each topple into a pit.
static void compounds( b2WorldId world )
{
	b2BodyId ground = make_body( world, b2_staticBody, 0.0f, 0.0f );
	b2ShapeDef def = b2DefaultShapeDef();
	for ( int i = 0; i < 81; ++i )
	{
		add_box_at( ground, 0.55f, 0.5f, i - 40.0f, 0.0f, &def );
	}
	for ( int i = 0; i < 100; ++i )
	{
		add_box_at( ground, 0.5f, 0.55f, -40.0f, 1.0f + i, &def );
		add_box_at( ground, 0.5f, 0.55f, 40.0f, 1.0f + i, &def );
	}
	b2Segment below = { { -800.0f, -80.0f }, { 800.0f, -80.0f } };
	b2CreateSegmentShape( ground, &def, &below );

	b2Vec2 left[3] = { { -1.0f, 0.0f }, { 0.5f, 1.0f }, { 0.0f, 2.0f } };
	b2Vec2 right[3] = { { 1.0f, 0.0f }, { -0.5f, 1.0f }, { 0.0f, 2.0f } };
	b2Hull hulls[2] = { b2ComputeHull( left, 3 ), b2ComputeHull( right, 3 ) };
	b2Polygon triangles[2] = { b2MakePolygon( hulls, 0.0f ), b2MakePolygon( hulls + 1, 0.0f ) };
	def.material.friction = 0.5f;
	float side = 0.25f;
	for ( int column = 0; column < 20; ++column )
	{
		for ( int row = 0; row < 150; ++row )
		{
			b2BodyId body = drop_polygon( world, 2.0f * column - 19.0f + side, 2.25f * row + 5.575f, triangles, &def );
			b2CreatePolygonShape( body, &def, triangles + 1 );
			side = -side;
		}
	}
}

// A net of circles and pins swings from seven fixed knots.
static void joint_grid( b2WorldId world )
{
	enum
	{
		SIDE = 100
	};
	static b2BodyId grid[SIDE][SIDE];
	b2ShapeDef def = b2DefaultShapeDef();
	def.filter.categoryBits = 2;
	def.filter.maskBits = ~UINT64_C( 2 );
	b2Circle circle = { { 0.0f, 0.0f }, 0.4f };
	for ( int k = 0; k < SIDE; ++k )
	{
		for ( int i = 0; i < SIDE; ++i )
		{
			bool is_fixed = i == 0 && k >= 47 && k <= 53;
			b2BodyId body = make_body( world, is_fixed ? b2_staticBody : b2_dynamicBody, (float)k, (float)-i );
			b2CreateCircleShape( body, &def, &circle );
			grid[k][i] = is_fixed ? body : keep( body );
			if ( i > 0 )
			{
				pin( world, grid[k][i - 1], ( b2Vec2 ){ 0.0f, -0.5f }, body, ( b2Vec2 ){ 0.0f, 0.5f } );
			}
			if ( k > 0 )
			{
				pin( world, grid[k - 1][i], ( b2Vec2 ){ 0.5f, 0.0f }, body, ( b2Vec2 ){ -0.5f, 0.0f } );
			}
		}
	}
}

// A pusher moves back and forth through a heap of pentagons.
static void junkyard( b2WorldId world )
{
	b2BodyId ground = make_body( world, b2_staticBody, 0.0f, 0.0f );
	b2ShapeDef def = b2DefaultShapeDef();
	for ( int i = 0; i < 161; ++i )
	{
		add_box_at( ground, 0.55f, 0.5f, i - 80.0f, 0.0f, &def );
	}
	for ( int i = 0; i < 50; ++i )
	{
		add_box_at( ground, 0.5f, 0.55f, -80.0f, 1.0f + i, &def );
		add_box_at( ground, 0.5f, 0.55f, 80.0f, 1.0f + i, &def );
	}
	b2BodyId pusher = keep( make_body( world, b2_kinematicBody, 0.0f, 0.0f ) );
	add_box_at( pusher, 2.0f, 4.0f, 0.0f, 4.0f, &def );

	// The corners lie on a circle, apart by the golden angle.
	b2Vec2 corners[5];
	for ( int i = 0; i < 5; ++i )
	{
		float angle = 3.8832220f * i;
		corners[i] = ( b2Vec2 ){ 0.25f * cosf( angle ), 0.25f * sinf( angle ) };
	}
	b2Hull hull = b2ComputeHull( corners, 5 );
	b2Polygon pentagon = b2MakePolygon( &hull, 0.0f );
	float side = -0.1f;
	for ( int column = 0; column < 200; ++column )
	{
		for ( int row = 0; row < 40; ++row )
		{
			drop_polygon( world, 0.375f * ( 2.0f * column - 200.0f ) + side, row + 15.0f, &pentagon, &def );
			side = -side;
		}
	}
}

static void push( b2WorldId world, int step )
{
	(void)world;
	b2WorldTransform target = { { 60.0f * sinf( 0.2f * step / 60.0f ), 0.0f }, b2Rot_identity };
	b2Body_SetTargetTransform( bodies[0], target, 1.0f / 60.0f, true );
}

static void pile_pyramid( b2WorldId world, int base, float left, float foot )
{
	for ( int row = 0; row < base; ++row )
	{
		for ( int i = row; i < base; ++i )
		{
			drop_box( world, 0.5f * ( row + 1 ) + ( i - row ) + left, row + 0.5f + foot, 0.5f, 0.5f );
		}
	}
}

static void large_pyramid( b2WorldId world )
{
	b2BodyId ground = make_body( world, b2_staticBody, 0.0f, -1.0f );
	add_box( ground, 100.0f, 1.0f );
	pile_pyramid( world, 100, -50.0f, 0.0f );
}

static void many_pyramids( b2WorldId world )
{
	b2BodyId ground = make_body( world, b2_staticBody, 0.0f, 0.0f );
	b2ShapeDef def = b2DefaultShapeDef();
	for ( int row = 0; row < 20; ++row )
	{
		b2Segment floor = { { -110.0f, 11.0f * row }, { 110.0f, 11.0f * row } };
		b2CreateSegmentShape( ground, &def, &floor );
	}
	for ( int i = 0; i < 400; ++i )
	{
		pile_pyramid( world, 10, -109.5f + 11.0f * ( i % 20 ), 11.0f * ( i / 20 ) );
	}
}

// Ragdolls fall onto five floors, column by column.
static void rain( b2WorldId world )
{
	b2BodyId ground = make_body( world, b2_staticBody, 0.0f, 0.0f );
	b2ShapeDef def = b2DefaultShapeDef();
	for ( int i = 0; i < 5 * 501; ++i )
	{
		add_box_at( ground, 0.25f, 0.25f, -125.0f + 0.5f * ( i % 501 ), 45.0f * ( i / 501 ), &def );
	}
}

// Every eighth step a column of 25 ragdolls appears; once there are forty, it replaces the oldest one.
static void let_rain( b2WorldId world, int step )
{
	enum
	{
		COLUMNS = 40,
		COLUMN_BODIES = 25 * RAGDOLL_BONES
	};
	if ( step % 8 != 0 )
	{
		return;
	}
	int column = step / 8 % COLUMNS;
	b2BodyId* first = bodies + column * COLUMN_BODIES;
	for ( int i = 0; step >= 8 * COLUMNS && i < COLUMN_BODIES; ++i )
	{
		b2DestroyBody( first[i] );
	}
	for ( int i = 0; i < 25; ++i )
	{
		float x = -125.0f + 6.25f * ( column + 0.5f ) + 0.5f * ( i % 5 );
		build_ragdoll( world, x, 40.0f + 45.0f * ( i / 5 ), -( i % 5 + 1 ), first + RAGDOLL_BONES * i );
	}
	body_count = step < 8 * COLUMNS ? ( column + 1 ) * COLUMN_BODIES : body_count;
}

// A heavy block flies into a sleeping wall.
static void smash( b2WorldId world )
{
	b2BodyDef def = b2DefaultBodyDef();
	def.type = b2_dynamicBody;
	def.position = ( b2Vec2 ){ -20.0f, 0.0f };
	def.linearVelocity = ( b2Vec2 ){ 40.0f, 0.0f };
	b2ShapeDef shape = b2DefaultShapeDef();
	shape.density = 8.0f;
	b2Polygon block = b2MakeSquare( 4.0f ), brick = b2MakeSquare( 0.2f );
	b2CreatePolygonShape( keep( b2CreateBody( world, &def ) ), &shape, &block );
	def.linearVelocity = b2Vec2_zero;
	def.isAwake = false;
	shape.density = 1.0f;
	for ( int i = 0; i < 120 * 80; ++i )
	{
		def.position = ( b2Vec2 ){ 30.0f + 0.4f * ( i / 80 ), 0.4f * ( i % 80 - 40 ) };
		b2CreatePolygonShape( keep( b2CreateBody( world, &def ) ), &shape, &brick );
	}
}

// A driven bar stirs small shapes in a round bowl.
static void spinner( b2WorldId world )
{
	static b2Vec2 points[360];
	for ( int i = 0; i < 360; ++i )
	{
		float angle = -2.0f * B2_PI / 360.0f * i;
		points[i] = ( b2Vec2 ){ 40.0f * cosf( angle ), 32.0f + 40.0f * sinf( angle ) };
	}
	b2BodyId ground = make_body( world, b2_staticBody, 0.0f, 0.0f );
	b2SurfaceMaterial material = b2DefaultSurfaceMaterial();
	material.friction = 0.1f;
	b2ChainDef chain = b2DefaultChainDef();
	chain.points = points;
	chain.count = 360;
	chain.materials = &material;
	chain.materialCount = 1;
	chain.isLoop = true;
	b2CreateChain( ground, &chain );

	b2BodyDef bar_def = b2DefaultBodyDef();
	bar_def.type = b2_dynamicBody;
	bar_def.position = ( b2Vec2 ){ 0.0f, 12.0f };
	bar_def.enableSleep = false;
	b2BodyId bar = keep( b2CreateBody( world, &bar_def ) );
	b2ShapeDef def = b2DefaultShapeDef();
	def.material.friction = 0.0f;
	b2Polygon rounded = b2MakeRoundedBox( 0.4f, 20.0f, 0.2f );
	b2CreatePolygonShape( bar, &def, &rounded );
	b2RevoluteJointDef drive = hinge( ground, bar_def.position, bar, b2Vec2_zero );
	drive.enableMotor = true;
	drive.motorSpeed = 5.0f;
	drive.maxMotorTorque = FLT_MAX;
	b2CreateRevoluteJoint( world, &drive );

	b2Capsule capsule = { { -0.25f, 0.0f }, { 0.25f, 0.0f }, 0.25f };
	b2Circle circle = { { 0.0f, 0.0f }, 0.35f };
	b2Polygon square = b2MakeSquare( 0.35f );
	def.density = 0.25f;
	def.material.friction = def.material.restitution = 0.1f;
	for ( int i = 0; i < 6076; ++i )
	{
		b2BodyId body = keep( make_body( world, b2_dynamicBody, -23.0f + 0.5f * ( i % 92 ), 2.0f + 0.5f * ( i / 92 ) ) );
		switch ( i % 3 )
		{
			case 0: b2CreateCapsuleShape( body, &def, &capsule ); break;
			case 1: b2CreateCircleShape( body, &def, &circle ); break;
			default: b2CreatePolygonShape( body, &def, &square );
		}
	}
}

static const float drum_speed = 25.0f * B2_PI / 180.0f;

// A motor turns a hollow drum with small boxes in it.
static void tumbler( b2WorldId world )
{
	b2BodyId ground = make_body( world, b2_staticBody, 0.0f, 0.0f );
	b2BodyId drum = keep( make_body( world, b2_dynamicBody, 0.0f, 10.0f ) );
	b2ShapeDef def = b2DefaultShapeDef();
	def.density = 50.0f;
	for ( float side = -10.0f; side <= 10.0f; side += 20.0f )
	{
		add_box_at( drum, 0.5f, 10.0f, side, 0.0f, &def );
		add_box_at( drum, 10.0f, 0.5f, 0.0f, side, &def );
	}
	b2RevoluteJointDef drive = hinge( ground, ( b2Vec2 ){ 0.0f, 10.0f }, drum, b2Vec2_zero );
	drive.enableMotor = true;
	drive.motorSpeed = drum_speed;
	drive.maxMotorTorque = 1.0e8f;
	b2CreateRevoluteJoint( world, &drive );
	for ( int i = 0; i < 45 * 45; ++i )
	{
		drop_box( world, -9.0f + 0.4f * ( i % 45 ), 1.0f + 0.4f * ( i / 45 ), 0.125f, 0.125f );
	}
}

static void add_sector( b2BodyId ring, float near, float far, float start, float stop )
{
	b2Vec2 a = { cosf( start ), sinf( start ) }, b = { cosf( stop ), sinf( stop ) };
	b2Vec2 corners[4] = { b2MulSV( near, a ), b2MulSV( far, a ), b2MulSV( near, b ), b2MulSV( far, b ) };
	b2Hull hull = b2ComputeHull( corners, 4 );
	b2Polygon sector = b2MakePolygon( &hull, 0.0f );
	b2ShapeDef def = b2DefaultShapeDef();
	b2CreatePolygonShape( ring, &def, &sector );
}

// A kinematic ring with paddles turns many small boxes over.
static void washer( b2WorldId world )
{
	b2BodyDef def = b2DefaultBodyDef();
	def.type = b2_kinematicBody;
	def.position = ( b2Vec2 ){ 0.0f, 10.0f };
	def.linearVelocity = ( b2Vec2 ){ 0.001f, -0.002f };
	def.angularVelocity = drum_speed;
	b2BodyId ring = keep( b2CreateBody( world, &def ) );
	float degree = B2_PI / 180.0f;
	for ( int i = 0; i < 36; ++i )
	{
		// A degree more at each end, so that neighbors overlap.
		add_sector( ring, 16.0f, 18.0f, ( 10 * i - 1 ) * degree, ( 10 * i + 11 ) * degree );
		if ( i % 9 == 0 )
		{
			add_sector( ring, 14.0f, 16.0f, 10 * i * degree, ( 10 * i + 10 ) * degree );
		}
	}
	for ( int i = 0; i < 90 * 90; ++i )
	{
		drop_box( world, -9.9f + 0.21f * ( i % 90 ), 0.1f + 0.21f * ( i / 90 ), 0.1f, 0.1f );
	}
}

const Scene benchmarks[10] = {
	{ .name = "compounds", .build = compounds, .steps = 500 },
	{ .name = "joint_grid", .build = joint_grid, .steps = 500, .is_sleepless = true },
	{ .name = "junkyard", .build = junkyard, .before_step = push, .steps = 800 },
	{ .name = "large_pyramid", .build = large_pyramid, .steps = 500, .is_sleepless = true },
	{ .name = "many_pyramids", .build = many_pyramids, .steps = 200, .is_sleepless = true },
	{ .name = "rain", .build = rain, .before_step = let_rain, .steps = 1000 },
	{ .name = "smash", .build = smash, .steps = 300, .is_weightless = true },
	{ .name = "spinner", .build = spinner, .steps = 500 },
	{ .name = "tumbler", .build = tumbler, .steps = 750 },
	{ .name = "washer", .build = washer, .steps = 500 },
};
