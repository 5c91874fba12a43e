/** Channels of calls. The log records the channel of each commit. */
export const CHANNELS = ["http", "cli", "mcp", "batch"] as const;

export type Channel = (typeof CHANNELS)[number];

/** `User-Agent` of the command line; its calls get the channel `cli`. */
export const CLI_AGENT = "metaction-cli";

/** Returns the name of a group of actions on the command line. */
export function toCommandGroup(group: string): string {
  return group === "model" ? "models" : group;
}
