// Runs scenes and prints what two libraries are compared by: scenes [NAME [STEPS [REPEATS]]]
//
//     rest NAME body x y angle          where a body of a quiet scene starts, which is where it would rest [m, rad]
//     pose NAME body x y angle          where it is at the end
//     end NAME bodies touching awake height    at the end: moving bodies, contacts that touch, awake bodies, and the mean
//                                              height of the bodies [m]
//     time NAME mean slowest            processor time of the steps but the first [ms]; with repeats no slowest one
#define _POSIX_C_SOURCE 199309L
#include "stage.h"

#include <time.h>

b2BodyId bodies[MAX_BODIES];
int body_count;

// Time of the processor, so that other programs do not count [ms].
static double now( void )
{
	struct timespec time;
	clock_gettime( CLOCK_PROCESS_CPUTIME_ID, &time );
	return 1.0e3 * (double)time.tv_sec + 1.0e-6 * (double)time.tv_nsec;
}

static b2WorldId start( const Scene* scene )
{
	b2WorldDef def = b2DefaultWorldDef();
	def.enableSleep = !scene->is_sleepless;
	if ( scene->is_weightless )
	{
		def.gravity = b2Vec2_zero;
	}
	b2WorldId world = b2CreateWorld( &def );
	body_count = 0;
	scene->build( world );
	return world;
}

static void step( const Scene* scene, b2WorldId world, int number )
{
	if ( scene->before_step )
	{
		scene->before_step( world, number );
	}
	b2World_Step( world, 1.0f / 60.0f, 4 );
}

static void print_poses( const char* kind, const char* scene )
{
	for ( int i = 0; i < body_count; ++i )
	{
		b2Vec2 p = b2Body_GetPosition( bodies[i] );
		printf( "%s %s %d %.6f %.6f %.6f\n", kind, scene, i, p.x, p.y, b2Rot_GetAngle( b2Body_GetRotation( bodies[i] ) ) );
	}
}

// Both libraries list contacts of shapes with up to two centimeters between them, as of limbs that friction holds up.
static bool touches( const b2Manifold* manifold )
{
	const float most = 0.001f;
	bool is_first_near = manifold->points[0].separation < most;
	return is_first_near || ( manifold->pointCount > 1 && manifold->points[1].separation < most );
}

// Contacts that touch. Each is in the lists of both its bodies, of which those that are not dynamic are not visited.
static int count_touching( void )
{
	enum
	{
		MOST = 8192
	};
	static b2ContactData data[MOST];
	int halves = 0;
	for ( int i = 0; i < body_count; ++i )
	{
		bool is_visited = b2Body_GetType( bodies[i] ) == b2_dynamicBody;
		int count = is_visited ? b2Body_GetContactData( bodies[i], data, MOST ) : 0;
		for ( int k = 0; k < count; ++k )
		{
			if ( !touches( &data[k].manifold ) )
			{
				continue;
			}
			b2BodyId a = b2Shape_GetBody( data[k].shapeIdA ), b = b2Shape_GetBody( data[k].shapeIdB );
			b2BodyId other = B2_ID_EQUALS( a, bodies[i] ) ? b : a;
			halves += b2Body_GetType( other ) == b2_dynamicBody ? 1 : 2;
		}
	}
	return halves / 2;
}

static void print_end( b2WorldId world, const char* scene )
{
	double height = 0.0;
	for ( int i = 0; i < body_count; ++i )
	{
		height += b2Body_GetWorldCenter( bodies[i] ).y;
	}
	int touching = count_touching(), awake = b2World_GetAwakeBodyCount( world );
	printf( "end %s %d %d %d %.4f\n", scene, body_count, touching, awake, height / body_count );
}

// Takes steps and returns their time. With `slowest`, each step is timed by itself.
static double run_steps( const Scene* scene, b2WorldId world, int steps, double* slowest )
{
	double begin = now(), last = begin;
	for ( int number = 1; number <= steps; ++number )
	{
		step( scene, world, number );
		if ( slowest )
		{
			double end = now();
			*slowest = end - last > *slowest ? end - last : *slowest;
			last = end;
		}
	}
	return now() - begin;
}

// Runs a scene; one of few bodies several times, since its time is short. To time each of its steps would take as long as they.
static void show( const Scene* scene, int steps, int repeats )
{
	double total = 0.0, slowest = 0.0;
	for ( int round = 0; round < repeats; ++round )
	{
		b2WorldId world = start( scene );
		bool is_last = round == repeats - 1;
		if ( is_last && scene->is_quiet )
		{
			print_poses( "rest", scene->name );
		}
		step( scene, world, 0 );
		total += run_steps( scene, world, steps, repeats == 1 ? &slowest : NULL );
		if ( is_last && scene->is_quiet )
		{
			print_poses( "pose", scene->name );
		}
		if ( is_last )
		{
			print_end( world, scene->name );
		}
		b2DestroyWorld( world );
	}
	printf( "time %s %.6f %.6f\n", scene->name, total / steps / repeats, slowest );
	fflush( stdout );
}

// With a name only that scene. At most STEPS steps, if that is not 0.
int main( int count, char** arguments )
{
	const Scene* groups[] = { benchmarks, quiet_samples, lively_samples };
	int most = count > 2 ? atoi( arguments[2] ) : 0, repeats = count > 3 ? atoi( arguments[3] ) : 1;
	for ( int i = 0; i < 30; ++i )
	{
		const Scene* scene = groups[i / 10] + i % 10;
		bool is_wanted = count < 2 || strcmp( arguments[1], scene->name ) == 0 || strcmp( arguments[1], "all" ) == 0;
		if ( is_wanted )
		{
			show( scene, most > 0 && most < scene->steps ? most : scene->steps, repeats );
		}
	}
	return 0;
}
