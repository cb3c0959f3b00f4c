/* SPDX-License-Identifier: MIT */
/* Wild: Aliens made of Sectors, Actions made of Moves, and Doings, which are Actions that go on.
 * Motion in closed form, in whole numbers, from each move's own start; nothing drifts, and a jump
 * of the clock gives what every tick one by one gives. Pure: whoever has the world embeds this.
 *
 *   oban_wild_step(wild, tick);           phases 1 and 2: what is due; removals, moves, stops
 *   oban_wild_alien_put, _define, _do ... phase 3: commands at the present tick
 *   oban_wild_evaluate(wild, p);          phase 4: matrices, parents first, stamped with p
 *   oban_wild_events, oban_wild_gone      phase 5: read them; the next step forgets them
 *
 * Time: steps and events count world ticks (1/60 s); starts, durations and ends are Wild ticks
 * (1/50 s), which are floor(world tick * 50 / 60). The model is told in docs/wild.md.
 * Not here: JSON, BSL, files (proto); frames (the server); attachment to objects (the world).
 * Source: the Wild page [004] where it says so, else ours (decision 20).
 * Next: state.def, motion.h. */
#ifndef OBAN_WILD_WILD_H
#define OBAN_WILD_WILD_H

#include "core/base/alloc.h"
#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/math/mat34.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBAN_WILD_NAME_MAX 63u            /* bytes of a name; ours */
#define OBAN_WILD_DEPTH_MAX 64u           /* sectors from a root to a leaf; ours */
#define OBAN_WILD_FOREVER 0x7fffffffu     /* the duration that has no end */
#define OBAN_WILD_STARTER_MAX 0x7ffffffeu /* the latest start of a move within its action; ours */
#define OBAN_WILD_TICK_MAX                                                                         \
    ((uint64_t)1 << 53)               /* of ticks, Wild ticks and numbers of doings; ours */
#define OBAN_WILD_POSITION_ONE 131072 /* positions are exact in 1/131072 of a unit */
#define OBAN_WILD_NEVER UINT64_MAX

typedef struct oban_wild oban_wild;

/* Each is told when it is reached, by this name. */
typedef struct oban_wild_limits {
    uint32_t aliens_max;
    uint32_t sectors_max;  /* of all aliens together */
    uint32_t actions_max;  /* with those that were defined anew or removed, and still go on */
    uint32_t doings_max;   /* going on or waiting for their start */
    uint32_t roles_max;    /* sectors of one action */
    uint32_t moves_max;    /* of one action */
    uint32_t commands_max; /* of one action, all its moves together */
} oban_wild_limits;

/* 4096 aliens, 32768 sectors, 1024 actions, 32768 doings; 1024 roles, 1024 moves, 4096 commands. */
oban_wild_limits oban_wild_limits_default(void);

/* Returns OK or NO_MEMORY. Owns: give it back with oban_wild_destroy. Tick: starts at `tick`. */
oban_status oban_wild_create(const oban_alloc *alloc, const oban_wild_limits *limits, uint64_t tick,
                             oban_wild **out);
void oban_wild_destroy(oban_wild *wild);

/* floor(tick * 50 / 60), without overflow. Source: behaviour 1. */
uint64_t oban_wild_tick_of(uint64_t world_tick);

/* ---- answers --------------------------------------------------------------------------------- */

#define OBAN_WILD_WARNINGS_MAX 2u

/* The answer to a command. When status is not OK nothing was changed, `field` names the argument at
 * fault (or is NULL) and `message` says where in it and what was expected. */
typedef struct oban_wild_result {
    oban_status status;
    const char *field;
    oban_line message;
    uint32_t sectors; /* made or removed by the command */
    uint64_t doing;   /* do: its number */
    uint64_t started; /* do: Wild tick */
    uint64_t ends;    /* do: Wild tick of its stop; NEVER: not by itself */
    uint32_t warning_count;
    oban_line warnings[OBAN_WILD_WARNINGS_MAX];
} oban_wild_result;

/* ---- commands -------------------------------------------------------------------------------- */
/* All texts and arrays are borrowed for the call. Names: 1 to OBAN_WILD_NAME_MAX bytes of UTF-8
 * without control characters, else BAD_FIELD. Each command returns result->status; besides what
 * stands there LIMIT and NO_MEMORY (abort and remove: neither). */

typedef struct oban_wild_sector_def {
    oban_text name;
    oban_text parent; /* bytes 0: none, the alien itself */
    double origin[3]; /* units, within 2^31; kept to 1/131072 */
    bool has_basis;   /* else the identity */
    double basis[9];  /* I, J, K: of length 1 and square to each other, to 1/1000 */
} oban_wild_sector_def;

