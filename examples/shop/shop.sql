-- Two tables of a shop, in PostgreSQL.
CREATE TABLE customer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email varchar(254) UNIQUE,
  phone varchar(30)
);
COMMENT ON COLUMN customer.email IS 'Personal data: needs consent.';
COMMENT ON COLUMN customer.phone IS 'Personal data.';

CREATE TABLE purchase (
  number bigint PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customer (id),
  total numeric(10, 2)
);
