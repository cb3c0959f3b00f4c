/* SPDX-License-Identifier: MIT */
/* Phase 3: the one door in. Checks a command against its row of commands.def, then does it.
 * Not here: what each command does (objects.c, animate.c, camera.c, ...). Next: objects.c. */
#include "core/world/apply.h"

#include "core/base/room.h"
#include "core/world/publish.h"
#include "core/world/runs.h"
#include "core/world/select.h"

#include <string.h>

static oban_apply_function *const apply_functions[OBAN_OP_COUNT] = {
    [OBAN_OP_OBJ_CREATE] = oban_apply_obj_create,
    [OBAN_OP_OBJ_KILL] = oban_apply_obj_kill,
    [OBAN_OP_OBJ_SHOW] = oban_apply_obj_show,
    [OBAN_OP_OBJ_HIDE] = oban_apply_obj_hide,
    [OBAN_OP_ENV_SETANIM] = oban_apply_env_setanim,
    [OBAN_OP_ENV_ANIM] = oban_apply_env_anim,
    [OBAN_OP_ENV_STOP] = oban_apply_env_stop,
    [OBAN_OP_ENV_PAUSE] = oban_apply_env_pause,
    [OBAN_OP_ENV_RESUME] = oban_apply_env_resume,
    [OBAN_OP_ENV_SHOW] = oban_apply_env_show,
    [OBAN_OP_OBJ_DEFINE] = oban_apply_obj_define,
    [OBAN_OP_OBJ_PLACE] = oban_apply_obj_place,
    [OBAN_OP_CM_ANIM] = oban_apply_cm_anim,
    [OBAN_OP_CM_INTERPOLATE] = oban_apply_cm_interpolate,
    [OBAN_OP_CM_RESET] = oban_apply_cm_reset,
    [OBAN_OP_CM_DETACH] = oban_apply_cm_detach,
    [OBAN_OP_GS_FOV_SET] = oban_apply_gs_fov_set,
    [OBAN_OP_CAMERA_PLACE] = oban_apply_camera_place,
    [OBAN_OP_CM_ORBIT] = oban_apply_cm_orbit,
    [OBAN_OP_DEBUG_ENV_ANIM] = oban_apply_debug_env_anim,
    [OBAN_OP_DOOR_OPEN] = oban_apply_door_open,
    [OBAN_OP_DOOR_CLOSE] = oban_apply_door_close,
    [OBAN_OP_DOOR_JAM] = oban_apply_door_jam,
    [OBAN_OP_DOOR_UNJAM] = oban_apply_door_unjam,
    [OBAN_OP_DOOR_DEFINE] = oban_apply_door_define,
    [OBAN_OP_CHR_ENVANIM] = oban_apply_chr_envanim,
    [OBAN_OP_CHR_ENVANIM_STOP] = oban_apply_chr_envanim_stop,
};

/* ---- the checks that the table makes --------------------------------------------------------- */

static bool apply_text_clean(oban_text text)
{
    for (uint32_t i = 0; i < text.bytes; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (byte < 0x20 || byte == 0x7f) {
            return false;
        }
    }
    return true;
}

/* Whether a field's value is one that its row allows. */
static bool apply_value_good(const oban_command *command, const oban_arg_row *row)
{
    const void *at = (const char *)command + oban_field_offset(row->field);
    switch (row->type) {
    case OBAN_FIELD_I32:
        return *(const int32_t *)at >= row->lowest && *(const int32_t *)at <= row->highest;
    case OBAN_FIELD_U32:
        return *(const uint32_t *)at >= row->lowest && *(const uint32_t *)at <= row->highest;
    case OBAN_FIELD_F32:
        return *(const float *)at >= (float)row->lowest &&
               *(const float *)at <= (float)row->highest;
    case OBAN_FIELD_TEXT: {
        int64_t most = row->highest == 0 ? OBAN_CLIP_NAME_MAX : row->highest;
        const oban_text *text = at;
        return text->bytes <= most && apply_text_clean(*text);
    }
    case OBAN_FIELD_MODE:
        return (unsigned)*(const oban_camera_part *)at <= OBAN_CAMERA_BOTH;
    case OBAN_FIELD_MAT34:
        return oban_mat34_finite(at);
    case OBAN_FIELD_WHO: {
        const oban_who *who = at;
        return who->number >= 0 ? who->number <= OBAN_WHO_NUMBER_MAX
                                : who->name.bytes > 0 && who->name.bytes <= OBAN_CLIP_NAME_MAX &&
                                      apply_text_clean(who->name);
    }
    case OBAN_FIELD_BOOL:
    case OBAN_FIELD_NONE:
        break;
    }
    return true;
}

