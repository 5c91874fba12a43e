import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { INSIDE_LAYOUT } from "./web/sources.ts";

/** Bundled package of a third party. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly texts: readonly string[];
}

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Lists the packages of a build. Throws for one without a licence. */
export function listBundledPackages(inputs: readonly string[], root: string): readonly BundledPackage[] {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)]
    .map((folder) => findPackage(join(root, folder)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function findPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as BundledPackage;
  if (typeof license !== "string") throw new Error(`${name} ${version} has no licence: it must not be built in`);
  const files = readdirSync(folder, { withFileTypes: true }).filter((f) => f.isFile() && LICENSE_FILE.test(f.name));
  return { name, version, license, texts: files.map((f) => readFileSync(join(folder, f.name), "utf8").trim()) };
}

/** Formats the page of licences; a text of several packages is listed once. */
export function formatLicenses(packages: readonly BundledPackage[]): string {
  const sharing = Map.groupBy(packages, ({ texts }) => texts.join("\n\n"));
  const sections = [...sharing].map(([text, group]) => {
    const names = group.map(({ name, version, license }) => `## ${name} - ${version} (${license})`);
    return [names.join("\n"), ...(text ? [text] : [])].join("\n\n");
  });
  return `# Licenses

The command line and the service contain code of these packages; dist/ui/licenses.txt names those of the web application.

${sections.join("\n\n")}
${INSIDE_LAYOUT}`;
}
