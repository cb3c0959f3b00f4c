/* SPDX-License-Identifier: MIT */
/* Files compiled and linked: names of one name space, found once and not again while running.
 * A load makes all that is new beside the old, and only then takes its place: what fails changes
 * nothing. Not here: looking at it (view.c), judging it (check.c). Next: linked.h, view.c. */
#include "core/base/room.h"
#include "core/bsl/linked.h"
#include "core/bsl/nearest.h"
#include "core/bsl/parse.h"

#include <string.h>

/* ---- units --------------------------------------------------------------------------------------
 */

oban_text program_unit_name(const oban_unit *unit)
{
    return (oban_text){unit->name, unit->name_bytes};
}

void program_hold(oban_unit *unit)
{
    unit->holders++;
}

void program_release(oban_program *program, oban_unit *unit)
{
    if (--unit->holders > 0) {
        return;
    }
    for (uint32_t i = 0; i < program->unit_count; i++) {
        if (program->units[i] == unit) {
            program->units[i] = program->units[--program->unit_count];
            break;
        }
    }
    unit_destroy(unit);
}

/* The links of a unit that was just read: what does not depend on the program. */
static bool program_prepare(oban_unit *unit)
{
    size_t bytes = ((size_t)unit->names.count + 1) * sizeof *unit->links; /* never none */
    unit->links = oban_alloc_take(&unit->alloc, bytes);
    if (unit->links == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < unit->names.count; i++) {
        unit->links[i] = (unit_link){.function = UNIT_NONE, .variable = UNIT_NONE};
    }
    for (uint32_t i = 0; i < unit->call_count; i++) {
        unit_link *link = &unit->links[unit->calls[i].name];
        if (!link->called) {
            link->called = true;
            link->word = oban_word_find(unit_name_text(unit, unit->calls[i].name));
            link->is_op = link->word != NULL && oban_word_op(link->word, &link->op);
        }
    }
    for (uint32_t i = 0; i < unit->code_count; i++) {
        if ((unit->codes[i] & 0xffu) == UNIT_NAME_SET) {
            unit->links[unit->codes[i] >> UNIT_ARG_BITS].assigned = true;
        }
    }
    return true;
}

static oban_status program_too_long(const oban_program *program, uint32_t file,
                                    oban_findings *findings)
{
    oban_line *line =
        findings_add(findings, true, OBAN_LIMIT, file, (oban_place){1, 1}, "script_bytes_max is ");
    oban_line_add_u64(line, program->script_bytes_max);
    oban_line_add(line, ": the script has more bytes");
    return OBAN_LIMIT;
}

/* Reads one file. On OK the unit is nobody's yet. */
static oban_status program_compile(oban_program *program, const oban_script_file *source,
                                   uint32_t file, bool is_text, oban_findings *findings,
                                   oban_unit **out)
{
    if (source->text.bytes > program->script_bytes_max) {
        return program_too_long(program, file, findings);
    }
    oban_unit *unit = unit_create(&program->alloc, source->name, source->text);
    if (unit == NULL) {
        return OBAN_NO_MEMORY;
    }
    oban_status status = parse_unit(unit, file, is_text, source->tolerant, findings);
    if (status == OBAN_OK && !program_prepare(unit)) {
        status = OBAN_NO_MEMORY;
    }
    if (status != OBAN_OK) {
        unit_destroy(unit);
        return status;
    }
    *out = unit;
    return OBAN_OK;
}

/* ---- tables -------------------------------------------------------------------------------------
 */

static void table_init(program_table *table, const oban_alloc *alloc)
{
    memset(table, 0, sizeof *table);
    oban_names_init(&table->names, *alloc);
}

static void table_fini(program_table *table, const oban_alloc *alloc)
{
    size_t files = table->file_capacity;
    oban_alloc_give(alloc, table->files, files * sizeof *table->files);
    oban_alloc_give(alloc, table->statement_bases, files * sizeof *table->statement_bases);
    oban_alloc_give(alloc, table->functions, table->function_capacity * sizeof *table->functions);
    oban_alloc_give(alloc, table->named, table->named_capacity * sizeof *table->named);
    oban_alloc_give(alloc, table->nested, table->nested_capacity * sizeof *table->nested);
    oban_names_fini(&table->names);
}

