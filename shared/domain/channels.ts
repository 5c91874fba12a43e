/** The doors a call can come through; a commit keeps its door. */
export const CHANNELS = ["http", "cli", "mcp", "batch"] as const;

export type Channel = (typeof CHANNELS)[number];

/** How the command line names itself over HTTP (`User-Agent`): what comes from it is of the channel `cli`. */
export const CLI_AGENT = "metaction-cli";
