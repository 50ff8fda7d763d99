// Joints: each kind holds, and each setter has its getter.
#include "scene.h"

// Sets a value and reads it back.
#define FIELD( joint, set, get, value )                                                                               \
	do                                                                                                                \
	{                                                                                                                 \
		set( joint, value );                                                                                          \
		CHECK( get( joint ) == ( value ) );                                                                           \
	} while ( 0 )

typedef struct Pair
{
	b2WorldId world;
	b2BodyId a, b;
} Pair;

// A static body at the origin and a box beside it.
static Pair make_pair( float x, float y )
{
	Pair pair;
	pair.world = make_world();
	pair.a = make_body( pair.world, b2_staticBody, 0.0f, 0.0f );
	pair.b = make_body( pair.world, b2_dynamicBody, x, y );
	add_box( pair.b, 0.25f, 0.25f );
	return pair;
}

static void revolute( void )
{
	Pair pair = make_pair( 1.0f, 0.0f );
	b2RevoluteJointDef def = b2DefaultRevoluteJointDef();
	def.base.bodyIdA = pair.a;
	def.base.bodyIdB = pair.b;
	def.base.localFrameB.p = ( b2Vec2 ){ -1.0f, 0.0f };
	b2JointId joint = b2CreateRevoluteJoint( pair.world, &def );
	CHECK( b2Joint_IsValid( joint ) && b2Joint_GetType( joint ) == b2_revoluteJoint );
	CHECK( SAME_ID( b2Joint_GetBodyA( joint ), pair.a ) && SAME_ID( b2Joint_GetBodyB( joint ), pair.b ) );
	CHECK_NEAR( b2Joint_GetLocalFrameB( joint ).p.x, -1.0f, 0.0f );
	FIELD( joint, b2RevoluteJoint_EnableSpring, b2RevoluteJoint_IsSpringEnabled, false );
	FIELD( joint, b2RevoluteJoint_SetSpringHertz, b2RevoluteJoint_GetSpringHertz, 2.0f );
	FIELD( joint, b2RevoluteJoint_SetSpringDampingRatio, b2RevoluteJoint_GetSpringDampingRatio, 0.5f );
	FIELD( joint, b2RevoluteJoint_SetMotorSpeed, b2RevoluteJoint_GetMotorSpeed, 1.0f );
	FIELD( joint, b2RevoluteJoint_SetMaxMotorTorque, b2RevoluteJoint_GetMaxMotorTorque, 50.0f );
	b2RevoluteJoint_SetLimits( joint, -0.5f, 0.25f );
	CHECK_NEAR( b2RevoluteJoint_GetLowerLimit( joint ), -0.5f, 0.0f );
	CHECK_NEAR( b2RevoluteJoint_GetUpperLimit( joint ), 0.25f, 0.0f );
	FIELD( joint, b2RevoluteJoint_EnableLimit, b2RevoluteJoint_IsLimitEnabled, true );
	run( pair.world, 120 );
	CHECK_NEAR( b2RevoluteJoint_GetAngle( joint ), -0.5f, 0.01f );
	CHECK_NEAR( b2Joint_GetLinearSeparation( joint ), 0.0f, 0.01f );
	FIELD( joint, b2RevoluteJoint_EnableMotor, b2RevoluteJoint_IsMotorEnabled, true );
	b2Joint_WakeBodies( joint );
	run( pair.world, 120 );
	// Pressed against the limit, a soft one yields.
	CHECK_NEAR( b2RevoluteJoint_GetAngle( joint ), 0.25f, 0.05f );
	b2JointId joints[2];
	CHECK( b2Body_GetJointCount( pair.b ) == 1 && b2Body_GetJoints( pair.b, joints, 2 ) == 1 );
	CHECK( SAME_ID( joints[0], joint ) );
	b2DestroyJoint( joint, true );
	CHECK( !b2Joint_IsValid( joint ) );
	b2DestroyWorld( pair.world );
}

