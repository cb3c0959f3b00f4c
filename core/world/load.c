/* SPDX-License-Identifier: MIT */
/* A saved state made the world's. All is read and checked in a world of its own first; only then
 * the two change places. Not here: the layout (save.h), which fields (state.def).
 * Next: save.h. */
#include "core/base/assert.h"
#include "core/world/camera.h"
#include "core/world/fields.h"
#include "core/world/publish.h"
#include "core/world/save.h"

#include <string.h>

/* What is read, and the first thing that was wrong with it. */
typedef struct load_in {
    const unsigned char *data;
    size_t bytes; /* without the hash */
    size_t at;
    oban_status status;
    oban_line *message;
    const oban_world *library;
    const oban_alloc *alloc;
} load_in;

/* ---- faults ---------------------------------------------------------------------------------- */

static bool load_ok(const load_in *in)
{
    return in->status == OBAN_OK;
}

/* Only the first fault is told, with where it is. */
static void load_fail(load_in *in, oban_status status, const char *what, const char *of)
{
    if (!load_ok(in)) {
        return;
    }
    in->status = status;
    oban_line_add(in->message, what);
    oban_line_add(in->message, of);
    if (status == OBAN_BAD_FILE) {
        oban_line_add(in->message, " at byte ");
        oban_line_add_u64(in->message, in->at);
    }
}

