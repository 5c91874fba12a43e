-- What the real files do not have, so that MariaDB can be asked about it.
CREATE DATABASE shop CHARACTER SET utf8mb4;
USE shop;

CREATE TABLE customer (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT COMMENT 'Its number.',
  email VARCHAR(200) NOT NULL,
  `née` CHAR(3) DEFAULT 'x',
  state ENUM('new', 'it''s', 'done') NOT NULL DEFAULT 'new',
  marks SET('a', 'b'),
  active BOOLEAN NOT NULL DEFAULT TRUE,
  balance DECIMAL(12, 2) DEFAULT 0.00,
  ratio DOUBLE,
  born DATE,
  seen TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  notes MEDIUMTEXT,
  picture VARBINARY(255),
  doubled DECIMAL(13, 2) AS (balance * 2) STORED,
  PRIMARY KEY (id),
  UNIQUE KEY customer_email (email),
  KEY customer_born (born)
) ENGINE=InnoDB COMMENT='Who buys; and pays.';

CREATE TABLE `order line` (
  `order` BIGINT NOT NULL,
  line SMALLINT NOT NULL,
  customer INT UNSIGNED NOT NULL,
  parent_order BIGINT,
  parent_line SMALLINT,
  CONSTRAINT pk PRIMARY KEY (`order`, line),
  CONSTRAINT buyer FOREIGN KEY (customer) REFERENCES customer (id) ON DELETE CASCADE,
  FOREIGN KEY (parent_order, parent_line) REFERENCES `order line` (`order`, line),
  UNIQUE (customer, line),
  CHECK (line > 0)
);

ALTER TABLE `order line` ADD COLUMN price NUMERIC(10, 4) NOT NULL AFTER line, ADD INDEX (price);

CREATE VIEW buyers AS SELECT c.id, c.email AS address FROM customer c;
