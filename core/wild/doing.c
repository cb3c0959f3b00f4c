/* SPDX-License-Identifier: MIT */
/* Doings from their start to their one stop. Not here: when they end by themselves (step.c).
 * Next: step.c. */
#include "core/wild/state.h"

#include "core/base/assert.h"

#include <string.h>

/* ---- tracks ---------------------------------------------------------------------------------- */

static void doing_set_active(oban_wild *wild, oban_wild_track *track, bool active)
{
    if (active && track->active == 0) {
        OBAN_ASSERT(wild->active.count < wild->active.capacity);
        wild->active.items[wild->active.count++] = track;
        track->active = wild->active.count;
    } else if (!active && track->active != 0) {
        oban_wild_track *last = wild->active.items[wild->active.count - 1];
        wild->active.items[track->active - 1] = last;
        last->active = track->active;
        wild->active.count -= 1;
        track->active = 0;
    }
}

void oban_wild_track_update(oban_wild *wild, oban_wild_track *track)
{
    uint64_t now = oban_wild_now(wild);
    oban_wild_chain_advance(&track->chain, now);
    uint64_t due = oban_wild_chain_due(&track->chain);
    uint64_t end = oban_wild_motion_end(&track->chain.motion);
    bool active = track->chain.motion.moves && now < end;
    doing_set_active(wild, track, active);
    oban_wild_timers_set(&wild->timers, &track->timer, active && end < due ? end : due);
    oban_wild_sector_touch(wild, track->sector);
}

/* Where a sector would stand if its doing were stopped now. */
static void doing_pose(const oban_wild *wild, const oban_wild_sector *sector, oban_wild_pose *out)
{
    *out = sector->rest;
    if (sector->track != NULL) {
        oban_wild_chain chain = sector->track->chain;
        oban_wild_chain_freeze(&chain, oban_wild_now(wild), out);
    }
}

/* ---- the start ------------------------------------------------------------------------------- */

bool oban_wild_doing_fits(const oban_wild *wild, const oban_wild_action *action, uint64_t started,
                          oban_wild_result *result)
{
    for (uint32_t role = 0; role < action->role_count; role++) {
        oban_wild_chain chain;
        oban_wild_pose pose;
        uint64_t breaks;
        const oban_wild_move *move = NULL;
        doing_pose(wild, wild->work.items[role], &pose);
        oban_wild_chain_open(&chain, action, role, started, &pose);
        if (oban_wild_chain_check(chain, false, &breaks, &move) != OBAN_WILD_CHAIN_FITS) {
            oban_line_add(&result->message, "from where sector '");
            oban_line_add(&result->message, wild->work.items[role]->name);
            oban_line_add(&result->message, "' stands, the move that starts at ");
            oban_line_add_u64(&result->message, move->start);
            oban_line_add(&result->message, " goes beyond 2147483648 units");
            (void)oban_wild_fail(result, OBAN_RANGE, "sectors");
            return false;
        }
    }
    return true;
}

static void doing_add_track(oban_wild *wild, oban_wild_doing *doing, oban_wild_sector *sector,
                            uint32_t role)
{
    oban_wild_track *track = oban_wild_pool_take(&wild->track_pool);
    const oban_wild_move *move = NULL;
    uint64_t breaks;
    track->doing = doing;
    track->sector = sector;
    track->timer.kind = OBAN_WILD_TIMER_CHANGE;
    track->timer.number = doing->number;
    track->timer.thing = track;
    *(doing->last != NULL ? &doing->last->next_role : &doing->first) = track;
    doing->last = track;
    sector->track = track;
    sector->told = true;
    oban_wild_chain_open(&track->chain, doing->action, role, doing->started, &sector->rest);
    (void)oban_wild_chain_check(track->chain, false, &breaks, &move);
    if (breaks < doing->ends) {
        doing->ends = breaks;
        doing->overflows = sector;
    }
}