static void load_demand(load_in *in, bool condition, const char *what)
{
    if (!condition) {
        load_fail(in, OBAN_BAD_FILE, what, "");
    }
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static const unsigned char *load_bytes(load_in *in, size_t bytes)
{
    if (!load_ok(in) || in->bytes - in->at < bytes) {
        load_fail(in, OBAN_BAD_FILE, "the saved state is cut off", "");
        return NULL;
    }
    in->at += bytes;
    return in->data + in->at - bytes;
}

static uint64_t load_number(load_in *in, size_t bytes)
{
    const unsigned char *little = load_bytes(in, bytes);
    uint64_t value = 0;
    for (size_t i = 0; i < bytes && little != NULL; i++) {
        value |= (uint64_t)little[i] << (8 * i);
    }
    return value;
}

static float load_f32(load_in *in)
{
    uint32_t bits = (uint32_t)load_number(in, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void load_range(load_in *in, const oban_state_field *field, int64_t value)
{
    if (value < field->lowest || value > field->highest) {
        load_fail(in, OBAN_BAD_FILE, "the saved state has a value out of range, ", field->name);
    }
}

static void load_float(load_in *in, const oban_state_field *field, float *out)
{
    *out = load_f32(in);
    if (!(*out >= (float)field->lowest && *out <= (float)field->highest)) {
        load_fail(in, OBAN_BAD_FILE, "the saved state has a value out of range, ", field->name);
    }
}

static void load_matrix(load_in *in, const oban_state_field *field, oban_mat34 *out)
{
    for (int i = 0; i < 12; i++) {
        out->m[i] = load_f32(in);
    }
    if (!oban_mat34_finite(out)) {
        load_fail(in, OBAN_BAD_FILE, "the saved state has a matrix that is not finite, ",
                  field->name);
    }
}

/* A length and so many bytes; no NUL among them. */
static oban_text load_text(load_in *in, int64_t most)
{
    uint32_t bytes = (uint32_t)load_number(in, 4);
    const unsigned char *data = NULL;
    load_demand(in, bytes <= most, "the saved state has a text that is too long");
    data = load_bytes(in, load_ok(in) ? bytes : 0);
    for (uint32_t i = 0; i < bytes && load_ok(in); i++) {
        load_demand(in, data[i] != '\0', "the saved state has a NUL in a text");
    }
    return load_ok(in) ? (oban_text){(const char *)data, bytes} : (oban_text){NULL, 0};
}

static void load_owned_text(load_in *in, const oban_state_field *field, char **out)
{
    oban_text text = load_text(in, field->highest);
    *out = NULL;
    if (text.bytes == 0) {
        return;
    }
    *out = oban_alloc_take(in->alloc, (size_t)text.bytes + 1);
    if (*out == NULL) {
        load_fail(in, OBAN_NO_MEMORY, "memory ran out; nothing was changed", "");
        return;
    }
    memcpy(*out, text.data, text.bytes);
    (*out)[text.bytes] = '\0';
}

static void load_clip(load_in *in, const oban_clip **out)
{
    bool other_case = false;
    oban_text name = load_text(in, OBAN_CLIP_NAME_MAX);
    *out = NULL;
    if (name.bytes == 0) {
        return;
    }
    uint64_t hash = load_number(in, 8);
    const oban_clip *clip = oban_world_clip_find(in->library, name, &other_case);
    bool same_name = clip != NULL && oban_text_equal(oban_text_of(clip->name), name);
    if (load_ok(in) && (!same_name || clip->hash != hash)) {
        in->status = OBAN_NO_ANIM;
        oban_line_add(in->message, "animation '");
        oban_line_add_text(in->message, name);
        oban_line_add(in->message, same_name ? "' is another than the saved state was made with"
                                             : "', which the saved state uses, is not loaded");
    }
    *out = clip;
}

static void load_field(load_in *in, const oban_state_field *field, void *at)
{
    switch (field->type) {
    case OBAN_STATE_BOOL: {
        uint64_t value = load_number(in, 1);
        load_range(in, field, (int64_t)value);
        *(bool *)at = value != 0;
        break;
    }
    case OBAN_STATE_U32:
    case OBAN_STATE_ENUM:
        *(uint32_t *)at = (uint32_t)load_number(in, 4);
        load_range(in, field, *(uint32_t *)at);
        break;
    case OBAN_STATE_I32:
        *(int32_t *)at = (int32_t)(uint32_t)load_number(in, 4);
        load_range(in, field, *(int32_t *)at);
        break;
    case OBAN_STATE_U64:
        *(uint64_t *)at = load_number(in, 8);
        break;
    case OBAN_STATE_F32:
        load_float(in, field, at);
        break;
    case OBAN_STATE_MAT34:
        load_matrix(in, field, at);
        break;
    case OBAN_STATE_CLIP:
        load_clip(in, at);
        break;
    case OBAN_STATE_TEXT:
        load_owned_text(in, field, at);
        break;
    }
}

/* After a fault nothing more is read: what is not read stays as the thing was made. */
static void load_table(load_in *in, const oban_state_table *table, void *thing)
{
    for (uint32_t i = 0; i < table->count && load_ok(in); i++) {
        load_field(in, &table->fields[i], (char *)thing + table->fields[i].offset);
    }
}

/* ---- what must fit together ------------------------------------------------------------------ */

static void load_check_player(load_in *in, const oban_player *player)
{
    load_demand(in, player->step != 0, "the saved state has a step of 0");
    load_demand(in, !player->paused || player->playing, "the saved state pauses what stands");
}

static void load_check_object(load_in *in, const oban_world *next, const oban_object *object)
{
    bool living = object->life > 0 && object->h > 0 && object->h < next->next_h;
    bool cleared = object->h == 0 && object->clip == NULL && !object->visible && !object->broken;
    oban_kind kind = oban_kind_of(object->number);
    load_check_player(in, &object->player);
    load_demand(in, !object->player.playing || object->clip != NULL,
                "the saved state plays no animation");
    load_demand(in, kind != OBAN_KIND_DOOR || !object->alive || object->clip != NULL,
                "the saved state has a door without an animation");
    load_demand(in,
                object->number < OBAN_CHARACTER_NAMED || kind != OBAN_KIND_CHARACTER ||
                    object->name != NULL,
                "the saved state has a character without a name");
    load_demand(in, kind == OBAN_KIND_DOOR || (object->door == OBAN_DOOR_CLOSED && !object->jammed),
                "the saved state has a door that is none");
    load_demand(in, kind == OBAN_KIND_CHARACTER || !object->norotation,
                "the saved state has a character that is none");
    load_demand(in, object->posed ? object->clip != NULL : !object->player.playing,
                "the saved state has an object that plays and stands");
    load_demand(in, object->alive ? living : cleared,
                "the saved state has an object neither alive nor dead");
    load_demand(in, object->listed || object->life > 0,
                "the saved state has a number without record or life");
}

static void load_check_camera(load_in *in, const oban_camera *camera)
{
    bool orbit = camera->mode == OBAN_CAMERA_ORBIT;
    load_check_player(in, &camera->player);
    load_demand(in, !camera->player.playing || camera->clip != NULL || orbit,
                "the saved state plays no animation");
    load_demand(in, !orbit || (camera->clip == NULL && !camera->interpolating),
                "the saved state has a camera in two orders");
    load_demand(in, !camera->interpolating || camera->clip != NULL,
                "the saved state has a camera on its way to nowhere");
    load_demand(in, !camera->interpolating || camera->player.frame <= camera->ticks,
                "the saved state has a camera beyond its target");
}

/* ---- the parts ------------------------------------------------------------------------------- */

static void load_out_of_memory(load_in *in)
{
    load_fail(in, OBAN_NO_MEMORY, "memory ran out; nothing was changed", "");
}

static void load_object(load_in *in, oban_world *next)
{
    oban_slots *slots = &next->slots;
    const oban_object *before =
        slots->all.count > 0 ? slots->all.items[slots->all.count - 1] : NULL;
    oban_object *object = oban_slots_take(slots, 0, 0);
    load_table(in, oban_state_object_table(), object);
    load_check_object(in, next, object);
    bool rising = before == NULL || before->number < object->number ||
                  (before->number == object->number && before->part < object->part);
    load_demand(in, rising, "the saved state has objects out of order");
    slots->all.items[slots->all.count++] = object;
    if (object->alive) {
        slots->live.items[slots->live.count++] = object;
    }
}

/* Room comes with what is read: a wrong count cannot ask for much. */
static void load_objects(load_in *in, oban_world *next)
{
    uint64_t count = load_number(in, 4);
    load_demand(in, count <= OBAN_NUMBERS_MAX, "the saved state has too many objects");
    for (uint64_t i = 0; i < count && load_ok(in); i++) {
        if (!oban_slots_reserve(in->alloc, &next->slots, 1, 1)) {
            load_out_of_memory(in);
            return;
        }
        load_object(in, next);
    }
}

static void load_refs(load_in *in, oban_world *next)
{
    uint64_t count = load_number(in, 4);
    int64_t before = -1;
    load_demand(in, count <= OBAN_REFS_HIDDEN_MAX, "the saved state hides too many references");
    load_demand(in, count <= (in->bytes - in->at) / 4, "the saved state is cut off");
    if (!load_ok(in) || count == 0) {
        return;
    }
    next->refs.items = oban_alloc_take(in->alloc, count * sizeof *next->refs.items);
    if (next->refs.items == NULL) {
        load_out_of_memory(in);
        return;
    }
    next->refs.capacity = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++) {
        int32_t ref = (int32_t)(uint32_t)load_number(in, 4);
        load_demand(in, ref > before, "the saved state has references out of order");
        next->refs.items[next->refs.count++] = ref;
        before = ref;
    }
}

static void load_header(load_in *in)
{
    oban_hash hash;
    if (in->bytes < OBAN_SAVE_MAGIC_BYTES + 4 + OBAN_SAVE_HASH_BYTES ||
        memcmp(in->data, OBAN_SAVE_MAGIC, OBAN_SAVE_MAGIC_BYTES) != 0) {
        load_fail(in, OBAN_BAD_FILE, "this is no saved state", "");
        return;
    }
    in->at = OBAN_SAVE_MAGIC_BYTES;
    load_demand(in, load_number(in, 4) == OBAN_SAVE_VERSION,
                "the saved state is of another version");
    size_t begin = in->at;
    in->at = in->bytes - OBAN_SAVE_HASH_BYTES;
    uint64_t stored = load_number(in, OBAN_SAVE_HASH_BYTES);
    in->bytes -= OBAN_SAVE_HASH_BYTES;
    in->at = begin;
    oban_hash_start(&hash);
    oban_hash_bytes(&hash, in->data, in->bytes);
    load_demand(in, stored == oban_hash_end(&hash), "the saved state is damaged or cut off");
}

static void load_all(load_in *in, oban_world *next)
{
    load_header(in);
    load_table(in, oban_state_world_table(), next);
    load_objects(in, next);
    load_table(in, oban_state_camera_table(), &next->camera);
    load_check_camera(in, &next->camera);
    load_refs(in, next);
    load_demand(in, in->at == in->bytes, "the saved state goes on behind its end");
    if (load_ok(in) && next->slots.live.count > next->objects_max) {
        in->status = OBAN_LIMIT;
        oban_line_add(in->message, "objects_max is ");
        oban_line_add_u64(in->message, next->objects_max);
        oban_line_add(in->message, "; in the saved state are alive ");
        oban_line_add_u64(in->message, next->slots.live.count);
    }
}

/* ---- the change of places -------------------------------------------------------------------- */

/* What was shown and is not shown in the same life any more is gone. */
static void load_tell_gone(oban_world *world, const oban_world *next)
{
    for (uint32_t i = 0; i < world->slots.live.count; i++) {
        const oban_object *was = world->slots.live.items[i];
        const oban_object *is = oban_index_get(&next->slots.live, was->number, was->part);
        if (!was->broken && (is == NULL || is->life != was->life || is->broken)) {
            oban_publish_gone(world, was);
        }
    }
}

static void load_take_over(oban_world *world, oban_world *next)
{
    oban_alloc alloc = world->alloc;
    load_tell_gone(world, next);
    oban_slots_fini(&alloc, &world->slots);
    oban_alloc_give(&alloc, world->refs.items, world->refs.capacity * sizeof *world->refs.items);
    world->tick = next->tick;
    world->rng = next->rng;
    world->next_h = next->next_h;
    world->scene_loaded = next->scene_loaded;
    world->slots = next->slots;
    world->camera = next->camera;
    world->refs = next->refs;
    for (uint32_t i = 0; i < world->slots.live.count; i++) {
        oban_object *object = world->slots.live.items[i];
        object->dirty = object->posed;
        oban_publish_born(world, object);
    }
    world->camera.dirty = world->camera.clip != NULL || world->camera.mode == OBAN_CAMERA_ORBIT;
    oban_publish_touch_camera(world);
    oban_publish_touch_refs(world);
}

oban_status oban_world_load(oban_world *world, const void *data, size_t bytes, oban_line *message)
{
    load_in in = {data, bytes, 0, OBAN_OK, message, world, &world->alloc};
    oban_world next;
    oban_line_clear(message);
    memset(&next, 0, sizeof next);
    next.objects_max = world->objects_max;
    oban_camera_init(&next.camera);
    load_all(&in, &next);
    if (load_ok(&in) &&
        !oban_publish_reserve(world, 0, next.slots.live.count, world->slots.live.count)) {
        load_out_of_memory(&in);
    }
    if (load_ok(&in)) {
        load_take_over(world, &next);
        return OBAN_OK;
    }
    oban_slots_fini(&world->alloc, &next.slots);
    oban_alloc_give(&world->alloc, next.refs.items, next.refs.capacity * sizeof *next.refs.items);
    return in.status;
}
