// Stands for the part of boxdd's C code that reads Box2D's private structs: snapshots and players have other bytes here.
#include "boxdd_adapter.h"

#include <stdlib.h>

// As in the library: crates/c-box2d/src/snapshot_list.rs.
typedef struct Object
{
	uint32_t kind;
	int32_t index1;
	uint32_t generation;
	uint32_t subtype;
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

// Box2D has a pool for each kind of entry, and lists the free places of a pool too.
enum
{
	POOLS = 7
};

static const uint32_t kinds[] = { 0, BOXDD_SNAPSHOT_ENTRY_BODY, BOXDD_SNAPSHOT_ENTRY_SHAPE, BOXDD_SNAPSHOT_ENTRY_CHAIN,
								  BOXDD_SNAPSHOT_ENTRY_JOINT };

static boxddSnapshotEntry free_entry( uint32_t kind, int index )
{
	return ( boxddSnapshotEntry ){
		.structSize = sizeof( boxddSnapshotEntry ),
		.version = BOXDD_SNAPSHOT_ENTRY_VERSION,
		.kind = kind,
		.index = index,
		.ownerA = -1,
		.ownerB = -1,
		.ownerAPrev = -1,
		.ownerANext = -1,
		.ownerBPrev = -1,
		.ownerBNext = -1,
	};
}

static void fill( boxddSnapshotEntry* entry, const Object* object )
{
	entry->flags = BOXDD_SNAPSHOT_ENTRY_LIVE;
	entry->freeOrder = -1;
	entry->ownerA = object->body - 1;
	entry->ownerB = object->other - 1;
	entry->generation = object->generation;
	entry->subtype = object->subtype;
	entry->ownerBOrder = object->order;
}

// Links the shapes and chains of each body, and counts the segments of chains.
static void link_entries( boxddSnapshotEntry* entries, const uint32_t* next )
{
	boxddSnapshotEntry* shapes = entries + next[0];
	boxddSnapshotEntry* chains = shapes + next[1];
	for ( uint32_t i = 0; i < next[1]; ++i )
	{
		for ( uint32_t j = i + 1; j < next[1] && shapes[i].flags != 0; ++j )
		{
			if ( shapes[j].flags != 0 && shapes[j].ownerA == shapes[i].ownerA )
			{
				shapes[i].ownerANext = (int32_t)j;
				shapes[j].ownerAPrev = (int32_t)i;
				break;
			}
		}
		if ( shapes[i].flags != 0 && shapes[i].ownerB >= 0 )
		{
			chains[shapes[i].ownerB].colorIndex += 1;
		}
	}
	for ( uint32_t i = 0; i < next[2]; ++i )
	{
		for ( uint32_t j = i + 1; j < next[2] && chains[i].flags != 0; ++j )
		{
			if ( chains[j].flags != 0 && chains[j].ownerA == chains[i].ownerA )
			{
				chains[i].ownerANext = (int32_t)j;
				break;
			}
		}
	}
}

static void list( boxddSnapshotEntry* entries, const Object* objects, int count, boxddSnapshotFacts* facts )
{
	size_t base[POOLS] = { 0 };
	for ( int pool = 0; pool < POOLS; ++pool )
	{
		base[pool] = pool == 0 ? 0 : base[pool - 1] + facts->poolNext[pool - 1];
		for ( uint32_t i = 0; i < facts->poolNext[pool]; ++i )
		{
			entries[base[pool] + i] = free_entry( (uint32_t)pool + 1, (int)i );
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		fill( entries + base[kinds[objects[i].kind] - 1] + objects[i].index1 - 1, objects + i );
	}
	for ( int pool = 0; pool < POOLS; ++pool )
	{
		int32_t order = 0;
		for ( uint32_t i = 0; i < facts->poolNext[pool]; ++i )
		{
			boxddSnapshotEntry* entry = entries + base[pool] + i;
			entry->freeOrder = entry->flags != 0 ? -1 : order++;
		}
	}
	link_entries( entries, facts->poolNext );
}

boxddSnapshotStatus boxddSnapshot_Validate( const uint8_t* image, size_t size, const boxddSnapshotLimits* limits, boxddSnapshotFacts* facts,
											boxddSnapshotEntry* entries, size_t entryCapacity, size_t* requiredEntries )
{
	int count = size > INT32_MAX ? -1 : cairn2d_box2d_list_snapshot( image, (int)size, NULL, 0 );
	if ( count < 0 )
	{
		return BOXDD_SNAPSHOT_BAD_HEADER;
	}
	Object* objects = malloc( sizeof( Object ) * (size_t)( count + 1 ) );
	if ( objects == NULL )
	{
		return BOXDD_SNAPSHOT_LIMIT_EXCEEDED;
	}
	cairn2d_box2d_list_snapshot( image, (int)size, objects, count );
	*facts = ( boxddSnapshotFacts ){
		.structSize = sizeof( boxddSnapshotFacts ),
		.version = BOXDD_SNAPSHOT_FACTS_VERSION,
		.imageBytes = size,
		.consumedBytes = size,
	};
	for ( int i = 0; i < count; ++i )
	{
		uint32_t pool = kinds[objects[i].kind] - 1;
		facts->entryCounts[pool] += 1;
		uint32_t index1 = (uint32_t)objects[i].index1;
		facts->poolNext[pool] = index1 > facts->poolNext[pool] ? index1 : facts->poolNext[pool];
	}
	size_t total = 0;
	for ( int pool = 0; pool < POOLS; ++pool )
	{
		facts->poolFree[pool] = facts->poolNext[pool] - facts->entryCounts[pool];
		total += facts->poolNext[pool];
	}
	facts->requiredEntries = total;
	*requiredEntries = total;
	boxddSnapshotStatus status = BOXDD_SNAPSHOT_OK;
	if ( total > limits->maxEntries || size > limits->maxImageBytes )
	{
		status = BOXDD_SNAPSHOT_LIMIT_EXCEEDED;
	}
	else if ( entries != NULL && entryCapacity >= total )
	{
		list( entries, objects, count, facts );
	}
	else if ( total != 0 )
	{
		status = BOXDD_SNAPSHOT_BUFFER_TOO_SMALL;
	}
	free( objects );
	return status;
}
