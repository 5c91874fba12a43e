import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AttributeDocument } from "../../shared/domain/document/document.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { listTables, type TableFacts, toSqlSchema } from "../formats/grammar/sql-schema.ts";
import { type MariaDb, startMariaDb } from "./support/mariadb.ts";

const CHINOOK = join(import.meta.dirname, "../../../shared/data/sql/chinook.mysql.sql");
const SHOP = join(import.meta.dirname, "support/shop.mysql.sql");

let mariadb: MariaDb;
beforeAll(async () => {
  mariadb = await startMariaDb();
  for (const file of [CHINOOK, SHOP]) mariadb.run(readFileSync(file, "utf8"));
});
afterAll(() => mariadb?.stop());

function reported(database: string): readonly TableFacts[] {
  const here = `table_schema = '${database}'`;
  const rows = <T>(query: string): readonly T[] => mariadb.rows<T>(query);
  type Table = { readonly name: string; readonly comment: string; readonly isView: boolean };
  const tables = rows<Table>(
    `select json_object('name', table_name, 'comment', if(table_type = 'VIEW', '', table_comment), 'isView', table_type = 'VIEW')
     from information_schema.tables where ${here} order by binary table_name`,
  );
  type Column = readonly [table: string, name: string, type: string, required: boolean, comment: string];
  const columns = rows<Column>(
    `select json_array(table_name, column_name,
       case when data_type in ('char', 'varchar', 'binary', 'varbinary', 'decimal', 'enum', 'set') then column_type
         when column_type like '% unsigned%' then concat(data_type, ' unsigned') else data_type end,
       is_nullable = 'NO', column_comment)
     from information_schema.columns where ${here} order by table_name, ordinal_position`,
  );
  type Key = readonly [table: string, name: string, columns: string, to: string | null];
  const keys = rows<Key>(
    `select json_array(table_name, constraint_name, group_concat(column_name order by ordinal_position separator '+'),
       concat(max(referenced_table_name), ' ', group_concat(referenced_column_name order by ordinal_position separator '+')))
     from information_schema.key_column_usage where ${here} group by table_name, constraint_name`,
  );
  return tables.map(({ name, comment, isView }) => {
    const own = columns.filter(([table]) => table === name);
    const ofTable = keys.filter(([table]) => table === name);
    return {
      ...{ name, comment },
      columns: own.map(([, column, ...rest]) => (isView ? column : [column, ...rest])),
      primaryKey: ofTable.filter(([, key]) => key === "PRIMARY").flatMap(([, , list]) => list.split("+")),
      unique: ofTable
        .flatMap(([, key, list, to]) =>
          key !== "PRIMARY" && to === null ? [list.split("+").toSorted().join("+")] : [],
        )
        .toSorted(),
      references: ofTable.flatMap(([, , list, to]) => (to === null ? [] : [`${list} > ${to}`])).toSorted(),
    };
  });
}

function formatType({ constraints, properties = {} }: AttributeDocument, name: string): string {
  const { "sql:precision": precision, "sql:scale": scale, "sql:arguments": other } = properties;
  const values = name === "enum" ? constraints?.enum : properties["sql:values"];
  if (Array.isArray(values)) return `${name}(${values.map((one) => `'${String(one).replaceAll("'", "''")}'`)})`;
  // MariaDB writes how wide it shows a number, which says nothing of the number.
  if (!/char|binary|decimal/.test(name)) return name;
  const list = constraints?.maxLength ?? (precision === undefined ? undefined : `${precision},${scale ?? 0}`) ?? other;
  return list === undefined ? name : `${name}(${list})`;
}

async function read(content: string): Promise<readonly TableFacts[]> {
  const { document, recognised } = await createImporter({ allowPrivate: false }).read({ content }, { modelKey: "m" });
  expect(recognised.format).toBe("mysql");
  return listTables(toSqlSchema(document, formatType), ({ name, type, required, comment = "" }) => [
    ...[name, type, required, comment],
  ]);
}

describe.each([
  ["Chinook", CHINOOK],
  ["shop", SHOP],
])("the model of %s", (database, file) => {
  test("equals the one that MariaDB built from the same text", async () =>
    expect(await read(readFileSync(file, "utf8"))).toEqual(reported(database)));

  test("equals the one that MariaDB reports, read from its own dump", async () =>
    expect(await read(mariadb.dump(database))).toEqual(reported(database)));
});
