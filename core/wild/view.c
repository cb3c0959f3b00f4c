/* SPDX-License-Identifier: MIT */
/* What others may see. Next: state.def. */
#include "core/base/assert.h"
#include "core/wild/state.h"

const char *oban_wild_stop_reason_word(oban_wild_stop_reason reason)
{
    static const char *const words[] = {
#define OBAN_X(NAME, word) word,
        OBAN_WILD_STOP_REASONS(OBAN_X)
#undef OBAN_X
    };
    return words[reason];
}

/* ---- what came about ------------------------------------------------------------------------- */

const oban_wild_event *oban_wild_events(const oban_wild *wild, uint32_t *count)
{
    *count = wild->events.count;
    return wild->events.items;
}

const oban_wild_gone *oban_wild_gone_list(const oban_wild *wild, uint32_t *count)
{
    *count = wild->gone.count;
    return wild->gone.items;
}

void oban_wild_events_clear(oban_wild *wild)
{
    wild->events.count = 0;
    wild->gone.count = 0;
}

/* ---- aliens ---------------------------------------------------------------------------------- */

uint32_t oban_wild_alien_count(const oban_wild *wild)
{
    return wild->aliens.count;
}

const oban_wild_alien *oban_wild_alien_at(const oban_wild *wild, uint32_t index)
{
    OBAN_ASSERT(index < wild->aliens.count);
    return wild->aliens.items[index].thing;
}

const oban_wild_alien *oban_wild_alien_find(const oban_wild *wild, oban_text name)
{
    return oban_wild_names_find(&wild->aliens, name);
}

const char *oban_wild_alien_name(const oban_wild_alien *alien)
{
    return alien->name;
}

const oban_mat34 *oban_wild_alien_place(const oban_wild_alien *alien)
{
    return &alien->place;
}

uint32_t oban_wild_alien_sectors(const oban_wild_alien *alien)
{
    return alien->sectors.count;
}

/* ---- sectors --------------------------------------------------------------------------------- */

uint32_t oban_wild_sector_count(const oban_wild *wild)
{
    return wild->sectors.count;
}

const oban_wild_sector *oban_wild_sector_first(const oban_wild *wild)
{
    return wild->sectors.first;
}

const oban_wild_sector *oban_wild_sector_next(const oban_wild_sector *sector)
{
    return sector->after;
}

const oban_wild_sector *oban_wild_sector_find(const oban_wild_alien *alien, oban_text name)
{
    return oban_wild_names_find(&alien->sectors, name);
}

void oban_wild_sector_view(const oban_wild_sector *sector, oban_wild_view *out)
{
    out->alien = sector->alien->name;
    out->sector = sector->name;
    out->parent = sector->parent != NULL ? sector->parent->name : NULL;
    out->life = sector->life;
    out->h = sector->h;
    out->doing = sector->track != NULL ? sector->track->doing->number : 0;
    out->m = sector->m;
    out->rel = sector->rel;
    out->born = sector->born;
    out->touched = sector->touched;
}

uint64_t oban_wild_sector_touched(const oban_wild_sector *sector)
{
    return sector->touched;
}

uint64_t oban_wild_changed(const oban_wild *wild)
{
    return wild->changed;
}

/* ---- actions --------------------------------------------------------------------------------- */

uint32_t oban_wild_action_count(const oban_wild *wild)
{
    return wild->actions.count;
}

const oban_wild_action *oban_wild_action_at(const oban_wild *wild, uint32_t index)
{
    OBAN_ASSERT(index < wild->actions.count);
    return wild->actions.items[index].thing;
}

const oban_wild_action *oban_wild_action_find(const oban_wild *wild, oban_text name)
{
    return oban_wild_names_find(&wild->actions, name);
}

void oban_wild_action_see(const oban_wild_action *action, oban_wild_action_view *out)
{
    out->action = action->name;
    out->remove = action->remove;
    out->roles = (const char(*)[OBAN_WILD_NAME_MAX + 1]) action->roles;
    out->role_count = action->role_count;
    out->moves = action->moves;
    out->move_count = action->move_count;
    out->commands = action->commands;
    out->command_count = action->command_count;
}

/* ---- doings ---------------------------------------------------------------------------------- */

uint32_t oban_wild_doing_count(const oban_wild *wild)
{
    return wild->doings.count;
}

const oban_wild_doing *oban_wild_doing_first(const oban_wild *wild)
{
    return wild->doings.first;
}

const oban_wild_doing *oban_wild_doing_next(const oban_wild_doing *doing)
{
    return doing->after;
}

void oban_wild_doing_see(const oban_wild_doing *doing, oban_wild_doing_view *out)
{
    out->doing = doing->number;
    out->alien = doing->alien->name;
    out->action = doing->action->name;
    out->started = doing->started;
    out->ends = doing->ends;
    out->sector_count = doing->action->role_count;
}

const oban_wild_sector *oban_wild_doing_sector(const oban_wild_doing *doing)
{
    return doing->first->sector;
}

const oban_wild_sector *oban_wild_role_next(const oban_wild_sector *sector)
{
    const oban_wild_track *track = sector->track;
    return track != NULL && track->next_role != NULL ? track->next_role->sector : NULL;
}
