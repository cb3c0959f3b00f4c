/* SPDX-License-Identifier: MIT */
/* Words of a statement made into the fields of its command, row by row of the command table.
 * Not here: syntax (line.c), what numbers look like (word.c).
 * Next: line.c. */
#include "core/bsl/fill.h"

#include "core/anim/clip.h"

#include <string.h>

oban_status fill_fault(oban_bsl_fault *fault, oban_status status, oban_place place,
                       const char *message)
{
    fault->status = status;
    fault->field = NULL;
    fault->place = place;
    oban_line_clear(&fault->message);
    oban_line_add(&fault->message, message);
    return status;
}

void fill_found(const word *w, oban_line *line)
{
    oban_line_add(line, ", found ");
    if (w->kind == WORD_TEXT_END) {
        oban_line_add(line, "the end of the text");
    } else if (w->kind == WORD_NEWLINE) {
        oban_line_add(line, "the end of the line");
    } else {
        word_tell(w->text, line);
    }
}

/* The next warning's line, begun; NULL when there is no room for one. */
static oban_line *fill_warn(oban_bsl_statement *statement, oban_place place, const char *message)
{
    if (statement->warning_count == OBAN_RESULT_WARNINGS_MAX) {
        return NULL;
    }
    uint32_t at = statement->warning_count++;
    statement->warnings[at].place = place;
    oban_line_clear(&statement->warnings[at].message);
    oban_line_add(&statement->warnings[at].message, message);
    return &statement->warnings[at].message;
}

static bool fill_is_number(oban_field_type type)
{
    return type == OBAN_FIELD_I32 || type == OBAN_FIELD_U32 || type == OBAN_FIELD_F32 ||
           type == OBAN_FIELD_BOOL;
}

/* The most bytes of a text. */
static uint32_t fill_text_max(const oban_arg_row *row)
{
    return row->highest == 0 ? OBAN_CLIP_NAME_MAX : (uint32_t)row->highest;
}

static void fill_expected(const oban_arg_row *row, oban_line *line)
{
    switch (row->type) {
    case OBAN_FIELD_I32:
    case OBAN_FIELD_U32:
    case OBAN_FIELD_F32:
        oban_line_add(line,
                      row->type == OBAN_FIELD_F32 ? "a number from " : "a whole number from ");
        oban_line_add_i64(line, row->lowest);
        oban_line_add(line, " to ");
        oban_line_add_i64(line, row->highest);
        break;
    case OBAN_FIELD_BOOL:
        oban_line_add(line, "0, 1, true or false");
        break;
    case OBAN_FIELD_MODE:
        oban_line_add(line, "look, move or both");
        break;
    case OBAN_FIELD_TEXT:
        oban_line_add(line, "a text of 1 to ");
        oban_line_add_u64(line, fill_text_max(row));
        oban_line_add(line, " bytes");
        break;
    case OBAN_FIELD_WHO:
        oban_line_add(line, "a character: its name, or a number from 0 to 65535");
        break;
    case OBAN_FIELD_MAT34:
    case OBAN_FIELD_NONE:
        break;
    }
}

static oban_status fill_bad_field(const oban_arg_row *row, oban_place place, const word *found,
                                  oban_bsl_fault *fault)
{
    (void)fill_fault(fault, OBAN_BAD_FIELD, place, row->name);
    fault->field = row->name;
    oban_line_add(&fault->message, found == NULL ? ": missing; expected " : ": expected ");
    fill_expected(row, &fault->message);
    if (found != NULL) {
        fill_found(found, &fault->message);
    }
    return OBAN_BAD_FIELD;
}

static bool fill_mode(oban_text text, oban_camera_part *part)
{
    static const char *const words[] = {"look", "move", "both"};
    static const oban_camera_part parts[] = {OBAN_CAMERA_LOOK, OBAN_CAMERA_MOVE, OBAN_CAMERA_BOTH};
    for (uint32_t i = 0; i < 3; i++) {
        if (oban_text_equal(text, oban_text_of(words[i]))) {
            *part = parts[i];
            return true;
        }
    }
    return false;
}

/* A word as the number that a row wants; false when it is none, or out of range. */
static bool fill_number(const oban_arg_row *row, const word *w, double *out)
{
    if (row->type == OBAN_FIELD_BOOL) {
        /* A word of the field's own name says yes: norotation. */
        if (oban_text_equal(w->text, oban_text_of(row->name))) {
            *out = 1;
            return true;
        }
        bool is_true = oban_text_equal(w->text, oban_text_of("true"));
        if (is_true || oban_text_equal(w->text, oban_text_of("false"))) {
            *out = is_true ? 1 : 0;
            return true;
        }
    }
    if (w->kind != WORD_BARE || !word_number(w->text, out)) {
        return false;
    }
    /* Within the range first: then it fits an int64_t. */
    return *out >= (double)row->lowest && *out <= (double)row->highest &&
           (row->type == OBAN_FIELD_F32 || (double)(int64_t)*out == *out);
}