/* Room for the files of the old table and so many more. */
static bool table_reserve_files(program_table *table, const oban_alloc *alloc, uint32_t count)
{
    uint32_t capacity = count + 1;
    table->files = oban_alloc_take(alloc, capacity * sizeof *table->files);
    table->statement_bases = oban_alloc_take(alloc, capacity * sizeof *table->statement_bases);
    if (table->files == NULL || table->statement_bases == NULL) {
        oban_alloc_give(alloc, table->files, capacity * sizeof *table->files);
        oban_alloc_give(alloc, table->statement_bases, capacity * sizeof *table->statement_bases);
        table->files = NULL;
        table->statement_bases = NULL;
        return false;
    }
    table->file_capacity = capacity;
    return true;
}

/* The place of a file of that name; the count when there is none. */
static uint32_t table_find_file(const program_table *table, oban_text name)
{
    uint32_t i = 0;
    while (i < table->file_count && !oban_text_equal(program_unit_name(table->files[i]), name)) {
        i++;
    }
    return i;
}

static bool table_add_function(program_table *table, const oban_alloc *alloc, uint32_t file,
                               uint32_t index)
{
    oban_unit *unit = table->files[file];
    uint32_t before = table->names.count;
    uint32_t name =
        oban_names_add(&table->names, unit_name_text(unit, unit->functions[index].name));
    program_function *functions =
        oban_room_make(alloc, table->functions, &table->function_capacity, sizeof *functions,
                       (uint64_t)table->function_count + 1);
    if (functions != NULL) {
        table->functions = functions;
    }
    uint32_t *named = oban_room_make(alloc, table->named, &table->named_capacity, sizeof *named,
                                     (uint64_t)table->names.count + 1);
    if (named != NULL) {
        table->named = named;
    }
    if (name == OBAN_NO_NAME || functions == NULL || named == NULL) {
        return false;
    }
    bool shadowed = table->names.count == before;
    if (!shadowed) {
        named[name] = table->function_count;
    }
    functions[table->function_count++] = (program_function){unit, index, file, shadowed};
    return true;
}

static bool table_add_nested(program_table *table, const oban_alloc *alloc, uint32_t file)
{
    const oban_unit *unit = table->files[file];
    for (uint32_t i = 0; i < unit->call_count; i++) {
        if (!unit->calls[i].nested) {
            continue;
        }
        struct program_nested *nested =
            oban_room_make(alloc, table->nested, &table->nested_capacity, sizeof *nested,
                           (uint64_t)table->nested_count + 1);
        if (nested == NULL) {
            return false;
        }
        table->nested = nested;
        nested[table->nested_count++] = (struct program_nested){file, i};
    }
    return true;
}

/* All of the table, from its files. Returns OK, LIMIT or NO_MEMORY. */
static oban_status table_build(program_table *table, const oban_alloc *alloc)
{
    uint32_t statements = 0;
    for (uint32_t file = 0; file < table->file_count; file++) {
        oban_unit *unit = table->files[file];
        table->statement_bases[file] = statements;
        statements += unit->statement_count;
        for (uint32_t i = 0; i < unit->function_count; i++) {
            if (unit->functions[i].name == UNIT_NONE) {
                continue;
            }
            if (table->function_count >= OBAN_SCRIPT_FUNCTIONS_MAX) {
                return OBAN_LIMIT;
            }
            if (!table_add_function(table, alloc, file, i)) {
                return OBAN_NO_MEMORY;
            }
        }
        if (!table_add_nested(table, alloc, file)) {
            return OBAN_NO_MEMORY;
        }
    }
    table->statement_bases[table->file_count] = statements;
    return OBAN_OK;
}

/* ---- variables ----------------------------------------------------------------------------------
 */

static oban_status program_add_variable(oban_program *program, oban_text name)
{
    uint32_t count = program->variable_names.count;
    if (oban_names_find(&program->variable_names, name) != OBAN_NO_NAME) {
        return OBAN_OK;
    }
    if (count >= OBAN_SCRIPT_VARIABLES_MAX) {
        return OBAN_LIMIT;
    }
    program_variable *variables =
        oban_room_make(&program->alloc, program->variables, &program->variable_capacity,
                       sizeof *variables, (uint64_t)count + 1);
    if (variables == NULL) {
        return OBAN_NO_MEMORY;
    }
    program->variables = variables;
    if (oban_names_add(&program->variable_names, name) == OBAN_NO_NAME) {
        return OBAN_NO_MEMORY;
    }
    memset(&variables[count], 0, sizeof variables[count]);
    return OBAN_OK;
}

