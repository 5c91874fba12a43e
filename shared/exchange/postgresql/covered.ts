import type { Coverage } from "../writing/coverage.ts";
import { isArgument } from "./columns.ts";
import { FORMAT } from "./schema.ts";

/** The members of a model that statements of PostgreSQL say, or that their writer itself warns of. */
export const COVERAGE: Coverage = {
  format: FORMAT,
  model: { members: ["name", "description", "version", "entities", "relationships"] },
  types: { members: ["name", "description"] },
  entities: { members: ["name", "description", "attributes", "primaryKey"] },
  attributes: {
    members: ["name", "description", "type", "optional"],
    constraints: [
      ...["enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
      ...["minLength", "maxLength", "default", "unique"],
    ],
    property: isArgument,
  },
  relationships: { members: ["name", "description", "roles", "keyPairs"] },
  roles: { members: ["entity", "cardinality"] },
  businessKeys: { members: ["entity", "participants"] },
};
