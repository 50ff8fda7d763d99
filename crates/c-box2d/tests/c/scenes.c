// Scenes for a comparison of two libraries: prints time and number of contacts of each, and the poses of those that come to rest.
#include "scene.h"

#include <time.h>

typedef struct Scene
{
	const char* name;
	void ( *build )( b2WorldId world );
	int steps;
	// At the end all bodies rest, and the poses are compared.
	bool is_quiet;
} Scene;

static b2BodyId bodies[20000];
static int body_count;

static b2BodyId add( b2WorldId world, float x, float y, float half_width, float half_height, float density )
{
	b2BodyId body = make_body( world, b2_dynamicBody, x, y );
	b2ShapeDef def = b2DefaultShapeDef();
	def.density = density;
	b2Polygon box = b2MakeBox( half_width, half_height );
	b2CreatePolygonShape( body, &def, &box );
	bodies[body_count++] = body;
	return body;
}

static b2JointId pin( b2WorldId world, b2BodyId a, b2Vec2 at_a, b2BodyId b, b2Vec2 at_b )
{
	b2RevoluteJointDef def = b2DefaultRevoluteJointDef();
	def.base.bodyIdA = a;
	def.base.bodyIdB = b;
	def.base.localFrameA.p = at_a;
	def.base.localFrameB.p = at_b;
	return b2CreateRevoluteJoint( world, &def );
}

// A body that falls asleep elsewhere than another library's is still at rest; so scenes for poses may sleep.
static void stack( b2WorldId world )
{
	make_ground( world );
	for ( int i = 0; i < 10; ++i )
	{
		add( world, 0.0f, 0.5f + 1.0f * i, 0.5f, 0.5f, 1.0f );
	}
}

static void small_pyramid( b2WorldId world )
{
	make_ground( world );
	for ( int row = 0; row < 8; ++row )
	{
		for ( int i = 0; i < 8 - row; ++i )
		{
			add( world, 1.1f * i + 0.55f * row - 4.0f, 0.5f + row, 0.5f, 0.5f, 1.0f );
		}
	}
}

// A beam on two posts, and a box on it.
static void beam( b2WorldId world )
{
	make_ground( world );
	add( world, -2.0f, 1.0f, 0.25f, 1.0f, 1.0f );
	add( world, 2.0f, 1.0f, 0.25f, 1.0f, 1.0f );
	add( world, 0.0f, 2.25f, 3.0f, 0.25f, 1.0f );
	add( world, 0.5f, 3.0f, 0.5f, 0.5f, 1.0f );
}

// A chain of links that hangs straight down from the start.
static void hanging_chain( b2WorldId world )
{
	b2BodyId ground = make_ground( world );
	b2BodyId above = ground;
	b2Vec2 anchor = { 0.0f, 9.0f };
	for ( int i = 0; i < 6; ++i )
	{
		b2BodyId link = add( world, 0.0f, 7.75f - 0.5f * i, 0.1f, 0.25f, 2.0f );
		pin( world, above, anchor, link, ( b2Vec2 ){ 0.0f, 0.25f } );
		above = link;
		anchor = ( b2Vec2 ){ 0.0f, -0.25f };
	}
}

static void large_pyramid( b2WorldId world )
{
	make_ground( world );
	for ( int row = 0; row < 60; ++row )
	{
		for ( int i = 0; i < 60 - row; ++i )
		{
			add( world, 0.55f * i + 0.275f * row - 16.0f, 0.25f + 0.5f * row, 0.25f, 0.25f, 1.0f );
		}
	}
}

