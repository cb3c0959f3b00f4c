/* SPDX-License-Identifier: MIT */
/* Requests read: which kind of text, JSON, id, op, fields, in this order; the first fault counts.
 * Next: request.h, fields.c. */
#include "proto/wire/request.h"

#include "proto/wire/fields.h"

#include <string.h>

#define REQUEST_INTEGER_MAX 9007199254740991 /* 2^53 - 1; protocol 1 */

void oban_refusal_set(oban_refusal *refusal, oban_status status, const char *field,
                      const char *message)
{
    memset(refusal, 0, sizeof *refusal);
    refusal->status = status;
    refusal->has_field = field != NULL;
    if (field != NULL) {
        oban_line_add(&refusal->field, field);
    }
    oban_line_add(&refusal->message, message);
}

static bool request_parse(const char *text, size_t bytes, oban_refusal *room, oban_json **root)
{
    oban_json_fault fault;
    memset(&fault, 0, sizeof fault);
    oban_status status = oban_json_parse(text, bytes, root, &fault);
    if (status != OBAN_OK) {
        oban_refusal_set(room, status, NULL, fault.message.data);
        if (status != OBAN_NO_MEMORY) {
            room->place = (oban_place){fault.line, fault.column};
        }
        room->has_field = fault.key.bytes > 0 || status == OBAN_BAD_FIELD;
        room->field = fault.key;
        return false;
    }
    if (oban_json_type_of(*root) != OBAN_JSON_OBJECT) {
        oban_refusal_set(room, OBAN_BAD_JSON, NULL, "expected one object, found an array");
        room->place = (oban_place){1, 1};
        return false;
    }
    return true;
}

static uint32_t request_characters(const char *string)
{
    uint32_t count = 0;
    for (; *string != '\0'; string++) {
        count += ((unsigned char)*string & 0xc0u) != 0x80u;
    }
    return count;
}

static bool request_id(const oban_json *root, oban_wire_id *id, oban_refusal *room)
{
    const oban_json *member = oban_json_member(root, "id");
    if (member == NULL) {
        return true;
    }
    if (oban_json_integer(member, -REQUEST_INTEGER_MAX, REQUEST_INTEGER_MAX, &id->integer)) {
        id->kind = OBAN_ID_INTEGER;
        return true;
    }
    if (oban_json_type_of(member) == OBAN_JSON_STRING) {
        const char *string = oban_json_string(member);
        if (request_characters(string) <= OBAN_ID_CHARACTERS_MAX) {
            id->kind = OBAN_ID_STRING;
            id->string = oban_text_of(string);
            return true;
        }
    }
    oban_refusal_set(room, OBAN_BAD_FIELD, "id",
                     "id: expected a string of at most 64 characters or a whole number within "
                     "2^53 - 1, found ");
    oban_field_found(member, &room->message);
    return false;
}

/* A client that writes "OP" is told so rather than that there is no op. */
static const char *request_op_in_other_case(const oban_json *root)
{
    for (const oban_json *m = oban_json_first(root); m != NULL; m = oban_json_next(m)) {
        if (oban_text_equal_nocase(oban_text_of(oban_json_key(m)), oban_text_of("op"))) {
            return oban_json_key(m);
        }
    }
    return NULL;
}

static bool request_op(const oban_json *root, oban_wire_op *op, oban_refusal *room)
{
    const oban_json *member = oban_json_member(root, "op");
    const char *other = member == NULL ? request_op_in_other_case(root) : NULL;
    if (other != NULL) {
        oban_refusal_set(room, OBAN_BAD_FIELD, other, other);
        oban_line_add(&room->message, ": no such field; the nearest is 'op'");
        return false;
    }
    if (member == NULL) {
        oban_refusal_set(room, OBAN_BAD_FIELD, "op", "op: missing; expected the name of an op");
        return false;
    }
    if (oban_json_type_of(member) != OBAN_JSON_STRING) {
        oban_refusal_set(room, OBAN_BAD_FIELD, "op", "op: expected the name of an op, found ");
        oban_field_found(member, &room->message);
        return false;
    }
    oban_text name = oban_text_of(oban_json_string(member));
    if (!oban_wire_op_find(name, op)) {
        oban_refusal_set(room, OBAN_UNKNOWN_OP, "op", "");
        oban_wire_op_missing(name, &room->message);
        return false;
    }
    return true;
}

