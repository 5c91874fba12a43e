import { readFileSync } from "node:fs";
import { createImporter } from "../shared/formats/importer.ts";

/*
 * Program that reads the file in its first argument and prints the time and memory of that as JSON. Without an argument it reads
 * nothing and prints what an empty process takes.
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
