/* SPDX-License-Identifier: MIT */
/* Actions: what wild_define takes, checked and kept. Not here: their removal (remove.c), their
 * doings (doing.c). Next: alien.c. */
#include "core/wild/state.h"

#include <string.h>

/* ---- targets --------------------------------------------------------------------------------- */

typedef struct action_target {
    const char *word;
    uint8_t target;
    bool allowed;
} action_target;

/* Source: the Wild page [004]; R|C, RX|V and so on are nowhere forbidden but mean nothing: ours. */
static const action_target action_targets[] = {
    {"x.c", OBAN_WILD_X | OBAN_WILD_C, true},      {"x.v", OBAN_WILD_X | OBAN_WILD_V, true},
    {"x.a", OBAN_WILD_X | OBAN_WILD_A, true},      {"y.c", OBAN_WILD_Y | OBAN_WILD_C, true},
    {"y.v", OBAN_WILD_Y | OBAN_WILD_V, true},      {"y.a", OBAN_WILD_Y | OBAN_WILD_A, true},
    {"z.c", OBAN_WILD_Z | OBAN_WILD_C, true},      {"z.v", OBAN_WILD_Z | OBAN_WILD_V, true},
    {"z.a", OBAN_WILD_Z | OBAN_WILD_A, true},      {"r.v", OBAN_WILD_R | OBAN_WILD_V, true},
    {"r.a", OBAN_WILD_R | OBAN_WILD_A, true},      {"rv.x", OBAN_WILD_RX | OBAN_WILD_C, true},
    {"rv.y", OBAN_WILD_RY | OBAN_WILD_C, true},    {"rv.z", OBAN_WILD_RZ | OBAN_WILD_C, true},
    {"r.c", OBAN_WILD_R | OBAN_WILD_C, false},     {"rv.x.c", OBAN_WILD_RX | OBAN_WILD_C, true},
    {"rv.y.c", OBAN_WILD_RY | OBAN_WILD_C, true},  {"rv.z.c", OBAN_WILD_RZ | OBAN_WILD_C, true},
    {"rv.x.v", OBAN_WILD_RX | OBAN_WILD_V, false}, {"rv.y.v", OBAN_WILD_RY | OBAN_WILD_V, false},
    {"rv.z.v", OBAN_WILD_RZ | OBAN_WILD_V, false}, {"rv.x.a", OBAN_WILD_RX | OBAN_WILD_A, false},
    {"rv.y.a", OBAN_WILD_RY | OBAN_WILD_A, false}, {"rv.z.a", OBAN_WILD_RZ | OBAN_WILD_A, false},
};

#define ACTION_TARGETS (sizeof action_targets / sizeof *action_targets)

bool oban_wild_target_find(oban_text word, uint8_t *target)
{
    for (size_t i = 0; i < ACTION_TARGETS; i++) {
        if (oban_text_equal(word, oban_text_of(action_targets[i].word))) {
            *target = action_targets[i].target;
            return true;
        }
    }
    return false;
}

