import type { PropertySchema } from "./property-schema.ts";
import type { HolderKind, PropertyImpact } from "./property-types.ts";

/** A definition that comes with the service. Its id never changes, so that a ref to it stays good. */
export interface WellKnownProperty {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly kinds?: readonly HolderKind[];
  readonly schema: PropertySchema;
  readonly impact: PropertyImpact;
}

const one = (
  number: number,
  key: string,
  name: string,
  description: string,
  schema: PropertySchema,
): WellKnownProperty => ({
  id: `01980000-0000-7000-8000-${String(number).padStart(12, "0")}`,
  ...{ key, name, description, schema },
  impact: "cosmetic",
});

const DATE = "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([T ][0-9:.,+Z-]+)?$";
const URL = "^[A-Za-z][A-Za-z0-9+.-]*:\\S+$";

/** The properties that every instance knows; `docs/properties.md` explains them. */
export const WELL_KNOWN: readonly WellKnownProperty[] = [
  one(1, "owner", "Owner", "Who is accountable for it: a person, a team or an organisation, by name or address.", {
    type: "string",
    pattern: "\\S",
  }),
  one(2, "steward", "Steward", "Who looks after it day by day.", { type: "string", pattern: "\\S" }),
  one(
    3,
    "licenses",
    "Licences",
    "The licences under which the data may be used, each an object with `name`, `path` or `title`.",
    {
      type: "array",
      items: { type: "object" },
    },
  ),
  one(4, "sources", "Sources", "Where the data comes from, each an object with `title`, `path` or `email`.", {
    type: "array",
    items: { type: "object" },
  }),
  one(
    5,
    "contributors",
    "Contributors",
    "Who made it, each an object with `title`, and `email`, `path`, `roles` or `organization`.",
    {
      type: "array",
      items: { type: "object" },
    },
  ),
  one(6, "homepage", "Home page", "The address of a page about it.", { type: "string", pattern: URL }),
  one(7, "created", "Created", "When it was made, as an ISO 8601 date or date and time.", {
    type: "string",
    pattern: DATE,
  }),
  one(8, "classification", "Classification", "How confidential the data is.", {
    type: "string",
    enum: ["public", "internal", "confidential", "restricted"],
  }),
  one(
    9,
    "deprecated",
    "Deprecated",
    "Not to be used any more: true, or an object that may say `since`, `reason` and `replacedBy`.",
    {
      type: ["boolean", "object"],
    },
  ),
  {
    ...one(
      10,
      "frictionless:constraints",
      "Other constraints",
      "What a Frictionless source asks of values beside `constraints`, such as the earliest date; a change may allow fewer of them.",
      { type: "object" },
    ),
    impact: "breaking",
  },
];
