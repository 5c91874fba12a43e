import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { LIMITS } from "../shared/domain/limits.ts";
import type { ExportFormat } from "../shared/domain/values/export-formats.ts";
import { createExporter } from "../shared/formats/exporter.ts";
import { largeModel } from "../test/diagram/support/diagram-models.ts";

const REAL = join(import.meta.dirname, "../../shared/data");
/** Entities of a generated source: about the 10,000 objects that one call may write. */
const ENTITIES = 850;
const MADE: Readonly<Partial<Record<ExportFormat, number>>> = {
  avro: LIMITS.sourceBytes,
  dbml: LIMITS.dbmlBytes,
  dbt: LIMITS.yamlBytes,
  frictionless: LIMITS.sourceBytes,
  jsonschema: LIMITS.sourceBytes,
  odcs: LIMITS.yamlBytes,
  postgresql: LIMITS.sourceBytes,
};
/** Name of a generated source. */
const MADE_SOURCE = "made";
/** Megabytes that a reader may take in addition to an empty process: the free memory of a dispatcher with 512 MB. */
const MOST_MEGABYTES = 256;

interface Measured {
  readonly source: string;
  readonly bytes: number;
  readonly format: string;
  readonly objects: number;
  readonly cpuMs: number;
  readonly peakBytes: number;
}

/**
 * Measures each reader in a new process: on the largest real file of each format, if there are real files, and on a generated
 * model of up to 850 entities.
 */
export async function benchReaders(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "metaction-readers-"));
  try {
    const empty = await readBy([]);
    const measured: Measured[] = [];
    for (const path of [...(await realFiles()), ...(await madeFiles(folder))]) {
      const { size } = await stat(path);
      measured.push({
        ...(await readBy([path])),
        source: path.startsWith(folder) ? MADE_SOURCE : path.split("/").slice(-2).join("/"),
        bytes: size,
      });
    }
    const largest = [...Map.groupBy(measured, ({ format, source }) => `${format} ${source === MADE_SOURCE}`).values()]
      .map((same) => same.toSorted((a, b) => b.bytes - a.bytes)[0] as Measured)
      .sort((a, b) => a.format.localeCompare(b.format));
    const megabytes = (bytes: number): number => Math.round((bytes - empty.peakBytes) / 1_048_576);
    console.log(
      "| format | source | kB | objects | processor ms | MB over an empty process |\n|---|---|---|---|---|---|",
    );
    for (const { format, source, bytes, objects, cpuMs, peakBytes } of largest) {
      const row = [format, source, Math.round(bytes / 1_000), objects, Math.round(cpuMs), megabytes(peakBytes)];
      console.log(`| ${row.join(" | ")} |`);
    }
    console.log(JSON.stringify({ bench: "readers", emptyBytes: empty.peakBytes, largest }));
    return largest
      .filter(({ peakBytes }) => megabytes(peakBytes) > MOST_MEGABYTES)
      .map(({ format, source }) => `${format} takes more than ${MOST_MEGABYTES} MB for ${source}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readBy(args: readonly string[]): Promise<Omit<Measured, "source" | "bytes">> {
  const script = join(import.meta.dirname, "read-source.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  return JSON.parse(stdout);
}

async function realFiles(): Promise<readonly string[]> {
  if (!existsSync(REAL)) {
    console.log(`No real files at ${REAL}: only generated ones are read.`);
    return [];
  }
  const folders = ["sql", "dbml", "dbt", "odcs", "frictionless"];
  const files = await Promise.all(
    folders.map(async (one) => (await readdir(join(REAL, one))).map((f) => join(REAL, one, f))),
  );
  return files.flat().filter((path) => /\.(sql|dbml|ya?ml|json)$/.test(path));
}

/** Writes a file of each format with as many entities as it may hold. Returns the paths. */
async function madeFiles(folder: string): Promise<readonly string[]> {
  const exporter = createExporter();
  const made = async (format: ExportFormat, most: number, entities: number): Promise<string> => {
    const { fileName, content } = await exporter.write(largeModel(entities), format);
    if (Buffer.byteLength(content) > most) return made(format, most, Math.floor(entities * 0.95));
    const path = join(folder, `${format}-${fileName}`);
    await writeFile(path, content);
    return path;
  };
  return Promise.all(Object.entries(MADE).map(([format, most]) => made(format as ExportFormat, most, ENTITIES)));
}
