// Geometry: hulls, polygons, mass, rays, casts, distance, time of impact, manifolds, and math.
#include "scene.h"

static void polygons( void )
{
	b2Vec2 points[6] = { { -1.0f, -1.0f }, { 1.0f, -1.0f }, { 1.0f, 1.0f }, { 0.0f, 0.0f }, { -1.0f, 1.0f }, { 0.5f, 1.001f } };
	b2Hull hull = b2ComputeHull( points, 6 );
	CHECK( hull.count == 4 && b2ValidateHull( &hull ) );
	b2Polygon polygon = b2MakePolygon( &hull, 0.0f );
	CHECK( polygon.count == 4 );
	CHECK_NEAR( polygon.centroid.x, 0.0f, 1.0e-5f );
	CHECK( b2PointInPolygon( &polygon, ( b2Vec2 ){ 0.5f, 0.5f } ) );
	CHECK( !b2PointInPolygon( &polygon, ( b2Vec2 ){ 1.5f, 0.5f } ) );
	b2MassData mass = b2ComputePolygonMass( &polygon, 2.0f );
	CHECK_NEAR( mass.mass, 8.0f, 1.0e-4f );
	CHECK_NEAR( mass.rotationalInertia, 16.0f / 3.0f, 1.0e-3f );
	b2Transform move = { { 3.0f, 0.0f }, b2MakeRot( 0.25f * B2_PI ) };
	b2AABB box = b2ComputePolygonAABB( &polygon, move );
	CHECK_NEAR( box.upperBound.x, 3.0f + sqrtf( 2.0f ), 1.0e-4f );
	b2Polygon moved = b2TransformPolygon( move, &polygon );
	CHECK_NEAR( moved.centroid.x, 3.0f, 1.0e-5f );
	CHECK_NEAR( moved.normals[0].x, sqrtf( 0.5f ), 1.0e-4f );
	b2Vec2 line[3] = { { 0.0f, 0.0f }, { 1.0f, 0.0f }, { 2.0f, 0.0f } };
	CHECK( b2ComputeHull( line, 3 ).count == 0 );
	b2Circle circle = { { 1.0f, 0.0f }, 0.5f };
	CHECK_NEAR( b2ComputeCircleMass( &circle, 1.0f ).mass, 0.25f * B2_PI, 1.0e-5f );
	b2Capsule capsule = { { -1.0f, 0.0f }, { 1.0f, 0.0f }, 0.5f };
	CHECK_NEAR( b2ComputeCapsuleMass( &capsule, 1.0f ).mass, 2.0f + 0.25f * B2_PI, 1.0e-4f );
	CHECK( b2PointInCapsule( &capsule, ( b2Vec2 ){ 1.3f, 0.2f } ) );
}

static void casts( void )
{
	b2Circle circle = { { 0.0f, 0.0f }, 1.0f };
	b2RayCastInput ray = { { -4.0f, 0.0f }, { 8.0f, 0.0f }, 1.0f };
	CHECK( b2IsValidRay( &ray ) );
	b2CastOutput hit = b2RayCastCircle( &circle, &ray );
	CHECK( hit.hit );
	CHECK_NEAR( hit.fraction, 0.375f, 1.0e-4f );
	CHECK_NEAR( hit.normal.x, -1.0f, 1.0e-4f );
	ray.maxFraction = 0.25f;
	CHECK( !b2RayCastCircle( &circle, &ray ).hit );
	b2Polygon box = b2MakeBox( 1.0f, 1.0f );
	b2Vec2 center = { -4.0f, 0.5f };
	b2ShapeCastInput cast = { b2MakeProxy( &center, 1, 0.5f ), { 8.0f, 0.0f }, 1.0f, false };
	hit = b2ShapeCastPolygon( &box, &cast );
	CHECK( hit.hit );
	CHECK_NEAR( hit.fraction, 2.5f / 8.0f, 2.0e-3f );
	CHECK_NEAR( hit.normal.x, -1.0f, 1.0e-3f );
}

