/* SPDX-License-Identifier: MIT */
/* The inside of a machine, for the files of this folder.
 *   queue.c   what is due, by time and by id     task.c    tasks, their calls and values
 *   run.c     one instruction after another      order.c   commands: words, waits, lengths
 *   machine.c starting, passes, limits           look.c    views, the hash
 * Next: queue.c. */
#ifndef OBAN_BSL_TASKS_H
#define OBAN_BSL_TASKS_H

#include "core/bsl/linked.h"
#include "core/bsl/machine.h"

#define TASKS_DURATIONS_MAX 65536u /* durations_max */
#define TASKS_TELLS_MAX 16384u     /* tells_per_tick_max: commands told, warnings, tasks started */
#define TASKS_ACTORS_MAX 256u      /* actors_max: characters with an animation or a film going on */
#define TASKS_MISSING_MAX 4096u    /* names without a duration that are told of */
#define TASKS_GENERATIONS 8u       /* forks of forks so deep are taken for endless ones */
#define TASKS_NEAREST_MAX 16u      /* searches for names mistyped, of one pass */
#define TASKS_STRINGS_MAX 65536u   /* strings at once; strings_bytes_max bounds them too */

typedef struct task_frame {
    oban_unit *unit; /* held */
    uint32_t function;
    uint32_t pc;
    uint32_t base;      /* its first value */
    uint32_t statement; /* at hand; UNIT_NONE: none yet */
    bool keeps;         /* its value is wanted */
} task_frame;

typedef enum task_kind {
    TASK_FUNCTION, /* runs */
    TASK_TEXT,     /* runs */
    TASK_ONCE,     /* becomes FUNCTION when it is due */
    TASK_REPEAT    /* starts a task each time it is due */
} task_kind;

/* Where a task is kept. */
typedef enum task_queue {
    TASK_NOWHERE, /* it runs, or is free */
    TASK_READY,
    TASK_SLEEPS,
    TASK_WAKES, /* its tick has come */
    TASK_POLLS
} task_queue;

typedef struct task {
    uint64_t id; /* 0: free */
    task_kind kind;
    task_queue queue;
    uint32_t queue_at;
    struct task *before; /* who sleeps in the same spoke */
    struct task *behind;
    oban_wait wait; /* NONE: due */
    uint64_t until; /* UINT64_MAX: until it comes true */
    uint32_t who;   /* a string */
    int32_t first;  /* OBJECTS */
    int32_t last;
    bool answered;       /* the wait at hand counts as come true */
    bool quiet;          /* a text that has not waited yet: its task is not told of */
    uint32_t entry;      /* a string: the function that it began with */
    uint64_t root;       /* the task that somebody outside has started, of whose forks it is one */
    uint64_t branch;     /* the first fork of the root that it comes from; of a root: itself */
    uint32_t generation; /* 0: a root */
    bool recursive;      /* it, or one that it comes from, was forked by its own function */
    int32_t rounds;      /* REPEAT: how often still; below 1: for ever */
    uint64_t every;      /* REPEAT */
    uint64_t started;
    uint32_t statements; /* since it last waited */
    task_frame *frames;
    uint32_t frame_count;
    uint32_t frame_capacity;
    oban_value *values;
    uint32_t value_count;
    uint32_t value_capacity;
    struct task *next_free;
} task;

/* Sleepers by the tick at which they wake, in spokes that each hold every 256th tick. Those that
 * wake much later are looked at once in a round. */
#define TASKS_SPOKES 256u

typedef struct task_spoke {
    task *first;
    task *last;
} task_spoke;

/* What a character's last order keeps busy. */
typedef struct task_actor {
    uint32_t who;   /* a string */
    oban_wait kind; /* ANIMATION, FILM */
    uint64_t until;
} task_actor;

struct oban_machine {
    oban_alloc alloc;
    oban_machine_host host;
    oban_program *program;
    uint32_t tasks_max;
    uint32_t statements_max;

    /* state */
    uint64_t tick;
    uint64_t next_id;
    oban_names strings; /* 0 is "" */
    uint64_t dialog_until;
    task_actor actors[TASKS_ACTORS_MAX];
    uint32_t actor_count;
    uint64_t timer;     /* the task of the countdown; 0: none */
    oban_names missing; /* names whose duration was missed */

    /* tasks: by rising id; those that ended leave a gap until the list is swept */
    struct machine_slot {
        uint64_t id;
        task *task; /* NULL: a gap */
    } * tasks;
    uint32_t task_slots;
    uint32_t task_count; /* alive */
    uint32_t task_capacity;
    task *free;
    task_spoke spokes[TASKS_SPOKES];
    uint32_t asleep;    /* in all spokes */
    uint64_t turned_to; /* the tick up to which the wheel has turned */
    task **ready;       /* a heap by id */
    uint32_t ready_count;
    task **wakes; /* of this tick, by rising id; a gap where one has gone */
    uint32_t wake_count;
    uint32_t wake_at; /* the next one */
    task **polls;     /* by id */
    uint32_t poll_count;
    uint32_t room; /* tasks that the queues have room for, in one block */