static void apply_say_wrong(const oban_arg_row *row, oban_line *line)
{
    oban_line_add(line, row->name);
    switch (row->type) {
    case OBAN_FIELD_TEXT:
        oban_line_add(line, " must be text of at most ");
        oban_line_add_i64(line, row->highest == 0 ? OBAN_CLIP_NAME_MAX : row->highest);
        oban_line_add(line, " bytes without control characters");
        break;
    case OBAN_FIELD_MODE:
        oban_line_add(line, " must be look, move or both");
        break;
    case OBAN_FIELD_MAT34:
        oban_line_add(line, " must be twelve finite numbers");
        break;
    case OBAN_FIELD_WHO:
        oban_line_add(line, " must be a name of 1 to 63 bytes or a number from 0 to 65535");
        break;
    default:
        oban_line_add(line, " must be ");
        oban_line_add_i64(line, row->lowest);
        oban_line_add(line, " to ");
        oban_line_add_i64(line, row->highest);
        break;
    }
}

/* A number that BSL was not given is 0 (behaviour 7), so one that is missing is judged as 0. */
static bool apply_may_miss(const oban_arg_row *row)
{
    bool number = row->type == OBAN_FIELD_I32 || row->type == OBAN_FIELD_U32 ||
                  row->type == OBAN_FIELD_F32 || row->type == OBAN_FIELD_BOOL;
    return row->flags == OBAN_ARG_REQUIRED && number;
}

static oban_status apply_check(const oban_command *command, oban_result *result)
{
    const oban_command_row *op = oban_command_row_of(command->op);
    for (uint32_t i = 0; i < op->arg_count; i++) {
        const oban_arg_row *row = &op->args[i];
        bool given = ((command->has >> row->field) & 1u) != 0;
        bool required = (row->flags & (OBAN_ARG_REQUIRED | OBAN_ARG_JSON_REQUIRED)) != 0;
        if (row->type == OBAN_FIELD_NONE || (!given && !required)) {
            continue;
        }
        if (!given && !apply_may_miss(row)) {
            oban_line_add(&result->message, row->name);
            oban_line_add(&result->message, " is needed");
            return oban_result_fail(result, OBAN_BAD_FIELD, row->name);
        }
        if (!apply_value_good(command, row)) {
            apply_say_wrong(row, &result->message);
            return oban_result_fail(result, OBAN_BAD_FIELD, row->name);
        }
    }
    return OBAN_OK;
}

/* ---- what a pass may do ---------------------------------------------------------------------- */

static oban_status apply_pass_limit(oban_result *result, const char *name, uint32_t limit)
{
    oban_line_add(&result->message, name);
    oban_line_add(&result->message, " is ");
    oban_line_add_u64(&result->message, limit);
    oban_line_add(&result->message, ": the commands of this tick have done so much already");
    return oban_result_fail(result, OBAN_LIMIT, NULL);
}

/* How many entries of the index lie between. */
static uint64_t apply_between(const oban_index *index, int64_t first, int64_t last)
{
    uint32_t from = oban_index_find(index, (int32_t)first, 0);
    uint32_t to = oban_index_find(index, (int32_t)last, UINT32_MAX);
    return to - from;
}

