/* SPDX-License-Identifier: MIT */
/* wild_alien: aliens made, and given sectors. All sectors are made and looked at first; only then
 * are they put where others see them. Not here: removal (remove.c). Next: remove.c. */
#include "core/wild/state.h"

/* ---- one sector ------------------------------------------------------------------------------ */

void oban_wild_sector_touch(oban_wild *wild, oban_wild_sector *sector)
{
    if (sector->dirty == 0) {
        wild->dirty.items[wild->dirty.count++] = sector;
        sector->dirty = wild->dirty.count;
    }
}

void oban_wild_sector_link(oban_wild *wild, oban_wild_sector *sector)
{
    oban_wild_sector **first =
        sector->parent != NULL ? &sector->parent->first_child : &sector->alien->first_root;
    sector->next_sibling = *first;
    if (*first != NULL) {
        (*first)->prev_sibling = sector;
    }
    *first = sector;
    OBAN_WILD_LIST_ADD(&wild->sectors, sector);
    sector->rel = oban_mat34_identity();
    sector->m = oban_mat34_identity();
    sector->moved = true;
    sector->told = true;
    oban_wild_sector_touch(wild, sector);
}

/* Units to whole 1/131072, half up. False: not within 2^31, or no number. */
static bool alien_position(double units, int64_t *out)
{
    double scaled = units * OBAN_WILD_POSITION_ONE + 0.5;
    if (!(scaled >= (double)-OBAN_WILD_POSITION_BOUND &&
          scaled < (double)OBAN_WILD_POSITION_BOUND)) {
        return false;
    }
    int64_t whole = (int64_t)scaled;
    *out = (double)whole > scaled ? whole - 1 : whole;
    return true;
}

/* "sectors[3]: " */
static oban_line *alien_say_where(oban_wild_result *result, uint32_t index)
{
    oban_line_add(&result->message, "sectors[");
    oban_line_add_u64(&result->message, index);
    oban_line_add(&result->message, "]: ");
    return &result->message;
}

static oban_status alien_take_pose(const oban_wild_sector_def *def, uint32_t index,
                                   oban_wild_pose *pose, oban_wild_result *result)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int i = 0; i < 3; i++) {
        if (!(def->origin[i] == def->origin[i])) {
            oban_line_add(alien_say_where(result, index), "origin is three numbers");
            return oban_wild_fail(result, OBAN_BAD_VALUE, "sectors");
        }
        if (!alien_position(def->origin[i], &pose->n[i])) {
            oban_line_add(alien_say_where(result, index), "origin passes 2147483648 units");
            return oban_wild_fail(result, OBAN_RANGE, "sectors");
        }
    }
    for (int i = 0; i < 9; i++) {
        pose->basis[i] = def->has_basis ? def->basis[i] : identity[i];
    }
    if (!oban_wild_basis_fits(pose->basis)) {
        oban_line_add(alien_say_where(result, index),
                      "basis is three vectors of length 1, square to each other");
        return oban_wild_fail(result, OBAN_BAD_VALUE, "sectors");
    }
    if (def->has_basis) {
        oban_wild_basis_settle(pose->basis);
    }
    return OBAN_OK;
}

/* ---- all of a command ------------------------------------------------------------------------ */

/* Makes the sectors into `work`, and their names into `fresh`. What was made is to be given back by
 * the caller, also after a fault. */
static oban_status alien_make_sectors(oban_wild *wild, const oban_wild_alien_def *def,
                                      uint32_t *made, oban_wild_result *result)
{
    for (uint32_t i = 0; i < def->sector_count; i++) {
        const oban_wild_sector_def *from = &def->sectors[i];
        if (!oban_wild_name_fits(result, "sectors", from->name)) {
            return result->status;
        }
        oban_wild_sector *sector = oban_wild_pool_take(&wild->sector_pool);
        wild->work.items[i] = sector;
        *made = i + 1;
        oban_wild_name_copy(sector->name, from->name);
        sector->life = wild->next_life + i;
        sector->h = def->first_h + i;
        if (alien_take_pose(from, i, &sector->rest, result) != OBAN_OK) {
            return result->status;
        }
        wild->fresh.items[wild->fresh.count++] =
            (oban_wild_entry){oban_text_of(sector->name), sector, 0};
    }
    oban_wild_names_sort(&wild->fresh);
    return OBAN_OK;
}

static oban_status alien_check_names(const oban_wild *wild, const oban_wild_alien *alien,
                                     const oban_wild_alien_def *def, oban_wild_result *result)
{
    const oban_wild_entry *twice = oban_wild_names_twice(&wild->fresh);
    if (twice != NULL) {
        return oban_wild_fail_name(result, OBAN_DUPLICATE_SECTOR, "sectors",
                                   "the list names twice the sector", twice->name);
    }
    for (uint32_t i = 0; alien != NULL && i < def->sector_count; i++) {
        const oban_wild_sector *there = oban_wild_names_find(&alien->sectors, def->sectors[i].name);
        if (there != NULL) {
            return oban_wild_fail_name(result, OBAN_DUPLICATE_SECTOR, "sectors",
                                       there->dying ? "until the next tick there is a sector"
                                                    : "the alien has already a sector",
                                       def->sectors[i].name);
        }
    }
    return OBAN_OK;
}

/* A parent is earlier in the list, or there. */
static oban_wild_sector *alien_find_parent(const oban_wild *wild, const oban_wild_alien *alien,
                                           const oban_wild_sector *sector, oban_text name)
{
    oban_wild_sector *parent = oban_wild_names_find(&wild->fresh, name);
    if (parent != NULL) {
        return parent->life < sector->life ? parent : NULL;
    }
    parent = alien != NULL ? oban_wild_names_find(&alien->sectors, name) : NULL;
    return parent != NULL && !parent->dying ? parent : NULL;
}

