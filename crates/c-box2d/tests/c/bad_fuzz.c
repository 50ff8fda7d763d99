// Random calls with random ids and numbers, good and bad: nothing crashes, and the world goes on. For this library alone.
// bad_fuzz [SEED [CALLS]]
#include "scene.h"

#include <stdint.h>

static uint64_t state = 88172645463325252u;

static uint32_t next( void )
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)( state >> 32 );
}

static float number( void )
{
	static const float odd[] = { 0.0f, -0.0f, 1.0e-30f, 1.0e30f, -1.0e30f, 3.4e38f, INFINITY, -INFINITY, NAN, 1.0e-7f };
	uint32_t kind = next() % 16;
	if ( kind < 1 )
	{
		return odd[next() % 10];
	}
	return (float)(int32_t)next() / 2147483648.0f * ( kind < 8 ? 3.0f : 20.0f );
}

static b2Vec2 vector( void )
{
	return ( b2Vec2 ){ number(), number() };
}

enum
{
	POOL = 64
};

static b2WorldId worlds[2];
static b2BodyId bodies[POOL];
static b2ShapeId shapes[POOL];
static b2JointId joints[POOL];
static b2ChainId chains[POOL];
static b2ContactId contacts[POOL];

#define PICK( pool ) ( next() % 50 == 0 ? wild_##pool() : pool[next() % POOL] )

#define WILD( pool, type )                                                                                            \
	static type wild_##pool( void )                                                                                   \
	{                                                                                                                 \
		type id = { 0 };                                                                                              \
		id.index1 = (int32_t)next() >> next() % 32;                                                                   \
		id.world0 = (uint16_t)( next() % 3 ? next() % 2 : next() );                                                   \
		id.generation = (uint16_t)( next() % 4 );                                                                     \
		return id;                                                                                                    \
	}

WILD( bodies, b2BodyId )
WILD( shapes, b2ShapeId )
WILD( joints, b2JointId )
WILD( chains, b2ChainId )
WILD( contacts, b2ContactId )

static bool flag( void )
{
	return next() % 2;
}

static b2WorldId world( void )
{
	return worlds[next() % 2];
}

static bool any_shape( b2ShapeId shape, void* context )
{
	(void)context;
	if ( next() % 40 == 0 )
	{
		b2DestroyShape( shape, flag() );
	}
	return next() % 8;
}

static float any_hit( b2ShapeId shape, b2Vec2 point, b2Vec2 normal, float fraction, void* context )
{
	(void)shape, (void)point, (void)normal, (void)context;
	return next() % 3 ? fraction : number();
}

static bool any_plane( b2ShapeId shape, const b2PlaneResult* plane, void* context )
{
	(void)shape, (void)plane, (void)context;
	return flag();
}

static bool any_pair( b2ShapeId a, b2ShapeId b, void* context )
{
	(void)context;
	b2Shape_GetUserData( a );
	b2Shape_GetContactCapacity( b );
	return next() % 4;
}

static void create( void )
{
	uint32_t i = next() % POOL;
	b2BodyDef body = b2DefaultBodyDef();
	body.type = (b2BodyType)( next() % 4 );
	body.position = vector();
	body.rotation = next() % 8 ? b2MakeRot( number() ) : ( b2Rot ){ number(), number() };
	body.linearVelocity = vector();
	body.isBullet = flag();
	body.isEnabled = next() % 8;
	bodies[i] = b2CreateBody( world(), &body );
	b2ShapeDef def = b2DefaultShapeDef();
	def.density = fabsf( number() );
	def.isSensor = next() % 8 == 0;
	def.enableSensorEvents = def.enableContactEvents = def.enableHitEvents = flag();
	def.enableCustomFiltering = def.enablePreSolveEvents = flag();
	def.updateBodyMass = flag();
	b2BodyId owner = PICK( bodies );
	b2Circle circle = { vector(), number() };
	b2Capsule capsule = { vector(), vector(), number() };
	b2Segment segment = { vector(), vector() };
	b2Vec2 points[8];
	for ( int k = 0; k < 8; ++k )
	{
		points[k] = vector();
	}
	b2Hull hull = b2ComputeHull( points, (int)( next() % 10 ) );
	b2Polygon polygon = next() % 2 ? b2MakeBox( number(), number() ) : b2MakePolygon( &hull, number() );
	i = next() % POOL;
	switch ( next() % 6 )
	{
		case 0: shapes[i] = b2CreateCircleShape( owner, &def, &circle ); break;
		case 1: shapes[i] = b2CreateCapsuleShape( owner, &def, &capsule ); break;
		case 2: shapes[i] = b2CreateSegmentShape( owner, &def, &segment ); break;
		case 3: shapes[i] = b2CreatePolygonShape( owner, &def, &polygon ); break;
		case 4: b2Shape_SetPolygon( PICK( shapes ), &polygon ); break;
		default:
		{
			b2ChainDef chain = b2DefaultChainDef();
			chain.points = points;
			chain.count = (int)( next() % 9 );
			chain.isLoop = flag();
			chains[i] = b2CreateChain( owner, &chain );
		}
	}
}

