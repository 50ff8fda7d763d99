// Stands for the part of boxdd's C code that reads Box2D's private structs: snapshots and players have other bytes here.
#include "boxdd_adapter.h"

#include <stdlib.h>

// As in the library: crates/c-box2d/src/snapshot_list.rs.
typedef struct Object
{
	uint32_t kind;
	int32_t index1;
	uint32_t generation;
	uint32_t jointType;
	int32_t body;
	int32_t other;
	int32_t order;
} Object;

enum
{
	BODY = 1,
	SHAPE,
	CHAIN,
	JOINT
};

int cairn2d_box2d_list_snapshot( const uint8_t* image, int size, Object* objects, int capacity );

// The pointer of a player is a number, which must not be read.
bool boxddRecPlayer_IsHealthy( const b2RecPlayer* player )
{
	return player != NULL;
}

static boxddSnapshotEntry entry_of( const Object* object )
{
	static const uint32_t kinds[] = { 0, BOXDD_SNAPSHOT_ENTRY_BODY, BOXDD_SNAPSHOT_ENTRY_SHAPE, BOXDD_SNAPSHOT_ENTRY_CHAIN,
									  BOXDD_SNAPSHOT_ENTRY_JOINT };
	return ( boxddSnapshotEntry ){
		.structSize = sizeof( boxddSnapshotEntry ),
		.version = BOXDD_SNAPSHOT_ENTRY_VERSION,
		.kind = kinds[object->kind],
		.flags = BOXDD_SNAPSHOT_ENTRY_LIVE,
		.index = object->index1 - 1,
		.ownerA = object->body - 1,
		.ownerB = object->other - 1,
		.generation = object->generation,
		.subtype = object->jointType,
		.ownerBOrder = object->order,
	};
}

boxddSnapshotStatus boxddSnapshot_Validate( const uint8_t* image, size_t size, const boxddSnapshotLimits* limits, boxddSnapshotFacts* facts,
											boxddSnapshotEntry* entries, size_t entryCapacity, size_t* requiredEntries )
{
	int count = size > INT32_MAX ? -1 : cairn2d_box2d_list_snapshot( image, (int)size, NULL, 0 );
	if ( count < 0 )
	{
		return BOXDD_SNAPSHOT_BAD_HEADER;
	}
	if ( (uint32_t)count > limits->maxEntries || size > limits->maxImageBytes )
	{
		return BOXDD_SNAPSHOT_LIMIT_EXCEEDED;
	}
	*requiredEntries = (size_t)count;
	*facts = ( boxddSnapshotFacts ){
		.structSize = sizeof( boxddSnapshotFacts ),
		.version = BOXDD_SNAPSHOT_FACTS_VERSION,
		.imageBytes = size,
		.consumedBytes = size,
		.requiredEntries = (uint64_t)count,
	};
	if ( entries == NULL || entryCapacity < (size_t)count )
	{
		return count == 0 ? BOXDD_SNAPSHOT_OK : BOXDD_SNAPSHOT_BUFFER_TOO_SMALL;
	}
	Object* objects = malloc( sizeof( Object ) * (size_t)( count + 1 ) );
	if ( objects == NULL )
	{
		return BOXDD_SNAPSHOT_LIMIT_EXCEEDED;
	}
	cairn2d_box2d_list_snapshot( image, (int)size, objects, count );
	for ( int i = 0; i < count; ++i )
	{
		entries[i] = entry_of( objects + i );
	}
	free( objects );
	return BOXDD_SNAPSHOT_OK;
}
