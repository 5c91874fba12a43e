import * as z from "zod/mini";
import type { Principal } from "../../domain/accounts/principal.ts";
import { LIMITS } from "../../domain/limits.ts";
import { namedObjectSchema } from "../building/answers.ts";
import { defineAction } from "../contract/define-action.ts";
import type { ServiceInfo } from "../contract/ports.ts";
import { inspection } from "./inspect-actions.ts";

/** The limits that a call can exceed. Other limits are internal. */
export const PUBLIC_LIMITS = [
  "requestBytes",
  "shortBodyBytes",
  "jsonDepth",
  "jsonMembers",
  "queryBytes",
  "tokenBytes",
  "responseBytes",
  "inflatedResponseBytes",
  "keyCharacters",
  "nameCharacters",
  "descriptionBytes",
  "urlCharacters",
  "versionCharacters",
  "constraintBytes",
  "constraintDepth",
  "patternCharacters",
  "primaryKeyAttributes",
  "businessKeyParticipants",
  "relationshipRoles",
  "keyPairs",
  "tagsPerObject",
  "searchFilters",
  "searchTags",
  "searchCharacters",
  "importedGlobalTags",
  "removedRows",
  "objectsPerCall",
  "callStagingMs",
  "objectBytes",
  "pageRows",
  "callMs",
  "usernameCharacters",
  "passwordCharacters",
  "passwordBytes",
  "fullnameCharacters",
  "tokenSeconds",
  "sourceBytes",
  "sourceRedirects",
  "sourceTotalMs",
  "sourceFiles",
  "importProblems",
] as const satisfies readonly (keyof typeof LIMITS)[];

type PublicLimit = (typeof PUBLIC_LIMITS)[number];

/** Returns one schema for each limit. */
function createLimitSchemas() {
  // The names are those that the loop goes through.
  return Object.fromEntries(PUBLIC_LIMITS.map((name) => [name, z.int()])) as Record<PublicLimit, z.ZodMiniNumberFormat>;
}

const PRODUCT = "Metaction";

export const inspectConfig = defineAction({
  ...inspection,
  name: "inspect_config",
  title: "Inspect configuration",
  description:
    "Describes the running service: name, version, storage engine and limits. Any valid token is sufficient, so the action also checks a token. Administrators also see the storage endpoint and table.",
  rule: "signed_in",
  output: {
    mediaType: "application/json",
    description: "The running service.",
    schema: () =>
      namedObjectSchema("ServiceConfiguration", {
        name: z.string().check(z.describe("Name of the product.")),
        version: z.string().check(z.describe("Version of the service.")),
        engine: z.string().check(z.describe("The storage engine of the models.")),
        limits: z
          .strictObject(createLimitSchemas())
          .check(
            z.meta({ title: "ServiceLimits" }),
            z.describe("The limits of the service; each name ends with its unit."),
          ),
        endpoint: z.optional(z.string().check(z.describe("The URL of the storage engine; for administrators only."))),
        table: z.optional(z.string().check(z.describe("Name of the table; for administrators only."))),
      }),
  },
  run: async ({ call, ports }) => ({ body: collectConfigFacts(call.principal, ports.service) }),
});

/** Returns the properties of the running service that a caller may see. Only administrators see endpoint and table. */
export function collectConfigFacts(caller: Principal | undefined, service: ServiceInfo) {
  const { version, engine, endpoint, table, tokenSeconds = LIMITS.tokenSeconds } = service;
  const values = { ...LIMITS, tokenSeconds };
  const limits: Readonly<Record<string, number>> = Object.fromEntries(
    PUBLIC_LIMITS.map((name) => [name, values[name]]),
  );
  const forAdministrators = caller?.permissions.has("admin") ? { endpoint, table } : {};
  return { name: PRODUCT, version, engine, limits, ...forAdministrators };
}

export const inspectConfigText = defineAction({
  ...inspection,
  name: "inspect_config_text",
  title: "Inspect configuration as text",
  description: "Answers the same as `inspect_config` as text for people: one member per line, with aligned values.",
  rule: "signed_in",
  output: { mediaType: "text/plain", description: "The running service.", schema: () => z.string() },
  run: async ({ call, ports }) => {
    const { limits, ...facts } = collectConfigFacts(call.principal, ports.service);
    return { body: [...alignMembers(facts), "", "limits", ...alignMembers(limits, "  "), ""].join("\n") };
  },
});

/** Formats one line per member, with the values in one column. */
function alignMembers(facts: Readonly<Record<string, string | number>>, indent = ""): readonly string[] {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts).map(([name, value]) => `${indent}${name.padEnd(width)}  ${value}`);
}