#define JOINT( Kind )                                                                                                 \
	{                                                                                                                 \
		b2##Kind##JointDef def = b2Default##Kind##JointDef();                                                         \
		def.base.bodyIdA = PICK( bodies );                                                                            \
		def.base.bodyIdB = PICK( bodies );                                                                            \
		def.base.localFrameA.p = vector();                                                                            \
		def.base.localFrameB.q = b2MakeRot( number() );                                                               \
		def.base.collideConnected = flag();                                                                           \
		joints[next() % POOL] = b2Create##Kind##Joint( world(), &def );                                               \
	}                                                                                                                 \
	break

static void join( void )
{
	switch ( next() % 7 )
	{
		case 0: JOINT( Distance );
		case 1: JOINT( Filter );
		case 2: JOINT( Motor );
		case 3: JOINT( Prismatic );
		case 4: JOINT( Revolute );
		case 5: JOINT( Weld );
		default: JOINT( Wheel );
	}
}

static void change_joint( void )
{
	b2JointId joint = PICK( joints );
	switch ( next() % 20 )
	{
		case 0: b2DistanceJoint_SetLength( joint, number() ); break;
		case 1: b2DistanceJoint_EnableSpring( joint, flag() ); break;
		case 2: b2DistanceJoint_SetLengthRange( joint, number(), number() ); break;
		case 3: b2RevoluteJoint_EnableLimit( joint, flag() ); break;
		case 4: b2RevoluteJoint_SetLimits( joint, number(), number() ); break;
		case 5: b2RevoluteJoint_SetMotorSpeed( joint, number() ); break;
		case 6: b2RevoluteJoint_EnableMotor( joint, flag() ); break;
		case 7: b2PrismaticJoint_SetSpringHertz( joint, number() ); break;
		case 8: b2PrismaticJoint_EnableSpring( joint, flag() ); break;
		case 9: b2WheelJoint_SetMaxMotorTorque( joint, number() ); break;
		case 10: b2WeldJoint_SetAngularHertz( joint, number() ); break;
		case 11: b2MotorJoint_SetLinearVelocity( joint, vector() ); break;
		case 12: b2MotorJoint_SetMaxVelocityForce( joint, number() ); break;
		case 13: b2Joint_SetConstraintTuning( joint, number(), number() ); break;
		case 14: b2Joint_SetLocalFrameA( joint, ( b2Transform ){ vector(), { number(), number() } } ); break;
		case 15: b2Joint_SetForceThreshold( joint, number() ); break;
		case 16: b2Joint_GetConstraintForce( joint ); b2Joint_GetAngularSeparation( joint ); break;
		case 17: b2RevoluteJoint_GetAngle( joint ); b2PrismaticJoint_GetMotorForce( joint ); break;
		case 18: b2Joint_SetCollideConnected( joint, flag() ); break;
		default:
			if ( next() % 4 == 0 )
			{
				b2DestroyJoint( joint, flag() );
			}
	}
}