typedef struct oban_wild_alien_def {
    oban_text alien;
    bool has_place;
    oban_mat34 place; /* of the alien in the world; finite; the identity when not given */
    const oban_wild_sector_def *sectors;
    uint32_t sector_count; /* 0 is fine */
    uint32_t first_h;      /* the sectors get h = first_h, first_h + 1, ...; counted by the host */
} oban_wild_alien_def;

/* Makes an alien; or gives one that lives more sectors (so that an Arena takes new drops), and the
 * place when it is given. A parent is a sector of the alien, or earlier in the list: no cycles.
 * Returns OK, BAD_FIELD (a name), DUPLICATE_SECTOR, UNKNOWN_SECTOR (a parent), BAD_VALUE (a number
 * that is not finite, a basis that is none), RANGE (an origin). */
oban_status oban_wild_alien_put(oban_wild *wild, const oban_wild_alien_def *def,
                                oban_wild_result *result);

typedef enum oban_wild_op { OBAN_WILD_SET = 1, OBAN_WILD_ADD = 2 } oban_wild_op;

/* Targets: one of the first seven, with one of C, V, A. The numbers are Wild's. */
enum {
    OBAN_WILD_X = 0,
    OBAN_WILD_Y = 1,
    OBAN_WILD_Z = 2,
    OBAN_WILD_R = 3,
    OBAN_WILD_RX = 4,
    OBAN_WILD_RY = 5,
    OBAN_WILD_RZ = 6,
    OBAN_WILD_C = 0x00,
    OBAN_WILD_V = 0x10,
    OBAN_WILD_A = 0x20
};

/* A target from its word: x|y|z|r . c|v|a, rv.x rv.y rv.z (also with .c .v .a behind), in lower
 * case. Returns false when it is none. What it names may still be refused (r.c, rv.x.v). */
bool oban_wild_target_find(oban_text word, uint8_t *target);
/* "y.v"; "rv.x" for RX|C; NULL for what no move may set. */
const char *oban_wild_target_word(uint8_t target);

typedef struct oban_wild_command_def {
    oban_wild_op op;
    uint8_t target;
    bool has_raw;
    int64_t raw; /* Wild's number: 32.0 for x y z . c, else 16.16 */
    bool has_value;
    double value; /* units, units a tick, degrees a tick, a part of an axis */
} oban_wild_command_def;

typedef struct oban_wild_move_def {
    oban_text role;                        /* data NULL: by id */
    uint32_t id;                           /* Wild's: 1 is the first role */
    uint32_t start;                        /* Wild ticks after the doing's */
    uint32_t duration;                     /* Wild ticks; OBAN_WILD_FOREVER */
    const oban_wild_command_def *commands; /* done in this order */
    uint32_t command_count;
} oban_wild_move_def;

typedef struct oban_wild_action_def {
    oban_text action;
    const oban_text *roles; /* names for the sectors that it will move */
    uint32_t role_count;
    const oban_wild_move_def *moves; /* sorted by start, stable, when they are kept */
    uint32_t move_count;
    bool remove; /* at its stop the sectors vanish (but for `replaced`) */
} oban_wild_action_def;

/* Defines an action; anew when the name is there: what goes on goes on with the old one.
 * Returns OK, BAD_FIELD (a name, no roles), DUPLICATE_SECTOR (a role), UNKNOWN_SECTOR (a move's),
 * BAD_TARGET, BAD_VALUE, RANGE (a number that does not fit, a motion that certainly leaves the
 * format), OVERLAP_START, ZERO_AXIS. A move that cuts an earlier one short is a warning. */
oban_status oban_wild_define(oban_wild *wild, const oban_wild_action_def *def,
                             oban_wild_result *result);

typedef struct oban_wild_do_def {
    oban_text alien;
    oban_text action;
    const oban_text *sectors; /* in the order of the roles; with `roles`, in any order */
    const oban_text *roles;   /* NULL, or the role of each of the sectors */
    uint32_t sector_count;
    uint64_t start; /* Wild tick, past or to come; 0: now */
    bool replace;   /* doings that hold any of the sectors are stopped first, as `replaced` */
} oban_wild_do_def;

/* Starts a doing. It holds its sectors until its stop, also while it waits for its start.
 * Returns OK, UNKNOWN_ALIEN, UNKNOWN_ACTION, SECTOR_COUNT, UNKNOWN_SECTOR (also one that is about
 * to vanish), DUPLICATE_SECTOR, SECTOR_BUSY, RANGE (the motion leaves the format; a start beyond
 * OBAN_WILD_TICK_MAX). What has ended already stops at once. */
