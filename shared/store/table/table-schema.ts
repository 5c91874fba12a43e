/** The one table: its key, its time-to-live attribute. `infra` and the local engine create it from this. */
export const TABLE = {
  /** Used where no other name is configured. */
  defaultName: "metaction",
  partitionKey: "pk",
  sortKey: "sk",
  /** Seconds since the epoch; an expired item counts as absent before DynamoDB removes it. */
  timeToLive: "expiresAt",
} as const;