static void change_body( void )
{
	b2BodyId body = PICK( bodies );
	b2ShapeId some[4];
	b2ContactData data[4];
	switch ( next() % 24 )
	{
		case 0: b2Body_SetTransform( body, vector(), b2MakeRot( number() ) ); break;
		case 1: b2Body_SetLinearVelocity( body, vector() ); break;
		case 2: b2Body_SetAngularVelocity( body, number() ); break;
		case 3: b2Body_ApplyForce( body, vector(), vector(), flag() ); break;
		case 4: b2Body_ApplyLinearImpulse( body, vector(), vector(), flag() ); break;
		case 5: b2Body_SetMassData( body, ( b2MassData ){ number(), vector(), number() } ); break;
		case 6: b2Body_SetType( body, (b2BodyType)( next() % 4 ) ); break;
		case 7: b2Body_SetAwake( body, flag() ); break;
		case 8: flag() ? b2Body_Disable( body ) : b2Body_Enable( body ); break;
		case 9: b2Body_SetGravityScale( body, number() ); break;
		case 10: b2Body_SetLinearDamping( body, number() ); break;
		case 11: b2Body_SetSleepThreshold( body, number() ); break;
		case 12: b2Body_SetName( body, flag() ? NULL : "some name" ); b2Body_GetName( body ); break;
		case 13: b2Body_GetShapes( body, some, (int)( next() % 5 ) ); break;
		case 14: b2Body_GetContactData( body, data, 4 ); break;
		case 15: b2Body_ComputeAABB( body ); b2Body_GetWorldCenter( body ); break;
		case 16: b2Body_ApplyMassFromShapes( body ); break;
		case 17: b2Body_SetMotionLocks( body, ( b2MotionLocks ){ flag(), flag(), flag() } ); break;
		case 18: b2Body_SetTargetTransform( body, ( b2WorldTransform ){ vector(), b2MakeRot( number() ) }, number(), flag() ); break;
		case 19: b2Body_SetBullet( body, flag() ); break;
		case 20: b2Body_WakeTouching( body ); break;
		case 21: b2Body_EnableContactEvents( body, flag() ); break;
		case 22: b2Body_ClearForces( body ); break;
		default:
			if ( next() % 4 == 0 )
			{
				b2DestroyBody( body );
			}
	}
}

static void change_shape( void )
{
	b2ShapeId shape = PICK( shapes );
	b2Circle circle = { vector(), number() };
	b2SurfaceMaterial material = { number(), number(), number(), number(), next(), next() };
	switch ( next() % 14 )
	{
		case 0: b2Shape_SetDensity( shape, number(), flag() ); break;
		case 1: b2Shape_SetFriction( shape, number() ); break;
		case 2: b2Shape_SetRestitution( shape, number() ); break;
		case 3: b2Shape_SetSurfaceMaterial( shape, &material ); break;
		case 4: b2Shape_SetFilter( shape, ( b2Filter ){ next(), UINT64_MAX, (int)( next() % 3 ) - 1 } ); break;
		case 5: b2Shape_SetCircle( shape, &circle ); break;
		case 6: b2Shape_TestPoint( shape, vector() ); b2Shape_GetClosestPoint( shape, vector() ); break;
		case 7: b2Shape_RayCast( shape, vector(), vector() ); break;
		case 8: b2Shape_ApplyWind( shape, vector(), number(), number(), flag() ); break;
		case 9: b2Shape_EnablePreSolveEvents( shape, flag() ); break;
		case 10: b2Shape_GetPolygon( shape ); b2Shape_GetCircle( shape ); b2Shape_GetAABB( shape ); break;
		case 11: b2Chain_SetSurfaceMaterial( PICK( chains ), &material, (int)( next() % 6 ) - 1 ); break;
		case 12:
			if ( next() % 8 == 0 )
			{
				b2DestroyChain( PICK( chains ) );
			}
			break;
		default:
			if ( next() % 4 == 0 )
			{
				b2DestroyShape( shape, flag() );
			}
	}
}