/* The variables that a unit declares or sets. Those that were added before a failure stay, without
 * a value and without a use. */
static oban_status program_add_variables(oban_program *program, const oban_unit *unit)
{
    oban_status status = OBAN_OK;
    for (uint32_t i = 0; i < unit->global_count && status == OBAN_OK; i++) {
        status = program_add_variable(program, unit_name_text(unit, unit->globals[i].name));
    }
    for (uint32_t i = 0; i < unit->names.count && status == OBAN_OK; i++) {
        if (unit->links[i].assigned) {
            status = program_add_variable(program, unit_name_text(unit, i));
        }
    }
    return status;
}

static void program_declare(oban_program *program, oban_unit *unit)
{
    for (uint32_t i = 0; i < unit->global_count; i++) {
        const unit_global *global = &unit->globals[i];
        uint32_t at = oban_names_find(&program->variable_names, unit_name_text(unit, global->name));
        program_variable *variable = &program->variables[at];
        if (!variable->declared) {
            variable->type = global->type;
            variable->declared = true;
            variable->unit = unit;
            variable->global = i;
        }
    }
}

static void program_link_unit(oban_program *program, oban_unit *unit)
{
    const program_table *table = &program->table;
    for (uint32_t i = 0; i < unit->names.count; i++) {
        oban_text name = unit_name_text(unit, i);
        uint32_t function =
            unit->links[i].called ? oban_names_find(&table->names, name) : OBAN_NO_NAME;
        unit->links[i].function = function == OBAN_NO_NAME ? UNIT_NONE : table->named[function];
        unit->links[i].variable = oban_names_find(&program->variable_names, name);
    }
}

/* Declarations and links, of all that lives. */
static void program_link(oban_program *program)
{
    for (uint32_t i = 0; i < program->variable_names.count; i++) {
        program_variable *variable = &program->variables[i];
        variable->was_declared = variable->declared;
        variable->was_type = variable->type;
        variable->declared = false;
        variable->unit = NULL;
    }
    for (uint32_t i = 0; i < program->table.file_count; i++) {
        program_declare(program, program->table.files[i]);
    }
    for (uint32_t i = 0; i < program->unit_count; i++) {
        program_link_unit(program, program->units[i]);
    }
}

/* ---- loading ------------------------------------------------------------------------------------
 */

/* What a load makes beside what there is. */
typedef struct program_load {
    oban_program *program;
    oban_findings *findings;
    oban_unit **fresh;
    uint32_t fresh_count;
    uint32_t capacity;
    program_table table;
} program_load;

static oban_status load_limit(program_load *load, const char *name, uint32_t limit)
{
    oban_line *line = findings_add(load->findings, true, OBAN_LIMIT, 0, (oban_place){1, 1}, name);
    oban_line_add(line, " is ");
    oban_line_add_u64(line, limit);
    oban_line_add(line, ": the scripts have more together");
    return OBAN_LIMIT;
}

