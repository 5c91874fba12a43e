CREATE TABLE customer (
  id integer(10) unsigned NOT NULL AUTO_INCREMENT,
  mail varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT '',
  active bool DEFAULT '1',
  score int2 DEFAULT '0',
  flags tinyint(4) DEFAULT '3',
  code char BINARY,
  made datetime DEFAULT now() ON UPDATE now(),
  settings longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin CHECK (json_valid(settings)),
  CONSTRAINT pk PRIMARY KEY (id),
  UNIQUE KEY mail (mail),
  KEY score (score) USING BTREE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE orders (
  id int NOT NULL PRIMARY KEY,
  customer int unsigned NOT NULL,
  total decimal(10) DEFAULT '0.00',
  KEY customer (customer),
  CONSTRAINT orders_ibfk_1 FOREIGN KEY (customer) REFERENCES customer (id) ON DELETE RESTRICT
);