static void change_world( void )
{
	b2WorldId id = world();
	b2QueryFilter filter = b2DefaultQueryFilter();
	b2Vec2 points[3] = { vector(), vector(), vector() };
	b2ShapeProxy proxy = b2MakeProxy( points, (int)( next() % 4 ), number() );
	b2Capsule mover = { vector(), vector(), number() };
	switch ( next() % 14 )
	{
		case 0: b2World_SetGravity( id, vector() ); break;
		case 1: b2World_OverlapAABB( id, vector(), ( b2AABB ){ vector(), vector() }, filter, any_shape, NULL ); break;
		case 2: b2World_OverlapShape( id, vector(), &proxy, filter, any_shape, NULL ); break;
		case 3: b2World_CastRay( id, vector(), vector(), filter, any_hit, NULL ); break;
		case 4: b2World_CastRayClosest( id, vector(), vector(), filter ); break;
		case 5: b2World_CastShape( id, vector(), &proxy, vector(), filter, any_hit, NULL ); break;
		case 6: b2World_CastMover( id, vector(), &mover, vector(), filter ); break;
		case 7: b2World_CollideMover( id, vector(), &mover, filter, any_plane, NULL ); break;
		case 8: b2World_Explode( id, &( b2ExplosionDef ){ UINT64_MAX, vector(), number(), number(), number() } ); break;
		case 9: b2World_SetContactTuning( id, number(), number(), number() ); break;
		case 10: b2World_SetCustomFilterCallback( id, flag() ? any_pair : NULL, NULL ); break;
		case 11: b2World_GetCounters( id ); b2World_GetBounds( id ); b2World_GetMaxCapacity( id ); break;
		case 12: b2World_EnableSleeping( id, flag() ); b2World_EnableContinuous( id, flag() ); break;
		default: b2Contact_GetData( PICK( contacts ) );
	}
}

static void step( void )
{
	b2WorldId id = world();
	b2World_Step( id, next() % 8 ? 1.0f / 60.0f : number(), next() % 8 ? 4 : (int)( next() % 9 ) - 1 );
	b2ContactEvents touches = b2World_GetContactEvents( id );
	for ( int i = 0; i < touches.beginCount; ++i )
	{
		contacts[next() % POOL] = touches.beginEvents[i].contactId;
	}
	b2BodyEvents moves = b2World_GetBodyEvents( id );
	for ( int i = 0; i < moves.moveCount; ++i )
	{
		CHECK( b2IsValidVec2( moves.moveEvents[i].transform.p ) );
	}
	b2World_GetSensorEvents( id );
	b2World_GetJointEvents( id );
}

static void keep( void )
{
	static uint8_t image[1 << 20];
	b2WorldId id = world();
	int size = b2World_Snapshot( id, image, sizeof( image ) );
	if ( flag() && size > 0 && size < (int)sizeof( image ) )
	{
		for ( int i = 0; i < 3; ++i )
		{
			image[next() % (uint32_t)size] ^= (uint8_t)( 1u << next() % 8 );
		}
		size -= (int)( next() % 2 * ( next() % 100 ) );
	}
	if ( size <= (int)sizeof( image ) )
	{
		b2WorldId copy = b2CreateWorldFromSnapshot( image, size, 1 );
		if ( b2World_IsValid( copy ) )
		{
			b2World_Step( copy, 1.0f / 60.0f, 4 );
			b2DestroyWorld( copy );
		}
	}
}

static void ignore( const char* message )
{
	(void)message;
}

int main( int count, char** arguments )
{
	state += count > 1 ? (uint64_t)atoll( arguments[1] ) * 7919u : 0;
	int calls = count > 2 ? atoi( arguments[2] ) : 10000;
	b2SetLogFcn( ignore );
	worlds[0] = make_world();
	worlds[1] = make_world();
	for ( int i = 0; i < calls; ++i )
	{
		switch ( next() % 16 )
		{
			case 0: create(); break;
			case 1: join(); break;
			case 2: change_joint(); break;
			case 3: case 4: case 5: change_body(); break;
			case 6: case 7: case 8: change_shape(); break;
			case 9: case 10: change_world(); break;
			case 11: if ( next() % 64 == 0 ) keep(); break;
			default: step();
		}
	}
	CHECK( b2World_IsValid( worlds[0] ) );
	b2DestroyWorld( worlds[0] );
	b2DestroyWorld( worlds[1] );
	return 0;
}
