/* SPDX-License-Identifier: MIT */
/* Tokens, on the reader that word.c walks too. Next: parse.c. */
#include "core/bsl/token.h"

#include <string.h>

static char token_peek(const oban_bsl_reader *reader, uint32_t ahead)
{
    return reader->bytes - reader->at > ahead ? reader->text[reader->at + ahead] : '\0';
}

static bool token_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool token_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool token_is_one_of(char c, const char *characters)
{
    while (*characters != '\0' && *characters != c) {
        characters++;
    }
    return *characters != '\0';
}

static void token_take(oban_bsl_reader *reader, token *out, uint32_t bytes)
{
    out->text.bytes = bytes;
    reader->at += bytes;
    reader->place.column += bytes;
}

/* Letters, digits and points that stand together: a number, or a name. */
static void token_run(oban_bsl_reader *reader, token *out)
{
    uint32_t bytes = 0;
    bool point = false;
    while (token_is_letter(token_peek(reader, bytes)) ||
           token_is_digit(token_peek(reader, bytes)) || token_peek(reader, bytes) == '.') {
        point = point || token_peek(reader, bytes) == '.';
        bytes++;
    }
    token_take(reader, out, bytes);
    oban_text text = out->text;
    bool behind = bytes > 1 && text.data[bytes - 1] == 'f' && !token_is_letter(text.data[0]);
    text.bytes -= behind ? 1 : 0; /* 60f, as some write */
    out->kind = !word_number(text, &out->number) ? TOKEN_NAME : point ? TOKEN_FLOAT : TOKEN_INT;
}

static void token_mark(oban_bsl_reader *reader, token *out)
{
    char c = token_peek(reader, 0);
    bool two = token_peek(reader, 1) == '=' && (c == '<' || c == '>' || c == '=' || c == '!');
    out->kind = TOKEN_MARK;
    token_take(reader, out, two ? 2 : 1);
}

static bool token_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

oban_status token_next(oban_bsl_reader *reader, token *out, oban_bsl_fault *fault)
{
    memset(out, 0, sizeof *out);
    out->spaced = token_is_blank(token_peek(reader, 0));
    while (token_is_blank(token_peek(reader, 0))) {
        reader->at++;
        reader->place.column++;
    }
    out->place = reader->place;
    out->text = (oban_text){reader->text + reader->at, 0};
    char c = token_peek(reader, 0);
    if (token_is_letter(c) || token_is_digit(c) || c == '.') {
        token_run(reader, out);
        return OBAN_OK;
    }
    if (token_is_one_of(c, "(){},+-=!<>")) {
        token_mark(reader, out);
        return OBAN_OK;
    }
    if (c != '\0' && !token_is_one_of(c, "\"#;\r\n")) {
        word w;
        oban_bsl_reader at = *reader;
        oban_status status = word_next(reader, &w, fault); /* refuses most, and says why */
        if (status == OBAN_OK) {
            *reader = at;
            fault->status = OBAN_BAD_SCRIPT;
            fault->field = NULL;
            fault->place = out->place;
            oban_line_clear(&fault->message);
            oban_line_add(&fault->message, "expected a value, found ");
            word_tell(w.text, &fault->message);
        }
        return OBAN_BAD_SCRIPT;
    }
    word w;
    oban_status status = word_next(reader, &w, fault);
    if (status != OBAN_OK) {
        return status;
    }
    out->place = w.place;
    out->text = w.text;
    out->kind = w.kind == WORD_QUOTED ? TOKEN_STRING : TOKEN_END;
    out->last = w.kind == WORD_TEXT_END;
    out->semicolon = w.kind == WORD_SEMICOLON;
    return OBAN_OK;
}

bool token_is_mark(const token *t, const char *mark)
{
    return t->kind == TOKEN_MARK && oban_text_equal(t->text, oban_text_of(mark));
}

bool token_is_word(const token *t, const char *name)
{
    return t->kind == TOKEN_NAME && oban_text_equal(t->text, oban_text_of(name));
}

bool token_can_name(const token *t)
{
    word w = {WORD_BARE, t->text, t->place};
    return (t->kind == TOKEN_NAME || t->kind == TOKEN_INT) && word_is_name(&w) &&
           !token_is_reserved(t->text);
}

void token_found(const token *t, oban_line *line)
{
    oban_line_add(line, ", found ");
    if (t->kind == TOKEN_END && !t->semicolon) {
        oban_line_add(line, t->last ? "the end of the text" : "the end of the line");
    } else {
        word_tell(t->text, line);
    }
}

bool token_is_reserved(oban_text name)
{
    static const char *const words[] = {
        "and",    "at",       "bool",  "else",   "eq",      "every", "false", "float", "for",
        "fork",   "func",     "if",    "int",    "iterate", "ne",    "or",    "over",  "repeat",
        "return", "schedule", "sleep", "string", "true",    "using", "var",   "void",
    };
    for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (name.bytes > 0 && words[i][0] == name.data[0] &&
            oban_text_equal(name, oban_text_of(words[i]))) {
            return true;
        }
    }
    return false;
}
