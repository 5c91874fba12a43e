/** The schema of the one table: its key and its time-to-live attribute. `infra` and the local engine create it from this. */
export const TABLE = {
  /** The name of the table where no other is configured. */
  defaultName: "metaction",
  partitionKey: "pk",
  sortKey: "sk",
  /** Seconds since the epoch; an expired item counts as absent before DynamoDB removes it. */
  timeToLive: "expiresAt",
} as const;
