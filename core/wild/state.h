/* SPDX-License-Identifier: MIT */
/* The inside of wild, for the files of this folder alone.
 * Not here: which of it is state (state.def). Next: wild.c. */
#ifndef OBAN_WILD_STATE_H
#define OBAN_WILD_STATE_H

#include "core/wild/chain.h"
#include "core/wild/names.h"
#include "core/wild/pool.h"
#include "core/wild/timers.h"

/* A doing's hold on one sector. */
typedef struct oban_wild_track {
    oban_wild_chain chain;
    oban_wild_timer timer; /* the next change: a move starts, or the one that goes on ends */
    oban_wild_doing *doing;
    oban_wild_sector *sector;
    struct oban_wild_track *next_role;
    uint32_t active; /* place among the active, from 1; 0: it does not move */
} oban_wild_track;

struct oban_wild_alien {
    char name[OBAN_WILD_NAME_MAX + 1];
    oban_mat34 place;
    oban_wild_names sectors;
    oban_wild_sector *first_root;
    bool swept; /* some of its sectors are dead, and still in the index */
};

/* What every tick looks at comes first and lies together. */
struct oban_wild_sector {
    oban_wild_track *track; /* NULL: no doing holds it */
    oban_wild_sector *parent;
    oban_wild_alien *alien;
    oban_wild_sector *first_child;
    uint32_t dirty; /* place among the dirty, from 1; 0: nothing changed */
    bool moved;     /* m must be worked out, and all below */
    bool told;      /* something besides the matrices changed */
    bool dying;     /* it vanishes at the next tick */
    bool dead;      /* while it is being removed */
    bool marked;    /* while a command looks for what is named twice */
    uint64_t born;  /* publications, no state */
    uint64_t touched;
    oban_mat34 rel; /* as of the last evaluation, no state */
    oban_mat34 m;
    oban_wild_pose rest; /* where it stands; while held: where the doing found it */
    uint32_t life;
    uint32_t h;
    uint32_t depth; /* 1: a root */
    oban_wild_sector *next_sibling;
    oban_wild_sector *prev_sibling;
    oban_wild_sector *before; /* by rising life */
    oban_wild_sector *after;
    char name[OBAN_WILD_NAME_MAX + 1];
};

struct oban_wild_doing {
    uint64_t number;
    oban_wild_alien *alien;
    oban_wild_action *action;
    uint64_t started;
    uint64_t ends;
    oban_wild_track *first; /* by role */
    oban_wild_track *last;
    const oban_wild_sector *overflows; /* whose motion leaves the format at the end; NULL: none */
    oban_wild_timer timer;             /* the end */
    bool marked;                       /* while a command counts what it replaces */
    oban_wild_doing *before;           /* by rising number */
    oban_wild_doing *after;
};

/* Where a doing is found by its number. */
typedef struct oban_wild_number {
    uint64_t number;
    oban_wild_doing *doing; /* NULL: it has stopped; the next command takes the place out */
} oban_wild_number;

typedef struct oban_wild_dying {
    oban_wild_sector *sector;
    uint32_t life; /* another: the sector is gone, its place taken */
    uint64_t tick; /* the world's, of the stop */
} oban_wild_dying;

/* A growing array, X items of a type. */
#define OBAN_WILD_ARRAY(type)                                                                      \
    struct {                                                                                       \
        type *items;                                                                               \
        uint32_t count;                                                                            \
        uint32_t capacity;                                                                         \
    }

/* A list of things, each with `before` and `after`. */
#define OBAN_WILD_LIST(type)                                                                       \
    struct {                                                                                       \
        type *first;                                                                               \
        type *last;                                                                                \
        uint32_t count;                                                                            \
    }

struct oban_wild {
    oban_alloc alloc;
    oban_wild_limits limits;

    /* state: state.def says which of it */
    uint64_t tick; /* the world's */
    uint64_t next_doing;
    uint64_t next_action;
    uint32_t next_life;
    oban_wild_names aliens;
    oban_wild_names actions; /* those with a name */
    OBAN_WILD_LIST(oban_wild_sector) sectors;
    OBAN_WILD_LIST(oban_wild_action) all_actions;
    OBAN_WILD_LIST(oban_wild_doing) doings;

    /* memory */
    oban_wild_pool alien_pool;
    oban_wild_pool sector_pool;
    oban_wild_pool action_pool;
    oban_wild_pool doing_pool;
    oban_wild_pool track_pool;
    oban_wild_action *retired; /* of no use any more; the next command frees them */

    /* worked out from the state */
    oban_wild_timers timers;
    OBAN_WILD_ARRAY(oban_wild_track *) active;
    OBAN_WILD_ARRAY(oban_wild_dying) dying;
    OBAN_WILD_ARRAY(oban_wild_number) numbers; /* rising */

