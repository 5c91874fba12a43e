import type { Postgres } from "./postgres.ts";

/** Everything of a database that a model says, row by row, as its catalog tells it; the order of columns is left out. */
export function catalogOf(postgres: Postgres, database: string): readonly unknown[] {
  const own = `n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`;
  return postgres.rows(
    database,
    `select 'table' as sort, n.nspname || '.' || c.relname as name, obj_description(c.oid, 'pg_class') as a, null as b, null as c
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and ${own}
     union all select 'column', n.nspname || '.' || c.relname || '.' || a.attname,
       format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end,
       pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum)
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and ${own}
     union all select 'constraint', n.nspname || '.' || c.relname || '.' || o.conname, pg_get_constraintdef(o.oid),
       obj_description(o.oid, 'pg_constraint'), o.convalidated::text
       from pg_constraint o join pg_class c on c.oid = o.conrelid join pg_namespace n on n.oid = c.relnamespace
       where o.contype <> 'n' and ${own}
     union all select 'enum', n.nspname || '.' || t.typname,
       (select json_agg(e.enumlabel order by e.enumsortorder)::text from pg_enum e where e.enumtypid = t.oid), obj_description(t.oid, 'pg_type'), null
       from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.typtype = 'e' and ${own}
     order by 1, 2, 3`,
  );
}
