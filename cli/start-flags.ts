import type { OwnFlag } from "./flags.ts";

/** The flags of `start`, each with the variable of the environment in whose place it is. */
export const START_FLAGS = {
  port: { form: "text", tells: "the port, 8080 unless given; 0 takes a free one (PORT)", variable: "PORT" },
  host: {
    form: "text",
    tells: "the address to listen on, 127.0.0.1 unless given (METACTION_HOST)",
    variable: "METACTION_HOST",
  },
  data: {
    form: "text",
    tells: "the data folder, .metaction in this folder unless given (METACTION_DATA_DIR)",
    variable: "METACTION_DATA_DIR",
  },
} satisfies Record<string, OwnFlag & { readonly variable: string }>;
