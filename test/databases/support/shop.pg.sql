-- A shop with what PostgreSQL tables may have.
CREATE SCHEMA hr;
CREATE TYPE state AS ENUM ('new', 'done');
ALTER TYPE state ADD VALUE 'old' BEFORE 'done';
CREATE DOMAIN email AS character varying(80) CHECK (VALUE ~ '@');
CREATE FUNCTION twice(x int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN x * 2; END; $$;
CREATE TABLE Customer (
    id bigint GENERATED ALWAYS AS IDENTITY (START WITH 5) PRIMARY KEY,
    "Full Name" character varying(160) NOT NULL,
    mail email,
    state state DEFAULT 'new'::state NOT NULL,
    score numeric(10,2) DEFAULT 0.5 CHECK (score >= 0),
    tags text[] DEFAULT '{}'::text[],
    made timestamp(3) with time zone DEFAULT now(),
    at timestamp, day date, t time, tz time with time zone, i interval, b bytea, j jsonb, u uuid,
    f4 float4, f8 float8, i2 int2, bo bool, c char(3), c1 "char", bi bit(4), vb bit varying(9), m money, x xml,
    size text COLLATE "C" CHECK (size IN ('S', 'M')),
    total numeric GENERATED ALWAYS AS (score * 2) STORED,
    "of" int
);
ALTER TABLE customer ALTER COLUMN "of" TYPE bigint, ADD FOREIGN KEY ("of") REFERENCES customer ON DELETE CASCADE;
CREATE TABLE hr.badge (no serial, customer bigint, CONSTRAINT one UNIQUE (customer));
ALTER TABLE ONLY hr.badge ADD CONSTRAINT badge_pkey PRIMARY KEY (no);
ALTER TABLE ONLY hr.badge ADD CONSTRAINT badge_customer FOREIGN KEY (customer) REFERENCES customer(id) ON UPDATE CASCADE;
CREATE UNIQUE INDEX by_name ON customer USING btree ("Full Name", mail DESC);
CREATE UNIQUE INDEX by_lower ON customer (lower("Full Name")) WHERE score > 1;
CREATE INDEX plain ON customer (score);
COMMENT ON TABLE customer IS 'People who''d buy; "all" of them.';
COMMENT ON COLUMN customer.mail IS E'Where they\nare reached.';
CREATE VIEW hr.named AS SELECT c.id, c."Full Name" AS name, count(*) AS n FROM customer c GROUP BY c.id;
CREATE MATERIALIZED VIEW counts AS SELECT count(*) AS n FROM customer;
CREATE TABLE log (at date, x int) PARTITION BY RANGE (at);
CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
CREATE TABLE line (a int, b int, c int, PRIMARY KEY (b, a), UNIQUE (c, a));
CREATE TABLE part (a int NOT NULL, b int NOT NULL, FOREIGN KEY (b, a) REFERENCES line (b, a));
CREATE TABLE gone (a int);
DROP TABLE gone;
CREATE TABLE parent (p int NOT NULL, q text DEFAULT 'x');
CREATE TABLE kid (extra int) INHERITS (parent);
ALTER TABLE kid RENAME COLUMN extra TO more;
ALTER TABLE kid ALTER COLUMN more TYPE varchar(5), ALTER more SET NOT NULL, ADD COLUMN w int, ADD UNIQUE (more);
CREATE TABLE "Odd ""name"", of; it" ("a;b" int, "ü" text, "select" int);
CREATE RULE r AS ON DELETE TO kid DO INSTEAD NOTHING;
CREATE TRIGGER t BEFORE UPDATE ON part FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
GRANT SELECT ON customer TO PUBLIC;
