/* SPDX-License-Identifier: MIT */
/* The state as bytes, or as a hash: one walk, whose numbers go to either. Not here: reading them
 * (load.c), which fields (state.def), the layout (fields.h). Next: load.c. */
#include "core/wild/fields.h"

#include <string.h>

/* Where numbers go: to a hash; or to bytes, which are only counted when there is no data. */
typedef struct save_out {
    oban_hash *hash;
    unsigned char *data;
    size_t bytes;
} save_out;

static void save_bytes(save_out *out, const void *data, size_t bytes)
{
    if (out->hash != NULL) {
        oban_hash_bytes(out->hash, data, bytes);
        return;
    }
    if (out->data != NULL && bytes > 0) {
        memcpy(out->data + out->bytes, data, bytes);
    }
    out->bytes += bytes;
}

static void save_number(save_out *out, uint64_t value, size_t bytes)
{
    unsigned char little[8];
    if (out->hash != NULL) {
        oban_hash_u64(out->hash, value);
        return;
    }
    for (size_t i = 0; i < bytes; i++) {
        little[i] = (unsigned char)(value >> (8 * i));
    }
    save_bytes(out, little, bytes);
}

static void save_f64(save_out *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    save_number(out, bits, 8);
}

static void save_matrix(save_out *out, const oban_mat34 *matrix)
{
    for (int i = 0; i < 12; i++) {
        uint32_t bits;
        memcpy(&bits, &matrix->m[i], sizeof bits);
        save_number(out, bits, 4);
    }
}

static void save_name(save_out *out, const char *name)
{
    size_t bytes = strlen(name);
    save_number(out, bytes, 1);
    save_bytes(out, name, bytes);
}

static void save_field(save_out *out, oban_wild_field_type type, const void *at)
{
    switch (type) {
    case OBAN_WILD_FIELD_BOOL:
        save_number(out, *(const bool *)at ? 1 : 0, 1);
        break;
    case OBAN_WILD_FIELD_U8:
        save_number(out, *(const uint8_t *)at, 1);
        break;
    case OBAN_WILD_FIELD_U32:
    case OBAN_WILD_FIELD_I32:
        save_number(out, *(const uint32_t *)at, 4);
        break;
    case OBAN_WILD_FIELD_U64:
    case OBAN_WILD_FIELD_I64:
        save_number(out, *(const uint64_t *)at, 8);
        break;
    case OBAN_WILD_FIELD_F64:
        save_f64(out, *(const double *)at);
        break;
    case OBAN_WILD_FIELD_MAT34:
        save_matrix(out, at);
        break;
    case OBAN_WILD_FIELD_NAME:
        save_name(out, at);
        break;
    }
}

static void save_table(save_out *out, oban_wild_table table, const void *thing)
{
    uint32_t count;
    const oban_wild_field *fields = oban_wild_fields(table, &count);
    for (uint32_t i = 0; i < count; i++) {
        save_field(out, fields[i].type, (const char *)thing + fields[i].offset);
    }
}

/* Where an alien stands among them all. */
static uint32_t save_alien_at(const oban_wild *wild, const oban_wild_alien *alien)
{
    return oban_wild_names_at(&wild->aliens, oban_text_of(alien->name));
}

static bool save_still_dies(const oban_wild_dying *dying)
{
    return dying->sector->life == dying->life && dying->sector->dying;
}

static void save_sectors(save_out *out, const oban_wild *wild)
{
    uint32_t dying = 0;
    save_number(out, wild->sectors.count, 4);
    for (const oban_wild_sector *at = wild->sectors.first; at != NULL; at = at->after) {
        save_table(out, OBAN_WILD_TABLE_SECTOR, at);
        save_number(out, save_alien_at(wild, at->alien), 4);
        save_number(out, at->parent != NULL ? at->parent->life : 0, 4);
    }
    for (uint32_t i = 0; i < wild->dying.count; i++) {
        dying += save_still_dies(&wild->dying.items[i]) ? 1 : 0;
    }
    save_number(out, dying, 4);
    for (uint32_t i = 0; i < wild->dying.count; i++) {
        if (save_still_dies(&wild->dying.items[i])) {
            save_number(out, wild->dying.items[i].life, 4);
        }
    }
}

