// The dynamic tree against a search of all boxes.
#include "scene.h"

#define COUNT 200

typedef struct Found
{
	int count;
	uint64_t sum;
} Found;

static bool note( int proxy, uint64_t user_data, void* context )
{
	(void)proxy;
	Found* found = context;
	found->count += 1;
	found->sum += user_data;
	return true;
}

static float note_ray( const b2RayCastInput* input, int proxy, uint64_t user_data, void* context )
{
	note( proxy, user_data, context );
	return input->maxFraction;
}

static float note_box( const b2BoxCastInput* input, int proxy, uint64_t user_data, void* context )
{
	note( proxy, user_data, context );
	return input->maxFraction;
}

static b2AABB box_of( int i, int salt )
{
	float x = (float)( ( i * 37 + salt ) % 101 ), y = (float)( ( i * 53 + salt ) % 89 );
	return ( b2AABB ){ { x, y }, { x + 1.5f, y + 1.5f } };
}

int main( void )
{
	b2DynamicTree tree = b2DynamicTree_Create( 16 );
	int proxies[COUNT];
	for ( int i = 0; i < COUNT; ++i )
	{
		proxies[i] = b2DynamicTree_CreateProxy( &tree, box_of( i, 0 ), i % 2 ? 1 : 2, (uint64_t)i );
	}
	CHECK( b2DynamicTree_GetProxyCount( &tree ) == COUNT && tree.proxyCount == COUNT );
	for ( int i = 0; i < COUNT; i += 3 )
	{
		b2DynamicTree_MoveProxy( &tree, proxies[i], box_of( i, 7 ) );
	}
	for ( int i = 1; i < COUNT; i += 10 )
	{
		b2DynamicTree_DestroyProxy( &tree, proxies[i] );
	}
	b2AABB area = { { 20.0f, 20.0f }, { 50.0f, 45.0f } };
	Found all = { 0 }, odd = { 0 }, expected = { 0 }, expected_odd = { 0 };
	for ( int i = 0; i < COUNT; ++i )
	{
		if ( i % 10 != 1 && b2AABB_Overlaps( area, box_of( i, i % 3 == 0 ? 7 : 0 ) ) )
		{
			note( 0, (uint64_t)i, &expected );
			if ( i % 2 )
			{
				note( 0, (uint64_t)i, &expected_odd );
			}
		}
	}
	b2DynamicTree_QueryAll( &tree, area, note, &all );
	b2DynamicTree_Query( &tree, area, 1, note, &odd );
	CHECK( expected.count > 5 && all.count == expected.count && all.sum == expected.sum );
	CHECK( odd.count == expected_odd.count && odd.sum == expected_odd.sum );
	CHECK( b2DynamicTree_GetUserData( &tree, proxies[5] ) == 5 );
	CHECK( b2DynamicTree_GetCategoryBits( &tree, proxies[5] ) == 1 );
	b2DynamicTree_SetCategoryBits( &tree, proxies[5], 4 );
	CHECK( b2DynamicTree_GetCategoryBits( &tree, proxies[5] ) == 4 );
	CHECK_NEAR( b2DynamicTree_GetAABB( &tree, proxies[5] ).lowerBound.x, box_of( 5, 0 ).lowerBound.x, 0.0f );

	Found rays = { 0 }, boxes = { 0 };
	b2RayCastInput ray = { { -5.0f, 30.0f }, { 120.0f, 0.0f }, 1.0f };
	b2DynamicTree_RayCast( &tree, &ray, UINT64_MAX, note_ray, &rays );
	CHECK( rays.count > 0 );
	b2BoxCastInput cast = { { { -6.0f, 28.0f }, { -4.0f, 32.0f } }, { 120.0f, 0.0f }, 1.0f };
	b2DynamicTree_BoxCast( &tree, &cast, UINT64_MAX, note_box, &boxes );
	CHECK( boxes.count > rays.count );
	CHECK( b2DynamicTree_GetHeight( &tree ) > 0 && b2DynamicTree_GetAreaRatio( &tree ) > 0.0f );
	CHECK( b2DynamicTree_Rebuild( &tree, true ) > 0 );
	all = ( Found ){ 0 };
	b2DynamicTree_QueryAll( &tree, area, note, &all );
	CHECK( all.count == expected.count );
	CHECK( b2DynamicTree_GetRootBounds( &tree ).upperBound.x > 90.0f );
	b2DynamicTree_Validate( &tree );
	b2DynamicTree_Destroy( &tree );
	return 0;
}
