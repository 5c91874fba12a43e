/** The limits of DynamoDB itself, as AWS documents them. Those the service keeps, which lie below, are in `LIMITS`. */
export const DYNAMO = {
  partitionKeyBytes: 2_048,
  sortKeyBytes: 1_024,
  attributeNameBytes: 65_535,
  itemBytes: 400 * 1_024,
  /** Lists and maps inside one another, the attribute itself included. */
  nesting: 32,
  /** Significant digits of a number. */
  digits: 38,
  /** Exponents a number other than 0 may have in scientific notation. */
  leastExponent: -130,
  mostExponent: 125,
  transactionItems: 100,
  transactionBytes: 4 * 1_024 * 1_024,
  batchGetKeys: 100,
  /** Most bytes of one answer of BatchGetItem; the keys left over are asked for again. */
  batchGetBytes: 16 * 1_024 * 1_024,
  batchWriteItems: 25,
  /** Most bytes that one Query reads. */
  pageBytes: 1_024 * 1_024,
  /** Bytes that a read unit and a write unit pay for. */
  readUnitBytes: 4_096,
  writeUnitBytes: 1_024,
} as const;