oban_status oban_wild_do(oban_wild *wild, const oban_wild_do_def *def, oban_wild_result *result);

/* Stops a doing, as `command`. Returns OK or NO_DOING. */
oban_status oban_wild_abort(oban_wild *wild, uint64_t doing, oban_wild_result *result);

/* One of: an alien, one of its sectors with all below it, an action (name only: doings go on). */
typedef struct oban_wild_remove_def {
    oban_text alien;  /* bytes 0: an action */
    oban_text sector; /* bytes 0: the whole alien */
    oban_text action;
} oban_wild_remove_def;

/* Removes; doings that hold what goes are stopped, as `killed`. Returns OK, UNKNOWN_ALIEN,
 * UNKNOWN_SECTOR, UNKNOWN_ACTION, BAD_FIELD (neither alien nor action, or both). */
oban_status oban_wild_remove(oban_wild *wild, const oban_wild_remove_def *def,
                             oban_wild_result *result);

/* ---- time ------------------------------------------------------------------------------------ */

uint64_t oban_wild_tick(const oban_wild *wild); /* the world's */
/* Goes to a world tick, not before the present one and below OBAN_WILD_TICK_MAX (asserts): what
 * falls due on the way comes about in its order, each thing once. Forgets the events before.
 * Allocates nothing; costs by what moves and falls due, not by what is there. */
void oban_wild_step(oban_wild *wild, uint64_t world_tick);
/* The matrices of what moved, parents first. `publication` stamps what changed. Allocates nothing.
 */
void oban_wild_evaluate(oban_wild *wild, uint64_t publication);

/* ---- what came about ------------------------------------------------------------------------- */

#define OBAN_WILD_STOP_REASONS(X)                                                                  \
    X(END, "end")                                                                                  \
    X(COMMAND, "command")                                                                          \
    X(REPLACED, "replaced")                                                                        \
    X(KILLED, "killed")

typedef enum oban_wild_stop_reason {
#define OBAN_X(NAME, word) OBAN_WILD_STOP_##NAME,
    OBAN_WILD_STOP_REASONS(OBAN_X)
#undef OBAN_X
} oban_wild_stop_reason;

const char *oban_wild_stop_reason_word(oban_wild_stop_reason reason);

typedef enum oban_wild_event_type {
    OBAN_WILD_EVENT_STOP,    /* exactly one for each doing */
    OBAN_WILD_EVENT_OVERFLOW /* a forever move would leave 16.16 or 32.0; its doing's stop, with
                                the reason `end`, comes next */
} oban_wild_event_type;

typedef struct oban_wild_event {
    oban_wild_event_type type;
    oban_wild_stop_reason reason; /* STOP */
    uint64_t tick;                /* the world's */
    uint64_t wild_tick;
    uint64_t doing;
    char alien[OBAN_WILD_NAME_MAX + 1];
    char action[OBAN_WILD_NAME_MAX + 1];
    char sector[OBAN_WILD_NAME_MAX + 1]; /* OVERFLOW: whose motion it is */
} oban_wild_event;

/* A sector that was there and is not. */
typedef struct oban_wild_gone {
    char alien[OBAN_WILD_NAME_MAX + 1];
    char sector[OBAN_WILD_NAME_MAX + 1];
    uint32_t life;
    uint32_t h;
    uint64_t born; /* the publication that first showed it; 0: none did */
} oban_wild_gone;

/* Since the last step, or clear; in their order. */
const oban_wild_event *oban_wild_events(const oban_wild *wild, uint32_t *count);
const oban_wild_gone *oban_wild_gone_list(const oban_wild *wild, uint32_t *count);
void oban_wild_events_clear(oban_wild *wild);

/* ---- what is there --------------------------------------------------------------------------- */
/* Only this module writes. Valid until the next command or step. */

typedef struct oban_wild_alien oban_wild_alien;
typedef struct oban_wild_sector oban_wild_sector;
typedef struct oban_wild_action oban_wild_action;
typedef struct oban_wild_doing oban_wild_doing;

/* By rising name. */
uint32_t oban_wild_alien_count(const oban_wild *wild);
const oban_wild_alien *oban_wild_alien_at(const oban_wild *wild, uint32_t index);
const oban_wild_alien *oban_wild_alien_find(const oban_wild *wild, oban_text name);
const char *oban_wild_alien_name(const oban_wild_alien *alien);
const oban_mat34 *oban_wild_alien_place(const oban_wild_alien *alien);
uint32_t oban_wild_alien_sectors(const oban_wild_alien *alien);

