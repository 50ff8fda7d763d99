// Settings of worlds, drawing, snapshots, recordings, and many worlds.
#include "scene.h"

typedef struct Drawn
{
	int polygons, circles, capsules, lines, points, strings, bounds, transforms;
} Drawn;

static void polygon( b2WorldTransform t, const b2Vec2* v, int n, float r, b2HexColor c, void* context )
{
	(void)t, (void)r, (void)c;
	CHECK( n >= 3 && b2IsValidVec2( v[n - 1] ) );
	( (Drawn*)context )->polygons += 1;
}

static void circle( b2WorldTransform t, b2Vec2 p, float r, b2HexColor c, void* context )
{
	(void)t, (void)p, (void)r, (void)c;
	( (Drawn*)context )->circles += 1;
}

static void line( b2Vec2 a, b2Vec2 b, b2HexColor c, void* context )
{
	(void)a, (void)b, (void)c;
	( (Drawn*)context )->lines += 1;
}

static void point( b2Vec2 p, float size, b2HexColor c, void* context )
{
	(void)p, (void)size, (void)c;
	( (Drawn*)context )->points += 1;
}

static void bounds( b2AABB box, b2HexColor c, void* context )
{
	(void)c;
	CHECK( b2IsValidAABB( box ) );
	( (Drawn*)context )->bounds += 1;
}

static void settings( b2WorldId world )
{
	b2World_SetGravity( world, ( b2Vec2 ){ 1.0f, -5.0f } );
	CHECK_NEAR( b2World_GetGravity( world ).x, 1.0f, 0.0f );
	b2World_SetRestitutionThreshold( world, 2.0f );
	CHECK_NEAR( b2World_GetRestitutionThreshold( world ), 2.0f, 0.0f );
	b2World_SetHitEventThreshold( world, 3.0f );
	CHECK_NEAR( b2World_GetHitEventThreshold( world ), 3.0f, 0.0f );
	b2World_SetMaximumLinearSpeed( world, 90.0f );
	CHECK_NEAR( b2World_GetMaximumLinearSpeed( world ), 90.0f, 0.0f );
	b2World_EnableSleeping( world, false );
	b2World_EnableContinuous( world, false );
	b2World_EnableWarmStarting( world, false );
	CHECK( !b2World_IsSleepingEnabled( world ) && !b2World_IsContinuousEnabled( world ) );
	CHECK( !b2World_IsWarmStartingEnabled( world ) );
	b2World_EnableSleeping( world, true );
	b2World_EnableContinuous( world, true );
	b2World_EnableWarmStarting( world, true );
	b2World_SetGravity( world, ( b2Vec2 ){ 0.0f, -10.0f } );
	int tag = 0;
	b2World_SetUserData( world, &tag );
	CHECK( b2World_GetUserData( world ) == &tag );
	b2World_SetUserData( world, NULL );
}

static b2BodyId build( b2WorldId world )
{
	make_ground( world );
	b2BodyId last = b2_nullBodyId;
	for ( int i = 0; i < 5; ++i )
	{
		last = make_body( world, b2_dynamicBody, 0.1f * i, 1.0f + 1.5f * i );
		add_box( last, 0.5f, 0.5f );
	}
	b2BodyId ball = make_body( world, b2_dynamicBody, 3.0f, 1.0f );
	b2ShapeDef def = b2DefaultShapeDef();
	b2Circle shape = { { 0.0f, 0.0f }, 0.5f };
	b2CreateCircleShape( ball, &def, &shape );
	b2DistanceJointDef rod = b2DefaultDistanceJointDef();
	rod.base.bodyIdA = last;
	rod.base.bodyIdB = ball;
	rod.length = 6.0f;
	b2CreateDistanceJoint( world, &rod );
	return last;
}

static void drawing( b2WorldId world )
{
	Drawn drawn = { 0 };
	b2DebugDraw draw = b2DefaultDebugDraw();
	draw.DrawSolidPolygonFcn = polygon;
	draw.DrawSolidCircleFcn = circle;
	draw.DrawLineFcn = line;
	draw.DrawPointFcn = point;
	draw.DrawBoundsFcn = bounds;
	draw.drawJoints = true;
	draw.drawContacts = true;
	draw.drawBounds = true;
	draw.drawMass = true;
	draw.context = &drawn;
	b2World_Draw( world, &draw );
	CHECK( drawn.polygons == 6 && drawn.circles == 1 );
	CHECK( drawn.lines > 0 && drawn.points > 0 && drawn.bounds >= 7 );
	drawn = ( Drawn ){ 0 };
	draw.drawingBounds = ( b2AABB ){ { 900.0f, 900.0f }, { 901.0f, 901.0f } };
	b2World_Draw( world, &draw );
	CHECK( drawn.polygons == 0 && drawn.circles == 0 );
}

