CREATE TABLE incoming (
  "UpdatedAt" timestamp(0) WITHOUT time zone NOT NULL DEFAULT LOCALTIMESTAMP(0),
  "Kind" varchar(255) NOT NULL DEFAULT 'plain',
  "Class" integer NOT NULL DEFAULT '-1',
  "ID" serial PRIMARY KEY,
  "Processed" boolean NOT NULL DEFAULT 'false',
  "Before" time NOT NULL DEFAULT '23:59:59',
  "t2" timestamp(0) with time zone default '2000-01-01 10:00:00+02',
  ts timestamp default 'infinity',
  CHECK ("Kind" IN ('plain','unicode','8bit'))
);
CREATE INDEX "Incoming_Date" ON incoming("UpdatedAt", "Kind");
CREATE TABLE outgoing ("ID" bigserial PRIMARY KEY, a int, CHECK (("ID" > 0) AND a > 0), b varchar(5) CHECK (b IN ('yes','no','default')), c numeric(7,3) default '0.000', d varchar(3) check (d in ('a') or d is null), e text[] default '{a,b}', UNIQUE("ID", a));
ALTER INDEX "Incoming_Date" RENAME TO incoming_date;
ALTER TABLE outgoing ALTER a SET DEFAULT 5, ALTER a SET NOT NULL;
CREATE INDEX ON outgoing (coalesce(a, 0));
CREATE INDEX ON outgoing ((a+1), b);
CREATE UNIQUE INDEX ux ON outgoing (a) WHERE b IS NULL;
CREATE MATERIALIZED VIEW mv AS SELECT count(*) AS n FROM outgoing;
