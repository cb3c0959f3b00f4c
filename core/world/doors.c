/* SPDX-License-Identifier: MIT */
/* Doors. A leaf is an object of its own kind: its player has the clip's frames, and its origin
 * makes them relative to where it stands: world(f) = transform * M(0)^-1 * M(f). Next:
 * characters.c. Source: behaviour 4; what it leaves open: docs/decisions/0016. */
#include "core/world/doors.h"

#include "core/world/apply.h"
#include "core/world/publish.h"
#include "core/world/runs.h"
#include "core/world/select.h"

#include <string.h>

/* ---- a leaf ---------------------------------------------------------------------------------- */

/* 0: it has none. */
static int32_t doors_half(const oban_object *leaf)
{
    int32_t half = leaf->clip->half_stop;
    return half > 0 && half < (int32_t)leaf->clip->frame_count ? half : 0;
}

static int32_t doors_end(const oban_object *leaf)
{
    return leaf->player.stop_frame != 0 ? leaf->player.stop_frame
                                        : (int32_t)leaf->clip->frame_count;
}

static void doors_arrive(oban_object *leaf)
{
    oban_player_stop(&leaf->player, leaf->clip);
    leaf->door = leaf->door == OBAN_DOOR_OPENING ? OBAN_DOOR_OPEN : OBAN_DOOR_CLOSED;
}

oban_stop_reason oban_doors_step(oban_object *leaf)
{
    oban_player *player = &leaf->player;
    player->frame += player->step;
    if (player->step < 0) {
        if (player->frame > player->stop_frame) {
            return OBAN_STOP_NONE;
        }
        player->frame = player->stop_frame;
        doors_arrive(leaf);
        return OBAN_STOP_STOP_FRAME;
    }
    if (player->frame < doors_end(leaf)) {
        return OBAN_STOP_NONE;
    }
    doors_arrive(leaf);
    return player->stop_frame != 0 ? OBAN_STOP_STOP_FRAME : OBAN_STOP_END;
}

/* Ticks until it arrives. */
static uint64_t doors_ticks_left(const oban_object *leaf)
{
    const oban_player *player = &leaf->player;
    int64_t left = player->step < 0 ? (int64_t)player->frame - player->stop_frame
                                    : (int64_t)doors_end(leaf) - player->frame;
    return left < 1 ? 1 : (uint64_t)left;
}

/* A run from a frame on; what goes on is replaced. */
static void doors_run(oban_world *world, oban_object *leaf, oban_door_state state, int32_t frame,
                      int32_t step, int32_t stop_frame)
{
    oban_runs_stop(world, leaf, OBAN_STOP_REPLACED);
    oban_shown before = oban_publish_look(leaf);
    leaf->door = state;
    leaf->player = (oban_player){.frame = frame,
                                 .step = step,
                                 .stop_frame = stop_frame,
                                 .run = leaf->player.run + 1,
                                 .playing = true};
    leaf->posed = true;
    leaf->dirty = true;
    oban_publish_changes(world, leaf, &before);
    oban_publish_run(oban_publish_object_event(world, OBAN_EVENT_START, leaf), &leaf->player,
                     leaf->clip, OBAN_STOP_NONE);
}

/* Returns whether there was anything to do. */
static bool doors_open(oban_world *world, oban_object *leaf)
{
    int32_t half = doors_half(leaf);
    int32_t frame = leaf->player.frame;
    if (leaf->door == OBAN_DOOR_CLOSED) {
        doors_run(world, leaf, OBAN_DOOR_OPENING, 0, 1, half);
    } else if (leaf->door == OBAN_DOOR_CLOSING && half > 0 && frame < half) {
        doors_run(world, leaf, OBAN_DOOR_OPENING, frame, 1, half); /* it was turned before */
    } else if (leaf->door == OBAN_DOOR_CLOSING && half > 0) {
        doors_run(world, leaf, OBAN_DOOR_OPENING, frame, -1, half);
    } else if (leaf->door == OBAN_DOOR_CLOSING) {
        doors_run(world, leaf, OBAN_DOOR_OPENING, frame, 1, 0);
    } else {
        return false;
    }
    return true;
}

