import { ifDefined } from "../../domain/content.ts";
import type { ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { legalKey } from "../legal-key.ts";
import type { WrittenFile } from "../writer.ts";
import { type Coverage, warnUncovered } from "../writing/coverage.ts";
import { warnUnusedTypes } from "../writing/enum-types.ts";
import { tablesOfModel } from "../writing/model-tables.ts";
import { ownMembers } from "../writing/own-members.ts";
import { warnReadBack } from "../writing/read-back.ts";
import { tagTexts, warnTags } from "../writing/tag-texts.ts";
import { fileName } from "../writing/written-name.ts";
import { yamlText } from "../writing/yaml-text.ts";
import { withCustom } from "./custom-properties.ts";
import { CONTRACT } from "./known-members.ts";
import { createOdcsObjects } from "./write-objects.ts";

const FORMAT = "ODCS";
const ALL = { property: () => true };

const COVERAGE: Coverage = {
  format: FORMAT,
  model: { ...ALL, members: ["name", "description", "version", "tags", "entities", "relationships"] },
  types: { members: ["name"] },
  entities: { ...ALL, members: ["name", "description", "tags", "attributes", "primaryKey"] },
  attributes: {
    ...ALL,
    members: ["name", "description", "tags", "type", "optional"],
    constraints: [
      ...["minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
      ...["multipleOf", "minItems", "maxItems", "uniqueItems", "unique", "examples"],
    ],
  },
  relationships: { ...ALL, members: ["roles", "keyPairs"] },
  roles: { members: ["entity", "cardinality"] },
  businessKeys: { members: ["entity", "participants"] },
  localTags: { members: ["name"] },
};

/** Members that other facts are written as. */
const TAKEN = new Set(["apiVersion", "kind", "name", "version", "tags", "schema"]);

/** Writes a model as an Open Data Contract (ODCS 3.1) in YAML. */
export function writeOdcs(document: ModelDocument, findings: Findings): WrittenFile {
  warnUncovered(document, COVERAGE, findings);
  const { key, name, version, description, properties, entities } = document;
  const model = tablesOfModel(document, findings);
  const objects = createOdcsObjects(document, model);
  warnReadBack(
    { ...model, others: objects.others },
    { format: FORMAT, namesReferences: false, uniqueSets: false, keysMayBeAbsent: true },
  );
  warnUnusedTypes(document, FORMAT, () => false, findings);
  warnTags(document, FORMAT, [document, ...entities, ...entities.flatMap((one) => one.attributes)], findings);
  const called = legalKey(name) === key ? name : key;
  if (called !== name) findings.warn("/name", "not_written", "ODCS has no names beside keys");
  const {
    description: rest,
    id = key,
    status = "active",
    ...members
  } = withCustom(ownMembers(properties, "odcs", TAKEN, findings), CONTRACT, findings);
  const tags = tagTexts(document, document.tags);
  const contract = {
    ...{ version, kind: "DataContract", apiVersion: "v3.1.0", id, name: called, status },
    ...(tags.length > 0 && { tags }),
    ...ifDefined("description", descriptionOf(description, rest)),
    ...members,
    schema: objects.written(),
  };
  return { fileName: fileName(key, ".odcs.yaml"), content: yamlText(contract) };
}

function descriptionOf(purpose: string | undefined, rest: unknown): JsonObject | undefined {
  if (purpose === undefined && rest === undefined) return undefined;
  return { ...ifDefined("purpose", purpose), ...(isObject(rest) && rest) };
}