oban_wild_doing *oban_wild_doing_start(oban_wild *wild, oban_wild_alien *alien,
                                       oban_wild_action *action, uint64_t number, uint64_t started)
{
    oban_wild_doing *doing = oban_wild_pool_take(&wild->doing_pool);
    doing->number = number;
    doing->alien = alien;
    doing->action = action;
    doing->started = started;
    doing->ends = action->length == OBAN_WILD_NEVER ? OBAN_WILD_NEVER : started + action->length;
    action->uses += 1;
    for (uint32_t role = 0; role < action->role_count; role++) {
        doing_add_track(wild, doing, wild->work.items[role], role);
    }
    for (oban_wild_track *track = doing->first; track != NULL; track = track->next_role) {
        oban_wild_track_update(wild, track);
    }
    doing->timer.kind = OBAN_WILD_TIMER_END;
    doing->timer.number = number;
    doing->timer.thing = doing;
    oban_wild_timers_set(&wild->timers, &doing->timer, doing->ends);
    OBAN_WILD_LIST_ADD(&wild->doings, doing);
    wild->numbers.items[wild->numbers.count++] = (oban_wild_number){number, doing};
    return doing;
}

/* ---- the stop -------------------------------------------------------------------------------- */

static oban_wild_event *doing_event(oban_wild *wild, const oban_wild_doing *doing,
                                    oban_wild_event_type type)
{
    OBAN_ASSERT(wild->events.count < wild->events.capacity);
    oban_wild_event *event = &wild->events.items[wild->events.count++];
    memset(event, 0, sizeof *event);
    event->type = type;
    event->tick = wild->tick;
    event->wild_tick = oban_wild_now(wild);
    event->doing = doing->number;
    memcpy(event->alien, doing->alien->name, sizeof event->alien);
    memcpy(event->action, doing->action->name, sizeof event->action);
    return event;
}

/* It vanishes at the next tick, so that its last pose is seen. */
static void doing_let_die(oban_wild *wild, oban_wild_sector *sector)
{
    if (!sector->dead && !sector->dying) {
        OBAN_ASSERT(wild->dying.count < wild->dying.capacity);
        sector->dying = true;
        wild->dying.items[wild->dying.count++] =
            (oban_wild_dying){sector, sector->life, wild->tick};
    }
}

static void doing_drop_track(oban_wild *wild, oban_wild_track *track)
{
    oban_wild_sector *sector = track->sector;
    oban_wild_pose pose;
    doing_pose(wild, sector, &pose);
    sector->rest = pose;
    sector->track = NULL;
    sector->told = true;
    oban_wild_sector_touch(wild, sector);
    doing_set_active(wild, track, false);
    oban_wild_timers_set(&wild->timers, &track->timer, OBAN_WILD_NEVER);
    oban_wild_pool_give(&wild->track_pool, track);
}

