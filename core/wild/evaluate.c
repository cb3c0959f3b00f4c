/* SPDX-License-Identifier: MIT */
/* Matrices: first each changed sector's own, to its parent; then, from the top down, the absolute
 * ones of what lies at or below a change. So no child lags behind its parent.
 * Rejected: all sectors in order each tick (costs by what is there, not by what moves).
 * Next: view.c. */
#include "core/wild/state.h"

#define EVALUATE_AHEAD 8u

static void evaluate_rel(oban_wild_sector *sector, uint64_t now, uint64_t publication)
{
    oban_mat34 rel;
    if (sector->track != NULL) {
        oban_wild_motion_matrix(&sector->track->chain.motion, now, &rel);
    } else {
        rel = oban_wild_pose_matrix(&sector->rest);
    }
    if (!oban_mat34_same(&rel, &sector->rel)) {
        sector->rel = rel;
        sector->moved = true;
        sector->told = true;
    }
    if (sector->told) {
        sector->touched = publication;
        sector->told = false;
    }
}

static void evaluate_abs(oban_wild_sector *sector, uint64_t publication)
{
    const oban_mat34 *above = sector->parent != NULL ? &sector->parent->m : &sector->alien->place;
    oban_mat34 m = oban_mat34_multiply(above, &sector->rel);
    if (!oban_mat34_same(&m, &sector->m)) {
        sector->m = m;
        sector->touched = publication;
    }
    if (sector->born == 0) {
        sector->born = publication;
        sector->touched = publication;
    }
    sector->moved = false;
}

/* The highest moved sector at or above one. */
static oban_wild_sector *evaluate_top(oban_wild_sector *sector)
{
    oban_wild_sector *top = sector;
    for (oban_wild_sector *at = sector->parent; at != NULL; at = at->parent) {
        top = at->moved ? at : top;
    }
    return top;
}

/* A whole subtree, each after its parent. */
static void evaluate_below(oban_wild_sector *top, uint64_t publication)
{
    oban_wild_sector *at = top;
    for (;;) {
        evaluate_abs(at, publication);
        if (at->first_child != NULL) {
            at = at->first_child;
            continue;
        }
        while (at != top && at->next_sibling == NULL) {
            at = at->parent;
        }
        if (at == top) {
            return;
        }
        at = at->next_sibling;
    }
}

/* Sectors and tracks lie apart: what comes soon is fetched while the present one is worked out. */
static void evaluate_fetch(const oban_wild_sector *far, const oban_wild_sector *near)
{
    __builtin_prefetch(far);
    __builtin_prefetch((const char *)far + 64);
    __builtin_prefetch((const char *)far + 128);
    const char *track = (const char *)near->track;
    for (size_t at = 0; track != NULL && at < sizeof(oban_wild_chain); at += 64) {
        __builtin_prefetch(track + at);
    }
}

void oban_wild_evaluate(oban_wild *wild, uint64_t publication)
{
    uint64_t now = oban_wild_now(wild);
    if (wild->dirty.count > 0 || wild->altered) {
        wild->altered = false;
        wild->changed = publication;
    }
    for (uint32_t i = 0; i < wild->dirty.count; i++) {
        if (i + EVALUATE_AHEAD < wild->dirty.count) {
            evaluate_fetch(wild->dirty.items[i + EVALUATE_AHEAD],
                           wild->dirty.items[i + EVALUATE_AHEAD / 2]);
        }
        wild->dirty.items[i]->dirty = 0;
        evaluate_rel(wild->dirty.items[i], now, publication);
    }
    for (uint32_t i = 0; i < wild->dirty.count; i++) {
        if (wild->dirty.items[i]->moved) {
            evaluate_below(evaluate_top(wild->dirty.items[i]), publication);
        }
    }
    wild->dirty.count = 0;
}
