/** The doors a call can come through; a commit keeps its door. */
export const CHANNELS = ["http", "cli", "mcp", "batch"] as const;

export type Channel = (typeof CHANNELS)[number];

/** How the command line names itself over HTTP (`User-Agent`): what comes from it is of the channel `cli`. */
export const CLI_AGENT = "metaction-cli";

/** A group of actions as the command line writes it, which reads the singular and the plural of each. */
export function toCommandGroup(group: string): string {
  return group === "model" ? "models" : group;
}