static void prismatic( void )
{
	Pair pair = make_pair( 0.0f, 0.0f );
	b2PrismaticJointDef def = b2DefaultPrismaticJointDef();
	def.base.bodyIdA = pair.a;
	def.base.bodyIdB = pair.b;
	def.base.localFrameA.q = b2MakeRot( 0.5f * B2_PI );
	def.base.localFrameB.q = b2MakeRot( 0.5f * B2_PI );
	def.enableLimit = true;
	def.lowerTranslation = -2.0f;
	def.upperTranslation = 3.0f;
	b2JointId joint = b2CreatePrismaticJoint( pair.world, &def );
	run( pair.world, 120 );
	CHECK_NEAR( b2PrismaticJoint_GetTranslation( joint ), -2.0f, 0.01f );
	CHECK_NEAR( b2Body_GetPosition( pair.b ).x, 0.0f, 0.01f );
	FIELD( joint, b2PrismaticJoint_SetMotorSpeed, b2PrismaticJoint_GetMotorSpeed, 1.0f );
	FIELD( joint, b2PrismaticJoint_SetMaxMotorForce, b2PrismaticJoint_GetMaxMotorForce, 100.0f );
	FIELD( joint, b2PrismaticJoint_EnableMotor, b2PrismaticJoint_IsMotorEnabled, true );
	b2Joint_WakeBodies( joint );
	run( pair.world, 60 );
	CHECK_NEAR( b2PrismaticJoint_GetSpeed( joint ), 1.0f, 0.01f );
	CHECK_NEAR( b2PrismaticJoint_GetMotorForce( joint ), 10.0f * b2Body_GetMass( pair.b ), 0.1f );
	CHECK_NEAR( b2Joint_GetConstraintForce( joint ).y, 10.0f * b2Body_GetMass( pair.b ), 0.1f );
	FIELD( joint, b2PrismaticJoint_SetTargetTranslation, b2PrismaticJoint_GetTargetTranslation, 0.5f );
	b2DestroyWorld( pair.world );
}

static void distance( void )
{
	Pair pair = make_pair( 0.0f, -2.0f );
	b2DistanceJointDef def = b2DefaultDistanceJointDef();
	def.base.bodyIdA = pair.a;
	def.base.bodyIdB = pair.b;
	def.length = 2.0f;
	b2JointId joint = b2CreateDistanceJoint( pair.world, &def );
	run( pair.world, 60 );
	CHECK_NEAR( b2DistanceJoint_GetCurrentLength( joint ), 2.0f, 0.01f );
	FIELD( joint, b2DistanceJoint_SetLength, b2DistanceJoint_GetLength, 1.5f );
	b2Joint_WakeBodies( joint );
	run( pair.world, 60 );
	CHECK_NEAR( b2DistanceJoint_GetCurrentLength( joint ), 1.5f, 0.01f );
	FIELD( joint, b2DistanceJoint_EnableSpring, b2DistanceJoint_IsSpringEnabled, true );
	FIELD( joint, b2DistanceJoint_EnableLimit, b2DistanceJoint_IsLimitEnabled, true );
	b2DistanceJoint_SetLengthRange( joint, 0.5f, 1.75f );
	CHECK_NEAR( b2DistanceJoint_GetMinLength( joint ), 0.5f, 0.0f );
	b2Joint_WakeBodies( joint );
	run( pair.world, 60 );
	CHECK_NEAR( b2DistanceJoint_GetCurrentLength( joint ), 1.75f, 0.01f );
	b2DestroyWorld( pair.world );
}

static void weld_and_wheel( void )
{
	Pair pair = make_pair( 1.0f, 0.0f );
	b2WeldJointDef weld = b2DefaultWeldJointDef();
	weld.base.bodyIdA = pair.a;
	weld.base.bodyIdB = pair.b;
	weld.base.localFrameA.p = ( b2Vec2 ){ 1.0f, 0.0f };
	b2JointId joint = b2CreateWeldJoint( pair.world, &weld );
	run( pair.world, 60 );
	CHECK_NEAR( b2Body_GetPosition( pair.b ).y, 0.0f, 0.01f );
	FIELD( joint, b2WeldJoint_SetAngularHertz, b2WeldJoint_GetAngularHertz, 3.0f );
	FIELD( joint, b2WeldJoint_SetLinearDampingRatio, b2WeldJoint_GetLinearDampingRatio, 0.25f );
	b2DestroyWorld( pair.world );

	pair = make_pair( 0.0f, 0.0f );
	b2WheelJointDef wheel = b2DefaultWheelJointDef();
	wheel.base.bodyIdA = pair.a;
	wheel.base.bodyIdB = pair.b;
	wheel.base.localFrameA.q = b2MakeRot( 0.5f * B2_PI );
	wheel.hertz = 4.0f;
	wheel.enableMotor = true;
	wheel.motorSpeed = 3.0f;
	wheel.maxMotorTorque = 10.0f;
	joint = b2CreateWheelJoint( pair.world, &wheel );
	run( pair.world, 120 );
	CHECK_NEAR( b2Body_GetAngularVelocity( pair.b ), 3.0f, 0.01f );
	// The spring yields by the weight over its stiffness, m w^2.
	float omega = 2.0f * B2_PI * 4.0f;
	CHECK_NEAR( b2Body_GetPosition( pair.b ).y, -10.0f / ( omega * omega ), 0.002f );
	FIELD( joint, b2WheelJoint_SetSpringHertz, b2WheelJoint_GetSpringHertz, 5.0f );
	b2DestroyWorld( pair.world );
}