/* What frames show of a sector. */
typedef struct oban_wild_view {
    const char *alien;
    const char *sector;
    const char *parent; /* NULL: none */
    uint32_t life;      /* rises with every sector made, of whatever name; from 1 */
    uint32_t h;
    uint64_t doing;   /* that holds it; 0: none */
    oban_mat34 m;     /* absolute: place * parents * rel; columns I, J, K, O */
    oban_mat34 rel;   /* to the parent */
    uint64_t born;    /* the publication that first showed it; 0: not yet evaluated */
    uint64_t touched; /* the newest publication in which m, rel or doing changed */
} oban_wild_view;

/* All sectors in the order in which they were made, so parents before children. */
uint32_t oban_wild_sector_count(const oban_wild *wild);
const oban_wild_sector *oban_wild_sector_first(const oban_wild *wild);
const oban_wild_sector *oban_wild_sector_next(const oban_wild_sector *sector);
const oban_wild_sector *oban_wild_sector_find(const oban_wild_alien *alien, oban_text name);
/* Everything of one, as of the last evaluation; and only its stamp, to look at many. */
void oban_wild_sector_view(const oban_wild_sector *sector, oban_wild_view *out);
uint64_t oban_wild_sector_touched(const oban_wild_sector *sector);
/* The newest publication in which any sector was made, moved or removed; never too low. */
uint64_t oban_wild_changed(const oban_wild *wild);

/* By rising name; only those that have one. */
uint32_t oban_wild_action_count(const oban_wild *wild);
const oban_wild_action *oban_wild_action_at(const oban_wild *wild, uint32_t index);
const oban_wild_action *oban_wild_action_find(const oban_wild *wild, oban_text name);

typedef struct oban_wild_command {
    uint8_t op;
    uint8_t target;
    int32_t value; /* raw */
} oban_wild_command;

typedef struct oban_wild_move {
    uint32_t role; /* from 0 */
    uint32_t start;
    uint32_t duration;
    uint32_t first; /* of the action's commands */
    uint32_t count;
} oban_wild_move;

/* Everything of an action, raw. */
typedef struct oban_wild_action_view {
    const char *action;
    bool remove;
    const char (*roles)[OBAN_WILD_NAME_MAX + 1];
    uint32_t role_count;
    const oban_wild_move *moves; /* by start */
    uint32_t move_count;
    const oban_wild_command *commands;
    uint32_t command_count;
} oban_wild_action_view;

void oban_wild_action_see(const oban_wild_action *action, oban_wild_action_view *out);

typedef struct oban_wild_doing_view {
    uint64_t doing;
    const char *alien;
    const char *action;
    uint64_t started; /* Wild ticks; may be to come */
    uint64_t ends;    /* NEVER: not by itself */
    uint32_t sector_count;
} oban_wild_doing_view;

/* By rising number. */
uint32_t oban_wild_doing_count(const oban_wild *wild);
const oban_wild_doing *oban_wild_doing_first(const oban_wild *wild);
const oban_wild_doing *oban_wild_doing_next(const oban_wild_doing *doing);
const oban_wild_doing *oban_wild_doing_find(const oban_wild *wild, uint64_t number);
void oban_wild_doing_see(const oban_wild_doing *doing, oban_wild_doing_view *out);
/* Its sectors, in the order of the roles: the first, and the one after it; NULL: no more. */
const oban_wild_sector *oban_wild_doing_sector(const oban_wild_doing *doing);
const oban_wild_sector *oban_wild_role_next(const oban_wild_sector *sector);

/* ---- state ----------------------------------------------------------------------------------- */

/* Adds the whole state to a hash: what state.def lists, and the pose of each sector as of now. Not
 * the limits, the matrices (the poses give them), events and stamps. */
void oban_wild_hash(const oban_wild *wild, oban_hash *hash);
/* The state as bytes. Returns the size; writes only when `capacity` holds it (call with NULL, 0
 * first). */
size_t oban_wild_save(const oban_wild *wild, void *out, size_t capacity);
/* Makes this what was saved; the limits stay. Sectors that were there are told as gone.
 * Returns OK; BAD_FILE (not a saved state, cut off, inconsistent), LIMIT, NO_MEMORY; then nothing
 * has changed. `message` says where. The next evaluation stamps all. */
oban_status oban_wild_load(oban_wild *wild, const void *data, size_t bytes, oban_line *message);

#endif
