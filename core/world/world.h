/* SPDX-License-Identifier: MIT */
/* The world: objects, one camera, their animations, and what a tick does with them. Pure and
 * deterministic: equal definitions, equal clips and equal commands at equal ticks give equal
 * hashes, whatever the compiler and its optimisation.
 *
 *   oban_world_tick_begin(w);            phases 1 and 2 of the next tick: autostart, step
 *   oban_world_apply(w, &cmd, &result);  phase 3, once per command in arrival order
 *   oban_world_tick_end(w);              phase 4: matrices; the publication number rises
 *   oban_world_events(w, &n);            phase 5: read, send, then oban_world_events_clear
 *
 * While time is held only apply, tick_end and events run, for the present tick. See tick.c.
 * Not here: clocks, queues, JSON.
 * Next: tick.c, state.def. */
#ifndef OBAN_WORLD_WORLD_H
#define OBAN_WORLD_WORLD_H

#include "core/anim/clip.h"
#include "core/base/alloc.h"
#include "core/base/status.h"
#include "core/world/command.h"
#include "core/world/event.h"
#include "core/world/object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBAN_RANGE_MAX 65536u     /* numbers that a range may span; protocol 2 */
#define OBAN_NUMBERS_MAX 1048576u /* numbers and parts that ever lived or have a record; ours */
/* What the commands of one pass of phase 3 may do together; a single one may always be done. So no
 * client can hold a tick up, or fill memory with its events, for long. Ours. */
#define OBAN_PASS_TOUCHED_MAX 1048576u /* objects looked at */
#define OBAN_PASS_EVENTS_MAX 262144u   /* events of one publication */
#define OBAN_REFS_HIDDEN_MAX 65536u    /* references hidden at once; ours */

typedef struct oban_world oban_world;

typedef struct oban_world_def {
    oban_alloc alloc;
    uint64_t seed;
    uint32_t objects_max; /* alive at once */
    uint32_t anims_max;
    bool scene_loaded; /* then a range of obj_create makes only numbers that have records; behaviour
                          4 */
} oban_world_def;

/* Returns OK or NO_MEMORY. Owns: give it back with oban_world_destroy, which destroys the clips
 * too. */
oban_status oban_world_create(const oban_world_def *def, oban_world **out);
void oban_world_destroy(oban_world *world);

/* ---- the library of clips
 * ------------------------------------------------------------------------ */

/* Takes a clip into the library. Returns OK (the world owns it now), LIMIT (anims_max), BAD_CLIP
 * (the name is taken), NO_MEMORY; on failure the caller still owns it. */
oban_status oban_world_clip_add(oban_world *world, oban_clip *clip);
uint32_t oban_world_clip_count(const oban_world *world);
/* In byte order of their names. */
const oban_clip *oban_world_clip_at(const oban_world *world, uint32_t index);
/* By exact name, else by one that differs in ASCII case only (*other_case then). A leading OBAN is
 * dropped when nothing of the whole name is there. NULL: none. Source: behaviour 9. */
const oban_clip *oban_world_clip_find(const oban_world *world, oban_text name, bool *other_case);
/* Adds "no animation 'x'; the nearest are 'y' and 'z'" to the line. */
void oban_world_clip_missing(const oban_world *world, oban_text name, oban_line *line);

/* ---- time
 * ------------------------------------------------------------------------------------------ */

uint64_t oban_world_tick(const oban_world *world);
/* Raises the tick; autostart; one step of all that plays. Events that were not read are forgotten,
 * so that there is room for those of this tick. Allocates nothing. */
void oban_world_tick_begin(oban_world *world);
/* Begins a pass of phase 3: what its commands may do together is counted anew. */
void oban_world_pass_begin(oban_world *world);
/* Does one command at the present tick; LIMIT when the pass has done too much. A failed one changed
 * nothing (the hash is the same). May allocate. Returns result->status. */
oban_status oban_world_apply(oban_world *world, const oban_command *command, oban_result *result);
/* Evaluates the matrices of what moved and raises the publication number. Allocates nothing. */
void oban_world_tick_end(oban_world *world);

/* ---- what came about
 * --------------------------------------------------------------------------------- */

const oban_event *oban_world_events(const oban_world *world, uint32_t *count);
void oban_world_events_clear(oban_world *world);

/* ---- what is published
 * -------------------------------------------------------------------------------- */

/* The number of the newest publication; it rises with each oban_world_tick_end. */
uint64_t oban_world_publication(const oban_world *world);
/* The newest publication in which anything that frames show has changed. */
uint64_t oban_world_changed(const oban_world *world);
/* All that is alive, by rising (number, part): characters, doors, objects (oban_kind_of). */
uint32_t oban_world_live_count(const oban_world *world);
const oban_object *oban_world_live_at(const oban_world *world, uint32_t index);
/* One of them, or NULL. */
const oban_object *oban_world_object(const oban_world *world, int32_t number, uint32_t part);
/* "no object 33; the nearest are 3 and 30" */
void oban_world_object_missing(const oban_world *world, int32_t number, oban_line *line);
/* An object's m as of now, also between apply and tick_end (for queries in the middle of a pass).
 */
oban_mat34 oban_world_object_matrix(const oban_world *world, const oban_object *object);
const oban_camera *oban_world_camera(const oban_world *world);
/* The camera as of now, also between apply and tick_end. */
oban_mat34 oban_world_camera_matrix(const oban_world *world);
/* Whether the camera has not yet ended what it does (cm_wait, ..._block). */
static inline bool oban_world_camera_busy(const oban_world *world)
{
    return oban_camera_busy(oban_world_camera(world));
}
/* Whether an animation carries somebody (chr_envanim_block). */
bool oban_world_carried(const oban_world *world, const oban_who *who);
/* The leaves of doors, or the characters, among the living: first to *end - 1. */
uint32_t oban_world_live_of(const oban_world *world, oban_kind kind, uint32_t *end);
/* The hidden references, rising, and the publication in which the list last changed. */
const int32_t *oban_world_hidden_refs(const oban_world *world, uint32_t *count, uint64_t *touched);
/* What is gone and may still be shown by a client. */
const oban_gone *oban_world_gone(const oban_world *world, uint32_t *count);
/* Forgets what no client can still show: `seen` are the publications that clients last got (any
 * order). A thing is kept while some P of them has born <= P < gone. */
void oban_world_gone_prune(oban_world *world, const uint64_t *seen, uint32_t count);

/* ---- state
 * ---------------------------------------------------------------------------------------------- */

/* The hash of the whole state (clips by name and content, only those in use). Between ticks and
 * while time is held. Source: state.def. */
uint64_t oban_world_hash(const oban_world *world);
/* The state as bytes. Returns the size; writes only when `capacity` holds it (call with NULL, 0
 * first). */
size_t oban_world_save(const oban_world *world, void *out, size_t capacity);
/* Makes the world what was saved. The library must hold the clips in use, of the same content.
 * Returns OK; BAD_FILE (not a saved state, cut off, inconsistent), NO_ANIM (a clip is missing or
 * another), LIMIT, NO_MEMORY; then nothing has changed. `message` says where. */
oban_status oban_world_load(oban_world *world, const void *data, size_t bytes, oban_line *message);

#endif
