import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startBenchService } from "./bench-service.ts";
import { ATTRIBUTES, type Figures, largeModel, measureScaleOut } from "./scale-out-figures.ts";

const MODELS = 10_000;
const FEW = 100;
/** Imports that run at the same time. */
const PARALLEL = 16;
const GOALS = { warmMs: 100, firstMs: 5_000, rssMb: 512, listUnits: 5 } as const;
const OPTIONS = { keep: { type: "string" }, models: { type: "string" }, figures: { type: "string" } } as const;

/**
 * Compares a service with 10,000 models and a million attributes with one of 100 models. Returns the goals that were missed.
 * `--keep <folder>` keeps and reuses the data, `--models <count>` sets the number, `--figures <folder>` measures one of the two.
 */
export async function benchScaleOut(args: readonly string[]): Promise<readonly string[]> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const models = Number(values.models ?? MODELS);
  if (values.figures !== undefined) {
    console.log(JSON.stringify(await measureScaleOut(values.figures, models)));
    return [];
  }
  const folder = values.keep ?? (await mkdtemp(join(tmpdir(), "metaction-scale-out-")));
  try {
    const few = await measureInProcess(join(folder, String(FEW)), FEW);
    const many = await measureInProcess(join(folder, String(models)), models);
    return report(models, few, many);
  } finally {
    if (values.keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the figures of a service with this number of models, measured in a new process. */
async function measureInProcess(folder: string, models: number): Promise<Figures> {
  const isFilled = join(folder, "filled");
  if (!existsSync(isFilled)) {
    await mkdir(folder, { recursive: true });
    await fill(folder, models);
    await writeFile(isFilled, "");
  }
  const command = ["scale-out", "--figures", folder, "--models", String(models)];
  const child = spawn(process.execPath, [process.argv[1] ?? "", ...command], { stdio: ["ignore", "pipe", "inherit"] });
  const printed = (await child.stdout.toArray()).map(String).join("");
  return JSON.parse(printed) as Figures;
}

/** Imports the models and waits until they are indexed. */
async function fill(folder: string, models: number): Promise<void> {
  const bench = await startBenchService({ folder, searchesInFile: true });
  const began = performance.now();
  let next = 0;
  const importModels = async (): Promise<void> => {
    for (let i = next++; i < models; i = next++) {
      await bench.run("model/import", { content: largeModel(i) });
      if (i % 1_000 === 999) process.stderr.write(`${i + 1} models of ${models}\n`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, importModels));
  const made = performance.now();
  const searches = await bench.searches();
  // The first check indexes the commits, the second finds no new ones.
  for (let look = 0; look < 2; look++) await searches.keepUp();
  const seconds = (from: number, to: number): string => ((to - from) / 1_000).toFixed(1);
  process.stderr.write(
    `${models} models imported in ${seconds(began, made)} s, indexed in ${seconds(made, performance.now())} s\n`,
  );
  await bench.stop();
}

function report(models: number, few: Figures, many: Figures): readonly string[] {
  const rows = many.rows.map((row, i) => ({
    step: row.step,
    found: row.found,
    ms: row.ms,
    msOfFew: few.rows[i]?.ms,
    units: row.units,
    unitsOfFew: few.rows[i]?.units,
    sequence: row.sequence,
    sequenceOfFew: few.rows[i]?.sequence,
  }));
  console.table(rows);
  const warm = many.rows.filter(({ step }) => step.startsWith("warm"));
  const slowest = warm.toSorted((a, b) => b.ms - a.ms)[0];
  const find = (step: string) => many.rows.find((row) => row.step === step);
  const goals = [
    { goal: `warm search (${slowest?.step})`, figure: slowest?.ms ?? 0, most: GOALS.warmMs },
    { goal: "first search after a start, ms", figure: find("first search")?.ms ?? 0, most: GOALS.firstMs },
    { goal: "memory, MB", figure: many.rssMb, most: GOALS.rssMb },
    {
      goal: "first page of model_list, units",
      figure: find("model_list, first page")?.units ?? 0,
      most: GOALS.listUnits,
    },
  ].map((one) => ({ ...one, met: one.figure <= one.most }));
  console.table(goals);
  const uneven = rows.filter(({ step, units, unitsOfFew }) => units !== unitsOfFew && !GROWING.has(step));
  const faults = [
    ...goals.filter(({ met }) => !met).map(({ goal, figure, most }) => `${goal}: ${figure}, goal ${most}`),
    ...uneven.map(({ step, units, unitsOfFew }) => `${step}: ${units} units, with ${FEW} models ${unitsOfFew}`),
  ];
  for (const fault of faults) console.log(`FAULT ${fault}`);
  const attributes = models * ATTRIBUTES;
  console.log(JSON.stringify({ bench: "scale-out", models, attributes, goals, many, few, faults }));
  return faults;
}

/** Steps whose units grow with the number of models, as documented. */
const GROWING: ReadonlySet<string> = new Set(["model_list, all"]);