/* What a command looks at, or moves: the living of its range, the numbers that it creates, and,
 * when it changes who is alive, what stands behind them in the index (64 of them weigh as one). */
static uint64_t apply_weight(const oban_world *world, const oban_command *command)
{
    int64_t first = command->object;
    int64_t last = OBAN_HAS(command, to) ? command->to : first;
    bool creates = command->op == OBAN_OP_OBJ_CREATE;
    uint64_t weight = 1;
    if (!OBAN_HAS(command, object) || last < first || last - first >= (int64_t)OBAN_RANGE_MAX) {
        return weight; /* nothing to do, or refused */
    }
    weight += apply_between(&world->slots.live, first, last);
    weight += creates ? (uint64_t)(last - first) : 0;
    if (creates || command->op == OBAN_OP_OBJ_KILL || command->op == OBAN_OP_OBJ_DEFINE) {
        weight += apply_between(&world->slots.live, last, INT32_MAX) / 64u;
    }
    return weight;
}

static oban_status apply_take_weight(oban_world *world, const oban_command *command,
                                     oban_result *result)
{
    uint64_t weight = apply_weight(world, command);
    if (world->touched > 0 && world->touched + weight > OBAN_PASS_TOUCHED_MAX) {
        return apply_pass_limit(result, "pass_touched_max", OBAN_PASS_TOUCHED_MAX);
    }
    world->touched += weight;
    return OBAN_OK;
}

void oban_world_pass_begin(oban_world *world)
{
    world->touched = 0;
}

oban_status oban_world_apply(oban_world *world, const oban_command *command, oban_result *result)
{
    memset(result, 0, sizeof *result);
    world->results.count = 0;
    if ((unsigned)command->op >= OBAN_OP_COUNT || apply_functions[command->op] == NULL) {
        oban_line_add(&result->message, "the world has no such command");
        return oban_result_fail(result, OBAN_UNKNOWN_OP, NULL);
    }
    if (apply_check(command, result) != OBAN_OK ||
        apply_take_weight(world, command, result) != OBAN_OK) {
        return result->status;
    }
    return apply_functions[command->op](world, command, result);
}

/* ---- what the commands share ----------------------------------------------------------------- */

oban_status oban_apply_reserve(oban_world *world, oban_result *result, const oban_needs *needs)
{
    if (world->events.count > 0 &&
        (uint64_t)world->events.count + needs->events > OBAN_PASS_EVENTS_MAX) {
        return apply_pass_limit(result, "pass_events_max", OBAN_PASS_EVENTS_MAX);
    }
    oban_result_item *items = oban_room_make(&world->alloc, world->results.items,
                                             &world->results.capacity, sizeof *items, needs->items);
    if (items != NULL) {
        world->results.items = items;
    }
    if (items == NULL || !oban_publish_reserve(world, needs->events, needs->births, needs->kills) ||
        !oban_slots_reserve(&world->alloc, &world->slots, needs->fresh, needs->births) ||
        !oban_index_reserve(&world->alloc, &world->births, needs->births) ||
        !oban_index_reserve(&world->alloc, &world->fresh, needs->fresh)) {
        oban_line_add(&result->message, "memory ran out; nothing was changed");
        return oban_result_fail(result, OBAN_NO_MEMORY, NULL);
    }
    return OBAN_OK;
}

void oban_apply_item(oban_world *world, oban_result *result, const oban_object *object,
                     uint64_t ends)
{
    world->results.items[world->results.count++] = (oban_result_item){
        .object = object->number,
        .part = object->part,
        .name = oban_kind_of(object->number) == OBAN_KIND_CHARACTER ? object->name : NULL,
        .life = object->life,
        .run = object->player.run,
        .ends = ends};
    result->items = world->results.items;
    result->item_count = world->results.count;
}

