/* SPDX-License-Identifier: MIT */
/* wild_remove, and sectors that vanish after their doing's stop: all that goes is gathered and
 * flagged first, then the doings on it stop, then it is taken out of every list.
 * Next: doing.c. */
#include "core/wild/state.h"

#include "core/base/assert.h"

#include <string.h>

#define REMOVE_FEW 4u

/* ---- gathering ------------------------------------------------------------------------------- */

/* The next of a subtree, from the top down; NULL: that was the last. */
static oban_wild_sector *remove_next(oban_wild_sector *top, oban_wild_sector *at)
{
    if (at->first_child != NULL) {
        return at->first_child;
    }
    while (at != top && at->next_sibling == NULL) {
        at = at->parent;
    }
    return at == top ? NULL : at->next_sibling;
}

/* Flags a sector and all below it, and writes those not yet flagged into `work`. */
static void remove_gather(oban_wild *wild, oban_wild_sector *top)
{
    for (oban_wild_sector *at = top; at != NULL; at = remove_next(top, at)) {
        if (!at->dead) {
            at->dead = true;
            wild->work.items[wild->work.count++] = at;
        }
    }
}

/* ---- taking out ------------------------------------------------------------------------------ */

static void remove_tell(oban_wild *wild, const oban_wild_sector *sector)
{
    OBAN_ASSERT(wild->gone.count < wild->gone.capacity);
    oban_wild_gone *gone = &wild->gone.items[wild->gone.count++];
    memcpy(gone->alien, sector->alien->name, sizeof gone->alien);
    memcpy(gone->sector, sector->name, sizeof gone->sector);
    gone->life = sector->life;
    gone->h = sector->h;
    gone->born = sector->born;
    wild->altered = true;
}

static void remove_from_dirty(oban_wild *wild, const oban_wild_sector *sector)
{
    if (sector->dirty != 0) {
        oban_wild_sector *last = wild->dirty.items[wild->dirty.count - 1];
        wild->dirty.items[sector->dirty - 1] = last;
        last->dirty = sector->dirty;
        wild->dirty.count -= 1;
    }
}

/* Only one whose parent stays must leave a list of siblings. */
static void remove_from_siblings(oban_wild_sector *sector)
{
    if (sector->prev_sibling != NULL) {
        sector->prev_sibling->next_sibling = sector->next_sibling;
    } else if (sector->parent != NULL) {
        sector->parent->first_child = sector->next_sibling;
    } else {
        sector->alien->first_root = sector->next_sibling;
    }
    if (sector->next_sibling != NULL) {
        sector->next_sibling->prev_sibling = sector->prev_sibling;
    }
}

static bool remove_is_dead(const void *thing)
{
    return ((const oban_wild_sector *)thing)->dead;
}

/* A few names are taken out one by one; for many each index is swept once, which looks at all. */
static void remove_from_names(oban_wild *wild)
{
    for (uint32_t i = 0; i < wild->work.count; i++) {
        const oban_wild_sector *sector = wild->work.items[i];
        oban_wild_names *names = &sector->alien->sectors;
        if (wild->work.count <= REMOVE_FEW) {
            oban_wild_names_drop(names, oban_text_of(sector->name));
        } else if (!sector->alien->swept) {
            oban_wild_names_sweep(names, remove_is_dead);
            sector->alien->swept = true;
        }
    }
}

/* What was gathered goes. */
static void remove_all(oban_wild *wild)
{
    uint32_t count = wild->work.count;
    for (uint32_t i = 0; i < count; i++) {
        if (wild->work.items[i]->track != NULL) {
            oban_wild_doing_stop(wild, wild->work.items[i]->track->doing, OBAN_WILD_STOP_KILLED);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        oban_wild_sector *sector = wild->work.items[i];
        remove_tell(wild, sector);
        remove_from_dirty(wild, sector);
        remove_from_siblings(sector);
        OBAN_WILD_LIST_REMOVE(&wild->sectors, sector);
        sector->alien->swept = false;
    }
    remove_from_names(wild);
    for (uint32_t i = 0; i < count; i++) {
        wild->work.items[i]->life = 0; /* what is noted to die is not there any more */
        oban_wild_pool_give(&wild->sector_pool, wild->work.items[i]);
    }
    wild->work.count = 0;
}

void oban_wild_remove_dying(oban_wild *wild, uint64_t before_tick)
{
    uint32_t due = 0;
    wild->work.count = 0;
    for (; due < wild->dying.count && wild->dying.items[due].tick < before_tick; due++) {
        const oban_wild_dying *dying = &wild->dying.items[due];
        if (dying->sector->life == dying->life && dying->sector->dying) {
            remove_gather(wild, dying->sector);
        }
    }
    /* what the doings' stops make die now comes behind */
    wild->dying.count -= due;
    memmove(wild->dying.items, wild->dying.items + due,
            wild->dying.count * sizeof *wild->dying.items);
    remove_all(wild);
}

/* ---- wild_remove ----------------------------------------------------------------------------- */

static oban_status remove_action(oban_wild *wild, const oban_wild_remove_def *def,
                                 oban_wild_result *result)
{
    oban_wild_action *action = oban_wild_names_find(&wild->actions, def->action);
    if (action == NULL) {
        return oban_wild_fail_name(result, OBAN_UNKNOWN_ACTION, "action", "no action", def->action);
    }
    oban_wild_action_unname(wild, action);
    return OBAN_OK;
}

/* Gathers the sector, or all of the alien. */
static oban_status remove_find(oban_wild *wild, const oban_wild_remove_def *def,
                               oban_wild_alien *alien, oban_wild_result *result)
{
    wild->work.count = 0;
    if (def->sector.bytes > 0) {
        oban_wild_sector *sector = oban_wild_names_find(&alien->sectors, def->sector);
        if (sector == NULL) {
            return oban_wild_fail_name(result, OBAN_UNKNOWN_SECTOR, "sector",
                                       "the alien has no sector", def->sector);
        }
        remove_gather(wild, sector);
    }
    for (oban_wild_sector *root = alien->first_root; root != NULL && def->sector.bytes == 0;
         root = root->next_sibling) {
        remove_gather(wild, root);
    }
    return OBAN_OK;
}

oban_status oban_wild_remove(oban_wild *wild, const oban_wild_remove_def *def,
                             oban_wild_result *result)
{
    oban_wild_result_clear(result);
    if ((def->alien.bytes > 0) == (def->action.bytes > 0) ||
        (def->sector.bytes > 0 && def->alien.bytes == 0)) {
        oban_line_add(&result->message, "give an alien, an alien and its sector, or an action");
        return oban_wild_fail(result, OBAN_BAD_FIELD, "alien");
    }
    if (def->action.bytes > 0) {
        return remove_action(wild, def, result);
    }
    oban_wild_alien *alien = oban_wild_names_find(&wild->aliens, def->alien);
    if (alien == NULL) {
        return oban_wild_fail_name(result, OBAN_UNKNOWN_ALIEN, "alien", "no alien", def->alien);
    }
    if (remove_find(wild, def, alien, result) != OBAN_OK) {
        return result->status;
    }
    result->sectors = wild->work.count;
    remove_all(wild);
    if (def->sector.bytes == 0) {
        oban_wild_names_drop(&wild->aliens, def->alien);
        oban_wild_names_fini(&wild->alloc, &alien->sectors);
        oban_wild_pool_give(&wild->alien_pool, alien);
    }
    return OBAN_OK;
}
