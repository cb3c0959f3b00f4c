/* SPDX-License-Identifier: MIT */
/* The machine: cooperative tasks that run a program, one pass after another. It owns the program,
 * the global variables, the tasks and their waits; it reaches the world and whoever listens only
 * through a table of calls, so that it can be tested alone.
 *
 *   oban_machine_begin(m, tick);   a pass begins (phase 3): what it may do is counted anew
 *   oban_machine_text(m, ...);     a text that arrived: runs at once, until it ends or first waits
 *   oban_machine_call(m, ...);     a call that arrived: a task, due in this pass
 *   oban_machine_run(m);           all tasks that are due, oldest first
 *
 * While time is held the same runs again for the same tick. Deterministic: equal calls at equal
 * ticks and equal answers of the host give equal hashes.
 * Nothing in a script can hurt the host: what a task may do is bounded, memory is bounded, and each
 * limit that stops a task is told by its name. Tasks that sleep cost nothing until they are due.
 * Not here: the language (program.h), ticks and the world (stage.h). Next: stage.h, machine.c. */
#ifndef OBAN_BSL_MACHINE_H
#define OBAN_BSL_MACHINE_H

#include "core/base/alloc.h"
#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/bsl/program.h"
#include "core/bsl/words.h"
#include "core/world/command.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- what the machine tells ---------------------------------------------------------------------
 */

typedef enum oban_tell_type {
    OBAN_TELL_SCRIPT,  /* a command for somebody else to perform: protocol 6, `script` */
    OBAN_TELL_WARNING, /* protocol 6, `warning` */
    OBAN_TELL_TASK     /* protocol 6, `task` */
} oban_tell_type;

typedef enum oban_task_state {
    OBAN_TASK_STARTED, /* has begun, or is due */
    OBAN_TASK_WAITING, /* `wait` says for what, `until` until when */
    OBAN_TASK_ENDED,   /* of itself */
    OBAN_TASK_STOPPED  /* by somebody, or by a limit, which `limit` names */
} oban_task_state;

/* "started", "waiting", "ended", "stopped"; never NULL. */
const char *oban_task_state_word(oban_task_state state);

/* Where something is told of: the statement that a task is at. Texts are borrowed for the call. */
typedef struct oban_at {
    uint64_t task;      /* from 1; 0: no task */
    oban_text function; /* "" for a text */
    oban_text file;
    oban_place place;
    uint32_t statement; /* counts the statements of a text from 0; else of its file */
} oban_at;

typedef struct oban_tell {
    oban_tell_type type;
    uint64_t tick;
    oban_at at;
    /* SCRIPT. Engine variables are told so too: command = its name, words "=", value. */
    oban_text command;
    oban_command_class class_; /* TIMELINE or NOOP */
    const oban_text *words;
    uint32_t word_count;
    uint64_t duration; /* ticks; 0: none, or not known; UINT64_MAX: until answered */
    /* WARNING */
    oban_status status;  /* what it would have been for one command */
    const char *message; /* begins "file:line:column: " */
    /* TASK */
    oban_task_state state;
    oban_wait wait;    /* WAITING */
    uint64_t until;    /* WAITING: the tick; UINT64_MAX: until it comes true */
    const char *limit; /* STOPPED: "tasks_max", ...; NULL: somebody stopped it */
    uint64_t limit_value;
} oban_tell;

/* ---- the host ----------------------------------------------------------------------------------
 */

/* The machine's only way out. No call may come back into the machine. */
typedef struct oban_machine_host {
    void *context;
    /* Does one command of the world, as oban_world_apply. */
    oban_status (*apply)(void *context, const oban_at *at, const oban_command *command,
                         oban_result *result);
    /* Whether the order before has not ended yet. */
    bool (*camera_busy)(void *context);
    bool (*character_busy)(void *context, oban_text who); /* carried; a name, or a number as text */
    bool (*objects_busy)(void *context, int32_t first, int32_t last); /* any of them plays */
    void (*tell)(void *context, const oban_tell *tell);
} oban_machine_host;

/* ---- the machine -------------------------------------------------------------------------------
 */

typedef struct oban_machine oban_machine;

#define OBAN_CALL_DEPTH_MAX 128u         /* call_depth_max: calls within one another, of one task */
#define OBAN_TASK_VALUES_MAX 2048u       /* task_values_max: variables and values of one task */
#define OBAN_TASK_STATEMENTS_MAX 100000u /* task_statements_max: without sleeping; behaviour 7 */
#define OBAN_STRINGS_BYTES_MAX 1048576u  /* strings_bytes_max: of all strings made by scripts */

typedef struct oban_machine_def {
    oban_alloc alloc;
    oban_machine_host host;
    uint32_t tasks_max;               /* protocol 9; 1 to 1,000,000 */
    uint32_t statements_per_tick_max; /* protocol 9; of all tasks of a pass */
    uint32_t script_bytes_max;        /* protocol 9; of one file or text */
} oban_machine_def;

/* Returns OK or NO_MEMORY. Owns: give it back with oban_machine_destroy. What sleeping and waking
 * needs is allocated here; starting more tasks than ever before allocates. */
oban_status oban_machine_create(const oban_machine_def *def, oban_machine **out);
void oban_machine_destroy(oban_machine *machine);

/* Forgets all tasks (nothing is told), variables and counters; keeps the files and the durations.
 */
void oban_machine_reset(oban_machine *machine);