static void pairs( void )
{
	b2Vec2 square[4] = { { -1.0f, -1.0f }, { 1.0f, -1.0f }, { 1.0f, 1.0f }, { -1.0f, 1.0f } };
	b2DistanceInput input = { 0 };
	input.proxyA = b2MakeProxy( square, 4, 0.0f );
	input.proxyB = b2MakeProxy( square, 4, 0.25f );
	input.transform = ( b2Transform ){ { 4.0f, 0.5f }, b2Rot_identity };
	b2SimplexCache cache = { 0 };
	b2DistanceOutput output = b2ShapeDistance( &input, &cache, NULL, 0 );
	CHECK_NEAR( output.distance, 2.0f, 1.0e-4f );
	CHECK_NEAR( output.normal.x, 1.0f, 1.0e-4f );
	CHECK_NEAR( output.pointA.x, 1.0f, 1.0e-4f );
	input.useRadii = true;
	CHECK_NEAR( b2ShapeDistance( &input, &cache, NULL, 0 ).distance, 1.75f, 1.0e-4f );

	b2ShapeCastPairInput cast = { input.proxyA, input.proxyB, input.transform, { -4.0f, 0.0f }, 1.0f, false };
	b2CastOutput hit = b2ShapeCast( &cast );
	CHECK( hit.hit );
	CHECK_NEAR( hit.fraction, 1.75f / 4.0f, 2.0e-3f );

	b2TOIInput toi = { 0 };
	toi.proxyA = input.proxyA;
	toi.proxyB = b2MakeProxy( square, 4, 0.0f );
	toi.sweepA.q1 = toi.sweepA.q2 = toi.sweepB.q1 = toi.sweepB.q2 = b2Rot_identity;
	toi.sweepB.c1 = ( b2Vec2 ){ 6.0f, 0.0f };
	toi.sweepB.c2 = ( b2Vec2 ){ -6.0f, 0.0f };
	toi.maxFraction = 1.0f;
	b2TOIOutput impact = b2TimeOfImpact( &toi );
	CHECK( impact.state == b2_toiStateHit );
	CHECK_NEAR( impact.fraction, 4.0f / 12.0f, 2.0e-3f );
	toi.sweepB.c2 = ( b2Vec2 ){ 5.0f, 0.0f };
	CHECK( b2TimeOfImpact( &toi ).state == b2_toiStateSeparated );
	b2Transform middle = b2GetSweepTransform( &toi.sweepB, 0.5f );
	CHECK_NEAR( middle.p.x, 5.5f, 1.0e-5f );

	b2SegmentDistanceResult segments =
		b2SegmentDistance( ( b2Vec2 ){ 0.0f, 0.0f }, ( b2Vec2 ){ 2.0f, 0.0f }, ( b2Vec2 ){ 1.0f, 1.0f }, ( b2Vec2 ){ 1.0f, 3.0f } );
	CHECK_NEAR( segments.distanceSquared, 1.0f, 1.0e-5f );
	CHECK_NEAR( segments.fraction1, 0.5f, 1.0e-5f );
	CHECK_NEAR( segments.fraction2, 0.0f, 1.0e-5f );

	b2Polygon box = b2MakeBox( 1.0f, 1.0f );
	b2Transform above = { { 0.5f, 1.99f }, b2Rot_identity };
	b2LocalManifold manifold = b2CollidePolygons( &box, &box, above );
	CHECK( manifold.pointCount == 2 );
	CHECK_NEAR( manifold.normal.y, 1.0f, 1.0e-4f );
	CHECK_NEAR( manifold.points[0].separation, -0.01f, 1.0e-4f );
	CHECK( manifold.points[0].id != manifold.points[1].id );
	b2Circle circle = { { 0.0f, 0.0f }, 0.5f };
	manifold = b2CollidePolygonAndCircle( &box, &circle, ( b2Transform ){ { 0.0f, 1.4f }, b2Rot_identity } );
	CHECK( manifold.pointCount == 1 );
	CHECK_NEAR( manifold.points[0].separation, -0.1f, 1.0e-4f );
	manifold = b2CollideCircles( &circle, &circle, ( b2Transform ){ { 5.0f, 0.0f }, b2Rot_identity } );
	CHECK( manifold.pointCount == 0 );
}

static void math( void )
{
	for ( float a = -10.0f; a < 10.0f; a += 0.37f )
	{
		b2CosSin cs = b2ComputeCosSin( a );
		CHECK_NEAR( cs.cosine, cosf( a ), 2.0e-3f );
		CHECK_NEAR( cs.sine, sinf( a ), 2.0e-3f );
		CHECK_NEAR( b2Atan2( cs.sine, cs.cosine ), atan2f( sinf( a ), cosf( a ) ), 2.0e-3f );
	}
	b2Rot turn = b2ComputeRotationBetweenUnitVectors( ( b2Vec2 ){ 1.0f, 0.0f }, ( b2Vec2 ){ 0.0f, 1.0f } );
	CHECK_NEAR( turn.s, 1.0f, 1.0e-5f );
	CHECK( !b2IsValidFloat( NAN ) && !b2IsValidVec2( ( b2Vec2 ){ INFINITY, 0.0f } ) && b2IsValidRotation( turn ) );
	CHECK( !b2IsValidAABB( ( b2AABB ){ { 1.0f, 0.0f }, { 0.0f, 1.0f } } ) );
	CHECK( b2Hash( B2_HASH_INIT, (const uint8_t*)"abc", 3 ) == b2Hash( B2_HASH_INIT, (const uint8_t*)"abc", 3 ) );
	CHECK( b2GetVersion().major == 3 && b2GetMilliseconds( b2GetTicks() ) < 1000.0f );
}

int main( void )
{
	polygons();
	casts();
	pairs();
	math();
	return 0;
}
