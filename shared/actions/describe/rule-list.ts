import { PERMISSION_TEXTS } from "../../domain/permission-texts.ts";
import type { Permission } from "../../domain/permissions.ts";
import type { Rule } from "../contract/rules.ts";

/** A rule as `inspect_security_rules` lists it. */
export interface RuleDescription {
  readonly key: Rule;
  readonly name: string;
  readonly description: string;
  readonly associatedRequiredPermissions: readonly Permission[];
}

/** Every rule, sorted by key. */
export const RULES: readonly RuleDescription[] = [
  {
    key: "public" as const,
    name: "Public",
    description: "Anyone, without a token.",
    associatedRequiredPermissions: [],
  },
  {
    key: "signed_in" as const,
    name: "Signed in",
    description: "Anyone with a valid token.",
    associatedRequiredPermissions: [],
  },
  ...Object.entries(PERMISSION_TEXTS).map(([key, row]) => ({
    // The keys of the table are the permissions.
    key: key as Permission,
    name: row.name,
    description: `Whoever holds the permission ${key}: ${row.description}`,
    associatedRequiredPermissions: [key as Permission],
  })),
].sort((a, b) => (a.key < b.key ? -1 : 1));
