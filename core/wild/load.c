/* SPDX-License-Identifier: MIT */
/* A saved state made this one's. All is read and checked in a wild of its own first; only then the
 * two change places. What follows from the state (motions, timers) is worked out anew, so that no
 * saved number can disagree with it. Not here: the layout (fields.h). Next: fields.h. */
#include "core/base/room.h"
#include "core/wild/fields.h"

#include <string.h>

/* What is read, and the first thing that was wrong with it. */
typedef struct load_in {
    const unsigned char *data;
    size_t bytes; /* without the hash */
    size_t at;
    oban_status status;
    oban_line *message;
    oban_wild *next;
} load_in;

/* ---- faults ---------------------------------------------------------------------------------- */

static bool load_ok(const load_in *in)
{
    return in->status == OBAN_OK;
}

/* Only the first fault is told, with where it is. */
static void load_demand(load_in *in, bool condition, const char *what)
{
    if (condition || !load_ok(in)) {
        return;
    }
    in->status = OBAN_BAD_FILE;
    oban_line_add(in->message, "the saved wild state ");
    oban_line_add(in->message, what);
    oban_line_add(in->message, " at byte ");
    oban_line_add_u64(in->message, in->at);
}

static void load_demand_room(load_in *in, bool there)
{
    if (!there && load_ok(in)) {
        in->status = OBAN_NO_MEMORY;
        oban_line_add(in->message, "memory ran out; nothing was changed");
    }
}

