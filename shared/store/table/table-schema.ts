/** Schema of the one table. `infra` and `dynamo-admin.ts` create it from this. */
export const TABLE = {
  defaultName: "metaction",
  partitionKey: "pk",
  sortKey: "sk",
  /** Seconds since the epoch. An expired item counts as absent before DynamoDB removes it. */
  timeToLive: "expiresAt",
  /** Partition of the public keys that verify tokens, which only the dispatcher may write. */
  publicKeys: "public_keys",
} as const;
