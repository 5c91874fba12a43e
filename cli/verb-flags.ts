import type { OwnFlag } from "./flags.ts";

/** The flags of `init` beside the common ones. */
export const INIT_FLAGS = {
  username: { form: "text", tells: "who signs in; asked for on a terminal" },
  password: { form: "text", tells: "@file, or - for stdin; asked for on a terminal" },
  fullname: { form: "text", tells: "the name to show of the first administrator; the username unless given" },
  secret: { form: "text", tells: "@file with the bootstrap secret, which makes the first administrator" },
  issuer: { form: "text", tells: "sign in at this provider, in the browser; one that the service names" },
} satisfies Record<string, OwnFlag>;

/** The flags of `login` beside the common ones. */
export const LOGIN_FLAGS = {
  username: { form: "text", tells: "who signs in; asked for on a terminal" },
  "with-token": { form: "switch", tells: "keep the token that comes on stdin" },
  issuer: { form: "text", tells: "sign in at this OIDC provider" },
  "client-id": { form: "text", tells: "the client that is registered there" },
  "client-secret": { form: "text", tells: "@file, or - for stdin; signs in as a program" },
  scope: { form: "text", tells: "the scopes to ask for" },
  resource: { form: "text", tells: "the API the token is for (RFC 8707)" },
  port: { form: "text", tells: "the port on localhost that the browser comes back to; 8400 unless given" },
} satisfies Record<string, OwnFlag>;

/** The words that people have for what a search finds, with those of its answers. */
export const KINDS_FOUND = {
  model: ["model"],
  type: ["type"],
  entity: ["entity"],
  attribute: ["entityAttribute", "relationshipAttribute"],
  relationship: ["relationship"],
  role: ["relationshipRole"],
  key: ["businessKey"],
  tag: ["tag"],
} as const satisfies Record<string, readonly string[]>;

/** The flags of `search` beside the common ones. */
export const SEARCH_FLAGS = {
  tag: { form: "text", tells: "what bears this tag, such as privacy/personal; of several, each of them", list: true },
  kind: { form: "text", tells: "what is of this kind", values: Object.keys(KINDS_FOUND), list: true },
  models: { form: "text", tells: "the models to look into, all unless given", list: true },
  limit: { form: "text", tells: "how many to show; 100 unless given" },
} satisfies Record<string, OwnFlag>;

/** The flags of `grant` beside the common ones. */
export const GRANT_FLAGS = {
  models: { form: "text", tells: "the models it is for, such as 'crm*'; everything unless given", list: true },
  revoke: { form: "switch", tells: "take the role away" },
} satisfies Record<string, OwnFlag>;

/** The flags of `open` beside the common ones. */
export const OPEN_FLAGS = {
  print: { form: "switch", tells: "print the address alone, and open no browser" },
} satisfies Record<string, OwnFlag>;
