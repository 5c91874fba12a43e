START TRANSACTION;
CREATE TABLE loan (
  address BIGINT PRIMARY KEY NOT NULL,
  code BYTEA,
  reader_id BYTEA,
  days BIGINT,
  expire TIMESTAMP WITH TIME ZONE,
  branch_id BIGINT,
  is_open BOOLEAN,
  title VARCHAR(255),
  state INT8 DEFAULT '0'
);
CREATE INDEX loan_by_code_branch_id ON loan (code, branch_id);
CREATE TABLE source_kind (kind INT PRIMARY KEY NOT NULL, name VARCHAR(40));
INSERT INTO source_kind VALUES (1, 'x');
CREATE TABLE schema_version (version INT PRIMARY KEY NOT NULL, minor INT);
ALTER TABLE loan ADD COLUMN notes TEXT, ADD COLUMN desk_id BYTEA DEFAULT NULL;
ALTER TABLE loan ALTER COLUMN notes TYPE JSON USING notes::JSON;
ALTER TABLE loan ALTER COLUMN days SET NOT NULL;
ALTER TABLE loan ALTER COLUMN is_open SET DEFAULT 'f';
ALTER TABLE loan ADD CONSTRAINT fk_state FOREIGN KEY (branch_id) REFERENCES schema_version (version);
ALTER TABLE loan DROP CONSTRAINT fk_state;
CREATE TABLE booking (
  reservation_id SERIAL PRIMARY KEY NOT NULL,
  address VARCHAR(39) NOT NULL,
  size_no SMALLINT NOT NULL DEFAULT '128',
  type SMALLINT NOT NULL DEFAULT '0',
  shelf_id INT NOT NULL,
  CONSTRAINT key_address_size_no UNIQUE (address, size_no)
);
CREATE UNIQUE INDEX key_u ON booking (shelf_id, type);
DROP INDEX key_u;
ALTER TABLE booking DROP CONSTRAINT key_address_size_no;
ALTER TABLE booking ALTER COLUMN address TYPE inet USING address::inet;
CREATE TABLE shelves (shelf_id SERIAL PRIMARY KEY, a int UNIQUE, b int CHECK (b > 0), c int REFERENCES source_kind, d text, e varchar(10), UNIQUE (d, e));
CREATE INDEX ON shelves (d);
ALTER TABLE shelves RENAME COLUMN a TO aa;
ALTER TABLE shelves RENAME TO shelves2;
ALTER TABLE shelves2 DROP CONSTRAINT shelves_d_e_key;
ALTER TABLE shelves2 ADD UNIQUE (e);
ALTER TABLE shelves2 DROP CONSTRAINT shelves_b_check;
ALTER TABLE shelves2 DROP COLUMN d;
CREATE TABLE logs (timestamp TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP, address VARCHAR(43), log TEXT NOT NULL, id int);
CREATE INDEX logs_timestamp_idx ON logs (timestamp);
ALTER TABLE logs ADD PRIMARY KEY (id);
ALTER TABLE logs DROP CONSTRAINT logs_pkey;
ALTER TABLE logs ADD COLUMN serial_id bigserial;
ALTER TABLE logs ADD CONSTRAINT pk_l PRIMARY KEY (serial_id);
ALTER TABLE logs RENAME CONSTRAINT pk_l TO pk_logs;
CREATE TABLE setting (id SERIAL PRIMARY KEY, name VARCHAR(128) NOT NULL, value TEXT NOT NULL, parameter_type SMALLINT NOT NULL, modification_ts TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE INDEX key_setting_modification_ts ON setting (modification_ts);
CREATE TYPE scope_kind AS ENUM ('a','b');
CREATE TABLE opts (option_id serial, scope scope_kind NOT NULL DEFAULT 'a', id int, x float, cancelled boolean NOT NULL DEFAULT '0', interface VARCHAR(128) DEFAULT NULL, is_late BOOLEAN DEFAULT NULL, share FLOAT DEFAULT NULL, is_exact BOOLEAN NOT NULL DEFAULT '1', PRIMARY KEY (option_id));
COMMIT;
