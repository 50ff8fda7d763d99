// A ragdoll: eleven bones, held by hinges with limits, friction and springs.
#include "stage.h"

// A bone is a vertical capsule about its body's origin.
typedef struct Bone
{
	// Bone that it hangs on; -1 for none.
	int parent;
	// Height of the origin above the ragdoll's [m].
	float y;
	// Ends and radius of the capsule [m].
	float low, high, radius;
	// Height of the joint above the ragdoll's origin [m].
	float pivot;
	// Limits of the joint [half turns].
	float lower, upper;
	float friction_factor, linear_damping;
	// Turn of the joint's frame on the parent [half turns].
	float parent_turn;
	bool has_foot;
} Bone;

#define UPPER_LEG { 0, 0.775f, -0.125f, 0.125f, 0.06f, 0.9f, -0.05f, 0.4f, 1.0f, 0.0f, 0.0f, false }
#define LOWER_LEG( parent ) { parent, 0.475f, -0.155f, 0.125f, 0.045f, 0.625f, -0.5f, -0.02f, 0.5f, 0.0f, 0.0f, true }
#define UPPER_ARM { 1, 1.225f, -0.125f, 0.125f, 0.035f, 1.35f, -0.1f, 0.8f, 0.5f, 0.0f, 0.0f, false }
#define LOWER_ARM( parent ) { parent, 0.975f, -0.125f, 0.125f, 0.03f, 1.1f, -0.2f, 0.3f, 0.1f, 0.1f, 0.25f, false }

static const Bone bone_table[RAGDOLL_BONES] = {
	{ -1, 0.95f, -0.02f, 0.02f, 0.095f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, false },
	{ 0, 1.2f, -0.135f, 0.135f, 0.09f, 1.0f, -0.25f, 0.0f, 0.5f, 0.0f, 0.0f, false },
	{ 1, 1.475f, -0.038f, 0.039f, 0.075f, 1.4f, -0.3f, 0.1f, 0.25f, 0.1f, 0.0f, false },
	UPPER_LEG,
	LOWER_LEG( 3 ),
	UPPER_LEG,
	LOWER_LEG( 5 ),
	UPPER_ARM,
	LOWER_ARM( 7 ),
	UPPER_ARM,
	LOWER_ARM( 9 ),
};

static void add_foot( b2BodyId body, b2ShapeDef* def )
{
	b2Vec2 sole[4] = { { -0.03f, -0.185f }, { 0.11f, -0.185f }, { 0.11f, -0.16f }, { -0.03f, -0.14f } };
	b2Hull hull = b2ComputeHull( sole, 4 );
	b2Polygon foot = b2MakePolygon( &hull, 0.015f );
	def->material.friction = 0.05f;
	def->filter.maskBits = 1;
	b2CreatePolygonShape( body, def, &foot );
}

static b2BodyId build_bone( b2WorldId world, const Bone* bone, float x, float y, int group )
{
	b2BodyDef def = b2DefaultBodyDef();
	def.type = b2_dynamicBody;
	def.position = ( b2Vec2 ){ x, y + bone->y };
	def.linearDamping = bone->linear_damping;
	def.sleepThreshold = 0.1f;
	b2BodyId body = b2CreateBody( world, &def );
	b2ShapeDef shape = b2DefaultShapeDef();
	shape.material.friction = 0.2f;
	shape.filter = ( b2Filter ){ 2, 1 | 2, group };
	b2Capsule capsule = { { 0.0f, bone->low }, { 0.0f, bone->high }, bone->radius };
	b2CreateCapsuleShape( body, &shape, &capsule );
	if ( bone->has_foot )
	{
		add_foot( body, &shape );
	}
	return body;
}

void build_ragdoll( b2WorldId world, float x, float y, int group, b2BodyId bones[RAGDOLL_BONES] )
{
	for ( int i = 0; i < RAGDOLL_BONES; ++i )
	{
		const Bone* bone = bone_table + i;
		bones[i] = build_bone( world, bone, x, y, group );
		if ( bone->parent < 0 )
		{
			continue;
		}
		float on_parent = bone->pivot - bone_table[bone->parent].y;
		b2RevoluteJointDef def = hinge( bones[bone->parent], ( b2Vec2 ){ 0.0f, on_parent }, bones[i], ( b2Vec2 ){ 0.0f, bone->pivot - bone->y } );
		def.base.localFrameA.q = b2MakeRot( bone->parent_turn * B2_PI );
		def.enableLimit = true;
		def.lowerAngle = bone->lower * B2_PI;
		def.upperAngle = bone->upper * B2_PI;
		def.enableMotor = true;
		def.maxMotorTorque = 0.05f * bone->friction_factor;
		def.enableSpring = true;
		def.hertz = 5.0f;
		def.dampingRatio = 0.5f;
		b2CreateRevoluteJoint( world, &def );
	}
}
