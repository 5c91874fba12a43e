import type { OwnFlag } from "./flags.ts";

/** The flags of `init` beside the common ones. */
export const INIT_FLAGS = {
  username: { form: "text", tells: "who signs in; asked for on a terminal" },
  password: { form: "text", tells: "@file, or - for stdin; asked for on a terminal" },
  fullname: { form: "text", tells: "the name to show of the first administrator; the username unless given" },
  secret: { form: "text", tells: "@file with the bootstrap secret, which makes the first administrator" },
  issuer: { form: "text", tells: "sign in at this provider, in the browser; one that the service names" },
} satisfies Record<string, OwnFlag>;