static void joint_grid( b2WorldId world )
{
	enum
	{
		N = 40
	};
	static b2BodyId grid[N][N];
	b2ShapeDef def = b2DefaultShapeDef();
	def.filter.categoryBits = 2;
	def.filter.maskBits = ~UINT64_C( 2 );
	b2Circle circle = { { 0.0f, 0.0f }, 0.4f };
	for ( int k = 0; k < N; ++k )
	{
		for ( int i = 0; i < N; ++i )
		{
			bool is_fixed = k >= N / 2 - 3 && k <= N / 2 + 3 && i == 0;
			b2BodyId body = make_body( world, is_fixed ? b2_staticBody : b2_dynamicBody, (float)k, (float)-i );
			b2CreateCircleShape( body, &def, &circle );
			grid[k][i] = bodies[body_count++] = body;
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

static void tumbler( b2WorldId world )
{
	b2BodyId drum = make_body( world, b2_kinematicBody, 0.0f, 10.0f );
	b2ShapeDef def = b2DefaultShapeDef();
	float walls[4][4] = { { 0.5f, 10.0f, 10.0f, 0.0f }, { 0.5f, 10.0f, -10.0f, 0.0f }, { 10.0f, 0.5f, 0.0f, 10.0f }, { 10.0f, 0.5f, 0.0f, -10.0f } };
	for ( int i = 0; i < 4; ++i )
	{
		b2Polygon wall = b2MakeOffsetBox( walls[i][0], walls[i][1], ( b2Vec2 ){ walls[i][2], walls[i][3] }, b2Rot_identity );
		b2CreatePolygonShape( drum, &def, &wall );
	}
	b2Body_SetAngularVelocity( drum, B2_PI / 10.0f );
	for ( int i = 0; i < 1600; ++i )
	{
		add( world, 0.4f * ( i % 40 ) - 8.0f, 4.0f + 0.4f * ( i / 40 ) - 2.0f, 0.125f, 0.125f, 1.0f );
	}
}

// Columns of boxes, each hinged to the next, which fall on the ground.
static void falling_hinges( b2WorldId world )
{
	make_ground( world );
	for ( int column = 0; column < 10; ++column )
	{
		b2BodyId last = b2_nullBodyId;
		for ( int i = 0; i < 40; ++i )
		{
			b2BodyId box = add( world, 3.0f * column - 15.0f + 0.02f * i, 0.5f + 1.0f * i, 0.25f, 0.25f, 1.0f );
			if ( i % 2 )
			{
				pin( world, last, ( b2Vec2 ){ 0.25f, 0.5f }, box, ( b2Vec2 ){ 0.25f, -0.5f } );
			}
			last = box;
		}
	}
}

static const Scene scenes[] = {
	{ "stack", stack, 240, true },
	{ "small_pyramid", small_pyramid, 300, true },
	{ "beam", beam, 240, true },
	{ "hanging_chain", hanging_chain, 240, true },
	{ "large_pyramid", large_pyramid, 150, false },
	{ "joint_grid", joint_grid, 150, false },
	{ "tumbler", tumbler, 300, false },
	{ "falling_hinges", falling_hinges, 300, false },
};

static void print_pose( const char* kind, const char* scene, int i )
{
	b2Vec2 p = b2Body_GetPosition( bodies[i] );
	printf( "%s %s %d %.6f %.6f %.6f\n", kind, scene, i, p.x, p.y, b2Rot_GetAngle( b2Body_GetRotation( bodies[i] ) ) );
}

// With an argument, only the scene of that name.
int main( int count, char** arguments )
{
	for ( size_t k = 0; k < sizeof( scenes ) / sizeof( scenes[0] ); ++k )
	{
		const Scene* scene = scenes + k;
		if ( count > 1 && strcmp( arguments[1], scene->name ) != 0 )
		{
			continue;
		}
		b2WorldDef def = b2DefaultWorldDef();
		def.enableSleep = scene->is_quiet;
		b2WorldId world = b2CreateWorld( &def );
		body_count = 0;
		scene->build( world );
		for ( int i = 0; scene->is_quiet && i < body_count; ++i )
		{
			// The bodies are where they would rest if contacts and joints were rigid.
			print_pose( "rest", scene->name, i );
		}
		// Time of the processor: other programs do not count.
		clock_t start = clock();
		run( world, scene->steps );
		double time = 1000.0 * (double)( clock() - start ) / CLOCKS_PER_SEC / scene->steps;
		printf( "time %s %.4f contacts %d\n", scene->name, time, b2World_GetCounters( world ).contactCount );
		for ( int i = 0; scene->is_quiet && i < body_count; ++i )
		{
			print_pose( "pose", scene->name, i );
		}
		b2DestroyWorld( world );
	}
	return 0;
}