static void fill_set_number(oban_command *command, const oban_arg_row *row, double value)
{
    void *member = (unsigned char *)command + oban_field_offset(row->field);
    int32_t as_i32 = row->type == OBAN_FIELD_I32 ? (int32_t)value : 0;
    uint32_t as_u32 = row->type == OBAN_FIELD_U32 ? (uint32_t)value : 0;
    float as_f32 = row->type == OBAN_FIELD_F32 ? (float)value : 0;
    bool as_bool = value != 0;
    switch (row->type) {
    case OBAN_FIELD_I32:
        memcpy(member, &as_i32, sizeof as_i32);
        break;
    case OBAN_FIELD_U32:
        memcpy(member, &as_u32, sizeof as_u32);
        break;
    case OBAN_FIELD_F32:
        memcpy(member, &as_f32, sizeof as_f32);
        break;
    case OBAN_FIELD_BOOL:
        memcpy(member, &as_bool, sizeof as_bool);
        break;
    case OBAN_FIELD_TEXT:
    case OBAN_FIELD_MODE:
    case OBAN_FIELD_WHO:
    case OBAN_FIELD_MAT34:
    case OBAN_FIELD_NONE:
        return;
    }
    command->has |= 1u << row->field;
}

static bool fill_set(oban_command *command, const oban_arg_row *row, const word *w)
{
    if (row->type == OBAN_FIELD_NONE) {
        return true; /* any word does, and there is no member for it */
    }
    void *member = (unsigned char *)command + oban_field_offset(row->field);
    double number = 0;
    oban_camera_part part = OBAN_CAMERA_BOTH;
    oban_who who;
    switch (row->type) {
    case OBAN_FIELD_TEXT:
        if (w->text.bytes == 0 || w->text.bytes > fill_text_max(row)) {
            return false;
        }
        memcpy(member, &w->text, sizeof w->text);
        break;
    case OBAN_FIELD_MODE:
        if (!fill_mode(w->text, &part)) {
            return false;
        }
        memcpy(member, &part, sizeof part);
        break;
    case OBAN_FIELD_WHO:
        if (!oban_who_of(w->text, &who)) {
            return false;
        }
        memcpy(member, &who, sizeof who);
        break;
    case OBAN_FIELD_MAT34: /* has no BSL word */
    case OBAN_FIELD_NONE:
        return true;
    case OBAN_FIELD_I32:
    case OBAN_FIELD_U32:
    case OBAN_FIELD_F32:
    case OBAN_FIELD_BOOL:
        if (!fill_number(row, w, &number)) {
            return false;
        }
        fill_set_number(command, row, number);
        return true;
    }
    command->has |= 1u << row->field;
    return true;
}

/* A row without its word: a number is 0 with a warning, when 0 is in its range. */
static oban_status fill_missing(oban_bsl_statement *statement, const oban_arg_row *row,
                                oban_place place, oban_bsl_fault *fault)
{
    if ((row->flags & OBAN_ARG_REQUIRED) == 0) {
        return OBAN_OK;
    }
    if (!fill_is_number(row->type) || row->lowest > 0) {
        return fill_bad_field(row, place, NULL, fault);
    }
    oban_line *line = fill_warn(statement, place, "a missing number is taken as 0: ");
    if (line != NULL) {
        oban_line_add(line, row->name);
    }
    fill_set_number(&statement->command, row, 0);
    return OBAN_OK;
}

static void fill_extra(oban_bsl_statement *statement, const fill_words *words, uint32_t used)
{
    uint32_t extra = words->count - used;
    const word *first = &words->list[used];
    oban_line *line = fill_warn(statement, first->place, extra == 1 ? "an extra word " : "");
    if (line == NULL) {
        return;
    }
    if (extra > 1) {
        oban_line_add_u64(line, extra);
        oban_line_add(line, " extra words from ");
    }
    word_tell(first->text, line);
    oban_line_add(line, extra == 1 ? " is ignored" : " on are ignored");
}

/* `cm_anim name`: the mode may be left out when the one word there is, is none. */
static bool fill_without_mode(const oban_command *command, const fill_words *words)
{
    oban_camera_part part;
    return command->op == OBAN_OP_CM_ANIM && words->count == 1 &&
           !fill_mode(words->list[0].text, &part);
}

oban_status fill_command(oban_bsl_statement *statement, const fill_words *words,
                         oban_bsl_fault *fault)
{
    oban_command *command = &statement->command;
    const oban_command_row *row = oban_command_row_of(command->op);
    uint32_t used = 0;
    bool without_mode = fill_without_mode(command, words);
    for (uint32_t i = 0; i < row->arg_count; i++) {
        const oban_arg_row *arg = &row->args[i];
        oban_status status = OBAN_OK;
        if ((arg->flags & (OBAN_ARG_JSON_ONLY | OBAN_ARG_JSON_REQUIRED)) != 0) {
            continue;
        }
        if (without_mode && arg->type == OBAN_FIELD_MODE) {
            OBAN_SET(command, mode, OBAN_CAMERA_BOTH);
        } else if (used == words->count) {
            status = fill_missing(statement, arg, words->end, fault);
        } else {
            const word *w = &words->list[used++];
            if (!fill_set(command, arg, w)) {
                status = fill_bad_field(arg, w->place, w, fault);
            }
        }
        if (status != OBAN_OK) {
            return status;
        }
    }
    if (used < words->count) {
        fill_extra(statement, words, used);
    }
    return OBAN_OK;
}
