import { LIMITS } from "../../domain/limits.ts";
import {
  type Catalog,
  type DraftColumn,
  type DraftTable,
  findColumn,
  forgetNames,
  insertColumn,
  splitPosition,
} from "./catalog.ts";
import { TABLE_CHANGES, type TableChange, WORDS } from "./clause-words.ts";
import { isOption, readColumn, readExpression, readOptions, setDefault, setType } from "./column.ts";
import { isConstraint, readConstraint, readDefaultFor } from "./constraint.ts";
import { type Cursor, splitList } from "./cursor.ts";
import { dropColumnParts, dropNamedPart, dropPrimaryKey, keepMadeNames, renameNamedPart } from "./named-parts.ts";
import type { StatementWarnings } from "./statements.ts";

type ApplyChange = (part: Cursor, table: DraftTable, catalog: Catalog, warnings: StatementWarnings) => boolean;

const APPLIERS: Readonly<Record<TableChange, ApplyChange>> = {
  ignored: () => true,
  ADD: addPart,
  DROP: dropPart,
  ALTER: alterColumn,
  MODIFY: modifyColumn,
  CHANGE: changeColumn,
  RENAME: renamePart,
  ATTACH: attachPartition,
  SET: moveTable,
};

/** Applies `ALTER TABLE` with all its changes. */
export function alterTable(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  cursor.skipPast("TABLE");
  const name = cursor.skip("IF", "EXISTS").skip("ONLY").readObjectName();
  const table = name && catalog.findTable(name);
  if (!table) {
    if (!WORDS.changesWithoutWarning.has(cursor.peekKey())) warnings.warn("the changed table is not in the source");
    return;
  }
  if (cursor.skip("*").accept("WITH")) cursor.next();
  let verb = "";
  for (const tokens of splitList(cursor.readRest())) {
    if (catalog.visits > LIMITS.sqlWalked) return;
    const part = cursor.createInner(tokens);
    // SQL Server and Oracle do not repeat the verb in a list.
    verb = part.acceptOne(TABLE_CHANGES) ?? verb;
    const change = TABLE_CHANGES.get(verb);
    if (!change || !APPLIERS[change](part, table, catalog, warnings))
      warnings.warn(`unknown change of a table: ${verb || part.peekKey()}`);
  }
}

function changeColumn(part: Cursor, table: DraftTable, catalog: Catalog): boolean {
  const oldColumn = findColumn(table.columns, part.skip("COLUMN").readName() ?? "");
  return oldColumn !== undefined && replaceColumn(part, table, oldColumn, catalog);
}

function attachPartition(part: Cursor, _: DraftTable, catalog: Catalog, warnings: StatementWarnings): boolean {
  const child = catalog.findTable(part.skip("PARTITION").readObjectName() ?? { name: "" });
  if (child) catalog.removeTable(child);
  warnings.warnLeftOut("a partition of another table");
  return true;
}

function moveTable(part: Cursor, table: DraftTable, catalog: Catalog): boolean {
  if (part.accept("SCHEMA")) catalog.renameTable(table, { schema: part.readName(), name: table.name.name });
  return true;
}

function addPart(part: Cursor, table: DraftTable, catalog: Catalog): boolean {
  if (isConstraint(part)) return readConstraint(part, table);
  if (part.accept("DEFAULT")) return readDefaultFor(part, table);
  const items = part.skip("COLUMN").skip("IF", "NOT", "EXISTS").readItems();
  if (items) return items.map((one) => addPart(one, table, catalog)).every(Boolean);
  if (part.accept("PARTITION")) return true;
  const definition = splitPosition(part);
  const column = readColumn(definition.column, table);
  if (definition.position) countVisits(table, catalog);
  if (column) insertColumn(table.columns, column, definition.position);
  return column !== undefined;
}

/** Counts the searched parts, to limit quadratic work. */
function countVisits({ columns, unique, references, indexes, checks }: DraftTable, catalog: Catalog) {
  catalog.visits += columns.length + unique.length + references.length + indexes.length + checks.length;
}

function dropPart(part: Cursor, table: DraftTable, catalog: Catalog): boolean {
  if (part.accept("PRIMARY", "KEY")) {
    dropPrimaryKey(table);
    return true;
  }
  countVisits(table, catalog);
  const kind = part.acceptOne(WORDS.droppedParts);
  if (kind === "FOREIGN") part.accept("KEY");
  part.accept("IF", "EXISTS");
  if (kind !== undefined && kind !== "COLUMN") {
    dropNamedPart(table, part.readName() ?? "", part.facts);
    return true;
  }
  const droppedColumns = (part.readItems() ?? [part]).map((one) => findColumn(table.columns, one.readName() ?? ""));
  table.columns = table.columns.filter((one) => !droppedColumns.includes(one));
  const names = droppedColumns.flatMap((one) => one?.name ?? []);
  dropColumnParts(table, names, part.facts);
  return droppedColumns.every((one) => one !== undefined);
}

