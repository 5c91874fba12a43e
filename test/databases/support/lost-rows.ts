/** The tables of the database that are no part of PostgreSQL, by a condition on `c` and its schema `n`. */
const OWN = `c.relkind = 'r' and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`;

/** Keeps all rows of all tables, for as long as the session lasts. */
export const KEEP_ROWS = `
CREATE TEMP TABLE kept (tab oid, columns int2[], row text[]);
DO $$ DECLARE t record; BEGIN
  FOR t IN SELECT c.oid, n.nspname, c.relname,
      (SELECT array_agg(a.attnum ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS nums,
      (SELECT string_agg(format('%I::text', a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS names
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${OWN}
  LOOP
    EXECUTE format('INSERT INTO kept SELECT %s, %L, ARRAY[%s]::text[] FROM %I.%I', t.oid, t.nums, coalesce(t.names, ''), t.nspname, t.relname);
  END LOOP;
END $$;`;

/** Counts the kept rows and lists the lost ones, by identity of tables and columns, and equal after a cast. */
export const FIND_LOST_ROWS = `
CREATE TEMP TABLE lost (what text);
DO $$ DECLARE t record; place regclass; old text; now text; BEGIN
  FOR t IN SELECT DISTINCT tab, columns FROM kept LOOP
    IF NOT EXISTS (SELECT FROM pg_class WHERE oid = t.tab) THEN INSERT INTO lost VALUES ('a table'); CONTINUE; END IF;
    IF (SELECT count(*) FROM pg_attribute WHERE attrelid = t.tab AND attnum = ANY (t.columns) AND NOT attisdropped) <> coalesce(cardinality(t.columns), 0)
      THEN INSERT INTO lost VALUES (format('a column of %s', t.tab::regclass)); CONTINUE; END IF;
    SELECT coalesce(string_agg(format('(row)[%s]::%s::text', array_position(t.columns, attnum), format_type(atttypid, atttypmod)), ', ' ORDER BY attnum), ''),
        coalesce(string_agg(format('%I::text', attname), ', ' ORDER BY attnum), '')
      INTO old, now FROM pg_attribute WHERE attrelid = t.tab AND attnum = ANY (t.columns) AND NOT attisdropped;
    EXECUTE format('INSERT INTO lost SELECT %L || x::text FROM (SELECT ARRAY[%s]::text[] FROM kept WHERE tab = %s EXCEPT ALL SELECT ARRAY[%s]::text[] FROM %s) x',
      t.tab::regclass || ' ', old, t.tab, now, t.tab::regclass);
  END LOOP;
END $$;
SELECT json_build_object('rows', (SELECT count(*) FROM kept), 'lost', (SELECT coalesce(json_agg(what), '[]') FROM lost));`;
