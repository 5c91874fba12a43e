import { parse } from "libpg-query";
import { literal, type SqlColumn, type SqlSchema, type SqlTable } from "./sql-schema.ts";

type Node = Readonly<Record<string, unknown>>;

const node = (value: unknown): Node => (typeof value === "object" && value !== null ? (value as Node) : {});
const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.map(node) : []);
const text = (value: unknown) => (typeof value === "string" ? value : "");
const names = (value: unknown): readonly string[] => list(value).map((one) => text(node(one.String).sval));

/** The names of types in the tree, which is that of the catalog, as statements have them. */
const WRITTEN: Readonly<Record<string, string>> = {
  ...{ int2: "smallint", int4: "integer", int8: "bigint", bool: "boolean", float4: "real", float8: "double precision" },
  bpchar: "char",
};
const SERIAL: Readonly<Record<string, string>> = {
  ...{ serial: "integer", bigserial: "bigint", smallserial: "smallint", serial4: "integer", serial8: "bigint" },
};

/** What a text tells by the grammar of PostgreSQL itself; throws for one that is none. */
export async function parseByGrammar(sql: string): Promise<SqlSchema> {
  const { stmts } = await parse(sql);
  const told: SqlSchema = { tables: new Map(), enums: new Map() };
  for (const { stmt } of stmts ?? []) {
    if (stmt.CreateStmt) createTable(node(stmt.CreateStmt), told);
    if (stmt.AlterTableStmt) alterTable(node(stmt.AlterTableStmt), told);
    if (stmt.IndexStmt) createIndex(node(stmt.IndexStmt), told);
    if (stmt.CommentStmt) comment(node(stmt.CommentStmt), told);
    if (stmt.DropStmt) drop(node(stmt.DropStmt), told);
    if (stmt.RenameStmt) rename(node(stmt.RenameStmt), told);
    if (stmt.AlterEnumStmt) alterEnum(node(stmt.AlterEnumStmt), told);
    if (stmt.CreateEnumStmt) {
      const { typeName, vals } = node(stmt.CreateEnumStmt);
      told.enums.set(names(typeName).at(-1) ?? "", names(vals).join("|"));
    }
  }
  for (const table of told.tables.values()) withKeysReferred(table, told);
  return told;
}

function drop({ removeType, objects }: Node, { tables }: SqlSchema) {
  if (removeType !== "OBJECT_TABLE") return;
  for (const one of list(objects)) tables.delete(["public", ...names(node(one.List).items)].slice(-2).join("."));
}

function rename({ renameType, relation, subname, newname }: Node, { tables }: SqlSchema) {
  const place = tableName(node(relation));
  const table = tables.get(place);
  if (renameType === "OBJECT_TABLE" && table) {
    tables.delete(place);
    tables.set(`${text(node(relation).schemaname) || "public"}.${text(newname)}`, table);
  }
  const column = table?.columns.find(({ name }) => name === subname);
  if (renameType === "OBJECT_COLUMN" && column) Object.assign(column, { name: text(newname) });
}

function alterEnum({ typeName, newVal, newValNeighbor, newValIsAfter }: Node, { enums }: SqlSchema) {
  const name = names(typeName).at(-1) ?? "";
  const values = enums.get(name)?.split("|") ?? [];
  const at = values.indexOf(text(newValNeighbor));
  values.splice(at < 0 ? values.length : newValIsAfter ? at + 1 : at, 0, text(newVal));
  enums.set(name, values.join("|"));
}

const tableName = ({ schemaname, relname }: Node): string => `${text(schemaname) || "public"}.${text(relname)}`;

function createTable({ relation, tableElts, inhRelations, partbound }: Node, told: SqlSchema) {
  const { relpersistence } = node(relation);
  if (partbound || relpersistence === "t") return;
  const table: SqlTable = { columns: [], primaryKey: "", unique: new Set(), references: new Set() };
  told.tables.set(tableName(node(relation)), table);
  for (const parent of list(inhRelations)) {
    const from = told.tables.get(tableName(node(parent.RangeVar)));
    table.columns.push(...(from?.columns ?? []).map((one) => ({ ...one, comment: undefined })));
  }
  for (const element of list(tableElts)) {
    if (element.ColumnDef) addColumn(node(element.ColumnDef), table);
    if (element.Constraint) constrain(node(element.Constraint), table, undefined);
    const { relation: like, options } = node(element.TableLikeClause);
    const has = (bit: number) => (Number(options ?? 0) & bit) !== 0;
    for (const { comment: said, default: value, ...one } of told.tables.get(tableName(node(like)))?.columns ?? [])
      table.columns.push({ ...one, comment: has(1) ? said : undefined, default: has(8) ? value : undefined });
  }
}

function addColumn({ colname, typeName, constraints }: Node, table: SqlTable) {
  const { type, isSerial } = typeOf(node(typeName));
  const column: SqlColumn = { name: text(colname), type, required: isSerial };
  table.columns.push(column);
  for (const one of list(constraints)) constrain(node(one.Constraint), table, column);
}