function alterColumn(part: Cursor, table: DraftTable): boolean {
  const column = findColumn(table.columns, part.skip("COLUMN").readName() ?? "");
  if (!column) return false;
  if (part.accept("SET", "NOT", "NULL")) column.optional = false;
  else if (part.accept("DROP", "NOT", "NULL")) column.optional = true;
  else if (part.accept("SET", "DEFAULT")) setDefault(column, readExpression(part), part);
  else if (part.accept("DROP", "DEFAULT")) setDefault(column, [], part);
  else if (part.accept("SET", "DATA", "TYPE") || part.accept("TYPE")) replaceType(part, column, table);
  else if (part.accept("ADD")) readOptions(column, part, table);
  else if (part.accept("COMMENT")) column.comment = part.next()?.value;
  else if (part.accept("SET") || part.accept("DROP") || part.accept("RESET")) return true;
  else {
    // SQL Server repeats the whole column.
    replaceType(part, column, table);
    column.optional = !part.accept("NOT", "NULL");
    readOptions(column, part, table);
  }
  return true;
}

function replaceType(part: Cursor, column: DraftColumn, table: DraftTable) {
  delete column.constraints.maxLength;
  for (const member of ["precision", "scale", "arguments"]) delete column.rest[member];
  setType(column, part, table);
}

function modifyColumn(part: Cursor, table: DraftTable, catalog: Catalog): boolean {
  const items = part.skip("COLUMN").readItems();
  if (items) return items.map((one) => modifyColumn(one, table, catalog)).every(Boolean);
  const oldColumn = findColumn(table.columns, part.peekName() ?? "");
  if (!oldColumn) return false;
  if (part.facts.dialect === "mysql") return replaceColumn(part, table, oldColumn, catalog);
  part.next();
  if (!isOption(part) && !part.isAtEnd()) replaceType(part, oldColumn, table);
  if (part.accept("NULL")) oldColumn.optional = true;
  readOptions(oldColumn, part, table);
  return true;
}

function replaceColumn(part: Cursor, table: DraftTable, oldColumn: DraftColumn, catalog: Catalog): boolean {
  const definition = splitPosition(part);
  const column = readColumn(definition.column, table);
  if (!column) return false;
  column.comment ??= oldColumn.comment;
  if (table.primaryKey?.columns.includes(oldColumn.name)) column.optional = false;
  const { name } = oldColumn;
  if (definition.position) {
    countVisits(table, catalog);
    table.columns = table.columns.filter((one) => one !== oldColumn);
    insertColumn(table.columns, column, definition.position);
  } else Object.assign(oldColumn, { parts: undefined, isList: false }, column);
  if (column.name !== name) renameColumn(table, name, column.name, catalog);
  return true;
}

function renamePart(part: Cursor, table: DraftTable, catalog: Catalog): boolean {
  if (part.accept("TO") || part.accept("AS")) {
    const name = part.readObjectName();
    countVisits(table, catalog);
    keepMadeNames(table, part.facts);
    if (name) catalog.renameTable(table, { schema: name.schema ?? table.name.schema, name: name.name });
    return name !== undefined;
  }
  if (part.acceptOne(WORDS.renamedKeys) !== undefined) {
    const [oldName, newName] = [part.readName(), part.skip("TO").readName()];
    countVisits(table, catalog);
    if (oldName !== undefined && newName !== undefined) renameNamedPart(table, oldName, newName, part.facts);
    return true;
  }
  const column = findColumn(table.columns, part.skip("COLUMN").readName() ?? "");
  const name = part.accept("TO") ? part.readName() : undefined;
  if (!column || name === undefined) return false;
  keepMadeNames(table, part.facts);
  renameColumn(table, column.name, name, catalog);
  column.name = name;
  return true;
}

function renameColumn(table: DraftTable, oldName: string, name: string, catalog: Catalog) {
  countVisits(table, catalog);
  forgetNames(table.columns);
  const lowerName = oldName.toLowerCase();
  const replaceName = (columns: readonly string[]) =>
    columns.map((one) => (one.toLowerCase() === lowerName ? name : one));
  for (const key of [...table.unique, ...table.references, ...(table.primaryKey ? [table.primaryKey] : [])]) {
    key.columns = replaceName(key.columns);
  }
  for (const { references } of catalog.listTables()) {
    catalog.visits += 1 + references.length;
    for (const reference of references) {
      if (catalog.findTable(reference.to) === table) reference.targets = replaceName(reference.targets);
    }
  }
}
