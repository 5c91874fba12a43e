/** Schema of the one table. `infra` and `dynamo-admin.ts` create it from this. */
export const TABLE = {
  defaultName: "metaction",
  partitionKey: "pk",
  sortKey: "sk",
  /** Seconds since the epoch. An expired item counts as absent before DynamoDB removes it. */
  timeToLive: "expiresAt",
} as const;