/* Whether its name can be shown, and none of the files before it has it. */
static bool load_name_good(const oban_script_file *files, uint32_t at)
{
    const oban_script_file *file = &files[at];
    for (uint32_t i = 0; i < at; i++) {
        if (oban_text_equal(files[i].name, file->name)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < file->name.bytes; i++) {
        unsigned char c = (unsigned char)file->name.data[i];
        if (c < 0x20u || c == 0x7fu) {
            return false;
        }
    }
    return file->name.bytes > 0 && file->name.bytes <= OBAN_SCRIPT_NAME_MAX;
}

/* Reads all of them, however many have faults. */
static oban_status load_compile(program_load *load, const oban_script_file *files, uint32_t count)
{
    oban_status worst = OBAN_OK;
    for (uint32_t i = 0; i < count; i++) {
        oban_unit *unit = NULL;
        oban_status status = OBAN_BAD_SCRIPT;
        if (load_name_good(files, i)) {
            status = program_compile(load->program, &files[i], i, false, load->findings, &unit);
        } else {
            (void)findings_add(load->findings, true, OBAN_BAD_SCRIPT, i, (oban_place){1, 1},
                               "a script's name has 1 to 127 bytes, none of them a control "
                               "character, and is not given twice");
        }
        if (unit != NULL) {
            load->fresh[load->fresh_count++] = unit;
        }
        worst =
            status != OBAN_OK && worst != OBAN_NO_MEMORY && worst != OBAN_LIMIT ? status : worst;
    }
    return worst;
}

/* The list of files: the old ones, with the new ones in their place or behind them. */
static oban_status load_place(program_load *load)
{
    const program_table *old = &load->program->table;
    program_table *table = &load->table;
    if (old->file_count > 0) {
        memcpy(table->files, old->files, old->file_count * sizeof *table->files);
    }
    table->file_count = old->file_count;
    for (uint32_t i = 0; i < load->fresh_count; i++) {
        uint32_t at = table_find_file(table, program_unit_name(load->fresh[i]));
        table->files[at] = load->fresh[i];
        table->file_count += at == table->file_count ? 1 : 0;
    }
    return table->file_count > OBAN_SCRIPT_FILES_MAX
               ? load_limit(load, "files_max", OBAN_SCRIPT_FILES_MAX)
               : OBAN_OK;
}

static oban_status load_build(program_load *load)
{
    oban_program *program = load->program;
    oban_status status = table_build(&load->table, &program->alloc);
    if (status == OBAN_LIMIT) {
        return load_limit(load, "functions_max", OBAN_SCRIPT_FUNCTIONS_MAX);
    }
    oban_unit **units =
        oban_room_make(&program->alloc, program->units, &program->unit_capacity, sizeof *units,
                       (uint64_t)program->unit_count + load->fresh_count + 1);
    if (units == NULL) {
        return OBAN_NO_MEMORY;
    }
    program->units = units;
    for (uint32_t i = 0; i < load->fresh_count && status == OBAN_OK; i++) {
        status = program_add_variables(program, load->fresh[i]);
    }
    return status == OBAN_LIMIT ? load_limit(load, "variables_max", OBAN_SCRIPT_VARIABLES_MAX)
                                : status;
}

/* What is there twice, and functions that hide a command. */
static void load_remark(program_load *load)
{
    const program_table *table = &load->table;
    for (uint32_t i = 0; i < table->function_count; i++) {
        const program_function *function = &table->functions[i];
        const unit_function *code = &function->unit->functions[function->index];
        oban_text name = unit_name_text(function->unit, code->name);
        if (function->shadowed) {
            uint32_t first = table->named[oban_names_find(&table->names, name)];
            oban_line *line = findings_add(load->findings, false, OBAN_BAD_SCRIPT, function->file,
                                           code->place, "a function ");
            word_tell(name, line);
            oban_line_add(line, " was there before, in ");
            oban_line_add_text(line, program_unit_name(table->functions[first].unit));
            oban_line_add(line, ":");
            oban_line_add_u64(
                line,
                table->functions[first].unit->functions[table->functions[first].index].place.line);
            oban_line_add(line, "; this one is never called");
        } else if (oban_word_find(name) != NULL) {
            oban_line *line = findings_add(load->findings, false, OBAN_BAD_SCRIPT, function->file,
                                           code->place, "the function ");
            word_tell(name, line);
            oban_line_add(line, " takes the place of the command of that name");
        }
    }
}

/* Cannot fail: the new table takes the place of the old. */
static void load_commit(program_load *load)
{
    oban_program *program = load->program;
    program_table old = program->table;
    for (uint32_t i = 0; i < load->fresh_count; i++) {
        oban_unit *unit = load->fresh[i];
        program->units[program->unit_count++] = unit;
    }
    for (uint32_t i = 0; i < load->table.file_count; i++) {
        program_hold(load->table.files[i]);
    }
    program->table = load->table;
    program_link(program);
    for (uint32_t i = 0; i < old.file_count; i++) {
        program_release(program, old.files[i]);
    }
    table_fini(&old, &program->alloc);
}

static oban_status load_run(program_load *load, const oban_script_file *files, uint32_t count)
{
    const oban_alloc *alloc = &load->program->alloc;
    load->capacity = count > 0 ? count : 1;
    load->fresh = oban_alloc_take(alloc, load->capacity * sizeof(oban_unit *));
    if (load->fresh == NULL ||
        !table_reserve_files(&load->table, alloc, load->program->table.file_count + count)) {
        return OBAN_NO_MEMORY;
    }
    oban_status status = load_compile(load, files, count);
    status = status == OBAN_OK ? load_place(load) : status;
    status = status == OBAN_OK ? load_build(load) : status;
    if (status == OBAN_OK) {
        load_remark(load);
        load_commit(load);
    }
    return status;
}

oban_status oban_program_load(oban_program *program, const oban_script_file *files, uint32_t count,
                              oban_findings *findings)
{
    oban_findings own;
    oban_findings_init(&own, program->alloc);
    program_load load = {.program = program, .findings = findings != NULL ? findings : &own};
    oban_findings_clear(load.findings);
    table_init(&load.table, &program->alloc);
    oban_status status = count > OBAN_SCRIPT_FILES_MAX
                             ? load_limit(&load, "files_max", OBAN_SCRIPT_FILES_MAX)
                             : load_run(&load, files, count);
    if (status != OBAN_OK) {
        for (uint32_t i = 0; i < load.fresh_count; i++) {
            unit_destroy(load.fresh[i]);
        }
        table_fini(&load.table, &program->alloc);
    }
    oban_alloc_give(&program->alloc, load.fresh, load.capacity * sizeof(oban_unit *));
    oban_findings_fini(&own);
    return status;
}

oban_status oban_program_unload(oban_program *program, oban_text name)
{
    uint32_t at = table_find_file(&program->table, name);
    if (at == program->table.file_count) {
        return OBAN_NO_SCRIPT;
    }
    oban_findings findings;
    oban_findings_init(&findings, program->alloc);
    program_load load = {.program = program, .findings = &findings};
    table_init(&load.table, &program->alloc);
    oban_status status = OBAN_NO_MEMORY;
    if (table_reserve_files(&load.table, &program->alloc, program->table.file_count)) {
        for (uint32_t i = 0; i < program->table.file_count; i++) {
            if (i != at) {
                load.table.files[load.table.file_count++] = program->table.files[i];
            }
        }
        status = load_build(&load);
    }
    if (status == OBAN_OK) {
        load_commit(&load);
    } else {
        table_fini(&load.table, &program->alloc);
    }
    oban_findings_fini(&findings);
    return status;
}

oban_status program_text(oban_program *program, oban_text name, oban_text text,
                         oban_findings *findings, oban_unit **out)
{
    oban_script_file source = {.name = name, .text = text};
    oban_unit *unit = NULL;
    program_load load = {.program = program, .findings = findings};
    oban_status status = program_compile(program, &source, 0, true, findings, &unit);
    if (status != OBAN_OK) {
        return status;
    }
    oban_unit **units = oban_room_make(&program->alloc, program->units, &program->unit_capacity,
                                       sizeof *units, (uint64_t)program->unit_count + 1);
    status = units == NULL ? OBAN_NO_MEMORY : program_add_variables(program, unit);
    program->units = units != NULL ? units : program->units;
    if (status != OBAN_OK) {
        unit_destroy(unit);
        return status == OBAN_LIMIT ? load_limit(&load, "variables_max", OBAN_SCRIPT_VARIABLES_MAX)
                                    : status;
    }
    unit->holders = 1;
    program->units[program->unit_count++] = unit;
    program_link_unit(program, unit);
    *out = unit;
    return OBAN_OK;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

oban_status oban_program_create(const oban_program_def *def, oban_program **out)
{
    oban_program *program = oban_alloc_take(&def->alloc, sizeof *program);
    if (program == NULL) {
        return OBAN_NO_MEMORY;
    }
    memset(program, 0, sizeof *program);
    program->alloc = def->alloc;
    program->script_bytes_max = def->script_bytes_max;
    table_init(&program->table, &program->alloc);
    oban_names_init(&program->variable_names, program->alloc);
    *out = program;
    return OBAN_OK;
}

void oban_program_destroy(oban_program *program)
{
    if (program == NULL) {
        return;
    }
    const oban_alloc alloc = program->alloc;
    for (uint32_t i = 0; i < program->unit_count; i++) {
        unit_destroy(program->units[i]);
    }
    table_fini(&program->table, &alloc);
    oban_names_fini(&program->variable_names);
    oban_alloc_give(&alloc, program->units, program->unit_capacity * sizeof(oban_unit *));
    oban_alloc_give(&alloc, program->variables,
                    program->variable_capacity * sizeof *program->variables);
    oban_alloc_give(&alloc, program, sizeof *program);
}
