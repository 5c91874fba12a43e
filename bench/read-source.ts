import { readFileSync } from "node:fs";
import { createImporter } from "../shared/formats/importer.ts";

/*
 * Reads the file that the first argument names, as a process of its own, and prints as JSON what that took; without an
 * argument what the process takes that reads nothing.
 */

const path = process.argv[2];
const importer = createImporter({ allowPrivate: false });
const content = path === undefined ? undefined : readFileSync(path, "utf8");
const before = process.cpuUsage();
const imported = content === undefined ? undefined : await importer.read({ content }, { modelKey: "read" });
const { user, system } = process.cpuUsage(before);
const { entities = [], relationships = [] } = imported?.document ?? {};
const attributes = entities.reduce((sum, one) => sum + one.attributes.length, 0);
const measured = {
  format: imported?.recognised.format,
  objects: entities.length + attributes + relationships.length,
  cpuMs: (user + system) / 1_000,
  peakBytes: process.resourceUsage().maxRSS * 1_024,
};
console.log(JSON.stringify(measured));