/* A BSL text may hold line ends, which the texts of other fields may not. */
static bool request_bsl_text(const oban_json *root, oban_text *text, oban_refusal *room)
{
    const oban_json *member = oban_json_member(root, "text");
    if (member != NULL && oban_json_type_of(member) == OBAN_JSON_STRING) {
        *text = oban_text_of(oban_json_string(member));
        return true;
    }
    oban_refusal_set(room, OBAN_BAD_FIELD, "text",
                     member == NULL ? "text: missing; expected a string"
                                    : "text: expected a string, found ");
    if (member != NULL) {
        oban_field_found(member, &room->message);
    }
    return false;
}

static bool request_script_fits(const oban_request *request, uint64_t bytes_max, oban_refusal *room)
{
    if (request->text.bytes <= bytes_max) {
        return true;
    }
    oban_refusal_set(room, OBAN_LIMIT, "text", "a BSL text of ");
    oban_line_add_u64(&room->message, request->text.bytes);
    oban_line_add(&room->message, " bytes; script_bytes_max is ");
    oban_line_add_u64(&room->message, bytes_max);
    return false;
}

static bool request_fields(const oban_json *root, oban_request *out, oban_refusal *room)
{
    static const char *const common[] = {"op", "id", NULL};
    static const char *const with_text[] = {"op", "id", "text", NULL};
    oban_wire_row row = oban_wire_row_of(out->op);
    bool is_text = out->op == OBAN_WIRE_BSL;
    oban_field_fault fault;
    if (is_text && !request_bsl_text(root, &out->text, room)) {
        return false;
    }
    if ((unsigned)out->op < OBAN_OP_COUNT) {
        out->command.op = (oban_op)out->op;
    }
    if (oban_fields_read(root, row.args, is_text ? 0 : row.arg_count, &out->command,
                         is_text ? with_text : common, &fault) == OBAN_OK) {
        return true;
    }
    oban_refusal_set(room, OBAN_BAD_FIELD, fault.field, fault.message.data);
    return false;
}

static bool request_json(const char *text, size_t bytes, oban_request *out, oban_refusal *room,
                         oban_json **root)
{
    return request_parse(text, bytes, room, root) && request_id(*root, &out->id, room) &&
           request_op(*root, &out->op, room) && request_fields(*root, out, room);
}

static bool request_is_json(const char *text, size_t bytes)
{
    size_t at = 0;
    while (at < bytes &&
           (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n')) {
        at++;
    }
    return at < bytes && (text[at] == '{' || text[at] == '[');
}

void oban_request_read(const char *text, size_t bytes, uint64_t script_bytes_max, oban_request *out,
                       oban_refusal *room, oban_json **root)
{
    bool good = true;
    memset(out, 0, sizeof *out);
    *root = NULL;
    out->op = OBAN_WIRE_BSL;
    if (request_is_json(text, bytes)) {
        good = request_json(text, bytes, out, room, root);
    } else {
        out->text = (oban_text){text, (uint32_t)bytes};
    }
    if (!good || !request_script_fits(out, script_bytes_max, room)) {
        out->refusal = room;
    }
}

/* ---- copies ---- */

static void request_move_text(oban_text *text, char **at)
{
    if (text->bytes > 0) {
        memcpy(*at, text->data, text->bytes);
        text->data = *at;
        *at += text->bytes;
    } else {
        text->data = NULL;
    }
}

void *oban_request_copy(const oban_alloc *alloc, const oban_request *request, size_t before,
                        oban_request **copy, size_t *bytes)
{
    size_t refusal_at = before + sizeof *request;
    size_t texts_at = refusal_at + (request->refusal != NULL ? sizeof *request->refusal : 0);
    *bytes = texts_at + request->id.string.bytes + request->text.bytes +
             request->command.anim.bytes + request->command.name.bytes +
             request->command.geometry.bytes;
    char *block = oban_alloc_take(alloc, *bytes);
    if (block == NULL) {
        return NULL;
    }
    oban_request *out = (oban_request *)(void *)(block + before);
    char *at = block + texts_at;
    *out = *request;
    if (request->refusal != NULL) {
        memcpy(block + refusal_at, request->refusal, sizeof *request->refusal);
        out->refusal = (const oban_refusal *)(const void *)(block + refusal_at);
    }
    request_move_text(&out->id.string, &at);
    request_move_text(&out->text, &at);
    request_move_text(&out->command.anim, &at);
    request_move_text(&out->command.name, &at);
    request_move_text(&out->command.geometry, &at);
    *copy = out;
    return block;
}