    /* of this pass; no state */
    uint64_t turn; /* the id whose turn it is or was */
    uint32_t statements;
    uint32_t tells;
    uint32_t searches;
    bool forgiven;           /* one runaway's statements were taken back */
    bool spent;              /* statements ran out */
    bool swept;              /* strings were collected */
    oban_text_outcome *sole; /* of a text of one statement, which fails instead of warning */
    oban_status sole_status;
    const task *running;
    const char *stopped_by; /* the limit that stopped the task that just ran */

    /* what the run is given */
    oban_names duration_names;
    uint64_t *durations;
    uint32_t duration_capacity;
    bool has_default;
    uint64_t duration_default;
};

/* ---- queue.c ---- */

bool queue_reserve(oban_machine *m, uint32_t tasks);
void queue_fini(oban_machine *m);
void queue_ready(oban_machine *m, task *t);
void queue_sleep(oban_machine *m, task *t); /* until t->until */
void queue_poll(oban_machine *m, task *t);
void queue_remove(oban_machine *m, task *t);
/* Turns the wheel to this tick. */
void queue_wake(oban_machine *m);
/* The first tick at which a sleeper wakes; UINT64_MAX: none. */
uint64_t queue_first(const oban_machine *m);
/* Whether a task has its turn in this pass, by time or because it is ready. */
bool queue_is_due(const task *t);
/* The next one of this pass, taken out; NULL: none. Raises m->turn. */
task *queue_next(oban_machine *m);

/* ---- task.c ---- */

/* A new task without calls. Returns OK, LIMIT (tasks_max) or NO_MEMORY. */
oban_status task_create(oban_machine *m, task_kind kind, oban_text entry, task **out);
/* The end of a task that is in no queue, or is taken out. */
void task_end(oban_machine *m, task *t);
void task_stop(oban_machine *m, task *t, const char *limit, uint64_t value);
/* Without telling anybody. */
void task_free(oban_machine *m, task *t);
/* Closes the gaps in the list. */
void task_sweep(oban_machine *m);
task *task_find(const oban_machine *m, uint64_t id);
/* The newest task alive; NULL: none. */
task *task_newest(const oban_machine *m);
/* One call deeper. Returns NULL, or the limit at which it fails ("no_memory" too). */
const char *task_enter(oban_machine *m, task *t, oban_unit *unit, uint32_t function,
                       const oban_value *args, uint32_t count, bool keeps, uint64_t *limit);
/* Out of the call at hand. */
void task_leave(oban_machine *m, task *t, oban_value value);
void task_sleep(oban_machine *m, task *t, oban_wait wait, uint64_t until);
/* Waits for what only asking tells. */
void task_poll(oban_machine *m, task *t, oban_wait wait);
/* Whether what a polling task waits for has come true. */
bool task_asks(oban_machine *m, const task *t);
oban_at task_at(const oban_machine *m, const task *t);

/* ---- telling ---- */

/* Returns false when so much has been told in this pass that the task must be stopped. */
bool tell_script(oban_machine *m, const task *t, oban_text command, oban_command_class class_,
                 const oban_text *words, uint32_t count, uint64_t duration);
void tell_warning(oban_machine *m, const task *t, oban_status status, oban_place place,
                  const char *message);
void tell_task(oban_machine *m, const task *t, oban_task_state state);

/* ---- values ---- */

/* The number of a text as string; 0 ("") with a warning when there is no room. */
uint32_t value_string(oban_machine *m, const task *t, oban_text text);
/* Collects strings when half of the room for them is used; between tasks only. */
void value_make_room(oban_machine *m);
oban_text value_text(const oban_machine *m, uint32_t string);
oban_value value_convert(oban_machine *m, const task *t, oban_value value, oban_value_type type);
double value_number(oban_machine *m, const task *t, oban_value value);
bool value_truth(const oban_machine *m, oban_value value);
/* A value as text: into the line unless it is a string. */
oban_text value_show(const oban_machine *m, oban_value value, oban_line *line);
oban_value value_zero(oban_value_type type);
oban_value value_operate(oban_machine *m, const task *t, unit_code code, oban_value a,
                         oban_value b);

/* ---- run.c ---- */

/* Lets a task run until it waits or ends. */
void run_turn(oban_machine *m, task *t);
/* Starts a function of the program beside. NULL: it was told why not. */
typedef enum run_step { RUN_ON, RUN_OVER } run_step;
/* A new task that calls a function, in a full house too: the newest makes room. NULL: nothing was
 * started, and the caller may be the one that was stopped (its id is 0 then). */
task *run_start(oban_machine *m, task *caller, task_kind kind, uint32_t function,
                const oban_value *args, uint32_t count);

/* ---- order.c ---- */

/* A call of a command; its arguments are taken from the stack once it is done. */
run_step order_run(oban_machine *m, task *t, uint32_t call);
/* The words of a call as values: those on the stack, or the literal ones. */
uint32_t order_values(oban_machine *m, const task *t, const unit_call *call, uint32_t above,
                      oban_value *out);

#endif
