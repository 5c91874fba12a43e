import type { ModelDocument } from "../../domain/document/document.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";
import { toLegalKey } from "../common/legal-key.ts";
import { warnUnusedTypes } from "../common/writing/column-types.ts";
import { ALL_PROPERTIES, type Coverage } from "../common/writing/coverage.ts";
import { createModelTables } from "../common/writing/model-tables.ts";
import { splitOwnMembers } from "../common/writing/own-members.ts";
import { listTagTexts, warnReadBack, warnTags } from "../common/writing/read-back.ts";
import { stringifyYaml } from "../common/writing/written-names.ts";
import { CONSTRAINT_OPTIONS, CONTRACT, moveUnknownToCustom } from "./known-members.ts";
import { OdcsObjects } from "./write-objects.ts";

const ODCS = "ODCS";

export const ODCS_COVERAGE: Coverage = {
  format: ODCS,
  model: { ...ALL_PROPERTIES, members: ["name", "description", "version", "tags", "entities", "relationships"] },
  types: { members: [] },
  entities: { ...ALL_PROPERTIES, members: ["name", "description", "tags", "attributes", "primaryKey"] },
  attributes: {
    ...ALL_PROPERTIES,
    members: ["name", "description", "tags", "type", "optional"],
    constraints: [...CONSTRAINT_OPTIONS, "unique", "examples"],
  },
  relationships: { ...ALL_PROPERTIES, members: ["roles", "keyPairs"] },
  roles: { members: ["entity", "cardinality"] },
  businessKeys: { members: ["entity", "participants"] },
  localTags: { members: ["name"] },
};

const TAKEN_CONTRACT_MEMBERS = new Set(["apiVersion", "kind", "name", "version", "tags", "schema"]);

/** Writes a model as an Open Data Contract (ODCS 3.1) in YAML. */
export function writeOdcs(document: ModelDocument, diagnostics: Diagnostics): string {
  const { key, name, version, description, properties, entities } = document;
  const model = createModelTables(document, diagnostics);
  const objects = new OdcsObjects(document, model);
  warnReadBack(
    { ...model, others: objects.others },
    { format: ODCS, namesReferences: false, uniqueSets: false, keysMayBeAbsent: true },
  );
  warnUnusedTypes(document, ODCS, () => false, diagnostics);
  warnTags(document, ODCS, [document, ...entities, ...entities.flatMap((one) => one.attributes)], diagnostics);
  const contractName = toLegalKey(name) === key ? name : key;
  if (contractName !== name) diagnostics.warn("/name", "not_written", "ODCS has no names in addition to keys");
  const own = splitOwnMembers(properties, "odcs", TAKEN_CONTRACT_MEMBERS, diagnostics);
  const {
    description: rest,
    id = key,
    status = "active",
    ...members
  } = moveUnknownToCustom(own, CONTRACT, diagnostics);
  const tags = listTagTexts(document, document.tags);
  const contract = {
    ...{ version, kind: "DataContract", apiVersion: "v3.1.0", id, name: contractName, status },
    ...(tags.length > 0 && { tags }),
    ...includeMember("description", toDescription(description, rest)),
    ...members,
    schema: objects.toJson(),
  };
  return stringifyYaml(contract);
}

function toDescription(purpose: string | undefined, rest: unknown): JsonObject | undefined {
  if (purpose === undefined && rest === undefined) return undefined;
  return { ...includeMember("purpose", purpose), ...(isObject(rest) && rest) };
}
