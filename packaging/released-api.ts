import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { createCatalogue } from "../shared/actions/catalogue.ts";
import { describeApi } from "../shared/http/openapi.ts";

const ROOT = join(import.meta.dirname, "..");
const RELEASED = join(ROOT, "docs/released-openapi.json.gz");

/** Creates the text of the OpenAPI document of the code, as `GET /api` of a local service answers it. */
export async function createApiText(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
  return JSON.stringify(
    await describeApi({ registry: createCatalogue(), facts: { version } }, "http://127.0.0.1:8080"),
  );
}

/** Returns the text of the OpenAPI document of the last release. */
export function readReleasedApiText(): string {
  return gunzipSync(readFileSync(RELEASED)).toString("utf8");
}

/** A difference of two OpenAPI documents, as `metaction diff` answers it. */
export interface ApiDifference {
  readonly status: string;
  readonly impact: string;
  readonly reasons: readonly string[];
  readonly entityKey?: string;
  readonly attributeKey?: string;
  readonly left?: ApiObject;
  readonly right?: ApiObject;
}

interface ApiObject {
  readonly properties?: { readonly [ALIASES]?: readonly string[] };
}

/** The aliases of a parameter. They are a member of our own, so a comparison does not judge it. */
const ALIASES = "openapi:x-aliases";

function listLostAliases({ left, right }: ApiDifference): readonly string[] {
  const aliases = right?.properties?.[ALIASES] ?? [];
  return right ? (left?.properties?.[ALIASES] ?? []).filter((alias) => !aliases.includes(alias)) : [];
}

/** Heading of the part of a version in CHANGELOG.md that names the breaking changes of the API. */
const HEADING = "### Breaking changes of the API";

/**
 * Returns the breaking differences, and lost aliases of parameters, that the newest version in a changelog does not name. It names them as code below
 * `HEADING`, in the form of `metaction diff`, such as `Entity.description`; `*` stands for any text. The members of a
 * removed schema or operation need no names of their own.
 */
export function findUndeclaredBreaks(differences: readonly ApiDifference[], changelog: string): readonly string[] {
  const [, newest = ""] = changelog.split(/^## /m);
  const part = newest.split(/^(?=### )/m).find((one) => one.startsWith(`${HEADING}\n`)) ?? "";
  const declared = [...part.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => {
    const words = text.split("*").map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    return new RegExp(`^${words.join(".*")}$`);
  });
  const isGone = ({ status, attributeKey }: ApiDifference) => status === "DELETED" && attributeKey === undefined;
  const removed = new Set(differences.filter(isGone).map(({ entityKey }) => entityKey));
  return differences
    .filter((one) => isGone(one) || !removed.has(one.entityKey))
    .map((one) => ({
      path: [one.entityKey, one.attributeKey].filter((key) => key !== undefined).join("."),
      reasons: [
        ...(one.impact === "breaking" ? one.reasons : []),
        ...listLostAliases(one).map((alias) => `the alias ${alias} was removed`),
      ],
    }))
    .filter(({ reasons }) => reasons.length > 0)
    .filter(({ path }) => !declared.some((pattern) => pattern.test(path)))
    .map(({ path, reasons }) => `${path}: ${reasons.join("; ")}`);
}

if (import.meta.main) writeFileSync(RELEASED, gzipSync(await createApiText(), { level: 9 }));
