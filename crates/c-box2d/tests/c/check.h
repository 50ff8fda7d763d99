// Checks of the C tests: a failed one names itself and ends the program.
#pragma once

#include <box2d/box2d.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK( condition )                                                                                           \
	do                                                                                                               \
	{                                                                                                                \
		if ( !( condition ) )                                                                                        \
		{                                                                                                            \
			printf( "%s:%d: %s\n", __FILE__, __LINE__, #condition );                                                 \
			exit( 1 );                                                                                               \
		}                                                                                                            \
	} while ( 0 )

#define CHECK_NEAR( a, b, tolerance )                                                                                \
	do                                                                                                               \
	{                                                                                                                \
		float near_ = ( a ), to_ = ( b );                                                                            \
		if ( !( fabsf( near_ - to_ ) <= ( tolerance ) ) )                                                       \
		{                                                                                                            \
			printf( "%s:%d: %s is %g, not %g\n", __FILE__, __LINE__, #a, near_, to_ );                               \
			exit( 1 );                                                                                               \
		}                                                                                                            \
	} while ( 0 )