/* Where the number is, or would be. */
static uint32_t doing_number_at(const oban_wild *wild, uint64_t number)
{
    uint32_t low = 0;
    uint32_t high = wild->numbers.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (wild->numbers.items[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void oban_wild_doing_stop(oban_wild *wild, oban_wild_doing *doing, oban_wild_stop_reason reason)
{
    bool remove = doing->action->remove && reason != OBAN_WILD_STOP_REPLACED;
    if (doing->overflows != NULL && reason == OBAN_WILD_STOP_END) {
        oban_wild_event *event = doing_event(wild, doing, OBAN_WILD_EVENT_OVERFLOW);
        memcpy(event->sector, doing->overflows->name, sizeof event->sector);
    }
    doing_event(wild, doing, OBAN_WILD_EVENT_STOP)->reason = reason;
    for (oban_wild_track *track = doing->first; track != NULL;) {
        oban_wild_track *next = track->next_role;
        if (remove) {
            doing_let_die(wild, track->sector);
        }
        doing_drop_track(wild, track);
        track = next;
    }
    oban_wild_timers_set(&wild->timers, &doing->timer, OBAN_WILD_NEVER);
    wild->numbers.items[doing_number_at(wild, doing->number)].doing = NULL;
    OBAN_WILD_LIST_REMOVE(&wild->doings, doing);
    oban_wild_action_release(wild, doing->action);
    oban_wild_pool_give(&wild->doing_pool, doing);
}

const oban_wild_doing *oban_wild_doing_find(const oban_wild *wild, uint64_t number)
{
    uint32_t at = doing_number_at(wild, number);
    if (at < wild->numbers.count && wild->numbers.items[at].number == number) {
        return wild->numbers.items[at].doing;
    }
    return NULL;
}

/* ---- wild_do --------------------------------------------------------------------------------- */

/* The action's roles by name, into `fresh`. */
static void doing_index_roles(oban_wild *wild, const oban_wild_action *action)
{
    for (uint32_t role = 0; role < action->role_count; role++) {
        wild->fresh.items[wild->fresh.count++] =
            (oban_wild_entry){oban_text_of(action->roles[role]), NULL, role};
    }
    oban_wild_names_sort(&wild->fresh);
}

/* Which role the sector at a place of the list is for; UINT32_MAX: none of the action's. */
static uint32_t doing_role(const oban_wild *wild, const oban_wild_do_def *def, uint32_t at)
{
    if (def->roles == NULL) {
        return at;
    }
    const oban_wild_entry *entry = oban_wild_names_entry(&wild->fresh, def->roles[at]);
    return entry != NULL ? entry->number : UINT32_MAX;
}

static oban_status doing_find_sector(oban_wild *wild, const oban_wild_action *action,
                                     const oban_wild_alien *alien, const oban_wild_do_def *def,
                                     uint32_t at, oban_wild_result *result)
{
    uint32_t role = doing_role(wild, def, at);
    oban_wild_sector *sector = oban_wild_names_find(&alien->sectors, def->sectors[at]);
    if (role == UINT32_MAX) {
        return oban_wild_fail_name(result, OBAN_UNKNOWN_SECTOR, "sectors",
                                   "the action has no sector", def->roles[at]);
    }
    if (wild->work.items[role] != NULL) {
        return oban_wild_fail_name(result, OBAN_DUPLICATE_SECTOR, "sectors",
                                   "the list names twice the action's",
                                   oban_text_of(action->roles[role]));
    }
    if (sector == NULL || sector->dying) {
        return oban_wild_fail_name(result, OBAN_UNKNOWN_SECTOR, "sectors",
                                   sector == NULL ? "the alien has no sector"
                                                  : "at the next tick vanishes sector",
                                   def->sectors[at]);
    }
    if (sector->marked) {
        return oban_wild_fail_name(result, OBAN_DUPLICATE_SECTOR, "sectors",
                                   "the list names twice the sector", def->sectors[at]);
    }
    if (sector->track != NULL && !def->replace) {
        (void)oban_wild_fail_name(result, OBAN_SECTOR_BUSY, "sectors", "sector", def->sectors[at]);
        oban_line_add(&result->message, " is held by doing ");
        oban_line_add_u64(&result->message, sector->track->doing->number);
        return result->status;
    }
    sector->marked = true;
    wild->work.items[role] = sector;
    return OBAN_OK;
}

/* The sectors by role, into `work`. */
static oban_status doing_find_sectors(oban_wild *wild, const oban_wild_action *action,
                                      const oban_wild_alien *alien, const oban_wild_do_def *def,
                                      oban_wild_result *result)
{
    if (def->roles != NULL) {
        doing_index_roles(wild, action);
    }
    memset(wild->work.items, 0, action->role_count * sizeof *wild->work.items);
    for (uint32_t i = 0; i < def->sector_count && result->status == OBAN_OK; i++) {
        (void)doing_find_sector(wild, action, alien, def, i, result);
    }
    for (uint32_t role = 0; role < action->role_count; role++) {
        if (wild->work.items[role] != NULL) {
            wild->work.items[role]->marked = false;
        }
    }
    return result->status;
}

static uint32_t doing_count_replaced(const oban_wild *wild, uint32_t sectors)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < sectors; i++) {
        const oban_wild_track *track = wild->work.items[i]->track;
        if (track != NULL && !track->doing->marked) {
            track->doing->marked = true;
            count += 1;
        }
    }
    for (uint32_t i = 0; i < sectors; i++) {
        if (wild->work.items[i]->track != NULL) {
            wild->work.items[i]->track->doing->marked = false;
        }
    }
    return count;
}

static oban_status doing_check(oban_wild *wild, const oban_wild_do_def *def,
                               oban_wild_alien **alien, oban_wild_action **action,
                               oban_wild_result *result)
{
    *alien = oban_wild_names_find(&wild->aliens, def->alien);
    *action = oban_wild_names_find(&wild->actions, def->action);
    if (*alien == NULL) {
        return oban_wild_fail_name(result, OBAN_UNKNOWN_ALIEN, "alien", "no alien", def->alien);
    }
    if (*action == NULL) {
        return oban_wild_fail_name(result, OBAN_UNKNOWN_ACTION, "action", "no action", def->action);
    }
    if (def->start >= OBAN_WILD_TICK_MAX) {
        oban_line_add(&result->message, "start: a Wild tick below 2^53 is due");
        return oban_wild_fail(result, OBAN_RANGE, "start");
    }
    if (def->sector_count != (*action)->role_count) {
        oban_line_add(&result->message, "the action moves ");
        oban_line_add_u64(&result->message, (*action)->role_count);
        oban_line_add(&result->message, " sectors, not ");
        oban_line_add_u64(&result->message, def->sector_count);
        return oban_wild_fail(result, OBAN_SECTOR_COUNT, "sectors");
    }
    return OBAN_OK;
}

/* Sectors and limits, once there is room. */
static oban_status doing_check_sectors(oban_wild *wild, const oban_wild_do_def *def,
                                       const oban_wild_alien *alien, const oban_wild_action *action,
                                       uint64_t started, oban_wild_result *result)
{
    if (doing_find_sectors(wild, action, alien, def, result) != OBAN_OK) {
        return result->status;
    }
    if (wild->doings.count - doing_count_replaced(wild, action->role_count) >=
            wild->limits.doings_max ||
        wild->next_doing >= OBAN_WILD_TICK_MAX) {
        return oban_wild_fail_limit(result, NULL, "doings_max", wild->limits.doings_max);
    }
    (void)oban_wild_doing_fits(wild, action, started, result);
    return result->status;
}

/* It cannot fail any more. */
static void doing_begin(oban_wild *wild, oban_wild_alien *alien, oban_wild_action *action,
                        uint64_t started, oban_wild_result *result)
{
    for (uint32_t role = 0; role < action->role_count; role++) {
        if (wild->work.items[role]->track != NULL) {
            oban_wild_doing_stop(wild, wild->work.items[role]->track->doing,
                                 OBAN_WILD_STOP_REPLACED);
        }
    }
    oban_wild_doing *doing =
        oban_wild_doing_start(wild, alien, action, wild->next_doing++, started);
    result->doing = doing->number;
    result->started = doing->started;
    result->ends = doing->ends;
    if (doing->ends <= oban_wild_now(wild)) {
        oban_line_add(oban_wild_warn(result), "it has ended already, and stops at once");
        oban_wild_doing_stop(wild, doing, OBAN_WILD_STOP_END);
    }
}

oban_status oban_wild_do(oban_wild *wild, const oban_wild_do_def *def, oban_wild_result *result)
{
    oban_wild_alien *alien;
    oban_wild_action *action;
    uint64_t started = def->start != 0 ? def->start : oban_wild_now(wild);
    oban_wild_result_clear(result);
    if (doing_check(wild, def, &alien, &action, result) != OBAN_OK) {
        return result->status;
    }
    wild->fresh.count = 0;
    if (!oban_wild_reserve(wild, 0, 1, action->role_count) ||
        !oban_wild_names_reserve(&wild->alloc, &wild->fresh, action->role_count)) {
        return oban_wild_fail_memory(result);
    }
    if (doing_check_sectors(wild, def, alien, action, started, result) == OBAN_OK) {
        doing_begin(wild, alien, action, started, result);
    }
    return result->status;
}

oban_status oban_wild_abort(oban_wild *wild, uint64_t doing, oban_wild_result *result)
{
    uint32_t at = doing_number_at(wild, doing);
    oban_wild_result_clear(result);
    if (oban_wild_doing_find(wild, doing) == NULL) {
        oban_line_add(&result->message, "no doing ");
        oban_line_add_u64(&result->message, doing);
        return oban_wild_fail(result, OBAN_NO_DOING, "doing");
    }
    /* its start made the room */
    oban_wild_doing_stop(wild, wild->numbers.items[at].doing, OBAN_WILD_STOP_COMMAND);
    return OBAN_OK;
}
