/* SPDX-License-Identifier: MIT */
/* The inside of the world, for the files of this folder alone.
 * Not here: what others may see of it (world.h, object.h), which of it is state (state.def).
 * Next: tick.c. */
#ifndef OBAN_WORLD_STATE_H
#define OBAN_WORLD_STATE_H

#include "core/anim/batch.h"
#include "core/base/rng.h"
#include "core/world/slots.h"
#include "core/world/world.h"

struct oban_world {
    oban_alloc alloc;
    uint32_t objects_max;
    uint32_t anims_max;

    /* state: state.def says which of it, and how */
    uint64_t tick;
    oban_rng rng;
    uint32_t next_h;
    bool scene_loaded;
    oban_slots slots;
    oban_camera camera;
    struct {
        int32_t *items; /* rising */
        uint32_t count;
        uint32_t capacity;
        uint64_t touched; /* publication bookkeeping, no state */
    } refs;

    /* the library: clips by rising name; no state */
    struct {
        oban_clip **items;
        uint32_t count;
        uint32_t capacity;
    } clips;

    /* publication bookkeeping, no state */
    uint64_t publication;
    uint64_t changed;
    struct {
        oban_event *items;
        uint32_t count;
        uint32_t capacity;
    } events;
    struct {
        oban_gone *items;
        uint32_t count;
        uint32_t capacity;
    } gone;

    /* what phase 4 works in: a slot for each object alive, by its place in slots.live */
    oban_batch *batch;

    uint64_t touched; /* by the commands of this pass; no state */

    /* what a command works in */
    struct {
        oban_result_item *items;
        uint32_t count;
        uint32_t capacity;
    } results;
    oban_path_place path[OBAN_PATH_MAX];
    oban_index births; /* objects that the command brings to life, rising */
    oban_index fresh;  /* those of them whose slots are new */
};

#endif
