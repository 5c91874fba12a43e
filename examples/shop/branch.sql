-- The tables of shop.sql as a branch would have them: without the phone, with a note.
CREATE TABLE customer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email varchar(254) UNIQUE
);
COMMENT ON COLUMN customer.email IS 'Personal data: needs consent.';

CREATE TABLE purchase (
  number bigint PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customer (id),
  total numeric(10, 2),
  note varchar(80)
);