static void snapshots( b2WorldId world, b2BodyId body )
{
	int size = b2World_Snapshot( world, NULL, 0 );
	CHECK( size > 0 );
	uint8_t* image = malloc( (size_t)size );
	CHECK( b2World_Snapshot( world, image, size ) == size );
	run( world, 30 );
	b2Vec2 expected = b2Body_GetPosition( body );
	CHECK( b2World_Restore( world, image, size ) );
	CHECK( b2Body_IsValid( body ) );
	run( world, 30 );
	b2Vec2 again = b2Body_GetPosition( body );
	CHECK( memcmp( &again, &expected, sizeof( again ) ) == 0 );
	b2WorldId copy = b2CreateWorldFromSnapshot( image, size, 1 );
	CHECK( b2World_IsValid( copy ) && b2World_GetCounters( copy ).bodyCount == 7 );
	b2DestroyWorld( copy );
	CHECK( !b2World_Restore( world, (const uint8_t*)"nonsense", 8 ) );
	free( image );
}

// Counts the steps in a recording: behind the header and the snapshot, each operation has a byte and a length of three bytes.
static int recorded_steps( const uint8_t* data, int size )
{
	uint64_t snapshot_size = 0;
	memcpy( &snapshot_size, data + 24, sizeof( snapshot_size ) );
	int steps = 0;
	for ( uint64_t at = 32 + snapshot_size; at + 4 <= (uint64_t)size; )
	{
		steps += data[at] == 0x80;
		at += 4 + ( data[at + 1] | data[at + 2] << 8 | data[at + 3] << 16 );
	}
	return steps;
}

static void recordings( void )
{
	b2WorldId world = make_world();
	b2Recording* recording = b2CreateRecording( 0 );
	b2World_StartRecording( world, recording );
	// The buffer can be read while the recording goes on.
	int at_start = b2Recording_GetSize( recording );
	CHECK( at_start > 0 );
	b2BodyId body = build( world );
	run( world, 40 );
	CHECK( b2Recording_GetSize( recording ) > at_start && b2Recording_GetData( recording ) );
	b2Vec2 end = b2Body_GetPosition( body );
	b2World_StopRecording( world );
	const uint8_t* data = b2Recording_GetData( recording );
	int size = b2Recording_GetSize( recording );
	CHECK( size > 0 && b2ValidateReplay( data, size, 1 ) );
	CHECK( memcmp( data, "B2RC", 4 ) == 0 && recorded_steps( data, size ) == 40 );
	b2RecPlayer* player = b2RecPlayer_Create( data, size, 1 );
	CHECK( player && b2RecPlayer_GetInfo( player ).frameCount == 40 );
	while ( b2RecPlayer_StepFrame( player ) )
	{
	}
	CHECK( b2RecPlayer_IsAtEnd( player ) && !b2RecPlayer_HasDiverged( player ) );
	CHECK( b2RecPlayer_GetBodyCount( player ) == 7 );
	b2Vec2 replayed = b2Body_GetPosition( b2RecPlayer_GetBodyId( player, 5 ) );
	CHECK( memcmp( &replayed, &end, sizeof( end ) ) == 0 );
	b2RecPlayer_SeekFrame( player, 7 );
	CHECK( b2RecPlayer_GetFrame( player ) == 7 );
	b2RecPlayer_Destroy( player );
	b2DestroyRecording( recording );
	b2DestroyWorld( world );
}

int main( void )
{
	b2WorldId world = make_world();
	settings( world );
	b2BodyId body = build( world );
	run( world, 60 );
	b2Counters counters = b2World_GetCounters( world );
	CHECK( counters.bodyCount == 7 && counters.shapeCount == 7 && counters.jointCount == 1 && counters.contactCount > 0 );
	// The first call may only start to measure.
	b2World_GetProfile( world );
	run( world, 1 );
	CHECK( b2World_GetProfile( world ).step > 0.0f );
	CHECK( b2World_GetMaxCapacity( world ).staticBodyCount >= 1 );
	CHECK( b2World_GetBounds( world ).upperBound.x >= 50.0f );
	drawing( world );
	snapshots( world, body );
	recordings();
	b2DestroyWorld( world );

	b2WorldId worlds[128];
	for ( int i = 0; i < 128; ++i )
	{
		worlds[i] = make_world();
	}
	for ( int i = 0; i < 128; ++i )
	{
		b2DestroyWorld( worlds[i] );
		CHECK( !b2World_IsValid( worlds[i] ) );
	}
	return 0;
}