static void load_demand_limit(load_in *in, uint64_t count, uint32_t limit, const char *name)
{
    if (count > limit && load_ok(in)) {
        in->status = OBAN_LIMIT;
        oban_line_add(in->message, name);
        oban_line_add(in->message, " is ");
        oban_line_add_u64(in->message, limit);
        oban_line_add(in->message, "; in the saved state are ");
        oban_line_add_u64(in->message, count);
    }
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static const unsigned char *load_bytes(load_in *in, size_t bytes)
{
    load_demand(in, in->bytes - in->at >= bytes, "is cut off");
    if (!load_ok(in)) {
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

/* A count of things that take at least so many bytes each: so a wrong one cannot ask for much. */
static uint32_t load_count(load_in *in, size_t least)
{
    uint64_t count = load_number(in, 4);
    load_demand(in, count <= (in->bytes - in->at) / least, "is cut off");
    return load_ok(in) ? (uint32_t)count : 0;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void load_name(load_in *in, char out[OBAN_WILD_NAME_MAX + 1])
{
    oban_wild_result result;
    size_t bytes = (size_t)load_number(in, 1);
    oban_text name = {(const char *)load_bytes(in, bytes), (uint32_t)bytes};
    oban_wild_result_clear(&result);
    if (load_ok(in)) {
        load_demand(in, oban_wild_name_fits(&result, "", name), "has a name that is none");
    }
    if (load_ok(in)) {
        oban_wild_name_copy(out, name);
    }
}

static void load_f64(load_in *in, double *out)
{
    uint64_t bits = load_number(in, 8);
    memcpy(out, &bits, sizeof *out);
    load_demand(in, (bits & 0x7ff0000000000000u) != 0x7ff0000000000000u,
                "has a number that is not finite");
}

static void load_matrix(load_in *in, oban_mat34 *out)
{
    for (int i = 0; i < 12; i++) {
        uint32_t bits = (uint32_t)load_number(in, 4);
        memcpy(&out->m[i], &bits, sizeof bits);
    }
    load_demand(in, oban_mat34_finite(out), "has a matrix that is not finite");
}

static void load_whole(load_in *in, const oban_wild_field *field, void *at)
{
    size_t bytes = 8;
    uint64_t value;
    if (field->type == OBAN_WILD_FIELD_BOOL || field->type == OBAN_WILD_FIELD_U8) {
        bytes = 1;
    } else if (field->type == OBAN_WILD_FIELD_U32 || field->type == OBAN_WILD_FIELD_I32) {
        bytes = 4;
    }
    value = load_number(in, bytes);
    int64_t whole =
        field->type == OBAN_WILD_FIELD_I32 ? (int64_t)(int32_t)(uint32_t)value : (int64_t)value;
    load_demand(in, whole >= field->lowest && whole <= field->highest, "has a value out of range");
    if (!load_ok(in)) {
        return;
    }
    if (field->type == OBAN_WILD_FIELD_BOOL) {
        *(bool *)at = value != 0;
    } else if (field->type == OBAN_WILD_FIELD_U8) {
        *(uint8_t *)at = (uint8_t)value;
    } else if (bytes == 4) {
        *(uint32_t *)at = (uint32_t)value;
    } else {
        *(uint64_t *)at = value;
    }
}

/* After a fault nothing more is put: what is not read stays as the thing was made. */
static void load_table(load_in *in, oban_wild_table table, void *thing)
{
    uint32_t count;
    const oban_wild_field *fields = oban_wild_fields(table, &count);
    for (uint32_t i = 0; i < count && load_ok(in); i++) {
        void *at = (char *)thing + fields[i].offset;
        if (fields[i].type == OBAN_WILD_FIELD_F64) {
            load_f64(in, at);
        } else if (fields[i].type == OBAN_WILD_FIELD_MAT34) {
            load_matrix(in, at);
        } else if (fields[i].type == OBAN_WILD_FIELD_NAME) {
            load_name(in, at);
        } else {
            load_whole(in, &fields[i], at);
        }
    }
}

/* ---- aliens and sectors ---------------------------------------------------------------------- */

static void load_aliens(load_in *in)
{
    oban_wild *next = in->next;
    uint32_t count = load_count(in, 2);
    load_demand_limit(in, count, next->limits.aliens_max, "aliens_max");
    for (uint32_t i = 0; i < count && load_ok(in); i++) {
        load_demand_room(in, oban_wild_names_reserve(&next->alloc, &next->aliens, 1) &&
                                 oban_wild_pool_reserve(&next->alloc, &next->alien_pool, 1));
        if (!load_ok(in)) {
            return;
        }
        oban_wild_alien *alien = oban_wild_pool_take(&next->alien_pool);
        load_table(in, OBAN_WILD_TABLE_ALIEN, alien);
        oban_text name = oban_text_of(alien->name);
        load_demand(in,
                    oban_wild_names_at(&next->aliens, name) == i &&
                        oban_wild_names_find(&next->aliens, name) == NULL,
                    "has aliens out of order");
        next->aliens.items[next->aliens.count++] = (oban_wild_entry){name, alien, 0};
    }
}

/* The sector of a life; NULL: none. All that were read are dirty, in the order of their lives. */
static oban_wild_sector *load_find_life(const load_in *in, uint64_t life)
{
    const oban_wild *next = in->next;
    uint32_t low = 0;
    uint32_t high = next->sectors.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (next->dirty.items[middle]->life < life) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool there = low < next->sectors.count && next->dirty.items[low]->life == life;
    return there ? next->dirty.items[low] : NULL;
}

static void load_sector(load_in *in, oban_wild_sector *sector)
{
    oban_wild *next = in->next;
    const oban_wild_sector *before = next->sectors.last;
    load_table(in, OBAN_WILD_TABLE_SECTOR, sector);
    uint64_t alien = load_number(in, 4);
    uint64_t parent = load_number(in, 4);
    load_demand(in, alien < next->aliens.count, "has a sector of no alien");
    load_demand(in, oban_wild_basis_fits(sector->rest.basis), "has a basis that is none");
    load_demand(in,
                sector->life < next->next_life && (before == NULL || before->life < sector->life),
                "has sectors out of order");
    if (!load_ok(in)) {
        return;
    }
    sector->alien = next->aliens.items[alien].thing;
    sector->parent = load_find_life(in, parent);
    sector->depth = sector->parent != NULL ? sector->parent->depth + 1 : 1;
    load_demand(in, parent == 0 || sector->parent != NULL, "has a sector with no such parent");
    load_demand(in, sector->parent == NULL || sector->parent->alien == sector->alien,
                "has a sector with a parent of another alien");
    load_demand(in, sector->depth <= OBAN_WILD_DEPTH_MAX, "has sectors too deep");
    load_demand_room(in, oban_wild_names_reserve(&next->alloc, &sector->alien->sectors, 1));
}

static void load_dying(load_in *in)
{
    oban_wild *next = in->next;
    uint32_t count = load_count(in, 4);
    for (uint32_t i = 0; i < count && load_ok(in); i++) {
        oban_wild_sector *sector = load_find_life(in, load_number(in, 4));
        load_demand(in, sector != NULL && !sector->dying, "lets die what is not there");
        if (load_ok(in)) {
            sector->dying = true;
            next->dying.items[next->dying.count++] =
                (oban_wild_dying){sector, sector->life, next->tick};
        }
    }
}

static void load_sectors(load_in *in)
{
    oban_wild *next = in->next;
    uint32_t count = load_count(in, 2);
    load_demand_limit(in, count, next->limits.sectors_max, "sectors_max");
    for (uint32_t i = 0; i < count && load_ok(in); i++) {
        load_demand_room(in, oban_wild_reserve(next, 1, 0, 0));
        if (!load_ok(in)) {
            return;
        }
        oban_wild_sector *sector = oban_wild_pool_take(&next->sector_pool);
        load_sector(in, sector);
        if (load_ok(in)) {
            oban_wild_names *names = &sector->alien->sectors;
            names->items[names->count++] = (oban_wild_entry){oban_text_of(sector->name), sector, 0};
            oban_wild_sector_link(next, sector);
        }
    }
    for (uint32_t i = 0; i < next->aliens.count && load_ok(in); i++) {
        oban_wild_alien *alien = next->aliens.items[i].thing;
        oban_wild_names_sort(&alien->sectors);
        load_demand(in, oban_wild_names_twice(&alien->sectors) == NULL, "names a sector twice");
    }
    load_dying(in);
}

/* ---- actions --------------------------------------------------------------------------------- */

static void load_moves(load_in *in, oban_wild_action *action)
{
    uint64_t commands = 0;
    for (uint32_t i = 0; i < action->move_count && load_ok(in); i++) {
        oban_wild_move *move = &action->moves[i];
        load_table(in, OBAN_WILD_TABLE_MOVE, move);
        move->first = (uint32_t)commands;
        commands += load_ok(in) ? move->count : 0;
        load_demand(in, commands <= action->command_count, "has moves with too many commands");
        load_demand(in, load_ok(in) && move->role < action->role_count, "has a move of no sector");
        load_demand(in, i == 0 || (load_ok(in) && move->start >= move[-1].start),
                    "has moves out of order");
    }
    load_demand(in, commands == action->command_count, "has commands of no move");
    for (uint32_t i = 0; i < action->command_count && load_ok(in); i++) {
        load_table(in, OBAN_WILD_TABLE_COMMAND, &action->commands[i]);
        load_demand(in, load_ok(in) && oban_wild_target_word(action->commands[i].target) != NULL,
                    "has a command with no target");
    }
}

/* What wild_define sees to. */
static void load_check_action(load_in *in, oban_wild_action *action)
{
    const oban_wild_pose anywhere = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    oban_wild_action_settle(action);
    for (uint32_t role = 0; role < action->role_count && load_ok(in); role++) {
        oban_wild_chain chain;
        uint64_t breaks;
        const oban_wild_move *move = NULL;
        for (uint32_t i = action->first[role] + 1; i < action->first[role + 1]; i++) {
            load_demand(in,
                        action->moves[action->by_role[i]].start !=
                            action->moves[action->by_role[i - 1]].start,
                        "has two moves of one start");
        }
        oban_wild_chain_open(&chain, action, role, 0, &anywhere);
        load_demand(in, oban_wild_chain_check(chain, true, &breaks, &move) == OBAN_WILD_CHAIN_FITS,
                    "has an action that does not fit");
    }
}

/* The arrays, once the counts are known; then what is in them. */
static void load_action_body(load_in *in, oban_wild_action *action)
{
    for (uint32_t i = 0; i < action->role_count && load_ok(in); i++) {
        load_name(in, action->roles[i]);
    }
    load_moves(in, action);
    if (load_ok(in)) {
        load_check_action(in, action);
    }
}

static void load_action(load_in *in)
{
    oban_wild *next = in->next;
    oban_wild_action head;
    memset(&head, 0, sizeof head);
    load_table(in, OBAN_WILD_TABLE_ACTION, &head);
    uint32_t roles = load_count(in, 2);
    uint32_t moves = load_count(in, 16);
    uint32_t commands = load_count(in, 6);
    load_demand(in, roles > 0, "has an action of no sectors");
    load_demand_limit(in, roles, next->limits.roles_max, "roles_max");
    load_demand_limit(in, moves, next->limits.moves_max, "moves_max");
    load_demand_limit(in, commands, next->limits.commands_max, "commands_max");
    load_demand_room(in, oban_wild_names_reserve(&next->alloc, &next->actions, 1));
    if (!load_ok(in)) {
        return;
    }
    oban_wild_action *action = oban_wild_action_make(next, roles, moves, commands);
    load_demand_room(in, action != NULL);
    if (action == NULL) {
        return;
    }
    memcpy(action->name, head.name, sizeof action->name);
    action->serial = head.serial;
    action->named = head.named;
    action->remove = head.remove;
    load_demand(in,
                head.serial < next->next_action && (next->all_actions.last == NULL ||
                                                    next->all_actions.last->serial < head.serial),
                "has actions out of order");
    OBAN_WILD_LIST_ADD(&next->all_actions, action);
    load_action_body(in, action);
    if (action->named) {
        oban_text name = oban_text_of(action->name);
        load_demand(in, oban_wild_names_find(&next->actions, name) == NULL,
                    "names an action twice");
        oban_wild_names_put(&next->actions, name, action);
    }
}

static void load_actions(load_in *in)
{
    uint32_t count = load_count(in, 2);
    load_demand_limit(in, count, in->next->limits.actions_max, "actions_max");
    for (uint32_t i = 0; i < count && load_ok(in); i++) {
        load_action(in);
    }
}

/* ---- doings ---------------------------------------------------------------------------------- */

static oban_wild_action *load_find_action(const oban_wild *next, uint64_t serial)
{
    for (oban_wild_action *at = next->all_actions.first; at != NULL; at = at->after) {
        if (at->serial == serial) {
            return at;
        }
    }
    return NULL;
}

/* The sectors of a doing, from the lives that follow, into `work`. */
static void load_doing_sectors(load_in *in, const oban_wild_action *action,
                               const oban_wild_alien *alien)
{
    oban_wild *next = in->next;
    uint32_t read = 0;
    for (; read < action->role_count && load_ok(in); read++) {
        oban_wild_sector *sector = load_find_life(in, load_number(in, 4));
        bool free_one = sector != NULL && sector->alien == alien && sector->track == NULL &&
                        !sector->dying && !sector->marked;
        load_demand(in, free_one, "has a doing on what is not there or not free");
        if (!free_one) {
            break;
        }
        sector->marked = true;
        next->work.items[read] = sector;
    }
    for (uint32_t i = 0; i < read; i++) {
        next->work.items[i]->marked = false;
    }
}

/* Starts it as its command did; it must fit, and not have ended. */
static void load_start_doing(load_in *in, oban_wild_alien *alien, oban_wild_action *action,
                             const oban_wild_doing *head)
{
    oban_wild *next = in->next;
    oban_wild_result result;
    oban_wild_result_clear(&result);
    bool fits = oban_wild_doing_fits(next, action, head->started, &result);
    load_demand(in, fits, "has a doing whose motion does not fit");
    if (fits) {
        const oban_wild_doing *doing =
            oban_wild_doing_start(next, alien, action, head->number, head->started);
        load_demand(in, doing->ends > oban_wild_now(next), "has a doing that has ended");
    }
}

static void load_doing(load_in *in)
{
    oban_wild *next = in->next;
    oban_wild_doing head;
    memset(&head, 0, sizeof head);
    load_table(in, OBAN_WILD_TABLE_DOING, &head);
    uint64_t alien = load_number(in, 4);
    oban_wild_action *action = load_find_action(next, load_number(in, 8));
    load_demand(in, alien < next->aliens.count, "has a doing of no alien");
    load_demand(in, action != NULL, "has a doing of no action");
    load_demand(in,
                head.number < next->next_doing &&
                    (next->doings.last == NULL || next->doings.last->number < head.number),
                "has doings out of order");
    if (!load_ok(in)) {
        return;
    }
    load_demand_room(in, oban_wild_reserve(next, 0, 1, action->role_count));
    if (load_ok(in)) {
        load_doing_sectors(in, action, next->aliens.items[alien].thing);
    }
    if (load_ok(in)) {
        load_start_doing(in, next->aliens.items[alien].thing, action, &head);
    }
}

static void load_doings(load_in *in)
{
    uint32_t count = load_count(in, 2);
    load_demand_limit(in, count, in->next->limits.doings_max, "doings_max");
    for (uint32_t i = 0; i < count && load_ok(in); i++) {
        load_doing(in);
    }
    for (const oban_wild_action *at = in->next->all_actions.first; at != NULL; at = at->after) {
        load_demand(in, at->named || at->uses > 0, "has an action of no use");
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static void load_header(load_in *in)
{
    oban_hash hash;
    bool ours = in->bytes >= OBAN_WILD_SAVE_MAGIC_BYTES + 4 + OBAN_WILD_SAVE_HASH_BYTES &&
                memcmp(in->data, OBAN_WILD_SAVE_MAGIC, OBAN_WILD_SAVE_MAGIC_BYTES) == 0;
    load_demand(in, ours, "is none");
    if (!ours) {
        return;
    }
    in->at = in->bytes - OBAN_WILD_SAVE_HASH_BYTES;
    uint64_t stored = load_number(in, OBAN_WILD_SAVE_HASH_BYTES);
    in->bytes -= OBAN_WILD_SAVE_HASH_BYTES;
    in->at = OBAN_WILD_SAVE_MAGIC_BYTES;
    load_demand(in, load_number(in, 4) == OBAN_WILD_SAVE_VERSION, "is of another version");
    oban_hash_start(&hash);
    oban_hash_bytes(&hash, in->data, in->bytes);
    load_demand(in, stored == oban_hash_end(&hash), "is damaged or cut off");
}

/* Room to tell what is gone. Whatever was shown before is gone, and what is there is new. */
static bool load_tell_gone(const oban_wild *wild, oban_wild *next)
{
    oban_wild_gone *items =
        oban_room_make(&next->alloc, next->gone.items, &next->gone.capacity, sizeof *items,
                       (uint64_t)wild->gone.count + wild->sectors.count + next->sectors.count);
    if (items == NULL) {
        return false;
    }
    next->gone.items = items;
    if (wild->gone.count > 0) {
        memcpy(items, wild->gone.items, wild->gone.count * sizeof *items);
    }
    next->gone.count = wild->gone.count;
    for (const oban_wild_sector *at = wild->sectors.first; at != NULL; at = at->after) {
        oban_wild_gone *gone = &items[next->gone.count++];
        memcpy(gone->alien, at->alien->name, sizeof gone->alien);
        memcpy(gone->sector, at->name, sizeof gone->sector);
        gone->life = at->life;
        gone->h = at->h;
        gone->born = at->born;
    }
    next->altered = true;
    next->changed = wild->changed;
    return true;
}

oban_status oban_wild_load(oban_wild *wild, const void *data, size_t bytes, oban_line *message)
{
    oban_wild *next;
    oban_line_clear(message);
    if (oban_wild_create(&wild->alloc, &wild->limits, 0, &next) != OBAN_OK) {
        oban_line_add(message, "memory ran out; nothing was changed");
        return OBAN_NO_MEMORY;
    }
    load_in in = {data, bytes, 0, OBAN_OK, message, next};
    load_header(&in);
    load_table(&in, OBAN_WILD_TABLE_WILD, next);
    load_aliens(&in);
    load_sectors(&in);
    load_actions(&in);
    load_doings(&in);
    load_demand(&in, in.at == in.bytes, "goes on behind its end");
    load_demand_room(&in, !load_ok(&in) || load_tell_gone(wild, next));
    if (load_ok(&in)) {
        oban_wild other = *wild;
        *wild = *next;
        *next = other;
    }
    oban_wild_destroy(next);
    return in.status;
}