static oban_status alien_find_parents(const oban_wild *wild, const oban_wild_alien *alien,
                                      const oban_wild_alien_def *def, oban_wild_result *result)
{
    for (uint32_t i = 0; i < def->sector_count; i++) {
        oban_wild_sector *sector = wild->work.items[i];
        oban_text name = def->sectors[i].parent;
        sector->depth = 1;
        if (name.bytes == 0) {
            continue;
        }
        sector->parent = alien_find_parent(wild, alien, sector, name);
        if (sector->parent == NULL) {
            (void)alien_say_where(result, i);
            return oban_wild_fail_name(result, OBAN_UNKNOWN_SECTOR, "sectors",
                                       "neither there nor earlier in the list is the parent", name);
        }
        sector->depth = sector->parent->depth + 1;
        if (sector->depth > OBAN_WILD_DEPTH_MAX) {
            (void)alien_say_where(result, i);
            return oban_wild_fail_limit(result, "sectors", "depth_max", OBAN_WILD_DEPTH_MAX);
        }
    }
    return OBAN_OK;
}

static oban_status alien_check_def(const oban_wild *wild, const oban_wild_alien *alien,
                                   const oban_wild_alien_def *def, oban_wild_result *result)
{
    if (!oban_wild_name_fits(result, "alien", def->alien)) {
        return result->status;
    }
    if (def->has_place && !oban_mat34_finite(&def->place)) {
        oban_line_add(&result->message, "place: twelve finite numbers are due");
        return oban_wild_fail(result, OBAN_BAD_VALUE, "place");
    }
    if (alien == NULL && wild->aliens.count >= wild->limits.aliens_max) {
        return oban_wild_fail_limit(result, "alien", "aliens_max", wild->limits.aliens_max);
    }
    if (def->sector_count > wild->limits.sectors_max - wild->sectors.count) {
        return oban_wild_fail_limit(result, "sectors", "sectors_max", wild->limits.sectors_max);
    }
    if (def->sector_count > UINT32_MAX - wild->next_life) {
        return oban_wild_fail_limit(result, "sectors", "lives_max", UINT32_MAX);
    }
    return OBAN_OK;
}

/* The alien that the sectors go to: the one there, or a new one, in no index yet; NULL: no memory.
 */
static oban_wild_alien *alien_get(oban_wild *wild, oban_wild_alien *there, uint32_t sectors)
{
    oban_wild_alien *alien = there;
    wild->fresh.count = 0;
    if (!oban_wild_reserve(wild, sectors, 0, 0) ||
        !oban_wild_names_reserve(&wild->alloc, &wild->fresh, sectors) ||
        !oban_wild_names_reserve(&wild->alloc, &wild->aliens, 1) ||
        !oban_wild_pool_reserve(&wild->alloc, &wild->alien_pool, 1)) {
        return NULL;
    }
    if (alien == NULL) {
        alien = oban_wild_pool_take(&wild->alien_pool);
        alien->place = oban_mat34_identity();
    }
    if (!oban_wild_names_reserve(&wild->alloc, &alien->sectors, sectors)) {
        if (there == NULL) {
            oban_wild_pool_give(&wild->alien_pool, alien);
        }
        return NULL;
    }
    return alien;
}

static void alien_publish(oban_wild *wild, oban_wild_alien *alien, const oban_wild_alien_def *def)
{
    if (def->has_place && !oban_mat34_same(&alien->place, &def->place)) {
        alien->place = def->place;
        for (oban_wild_sector *root = alien->first_root; root != NULL; root = root->next_sibling) {
            root->moved = true;
            oban_wild_sector_touch(wild, root);
        }
    }
    for (uint32_t i = 0; i < def->sector_count; i++) {
        wild->work.items[i]->alien = alien;
        oban_wild_sector_link(wild, wild->work.items[i]);
    }
    oban_wild_names_splice(&alien->sectors, &wild->fresh);
    wild->next_life += def->sector_count;
}

oban_status oban_wild_alien_put(oban_wild *wild, const oban_wild_alien_def *def,
                                oban_wild_result *result)
{
    oban_wild_result_clear(result);
    oban_wild_alien *there = oban_wild_names_find(&wild->aliens, def->alien);
    uint32_t made = 0;
    if (alien_check_def(wild, there, def, result) != OBAN_OK) {
        return result->status;
    }
    oban_wild_alien *alien = alien_get(wild, there, def->sector_count);
    if (alien == NULL) {
        return oban_wild_fail_memory(result);
    }
    if (alien_make_sectors(wild, def, &made, result) == OBAN_OK &&
        alien_check_names(wild, there, def, result) == OBAN_OK &&
        alien_find_parents(wild, there, def, result) == OBAN_OK) {
        if (there == NULL) {
            oban_wild_name_copy(alien->name, def->alien);
            oban_wild_names_put(&wild->aliens, oban_text_of(alien->name), alien);
        }
        alien_publish(wild, alien, def);
        result->sectors = def->sector_count;
        return OBAN_OK;
    }
    for (uint32_t i = 0; i < made; i++) {
        oban_wild_pool_give(&wild->sector_pool, wild->work.items[i]);
    }
    if (there == NULL) {
        oban_wild_names_fini(&wild->alloc, &alien->sectors);
        oban_wild_pool_give(&wild->alien_pool, alien);
    }
    return result->status;
}
