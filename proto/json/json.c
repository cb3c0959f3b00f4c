/* SPDX-License-Identifier: MIT */
/* Parsed JSON: cJSON's tree behind a type that nobody looks into. The only file that sees cJSON.
 * Not here: strictness, all of which is in scan.c; cJSON only gets text that it has passed.
 * Next: ../wire/. */
#include "proto/json/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

/* An oban_json is a cJSON by another name; no struct oban_json exists. */
static const cJSON *json_tree(const oban_json *value)
{
    return (const cJSON *)(const void *)value;
}

static const oban_json *json_value(const cJSON *tree)
{
    return (const oban_json *)(const void *)tree;
}

oban_status oban_json_parse(const char *text, size_t bytes, oban_json **root,
                            oban_json_fault *fault)
{
    *root = NULL;
    oban_status status = oban_json_scan(text, bytes, fault);
    if (status != OBAN_OK) {
        return status;
    }
    /* The scanner takes less than cJSON does (depth, length of numbers), so only memory can be
     * missing. */
    cJSON *tree = cJSON_ParseWithLength(text, bytes);
    if (tree == NULL) {
        oban_line_add(&fault->message, oban_status_meaning(OBAN_NO_MEMORY));
        return OBAN_NO_MEMORY;
    }
    *root = (oban_json *)(void *)tree;
    return OBAN_OK;
}

void oban_json_free(oban_json *root)
{
    cJSON_Delete((cJSON *)(void *)root);
}

oban_json_type oban_json_type_of(const oban_json *value)
{
    const cJSON *tree = json_tree(value);
    if (cJSON_IsBool(tree)) {
        return OBAN_JSON_BOOL;
    }
    if (cJSON_IsNumber(tree)) {
        return OBAN_JSON_NUMBER;
    }
    if (cJSON_IsString(tree)) {
        return OBAN_JSON_STRING;
    }
    if (cJSON_IsArray(tree)) {
        return OBAN_JSON_ARRAY;
    }
    return cJSON_IsObject(tree) ? OBAN_JSON_OBJECT : OBAN_JSON_NULL;
}

const oban_json *oban_json_member(const oban_json *object, const char *key)
{
    const cJSON *tree = json_tree(object);
    return cJSON_IsObject(tree) ? json_value(cJSON_GetObjectItemCaseSensitive(tree, key)) : NULL;
}

const oban_json *oban_json_first(const oban_json *container)
{
    const cJSON *tree = json_tree(container);
    return tree != NULL ? json_value(tree->child) : NULL;
}

const oban_json *oban_json_next(const oban_json *child)
{
    return json_value(json_tree(child)->next);
}

size_t oban_json_count(const oban_json *container)
{
    size_t count = 0;
    for (const oban_json *child = oban_json_first(container); child != NULL;
         child = oban_json_next(child)) {
        count++;
    }
    return count;
}

const char *oban_json_key(const oban_json *member)
{
    return json_tree(member)->string;
}

bool oban_json_bool(const oban_json *value)
{
    return cJSON_IsTrue(json_tree(value)) != 0;
}

double oban_json_number(const oban_json *value)
{
    const cJSON *tree = json_tree(value);
    return cJSON_IsNumber(tree) ? tree->valuedouble : 0.0;
}

const char *oban_json_string(const oban_json *value)
{
    const cJSON *tree = json_tree(value);
    return cJSON_IsString(tree) ? tree->valuestring : "";
}

/* 2^53 - 1: above it a double no longer tells which integer was meant (9007199254740993 reads as
 * ...992). */
#define JSON_INTEGER_MAX 9007199254740991.0

bool oban_json_integer(const oban_json *value, int64_t lo, int64_t hi, int64_t *out)
{
    const cJSON *tree = json_tree(value);
    if (!cJSON_IsNumber(tree)) {
        return false;
    }
    double number = tree->valuedouble;
    if (!(fabs(number) <= JSON_INTEGER_MAX) || floor(number) != number) {
        return false;
    }
    int64_t whole = (int64_t)number;
    if (whole < lo || whole > hi) {
        return false;
    }
    *out = whole;
    return true;
}

bool oban_json_f32(const oban_json *value, float *out)
{
    const cJSON *tree = json_tree(value);
    /* From half a step above FLT_MAX on, rounding gives infinity. */
    if (!cJSON_IsNumber(tree) || !(fabs(tree->valuedouble) < 0x1.ffffffp127)) {
        return false;
    }
    *out = (float)tree->valuedouble;
    return true;
}
