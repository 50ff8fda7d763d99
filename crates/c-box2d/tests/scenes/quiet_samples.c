// Samples whose bodies start where they rest with rigid contacts and joints.
#include "stage.h"

static void vertical_stack( b2WorldId world )
{
	make_ground( world );
	for ( int i = 0; i < 10; ++i )
	{
		drop_box( world, 0.0f, 0.5f + 1.0f * i, 0.5f, 0.5f );
	}
}

static void small_pyramid( b2WorldId world )
{
	make_ground( world );
	for ( int row = 0; row < 8; ++row )
	{
		for ( int i = 0; i < 8 - row; ++i )
		{
			drop_box( world, 1.1f * i + 0.55f * row - 4.0f, 0.5f + row, 0.5f, 0.5f );
		}
	}
}

// A beam on two posts, and a box on it.
static void beam( b2WorldId world )
{
	make_ground( world );
	drop_box( world, -2.0f, 1.0f, 0.25f, 1.0f );
	drop_box( world, 2.0f, 1.0f, 0.25f, 1.0f );
	drop_box( world, 0.0f, 2.25f, 3.0f, 0.25f );
	drop_box( world, 0.5f, 3.0f, 0.5f, 0.5f );
}

static void circle_stack( b2WorldId world )
{
	make_ground( world );
	b2ShapeDef def = b2DefaultShapeDef();
	for ( int i = 0; i < 5; ++i )
	{
		drop_circle( world, 0.0f, 0.5f + 1.0f * i, 0.5f, &def );
	}
}

// Stones of a ring, whose faces meet and point to its middle.
static void arch( b2WorldId world )
{
	enum
	{
		STONES = 9
	};
	make_ground( world );
	b2ShapeDef def = b2DefaultShapeDef();
	for ( int i = 0; i < STONES; ++i )
	{
		float start = B2_PI * i / STONES, stop = B2_PI * ( i + 1 ) / STONES;
		b2Vec2 corners[4] = {
			{ 4.0f * cosf( start ), 4.0f * sinf( start ) },
			{ 6.0f * cosf( start ), 6.0f * sinf( start ) },
			{ 6.0f * cosf( stop ), 6.0f * sinf( stop ) },
			{ 4.0f * cosf( stop ), 4.0f * sinf( stop ) },
		};
		b2Vec2 middle = b2MulSV( 0.5f, b2Add( b2Lerp( corners[0], corners[2], 0.5f ), b2Lerp( corners[1], corners[3], 0.5f ) ) );
		for ( int k = 0; k < 4; ++k )
		{
			corners[k] = b2Sub( corners[k], middle );
		}
		b2Hull hull = b2ComputeHull( corners, 4 );
		b2Polygon stone = b2MakePolygon( &hull, 0.0f );
		drop_polygon( world, middle.x, middle.y, &stone, &def );
	}
}

// A chain of links that hangs straight down from the start.
static void hanging_chain( b2WorldId world )
{
	b2BodyId above = make_ground( world );
	b2Vec2 anchor = { 0.0f, 9.0f };
	for ( int i = 0; i < 6; ++i )
	{
		b2BodyId link = drop_box( world, 0.0f, 7.75f - 0.5f * i, 0.1f, 0.25f );
		pin( world, above, anchor, link, ( b2Vec2 ){ 0.0f, 0.25f } );
		above = link;
		anchor = ( b2Vec2 ){ 0.0f, -0.25f };
	}
}

// Blocks that are welded to each other and to a wall.
static void cantilever( b2WorldId world )
{
	b2BodyId last = make_ground( world );
	b2Vec2 anchor = { 0.0f, 5.0f };
	for ( int i = 0; i < 6; ++i )
	{
		b2BodyId block = drop_box( world, 0.5f + i, 4.0f, 0.5f, 0.25f );
		b2WeldJointDef def = b2DefaultWeldJointDef();
		def.base.bodyIdA = last;
		def.base.bodyIdB = block;
		def.base.localFrameA.p = anchor;
		def.base.localFrameB.p = ( b2Vec2 ){ -0.5f, 0.0f };
		b2CreateWeldJoint( world, &def );
		last = block;
		anchor = ( b2Vec2 ){ 0.5f, 0.0f };
	}
}

