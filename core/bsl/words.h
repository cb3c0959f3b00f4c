/* SPDX-License-Identifier: MIT */
/* The words of BSL: every command that a script may name, those of the world (OBAN_COMMAND rows of
 * commands.def) and those that the world does not perform or that wait (OBAN_WORD rows), in one
 * list. Not here: script functions (program.h). Next: commands.def, words.c. */
#ifndef OBAN_BSL_WORDS_H
#define OBAN_BSL_WORDS_H

#include "core/base/text.h"
#include "core/world/command.h"

#include <stdbool.h>
#include <stdint.h>

/* What a command waits for before it gives its own order. Where there is a duration, the wait ends
 * with it; a wait may also be answered from outside (oban_machine_resume). */
typedef enum oban_wait {
    OBAN_WAIT_NONE,
    OBAN_WAIT_SLEEP,     /* a number of ticks */
    OBAN_WAIT_CAMERA,    /* until the camera has ended what it does */
    OBAN_WAIT_OBJECTS,   /* until no object of the range plays */
    OBAN_WAIT_CHARACTER, /* until nothing carries the character */
    OBAN_WAIT_ANIMATION, /* until the character's last chr_animate has ended */
    OBAN_WAIT_FILM,      /* until the character's last film has ended */
    OBAN_WAIT_DIALOG,    /* until the last line of dialogue has ended */
    OBAN_WAIT_CONSOLE,   /* itself: until the text screen is closed */
    OBAN_WAIT_GAME,      /* itself: for something of the game that no headless daemon has */
    OBAN_WAIT_SCHEDULE,  /* a call that is due later */
    OBAN_WAIT_TIMER,     /* timer_start's countdown */
    OBAN_WAIT_COUNT
} oban_wait;

/* "sleep", "camera", "objects", ...; never NULL. */
const char *oban_wait_word(oban_wait wait);

/* How long what a command starts takes. */
typedef enum oban_length {
    OBAN_LENGTH_NONE,    /* no time at all */
    OBAN_LENGTH_LISTED,  /* by the table of durations, under the word `length_arg` */
    OBAN_LENGTH_FRAMES,  /* so too; not listed: the word behind it, a number of ticks */
    OBAN_LENGTH_TICKS,   /* the last word, a number of ticks */
    OBAN_LENGTH_SECONDS, /* the first word, in seconds of 60 ticks */
    OBAN_LENGTH_COMMAND  /* by the table, under the command's own name */
} oban_length;

typedef struct oban_word_row {
    const char *name; /* a '*' at its end stands for any rest */
    oban_command_class class_;
    bool bsl;           /* scripts may name it; false for what is a JSON op only */
    oban_wait wait;     /* before its order; CONSOLE, GAME: behind it */
    oban_wait occupies; /* what its order keeps busy for its length: ANIMATION, FILM, DIALOG */
    const char *stem;   /* whose order it is: "cm_anim" for "cm_anim_block"; "": it only waits */
    oban_length length;
    uint32_t length_word; /* from 0 */
    const char *usage;    /* "character anim [frames] [interp]"; "" for the world's own */
    const char *help;
} oban_word_row;

/* All rows: the world's commands, then the others. */
uint32_t oban_word_count(void);
const oban_word_row *oban_word_at(uint32_t index);
/* By exact name, then by a family's; NULL when there is none. The name may be that of a JSON op
 * only (bsl is false). A row that stands for an op of the world which is not there is none. */
const oban_word_row *oban_word_find(oban_text name);
/* The op of the world that a row gives, after the wait if it has one. False: none. */
bool oban_word_op(const oban_word_row *row, oban_op *op);
/* How many words it takes, at least and at most (UINT32_MAX: any number). */
void oban_word_bounds(const oban_word_row *row, uint32_t *least, uint32_t *most);

#endif