static void motor_and_filter( void )
{
	Pair pair = make_pair( 0.0f, 0.0f );
	b2MotorJointDef def = b2DefaultMotorJointDef();
	def.base.bodyIdA = pair.a;
	def.base.bodyIdB = pair.b;
	def.linearVelocity = ( b2Vec2 ){ 1.0f, 0.0f };
	def.maxVelocityForce = 1000.0f;
	b2JointId joint = b2CreateMotorJoint( pair.world, &def );
	run( pair.world, 60 );
	CHECK_NEAR( b2Body_GetLinearVelocity( pair.b ).x, 1.0f, 0.01f );
	FIELD( joint, b2MotorJoint_SetMaxSpringForce, b2MotorJoint_GetMaxSpringForce, 7.0f );
	FIELD( joint, b2MotorJoint_SetAngularVelocity, b2MotorJoint_GetAngularVelocity, 0.5f );
	b2DestroyWorld( pair.world );

	pair.world = make_world();
	make_ground( pair.world );
	pair.a = make_body( pair.world, b2_dynamicBody, 0.0f, 0.5f );
	pair.b = make_body( pair.world, b2_dynamicBody, 0.0f, 0.5f );
	add_box( pair.a, 0.5f, 0.5f );
	add_box( pair.b, 0.5f, 0.5f );
	b2FilterJointDef filter = b2DefaultFilterJointDef();
	filter.base.bodyIdA = pair.a;
	filter.base.bodyIdB = pair.b;
	CHECK( b2Joint_IsValid( b2CreateFilterJoint( pair.world, &filter ) ) );
	run( pair.world, 60 );
	CHECK_NEAR( b2Body_GetPosition( pair.a ).x, 0.0f, 0.01f );
	CHECK_NEAR( b2Body_GetPosition( pair.b ).y, 0.5f, 0.01f );
	b2DestroyWorld( pair.world );
}

static void common( void )
{
	Pair pair = make_pair( 0.0f, -1.0f );
	int tag = 0;
	b2RevoluteJointDef def = b2DefaultRevoluteJointDef();
	def.base.bodyIdA = pair.a;
	def.base.bodyIdB = pair.b;
	def.base.localFrameB.p = ( b2Vec2 ){ 0.0f, 1.0f };
	def.base.userData = &tag;
	def.base.forceThreshold = 1.0f;
	b2JointId joint = b2CreateRevoluteJoint( pair.world, &def );
	CHECK( b2Joint_GetUserData( joint ) == &tag );
	run( pair.world, 10 );
	// An event for each step in which the force is above the threshold; the joint stays.
	b2JointEvents events = b2World_GetJointEvents( pair.world );
	CHECK( events.count == 1 && SAME_ID( events.jointEvents[0].jointId, joint ) && events.jointEvents[0].userData == &tag );
	FIELD( joint, b2Joint_SetForceThreshold, b2Joint_GetForceThreshold, 1000.0f );
	run( pair.world, 1 );
	CHECK( b2World_GetJointEvents( pair.world ).count == 0 );
	float hertz, damping;
	b2Joint_SetConstraintTuning( joint, 30.0f, 1.0f );
	b2Joint_GetConstraintTuning( joint, &hertz, &damping );
	CHECK( hertz == 30.0f && damping == 1.0f );
	FIELD( joint, b2Joint_SetCollideConnected, b2Joint_GetCollideConnected, true );
	b2DestroyBody( pair.b );
	CHECK( !b2Joint_IsValid( joint ) );
	b2DestroyWorld( pair.world );
}

int main( void )
{
	revolute();
	prismatic();
	distance();
	weld_and_wheel();
	motor_and_filter();
	common();
	return 0;
}