static bool doors_close(oban_world *world, oban_object *leaf)
{
    int32_t half = doors_half(leaf);
    int32_t frame = leaf->player.frame;
    if (leaf->door != OBAN_DOOR_OPEN && leaf->door != OBAN_DOOR_OPENING) {
        return false;
    }
    if (half > 0 && (leaf->door == OBAN_DOOR_OPEN || frame > half)) {
        doors_run(world, leaf, OBAN_DOOR_CLOSING, frame, 1, 0); /* on to the end */
    } else {
        doors_run(world, leaf, OBAN_DOOR_CLOSING, frame, -1, 0);
    }
    return true;
}

/* ---- orders ---------------------------------------------------------------------------------- */

typedef struct doors_stretch {
    uint32_t first;
    uint32_t end;
} doors_stretch;

/* The leaves of a door, or NO_DOOR. */
static oban_status doors_find(oban_world *world, const oban_command *command, oban_result *result,
                              doors_stretch *out)
{
    const oban_index *live = &world->slots.live;
    int32_t number = oban_door_number(command->door);
    out->first = oban_index_find(live, number, 0);
    out->end = oban_index_find(live, number, UINT32_MAX);
    if (out->first < out->end) {
        return OBAN_OK;
    }
    oban_line_add(&result->message, "no door ");
    oban_line_add_i64(&result->message, command->door);
    /* Doors lie side by side, the highest first. */
    bool above =
        out->first > 0 && oban_kind_of(live->items[out->first - 1]->number) == OBAN_KIND_DOOR;
    bool below =
        out->end < live->count && oban_kind_of(live->items[out->end]->number) == OBAN_KIND_DOOR;
    if (!above && !below) {
        oban_line_add(&result->message, "; there are none");
    } else {
        oban_line_add(&result->message,
                      above && below ? "; the nearest are " : "; the nearest is ");
        if (below) {
            oban_line_add_i64(&result->message, oban_door_of(live->items[out->end]->number));
        }
        oban_line_add(&result->message, above && below ? " and " : "");
        if (above) {
            oban_line_add_i64(&result->message, oban_door_of(live->items[out->first - 1]->number));
        }
    }
    return oban_result_fail(result, OBAN_NO_DOOR, "door");
}

/* "door 3 is open already" */
static void doors_warn(oban_result *result, int32_t door, const char *message)
{
    oban_line *line = oban_result_warn(result);
    oban_line_add(line, "door ");
    oban_line_add_i64(line, door);
    oban_line_add(line, message);
}

typedef bool doors_order(oban_world *world, oban_object *leaf);