    /* publication, no state */
    OBAN_WILD_ARRAY(oban_wild_sector *) dirty;
    OBAN_WILD_ARRAY(oban_wild_event) events;
    OBAN_WILD_ARRAY(oban_wild_gone) gone;
    bool altered; /* since the last evaluation a sector was removed */
    uint64_t changed;

    /* what a command works in */
    OBAN_WILD_ARRAY(oban_wild_sector *) work;
    oban_wild_names fresh;
};

static inline uint64_t oban_wild_now(const oban_wild *wild)
{
    return oban_wild_tick_of(wild->tick);
}

#define OBAN_WILD_LIST_ADD(list, item)                                                             \
    do {                                                                                           \
        (item)->before = (list)->last;                                                             \
        (item)->after = NULL;                                                                      \
        *((list)->last != NULL ? &(list)->last->after : &(list)->first) = (item);                  \
        (list)->last = (item);                                                                     \
        (list)->count += 1;                                                                        \
    } while (0)

#define OBAN_WILD_LIST_REMOVE(list, item)                                                          \
    do {                                                                                           \
        *((item)->before != NULL ? &(item)->before->after : &(list)->first) = (item)->after;       \
        *((item)->after != NULL ? &(item)->after->before : &(list)->last) = (item)->before;        \
        (list)->count -= 1;                                                                        \
    } while (0)

/* ---- wild.c: room and answers ---------------------------------------------------------------- */

/* Frees what is retired, and makes room for so many more, for what a command on them may bring
 * about, and for all that the ticks after it may. Returns false when memory is out. */
bool oban_wild_reserve(oban_wild *wild, uint32_t sectors, uint32_t doings, uint32_t tracks);
/* Starts an answer: all 0, OK. */
void oban_wild_result_clear(oban_wild_result *result);
/* Returns status, having put it and the field; the message is put by the caller. */
oban_status oban_wild_fail(oban_wild_result *result, oban_status status, const char *field);
oban_status oban_wild_fail_memory(oban_wild_result *result);
/* LIMIT, with "sectors_max is 5". */
oban_status oban_wild_fail_limit(oban_wild_result *result, const char *field, const char *limit,
                                 uint64_t value);
/* "no action 'x'; the nearest ..." is the wire's; here "no action 'x'" */
oban_status oban_wild_fail_name(oban_wild_result *result, oban_status status, const char *field,
                                const char *what, oban_text name);
/* A line for a warning; the last one when there are too many. */
oban_line *oban_wild_warn(oban_wild_result *result);
/* Whether it is fit to be a name; else BAD_FIELD is put. */
bool oban_wild_name_fits(oban_wild_result *result, const char *field, oban_text name);
void oban_wild_name_copy(char out[OBAN_WILD_NAME_MAX + 1], oban_text name);

/* ---- action.c -------------------------------------------------------------------------------- */

/* After the last use of an action without a name: it is put by for the next command to free. */
void oban_wild_action_release(oban_wild *wild, oban_wild_action *action);
void oban_wild_action_free(oban_wild *wild, oban_wild_action *action);
/* A bare action with its arrays; NULL when memory is out. In no list yet. */
oban_wild_action *oban_wild_action_make(oban_wild *wild, uint32_t roles, uint32_t moves,
                                        uint32_t commands);
/* Works out by_role, first and length from moves that are sorted by start. */
void oban_wild_action_settle(oban_wild_action *action);
/* Takes its name away; frees it or leaves it to its doings. */
void oban_wild_action_unname(oban_wild *wild, oban_wild_action *action);

/* ---- alien.c --------------------------------------------------------------------------------- */

/* Links a sector, whose alien, parent, life are set, into its lists; not into the index. */
void oban_wild_sector_link(oban_wild *wild, oban_wild_sector *sector);
/* Something of it changed: it is looked at by the next evaluation. */
void oban_wild_sector_touch(oban_wild *wild, oban_wild_sector *sector);

/* ---- remove.c -------------------------------------------------------------------------------- */

/* What dies vanishes, with all below it. */
void oban_wild_remove_dying(oban_wild *wild, uint64_t before_tick);

/* ---- doing.c --------------------------------------------------------------------------------- */

/* A doing and its tracks, begun at the present tick, on the sectors of `work` (one for each role).
 * They are free, there is room, and the motion fits. */
oban_wild_doing *oban_wild_doing_start(oban_wild *wild, oban_wild_alien *alien,
                                       oban_wild_action *action, uint64_t number, uint64_t started);
/* Whether the motion fits, for all roles and the sectors of `work`; else RANGE is put. */
bool oban_wild_doing_fits(const oban_wild *wild, const oban_wild_action *action, uint64_t started,
                          oban_wild_result *result);
void oban_wild_doing_stop(oban_wild *wild, oban_wild_doing *doing, oban_wild_stop_reason reason);
/* Begins what has started, and sets the timer of the next change. */
void oban_wild_track_update(oban_wild *wild, oban_wild_track *track);

#endif