oban_status oban_apply_find_clip(oban_world *world, oban_result *result, oban_text name,
                                 const oban_clip **out)
{
    bool other_case = false;
    const oban_clip *clip = oban_world_clip_find(world, name, &other_case);
    if (clip == NULL) {
        oban_world_clip_missing(world, name, &result->message);
        return oban_result_fail(result, OBAN_NO_ANIM, "anim");
    }
    if (other_case) {
        oban_line *line = oban_result_warn(result);
        oban_line_add(line, "animation '");
        oban_line_add_text(line, name);
        oban_line_add(line, "' is taken as '");
        oban_line_add(line, clip->name);
        oban_line_add(line, "', which differs in case");
    }
    *out = clip;
    return OBAN_OK;
}

static oban_status apply_limit(oban_result *result, const char *name, uint32_t limit,
                               const char *what, uint32_t there, uint32_t more)
{
    oban_line *line = &result->message;
    oban_line_add(line, name);
    oban_line_add(line, " is ");
    oban_line_add_u64(line, limit);
    oban_line_add(line, ": ");
    oban_line_add_u64(line, there);
    oban_line_add(line, what);
    oban_line_add_u64(line, more);
    oban_line_add(line, " more");
    return oban_result_fail(result, OBAN_LIMIT, "object");
}

oban_status oban_apply_check_limits(const oban_world *world, oban_result *result, uint32_t births,
                                    uint32_t fresh)
{
    uint32_t living = world->slots.live.count;
    uint32_t used = world->slots.used;
    if (births > 0 && (living > world->objects_max || births > world->objects_max - living)) {
        return apply_limit(result, "objects_max", world->objects_max,
                           " are alive and this would bring ", living, births);
    }
    if (fresh > OBAN_NUMBERS_MAX - used) {
        return apply_limit(result, "numbers_max", OBAN_NUMBERS_MAX,
                           " numbers and parts are in use and this needs ", used, fresh);
    }
    if (births > UINT32_MAX - world->next_h) {
        return apply_limit(result, "handles_max", UINT32_MAX,
                           " lives were given in this session and this needs ", world->next_h,
                           births);
    }
    return OBAN_OK;
}

void oban_apply_give_life(oban_world *world, oban_object *object)
{
    object->alive = true;
    object->life += 1;
    object->h = world->next_h++;
    object->visible = true;
    object->clip = object->record_clip;
    object->player = (oban_player){.step = 1};
    oban_runs_stand(world, object);
    oban_publish_born(world, object);
    (void)oban_publish_object_event(world, OBAN_EVENT_CREATED, object);
}

void oban_apply_take_life(oban_object *object)
{
    object->alive = false;
    object->h = 0;
    object->clip = NULL;
    object->player = (oban_player){.step = 1};
    object->origin = oban_mat34_identity();
    object->m = oban_mat34_identity();
    object->posed = false;
    object->visible = false;
    object->norotation = false;
    object->broken = false;
    object->dirty = false;
}

bool oban_apply_text(oban_world *world, oban_result *result, oban_text text, char **out)
{
    *out = NULL;
    if (text.bytes == 0) {
        return true;
    }
    *out = oban_alloc_take(&world->alloc, (size_t)text.bytes + 1);
    if (*out == NULL) {
        oban_line_add(&result->message, "memory ran out; nothing was changed");
        (void)oban_result_fail(result, OBAN_NO_MEMORY, NULL);
        return false;
    }
    memcpy(*out, text.data, text.bytes);
    (*out)[text.bytes] = '\0';
    return true;
}

void oban_apply_free_text(oban_world *world, char *text)
{
    if (text != NULL) {
        oban_alloc_give(&world->alloc, text, strlen(text) + 1);
    }
}

void oban_apply_set_text(oban_world *world, oban_object *object, char **place, char *text,
                         oban_object_stamp stamp)
{
    if (oban_text_equal(oban_text_of(*place), oban_text_of(text))) {
        oban_apply_free_text(world, text);
        return;
    }
    oban_apply_free_text(world, *place);
    *place = text;
    if (object->alive) {
        oban_publish_stamp(world, object, stamp);
    }
}