static void save_action(save_out *out, const oban_wild_action *action)
{
    save_table(out, OBAN_WILD_TABLE_ACTION, action);
    save_number(out, action->role_count, 4);
    save_number(out, action->move_count, 4);
    save_number(out, action->command_count, 4);
    for (uint32_t i = 0; i < action->role_count; i++) {
        save_name(out, action->roles[i]);
    }
    for (uint32_t i = 0; i < action->move_count; i++) {
        save_table(out, OBAN_WILD_TABLE_MOVE, &action->moves[i]);
    }
    for (uint32_t i = 0; i < action->command_count; i++) {
        save_table(out, OBAN_WILD_TABLE_COMMAND, &action->commands[i]);
    }
}

static void save_doing(save_out *out, const oban_wild *wild, const oban_wild_doing *doing)
{
    save_table(out, OBAN_WILD_TABLE_DOING, doing);
    save_number(out, save_alien_at(wild, doing->alien), 4);
    save_number(out, doing->action->serial, 8);
    for (const oban_wild_track *track = doing->first; track != NULL; track = track->next_role) {
        save_number(out, track->sector->life, 4);
    }
}

static void save_all(save_out *out, const oban_wild *wild)
{
    save_table(out, OBAN_WILD_TABLE_WILD, wild);
    save_number(out, wild->aliens.count, 4);
    for (uint32_t i = 0; i < wild->aliens.count; i++) {
        save_table(out, OBAN_WILD_TABLE_ALIEN, wild->aliens.items[i].thing);
    }
    save_sectors(out, wild);
    save_number(out, wild->all_actions.count, 4);
    for (const oban_wild_action *at = wild->all_actions.first; at != NULL; at = at->after) {
        save_action(out, at);
    }
    save_number(out, wild->doings.count, 4);
    for (const oban_wild_doing *at = wild->doings.first; at != NULL; at = at->after) {
        save_doing(out, wild, at);
    }
}

size_t oban_wild_save(const oban_wild *wild, void *out, size_t capacity)
{
    save_out sizes = {NULL, NULL, OBAN_WILD_SAVE_MAGIC_BYTES + 4};
    save_all(&sizes, wild);
    size_t bytes = sizes.bytes + OBAN_WILD_SAVE_HASH_BYTES;
    if (out != NULL && bytes <= capacity) {
        save_out written = {NULL, out, 0};
        oban_hash hash;
        save_bytes(&written, OBAN_WILD_SAVE_MAGIC, OBAN_WILD_SAVE_MAGIC_BYTES);
        save_number(&written, OBAN_WILD_SAVE_VERSION, 4);
        save_all(&written, wild);
        oban_hash_start(&hash);
        oban_hash_bytes(&hash, out, written.bytes);
        save_number(&written, oban_hash_end(&hash), OBAN_WILD_SAVE_HASH_BYTES);
    }
    return bytes;
}

/* The poses of what is held follow from the rest; they go in so that a difference in the arithmetic
 * is seen at once. */
void oban_wild_hash(const oban_wild *wild, oban_hash *hash)
{
    save_out out = {hash, NULL, 0};
    save_all(&out, wild);
    for (const oban_wild_sector *at = wild->sectors.first; at != NULL; at = at->after) {
        oban_wild_pose pose;
        if (at->track == NULL) {
            continue;
        }
        oban_wild_motion_at(&at->track->chain.motion, oban_wild_now(wild), &pose);
        for (int i = 0; i < 3; i++) {
            save_number(&out, (uint64_t)pose.n[i], 8);
        }
        for (int i = 0; i < 9; i++) {
            save_f64(&out, pose.basis[i]);
        }
    }
}