function typeOf({ names: path, typmods, arrayBounds }: Node): { readonly type: string; readonly isSerial: boolean } {
  // The type of one byte has this name in quotes alone, so without the schema that a keyword has.
  const last = names(path).join(".") === "char" ? '"char"' : (names(path).at(-1) ?? "");
  // Without a length it is a text of any.
  const name = last === "bpchar" && list(typmods).length === 0 ? last : (SERIAL[last] ?? WRITTEN[last] ?? last);
  const sizes = list(typmods).map((one) => String(node(node(one.A_Const).ival).ival ?? 0));
  const size = name === "interval" || sizes.length === 0 ? "" : `(${sizes.join(",")})`;
  return { type: name + size + "[]".repeat(list(arrayBounds).length), isSerial: last in SERIAL };
}

function constrain(constraint: Node, table: SqlTable, column: SqlColumn | undefined) {
  const own = column ? [column.name] : [];
  switch (constraint.contype) {
    case "CONSTR_NOTNULL":
    case "CONSTR_IDENTITY":
      if (column) column.required = true;
      break;
    case "CONSTR_DEFAULT":
      if (column) column.default = saidDefault(node(constraint.raw_expr));
      break;
    case "CONSTR_PRIMARY": {
      const key = column ? own : names(constraint.keys);
      table.primaryKey = key.join("+");
      for (const one of table.columns) if (key.includes(one.name)) one.required = true;
      break;
    }
    case "CONSTR_UNIQUE":
      table.unique.add((column ? own : names(constraint.keys)).toSorted().join("+"));
      break;
    case "CONSTR_FOREIGN": {
      const from = column ? own : names(constraint.fk_attrs);
      const to = tableName(node(constraint.pktable));
      table.references.add(`${from.join("+")} > ${to} ${names(constraint.pk_attrs).join("+")}`);
      break;
    }
    default:
  }
}

function saidDefault(expression: Node): string | undefined {
  const found = defaultOf(expression);
  return found === "null" ? undefined : found;
}

/** A literal behind its casts and its sign; `expression` for anything else. */
function defaultOf(expression: Node): string {
  if (expression.TypeCast) return defaultOf(node(node(expression.TypeCast).arg));
  const { kind, name, lexpr, rexpr } = node(expression.A_Expr);
  const sign = kind === "AEXPR_OP" && lexpr === undefined ? names(name)[0] : undefined;
  if (sign === "-" || sign === "+") {
    const inner = defaultOf(node(rexpr));
    return inner === "expression" ? inner : literal(`${sign}${inner}`);
  }
  if (!expression.A_Const) return "expression";
  const { sval, ival, fval, boolval, isnull } = node(expression.A_Const);
  if (isnull) return "null";
  if (boolval) return String(node(boolval).boolval ?? false);
  if (ival) return String(node(ival).ival ?? 0);
  return literal(fval ? node(fval).fval : (node(sval).sval ?? ""));
}

function alterTable({ relation, cmds }: Node, told: SqlSchema) {
  const table = told.tables.get(tableName(node(relation)));
  if (!table) return;
  for (const one of list(cmds)) {
    const { subtype, name, def } = node(one.AlterTableCmd);
    const column = table.columns.find((found) => found.name === name);
    const inner = node(def);
    if (subtype === "AT_AddColumn") addColumn(node(inner.ColumnDef), table);
    if (subtype === "AT_AddConstraint") constrain(node(inner.Constraint), table, undefined);
    if (subtype === "AT_DropColumn" && column) table.columns.splice(table.columns.indexOf(column), 1);
    if (!column) continue;
    if (subtype === "AT_SetNotNull" || subtype === "AT_AddIdentity") column.required = true;
    if (subtype === "AT_DropNotNull") column.required = false;
    if (subtype === "AT_AlterColumnType") column.type = typeOf(node(node(inner.ColumnDef).typeName)).type;
    if (subtype === "AT_ColumnDefault") column.default = def === undefined ? undefined : saidDefault(inner);
  }
}

function createIndex({ relation, unique, indexParams, whereClause }: Node, told: SqlSchema) {
  const columns = list(indexParams).map((one) => text(node(one.IndexElem).name));
  if (!unique || whereClause || columns.includes("")) return;
  told.tables.get(tableName(node(relation)))?.unique.add(columns.toSorted().join("+"));
}

function comment({ objtype, object, comment: said }: Node, told: SqlSchema) {
  const path = names(node(node(object).List).items);
  const [schema, table, column] =
    objtype === "OBJECT_COLUMN"
      ? [path.at(-3) ?? "public", path.at(-2), path.at(-1)]
      : [path.at(-2) ?? "public", path.at(-1)];
  const found = told.tables.get(`${schema}.${table}`);
  if (objtype === "OBJECT_TABLE" && found) found.comment = text(said);
  const one = found?.columns.find(({ name }) => name === column);
  if (objtype === "OBJECT_COLUMN" && one) one.comment = text(said);
}

function withKeysReferred(table: SqlTable, { tables }: SqlSchema) {
  for (const reference of [...table.references]) {
    const [, name = ""] = / > (.*) $/s.exec(reference) ?? [];
    if (name === "") continue;
    table.references.delete(reference);
    table.references.add(reference + (tables.get(name)?.primaryKey ?? ""));
  }
}