// A plank on a pin under equal boxes, of which each end has one.
static void seesaw( b2WorldId world )
{
	b2BodyId ground = make_ground( world );
	b2BodyId plank = drop_box( world, 0.0f, 1.0f, 4.0f, 0.2f );
	pin( world, ground, ( b2Vec2 ){ 0.0f, 2.0f }, plank, b2Vec2_zero );
	drop_box( world, -3.0f, 1.7f, 0.5f, 0.5f );
	drop_box( world, 3.0f, 1.7f, 0.5f, 0.5f );
}

// A shelf that hangs from rods, and a box on it.
static void shelf( b2WorldId world )
{
	b2BodyId ground = make_ground( world );
	b2BodyId plank = drop_box( world, 0.0f, 3.0f, 2.0f, 0.1f );
	for ( float side = -1.5f; side <= 1.5f; side += 3.0f )
	{
		b2DistanceJointDef def = b2DefaultDistanceJointDef();
		def.base.bodyIdA = ground;
		def.base.bodyIdB = plank;
		def.base.localFrameA.p = ( b2Vec2 ){ side, 6.0f };
		def.base.localFrameB.p = ( b2Vec2 ){ side, 0.0f };
		def.length = 2.0f;
		b2CreateDistanceJoint( world, &def );
	}
	drop_box( world, 0.5f, 3.6f, 0.5f, 0.5f );
}

// A slider on its lower stop, and two boxes on it.
static void lift( b2WorldId world )
{
	b2BodyId ground = make_ground( world );
	b2BodyId plate = drop_box( world, 0.0f, 2.0f, 1.0f, 0.2f );
	b2PrismaticJointDef def = b2DefaultPrismaticJointDef();
	def.base.bodyIdA = ground;
	def.base.bodyIdB = plate;
	def.base.localFrameA = ( b2Transform ){ { 0.0f, 3.0f }, b2MakeRot( 0.5f * B2_PI ) };
	def.base.localFrameB.q = b2MakeRot( 0.5f * B2_PI );
	def.enableLimit = true;
	def.lowerTranslation = 0.0f;
	def.upperTranslation = 2.0f;
	b2CreatePrismaticJoint( world, &def );
	drop_box( world, 0.0f, 2.7f, 0.5f, 0.5f );
	drop_box( world, 0.0f, 3.7f, 0.5f, 0.5f );
}

const Scene quiet_samples[10] = {
	{ .name = "vertical_stack", .build = vertical_stack, .steps = 240, .is_quiet = true, .is_sleepless = true },
	{ .name = "small_pyramid", .build = small_pyramid, .steps = 300, .is_quiet = true, .is_sleepless = true },
	{ .name = "beam", .build = beam, .steps = 240, .is_quiet = true, .is_sleepless = true },
	{ .name = "circle_stack", .build = circle_stack, .steps = 240, .is_quiet = true, .is_sleepless = true },
	{ .name = "arch", .build = arch, .steps = 300, .is_quiet = true, .is_sleepless = true },
	{ .name = "hanging_chain", .build = hanging_chain, .steps = 240, .is_quiet = true, .is_sleepless = true },
	{ .name = "cantilever", .build = cantilever, .steps = 240, .is_quiet = true, .is_sleepless = true },
	{ .name = "seesaw", .build = seesaw, .steps = 240, .is_quiet = true, .is_sleepless = true },
	{ .name = "shelf", .build = shelf, .steps = 240, .is_quiet = true, .is_sleepless = true },
	{ .name = "lift", .build = lift, .steps = 240, .is_quiet = true, .is_sleepless = true },
};