/* ---- files -------------------------------------------------------------------------------------
 */

/* As oban_program_load. Global variables that are new get their values, those that were there keep
 * theirs (unless their type has changed); tasks that run an old file go on in it, and call what is
 * new. */
oban_status oban_machine_load(oban_machine *machine, const oban_script_file *files, uint32_t count,
                              oban_findings *findings);
/* As oban_program_unload. */
oban_status oban_machine_unload(oban_machine *machine, oban_text name);
/* The program, to look at; borrowed. */
const oban_program *oban_machine_program(const oban_machine *machine);

/* ---- durations ---------------------------------------------------------------------------------
 */

#define OBAN_DURATION_ASK UINT64_MAX /* until somebody answers (oban_machine_resume) */

/* How long a character animation, a line of dialogue, a film, a text screen or a wait for the game
 * (under its command's name) takes. Again: changed. Returns OK, LIMIT (durations_max 65,536) or
 * NO_MEMORY. No state: like clips, they are what the run is given. Source: behaviour 6. */
oban_status oban_machine_duration_set(oban_machine *machine, oban_text name, uint64_t ticks);
/* For names that are not listed: a number of ticks, or OBAN_DURATION_ASK. Until this is called they
 * are 0, with one warning per name. */
void oban_machine_duration_default(oban_machine *machine, uint64_t ticks);

/* ---- passes ------------------------------------------------------------------------------------
 */

/* Begins a pass at this tick, which never falls. */
void oban_machine_begin(oban_machine *machine, uint64_t tick);
/* Runs what is due: tasks whose time has come or whose wait has come true, oldest first; then those
 * that they started. Each until it ends or waits. */
void oban_machine_run(oban_machine *machine);
/* The next tick at which a task is due by time; UINT64_MAX: none. *polls: some wait for the camera,
 * objects or characters. For an offline runner that skips. */
uint64_t oban_machine_next(const oban_machine *machine, bool *polls);

/* ---- starting, stopping, answering
 * -------------------------------------------------------------- */

/* What became of a text. */
typedef struct oban_text_outcome {
    uint64_t task;       /* its number; 0 when it was refused */
    bool waits;          /* else it has ended or was stopped */
    uint32_t statements; /* that it has */
    const char *limit;   /* it was stopped by this limit; else NULL */
    /* When it was refused: */
    const char *field;
    oban_place place; /* line 0: none */
    oban_line message;
} oban_text_outcome;

/* Runs a text of statements (no functions) as a task of its own, at once, until it ends or first
 * waits. `name` is what messages call it: "text". A text that does not compile does nothing; one of
 * one statement fails like its JSON op. Findings that are no faults are told as warnings.
 * Returns OK, BAD_SCRIPT, LIMIT, NO_MEMORY, or what the one statement came to (UNKNOWN_OP, NO_ANIM,
 * NO_OBJECT, BAD_FIELD, ...): then nothing has changed. Tells of its task only from its first wait
 * on. Source: protocol 2. */
oban_status oban_machine_text(oban_machine *machine, oban_text name, oban_text text,
                              oban_text_outcome *outcome, oban_findings *findings);

/* An argument of a call from outside. */
typedef struct oban_call_argument {
    oban_value_type type; /* INT, FLOAT, BOOL or STRING */
    int32_t i;
    float f;
    oban_text s; /* at most OBAN_SCRIPT_STRING_MAX bytes */
} oban_call_argument;

/* Starts a function as a task, which runs in this pass; its number goes to *id. Missing arguments
 * are 0. Returns OK, NO_SCRIPT (no such function; the message names the nearest), BAD_FIELD
 * (arguments too many, or a string too long), LIMIT (tasks_max) or NO_MEMORY: then nothing has
 * changed. */
oban_status oban_machine_call(oban_machine *machine, oban_text name,
                              const oban_call_argument *arguments, uint32_t count, uint64_t *id,
                              oban_line *message);
/* Ends a task. Returns OK or NO_TASK. */
oban_status oban_machine_stop(oban_machine *machine, uint64_t id);
/* Answers what a task waits for, as if it had come true; it goes on in this pass or the next.
 * Returns OK, NO_TASK, or NOT_SUPPORTED (it does not wait). */
oban_status oban_machine_resume(oban_machine *machine, uint64_t id);

/* ---- looking -----------------------------------------------------------------------------------
 */

typedef struct oban_task_view {
    uint64_t task;
    oban_task_state state; /* STARTED: due; WAITING */
    oban_wait wait;
    uint64_t until;   /* UINT64_MAX: until it comes true */
    oban_text who;    /* CHARACTER, ANIMATION, FILM: of whom; "" else */
    uint64_t started; /* tick */
    uint32_t depth;   /* calls within one another */
    oban_at at;       /* where it is */
    oban_text entry;  /* the function that it was started with; "" for a text */
} oban_task_view;

uint32_t oban_machine_task_count(const oban_machine *machine);
/* The tasks, oldest first. */
void oban_machine_task(const oban_machine *machine, uint32_t index, oban_task_view *out);
/* A global variable's value as text, for people and tests; false when there is none. */
bool oban_machine_variable(const oban_machine *machine, oban_text name, oban_line *out);

/* Adds the state to a hash: tasks with their calls, variables and waits, globals, what is busy. */
void oban_machine_hash(const oban_machine *machine, oban_hash *hash);

#endif