const char *oban_wild_target_word(uint8_t target)
{
    for (size_t i = 0; i < ACTION_TARGETS; i++) {
        if (action_targets[i].target == target && action_targets[i].allowed) {
            return action_targets[i].word;
        }
    }
    return NULL;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t action_at_least_one(uint32_t count, size_t bytes)
{
    return (count > 0 ? count : 1) * bytes;
}

void oban_wild_action_free(oban_wild *wild, oban_wild_action *action)
{
    const oban_alloc *alloc = &wild->alloc;
    oban_alloc_give(alloc, action->roles,
                    action_at_least_one(action->role_count, sizeof *action->roles));
    oban_alloc_give(alloc, action->moves,
                    action_at_least_one(action->move_count, sizeof *action->moves));
    oban_alloc_give(alloc, action->commands,
                    action_at_least_one(action->command_count, sizeof *action->commands));
    oban_alloc_give(alloc, action->by_role,
                    action_at_least_one(action->move_count, sizeof *action->by_role));
    oban_alloc_give(alloc, action->first, (action->role_count + 1) * sizeof *action->first);
    oban_wild_pool_give(&wild->action_pool, action);
}

oban_wild_action *oban_wild_action_make(oban_wild *wild, uint32_t roles, uint32_t moves,
                                        uint32_t commands)
{
    const oban_alloc *alloc = &wild->alloc;
    if (!oban_wild_pool_reserve(alloc, &wild->action_pool, 1)) {
        return NULL;
    }
    oban_wild_action *action = oban_wild_pool_take(&wild->action_pool);
    action->role_count = roles;
    action->move_count = moves;
    action->command_count = commands;
    action->roles = oban_alloc_take(alloc, action_at_least_one(roles, sizeof *action->roles));
    action->moves = oban_alloc_take(alloc, action_at_least_one(moves, sizeof *action->moves));
    action->commands =
        oban_alloc_take(alloc, action_at_least_one(commands, sizeof *action->commands));
    action->by_role = oban_alloc_take(alloc, action_at_least_one(moves, sizeof *action->by_role));
    action->first = oban_alloc_take(alloc, ((size_t)roles + 1) * sizeof *action->first);
    if (action->roles == NULL || action->moves == NULL || action->commands == NULL ||
        action->by_role == NULL || action->first == NULL) {
        oban_wild_action_free(wild, action);
        return NULL;
    }
    return action;
}

void oban_wild_action_release(oban_wild *wild, oban_wild_action *action)
{
    action->uses -= 1;
    if (action->uses == 0 && !action->named) {
        OBAN_WILD_LIST_REMOVE(&wild->all_actions, action);
        action->after = wild->retired;
        wild->retired = action;
    }
}

void oban_wild_action_unname(oban_wild *wild, oban_wild_action *action)
{
    oban_wild_names_drop(&wild->actions, oban_text_of(action->name));
    action->named = false;
    if (action->uses == 0) {
        OBAN_WILD_LIST_REMOVE(&wild->all_actions, action);
        oban_wild_action_free(wild, action);
    }
}

/* ---- what is worked out ---------------------------------------------------------------------- */

/* Moves by role; within a role as they are, by start: counted, then laid. */
static void action_group(oban_wild_action *action)
{
    memset(action->first, 0, (action->role_count + 1) * sizeof *action->first);
    for (uint32_t i = 0; i < action->move_count; i++) {
        action->first[action->moves[i].role + 1] += 1;
    }
    for (uint32_t role = 0; role < action->role_count; role++) {
        action->first[role + 1] += action->first[role];
    }
    for (uint32_t i = action->move_count; i > 0; i--) { /* from behind: `first` ends as it began */
        uint32_t role = action->moves[i - 1].role;
        action->first[role + 1] -= 1;
        action->by_role[action->first[role + 1]] = i - 1;
    }
    /* each entry now holds its role's begin, one place too high */
    memmove(action->first, action->first + 1, action->role_count * sizeof *action->first);
    action->first[action->role_count] = action->move_count;
}

/* The move that replaces a move of the same role, or NULL. */
static const oban_wild_move *action_follower(const oban_wild_action *action, uint32_t by_role)
{
    const oban_wild_move *move = &action->moves[action->by_role[by_role]];
    if (by_role + 1 >= action->first[move->role + 1]) {
        return NULL;
    }
    return &action->moves[action->by_role[by_role + 1]];
}

void oban_wild_action_settle(oban_wild_action *action)
{
    action_group(action);
    action->length = 0;
    for (uint32_t i = 0; i < action->move_count; i++) {
        const oban_wild_move *move = &action->moves[action->by_role[i]];
        uint64_t end = (uint64_t)move->start + move->duration;
        if (move->duration == OBAN_WILD_FOREVER) {
            /* one that is replaced is over then */
            end = action_follower(action, i) != NULL ? 0 : OBAN_WILD_NEVER;
        }
        action->length = end > action->length ? end : action->length;
    }
}

/* ---- wild_define ----------------------------------------------------------------------------- */

/* "moves[3]" or "moves[3].commands[1]", as the definition counts them. */
static void action_say_where(oban_wild_result *result, uint32_t move, uint32_t command)
{
    oban_line_add(&result->message, "moves[");
    oban_line_add_u64(&result->message, move);
    oban_line_add(&result->message, "]");
    if (command != UINT32_MAX) {
        oban_line_add(&result->message, ".commands[");
        oban_line_add_u64(&result->message, command);
        oban_line_add(&result->message, "]");
    }
    oban_line_add(&result->message, ": ");
}

static oban_status action_fail(oban_wild_result *result, oban_status status, uint32_t move,
                               uint32_t command, const char *what)
{
    action_say_where(result, move, command);
    oban_line_add(&result->message, what);
    return oban_wild_fail(result, status, "moves");
}

/* Round half up. The value is within +- 2^32. */
static int64_t action_round(double value)
{
    double wanted = value + 0.5;
    int64_t whole = (int64_t)wanted;
    return (double)whole > wanted ? whole - 1 : whole;
}

/* What is wrong with a command's number, or NULL; then it is put. */
static const char *action_number(const oban_wild_command_def *def, int32_t *out,
                                 oban_status *status)
{
    bool position = (def->target & 7u) < OBAN_WILD_R && (def->target & 0x30u) == OBAN_WILD_C;
    double scale = position ? 1 : 65536;
    int64_t raw = def->raw;
    *status = OBAN_BAD_VALUE;
    if (def->has_raw == def->has_value) {
        return "one of raw and value is due, not both or neither";
    }
    if (def->has_value) {
        double scaled = def->value * scale;
        if (!(scaled == scaled)) {
            return "value is no number";
        }
        if (!(scaled > -4294967296.0 && scaled < 4294967296.0)) {
            *status = OBAN_RANGE;
            return "value does not fit 32 bits";
        }
        raw = action_round(scaled);
        if (position && (double)raw != scaled) {
            return "a position is a whole number";
        }
    }
    *status = OBAN_RANGE;
    if (raw < INT32_MIN || raw > INT32_MAX) {
        return "the number does not fit 32 bits";
    }
    *out = (int32_t)raw;
    return NULL;
}

static oban_status action_take_command(const oban_wild_command_def *def, uint32_t move,
                                       uint32_t index, oban_wild_command *out,
                                       oban_wild_result *result)
{
    oban_status status;
    if (def->op != OBAN_WILD_SET && def->op != OBAN_WILD_ADD) {
        return action_fail(result, OBAN_BAD_VALUE, move, index, "op is set or add");
    }
    if (oban_wild_target_word(def->target) == NULL) {
        return action_fail(result, OBAN_BAD_TARGET, move, index,
                           "targets are x y z with .c .v .a, r.v, r.a, rv.x, rv.y, rv.z");
    }
    out->op = (uint8_t)def->op;
    out->target = def->target;
    const char *wrong = action_number(def, &out->value, &status);
    return wrong == NULL ? OBAN_OK : action_fail(result, status, move, index, wrong);
}

/* The role of a move, by name or by Wild's id. */
static oban_status action_take_role(const oban_wild *wild, const oban_wild_action_def *def,
                                    uint32_t move, uint32_t *role, oban_wild_result *result)
{
    const oban_wild_move_def *from = &def->moves[move];
    *role = from->id - 1;
    if (from->role.data != NULL) {
        const oban_wild_entry *entry = oban_wild_names_entry(&wild->fresh, from->role);
        *role = entry != NULL ? entry->number : UINT32_MAX;
    }
    if (*role < def->role_count) {
        return OBAN_OK;
    }
    return action_fail(result, OBAN_UNKNOWN_SECTOR, move, UINT32_MAX,
                       "sector names none of the action's sectors, nor is it an id from 1 on");
}

/* One move, with its commands behind those there are. */
static oban_status action_take_move(const oban_wild *wild, const oban_wild_action_def *def,
                                    uint32_t index, oban_wild_action *action, uint32_t at,
                                    oban_wild_result *result)
{
    const oban_wild_move_def *from = &def->moves[index];
    oban_wild_move *move = &action->moves[at];
    if (action_take_role(wild, def, index, &move->role, result) != OBAN_OK) {
        return result->status;
    }
    if (from->start > OBAN_WILD_STARTER_MAX || from->duration > OBAN_WILD_FOREVER) {
        return action_fail(result, OBAN_RANGE, index, UINT32_MAX,
                           "start is at most 2147483646, duration at most 2147483647 (forever)");
    }
    move->start = from->start;
    move->duration = from->duration;
    move->first = action->command_count;
    move->count = from->command_count;
    for (uint32_t i = 0; i < from->command_count; i++) {
        oban_wild_command *command = &action->commands[action->command_count + i];
        if (action_take_command(&from->commands[i], index, i, command, result) != OBAN_OK) {
            return result->status;
        }
    }
    action->command_count += from->command_count;
    return OBAN_OK;
}

/* The definition's moves by start, those that start together as they are there. */
static void action_order(const oban_wild_action_def *def, uint32_t *order)
{
    for (uint32_t i = 0; i < def->move_count; i++) {
        uint32_t at = i;
        for (; at > 0 && def->moves[order[at - 1]].start > def->moves[i].start; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

/* What a definition is taken by, and which of its moves one of the action's came from. */
typedef struct action_plan {
    const oban_wild_action_def *def;
    uint32_t *order; /* of the definition's moves: by start */
    uint32_t commands;
} action_plan;

static uint32_t action_given(const action_plan *plan, const oban_wild_action *action,
                             const oban_wild_move *move)
{
    return plan->order[move - action->moves];
}

static oban_status action_check_starts(const action_plan *plan, const oban_wild_action *action,
                                       oban_wild_result *result)
{
    uint32_t cut = 0;
    uint32_t first_cut = 0;
    for (uint32_t i = 0; i < action->move_count; i++) {
        const oban_wild_move *move = &action->moves[action->by_role[i]];
        const oban_wild_move *follower = action_follower(action, i);
        if (follower != NULL && follower->start == move->start) {
            return action_fail(result, OBAN_OVERLAP_START, action_given(plan, action, follower),
                               UINT32_MAX, "another move of this sector has the same start");
        }
        bool over = follower == NULL || (move->duration != OBAN_WILD_FOREVER &&
                                         (uint64_t)move->start + move->duration <= follower->start);
        first_cut = !over && cut == 0 ? action_given(plan, action, move) : first_cut;
        cut += over ? 0 : 1;
    }
    if (cut > 0) {
        oban_line *line = oban_wild_warn(result);
        oban_line_add_u64(line, cut);
        oban_line_add(line, cut == 1 ? " move is" : " moves are");
        oban_line_add(line, " replaced by a later one before the end, first moves[");
        oban_line_add_u64(line, first_cut);
        oban_line_add(line, "]");
    }
    return OBAN_OK;
}

/* What is wrong wherever the sectors stand. Velocities and axes start from nothing, so all of them
 * are known here. */
static oban_status action_check_motion(const action_plan *plan, const oban_wild_action *action,
                                       oban_wild_result *result)
{
    const oban_wild_pose anywhere = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (uint32_t role = 0; role < action->role_count; role++) {
        oban_wild_chain chain;
        uint64_t breaks;
        const oban_wild_move *move = NULL;
        oban_wild_chain_open(&chain, action, role, 0, &anywhere);
        oban_wild_chain_fault fault = oban_wild_chain_check(chain, true, &breaks, &move);
        if (fault == OBAN_WILD_CHAIN_AXIS) {
            return action_fail(result, OBAN_ZERO_AXIS, action_given(plan, action, move), UINT32_MAX,
                               "it turns about no axis; set rv.x, rv.y or rv.z");
        }
        if (fault == OBAN_WILD_CHAIN_RANGE) {
            return action_fail(result, OBAN_RANGE, action_given(plan, action, move), UINT32_MAX,
                               "before its end a speed passes 32768 or a way 2147483648");
        }
    }
    return OBAN_OK;
}

static oban_status action_fill(oban_wild *wild, const action_plan *plan, oban_wild_action *action,
                               oban_wild_result *result)
{
    const oban_wild_action_def *def = plan->def;
    oban_wild_name_copy(action->name, def->action);
    action->remove = def->remove;
    for (uint32_t i = 0; i < def->role_count; i++) {
        oban_wild_name_copy(action->roles[i], def->roles[i]);
    }
    action_order(def, plan->order);
    action->command_count = 0; /* counted up again while they come in */
    for (uint32_t i = 0; i < def->move_count; i++) {
        if (action_take_move(wild, def, plan->order[i], action, i, result) != OBAN_OK) {
            action->command_count = plan->commands;
            return result->status;
        }
    }
    oban_wild_action_settle(action);
    if (action_check_starts(plan, action, result) != OBAN_OK) {
        return result->status;
    }
    return action_check_motion(plan, action, result);
}

/* The roles' names, and how many of everything there are. */
static oban_status action_check_def(oban_wild *wild, action_plan *plan, oban_wild_result *result)
{
    const oban_wild_action_def *def = plan->def;
    uint64_t commands = 0;
    if (!oban_wild_name_fits(result, "action", def->action)) {
        return result->status;
    }
    if (def->role_count == 0) {
        oban_line_add(&result->message, "sectors: an action has at least one");
        return oban_wild_fail(result, OBAN_BAD_FIELD, "sectors");
    }
    if (def->role_count > wild->limits.roles_max) {
        return oban_wild_fail_limit(result, "sectors", "roles_max", wild->limits.roles_max);
    }
    if (def->move_count > wild->limits.moves_max) {
        return oban_wild_fail_limit(result, "moves", "moves_max", wild->limits.moves_max);
    }
    for (uint32_t i = 0; i < def->move_count; i++) {
        commands += def->moves[i].command_count;
    }
    if (commands > wild->limits.commands_max) {
        return oban_wild_fail_limit(result, "moves", "commands_max", wild->limits.commands_max);
    }
    plan->commands = (uint32_t)commands;
    wild->fresh.count = 0;
    if (!oban_wild_names_reserve(&wild->alloc, &wild->fresh, def->role_count)) {
        return oban_wild_fail_memory(result);
    }
    for (uint32_t i = 0; i < def->role_count; i++) {
        if (!oban_wild_name_fits(result, "sectors", def->roles[i])) {
            return result->status;
        }
        wild->fresh.items[wild->fresh.count++] = (oban_wild_entry){def->roles[i], NULL, i};
    }
    oban_wild_names_sort(&wild->fresh);
    const oban_wild_entry *twice = oban_wild_names_twice(&wild->fresh);
    return twice == NULL ? OBAN_OK
                         : oban_wild_fail_name(result, OBAN_DUPLICATE_SECTOR, "sectors",
                                               "the action names twice the sector", twice->name);
}

/* Gives the name to an action that is whole. */
static void action_publish(oban_wild *wild, oban_wild_action *action, oban_wild_action *old)
{
    if (old != NULL) {
        oban_wild_action_unname(wild, old);
    }
    action->serial = wild->next_action++;
    action->named = true;
    OBAN_WILD_LIST_ADD(&wild->all_actions, action);
    oban_wild_names_put(&wild->actions, oban_text_of(action->name), action);
}

oban_status oban_wild_define(oban_wild *wild, const oban_wild_action_def *def,
                             oban_wild_result *result)
{
    action_plan plan = {.def = def};
    oban_wild_result_clear(result);
    if (action_check_def(wild, &plan, result) != OBAN_OK) {
        return result->status;
    }
    oban_wild_action *old = oban_wild_names_find(&wild->actions, def->action);
    bool one_more = old == NULL || old->uses > 0;
    if (one_more && wild->all_actions.count >= wild->limits.actions_max) {
        return oban_wild_fail_limit(result, "action", "actions_max", wild->limits.actions_max);
    }
    size_t order_bytes = action_at_least_one(def->move_count, sizeof *plan.order);
    if (!oban_wild_reserve(wild, 0, 0, 0) ||
        !oban_wild_names_reserve(&wild->alloc, &wild->actions, 1)) {
        return oban_wild_fail_memory(result);
    }
    oban_wild_action *action =
        oban_wild_action_make(wild, def->role_count, def->move_count, plan.commands);
    plan.order = oban_alloc_take(&wild->alloc, order_bytes);
    if (action == NULL || plan.order == NULL) {
        (void)oban_wild_fail_memory(result);
    } else {
        (void)action_fill(wild, &plan, action, result);
    }
    oban_alloc_give(&wild->alloc, plan.order, order_bytes);
    if (result->status == OBAN_OK) {
        action_publish(wild, action, old);
    } else if (action != NULL) {
        oban_wild_action_free(wild, action);
    }
    return result->status;
}
