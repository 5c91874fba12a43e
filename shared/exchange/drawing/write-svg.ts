import type { ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import type { WrittenFile } from "../writer.ts";
import { type Coverage, warnUncovered } from "../writing/coverage.ts";
import { fileName } from "../writing/written-name.ts";
import { drawnModel } from "./drawn-model.ts";

const COVERAGE: Coverage = {
  format: "SVG",
  model: { members: ["name", "entities", "relationships"] },
  types: { members: [] },
  entities: { members: ["name", "attributes", "primaryKey"] },
  attributes: { members: ["name", "type"] },
  relationships: { members: ["roles", "keyPairs"] },
  roles: { members: ["name", "entity", "cardinality"] },
};

const EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64" role="img"></svg>\n';

/** Writes the diagram of a model as an SVG file, laid out as the web application does it. */
export async function writeSvg(document: ModelDocument, findings: Findings): Promise<WrittenFile> {
  warnUncovered(document, COVERAGE, findings);
  const content = (await drawnModel(document, findings)) ?? EMPTY;
  return { fileName: fileName(document.key, ".svg"), content };
}