static oban_status doors_apply(oban_world *world, const oban_command *command, oban_result *result,
                               doors_order *order, const char *already)
{
    doors_stretch leaves;
    if (doors_find(world, command, result, &leaves) != OBAN_OK) {
        return result->status;
    }
    uint32_t count = leaves.end - leaves.first;
    const oban_needs needs = {.items = count, .events = 2 * count};
    if (oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    result->kind = OBAN_RESULT_STARTED;
    if (world->slots.live.items[leaves.first]->jammed) {
        doors_warn(result, command->door, " is jammed");
        return OBAN_OK;
    }
    for (uint32_t i = leaves.first; i < leaves.end; i++) {
        oban_object *leaf = world->slots.live.items[i];
        if (order(world, leaf)) {
            oban_apply_item(world, result, leaf, world->tick + doors_ticks_left(leaf));
        }
    }
    if (result->item_count == 0) {
        doors_warn(result, command->door, already);
    }
    return OBAN_OK;
}

oban_status oban_apply_door_open(oban_world *world, const oban_command *command,
                                 oban_result *result)
{
    return doors_apply(world, command, result, doors_open, " is open or opens already");
}

oban_status oban_apply_door_close(oban_world *world, const oban_command *command,
                                  oban_result *result)
{
    return doors_apply(world, command, result, doors_close, " is closed or closes already");
}

/* A jammed leaf that moves is paused where it is. */
static oban_status doors_jam(oban_world *world, const oban_command *command, oban_result *result,
                             bool jammed)
{
    doors_stretch leaves;
    if (doors_find(world, command, result, &leaves) != OBAN_OK) {
        return result->status;
    }
    const oban_needs needs = {.items = leaves.end - leaves.first};
    if (oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    result->kind = jammed ? OBAN_RESULT_JAMMED : OBAN_RESULT_UNJAMMED;
    for (uint32_t i = leaves.first; i < leaves.end; i++) {
        oban_object *leaf = world->slots.live.items[i];
        if (leaf->jammed == jammed) {
            continue;
        }
        oban_shown before = oban_publish_look(leaf);
        leaf->jammed = jammed;
        leaf->player.paused = jammed && leaf->player.playing;
        oban_publish_changes(world, leaf, &before);
        oban_apply_item(world, result, leaf, UINT64_MAX);
    }
    if (result->item_count == 0) {
        doors_warn(result, command->door, jammed ? " is jammed already" : " is not jammed");
    }
    return OBAN_OK;
}

oban_status oban_apply_door_jam(oban_world *world, const oban_command *command, oban_result *result)
{
    return doors_jam(world, command, result, true);
}

oban_status oban_apply_door_unjam(oban_world *world, const oban_command *command,
                                  oban_result *result)
{
    return doors_jam(world, command, result, false);
}

/* ---- door_define ----------------------------------------------------------------------------- */

/* transform * M(0)^-1. Returns BAD_FIELD when M(0) has no inverse. */
static oban_status doors_origin(const oban_clip *clip, const oban_mat34 *transform,
                                oban_result *result, oban_mat34 *out)
{
    oban_mat34 first = oban_clip_matrix(clip, 0);
    oban_mat34 inverse;
    if (!oban_mat34_inverse(&first, &inverse)) {
        oban_line_add(&result->message, "animation '");
        oban_line_add(&result->message, clip->name);
        oban_line_add(&result->message,
                      "' is flat at its frame 0: a door cannot move relative to that");
        return oban_result_fail(result, OBAN_BAD_FIELD, "anim");
    }
    *out = oban_mat34_multiply(transform, &inverse);
    return OBAN_OK;
}

/* Closed, where it stands. */
static void doors_reset(oban_world *world, oban_object *leaf, const oban_mat34 *origin)
{
    oban_runs_stop(world, leaf, OBAN_STOP_REPLACED);
    oban_shown before = oban_publish_look(leaf);
    leaf->clip = leaf->record_clip;
    leaf->player = (oban_player){.step = 1, .run = leaf->player.run};
    leaf->door = OBAN_DOOR_CLOSED;
    leaf->jammed = false;
    oban_publish_changes(world, leaf, &before);
    oban_runs_stand(world, leaf);
    leaf->origin = *origin;
}

oban_status oban_apply_door_define(oban_world *world, const oban_command *command,
                                   oban_result *result)
{
    int32_t number = oban_door_number(command->door);
    uint32_t part = OBAN_HAS(command, leaf) ? command->leaf : 0;
    oban_object *leaf = oban_index_get(&world->slots.all, number, part);
    const oban_clip *clip = NULL;
    oban_mat34 transform = OBAN_HAS(command, matrix) ? command->matrix
                           : leaf != NULL            ? leaf->record_matrix
                                                     : oban_mat34_identity();
    oban_mat34 origin;
    char *name = NULL;
    const oban_needs needs = {
        .items = 1, .events = 4, .births = leaf == NULL ? 1 : 0, .fresh = leaf == NULL ? 1 : 0};
    if (oban_apply_find_clip(world, result, command->anim, &clip) != OBAN_OK ||
        doors_origin(clip, &transform, result, &origin) != OBAN_OK ||
        oban_apply_check_limits(world, result, needs.births, needs.fresh) != OBAN_OK ||
        oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    if (OBAN_HAS(command, name) && !oban_apply_text(world, result, command->name, &name)) {
        return result->status;
    }
    bool birth = leaf == NULL;
    if (birth) {
        leaf = oban_slots_take(&world->slots, number, part);
        oban_index_splice(&world->slots.all, &leaf, 1);
    }
    leaf->listed = true;
    leaf->record_clip = clip;
    leaf->record_matrix = transform;
    if (OBAN_HAS(command, name)) {
        oban_apply_set_text(world, leaf, &leaf->name, name, OBAN_STAMP_NAME);
    }
    if (birth) {
        oban_index_splice(&world->slots.live, &leaf, 1);
        oban_apply_give_life(world, leaf);
    }
    doors_reset(world, leaf, &origin);
    result->kind = OBAN_RESULT_DEFINED;
    oban_apply_item(world, result, leaf, UINT64_MAX);
    return OBAN_OK;
}
