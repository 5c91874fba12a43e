import { benchBundle } from "./bundle.ts";
import { benchCall } from "./call.ts";
import { benchCli } from "./cli.ts";
import { benchCost } from "./cost.ts";
import { benchDiagram } from "./diagram.ts";
import { benchFloor } from "./floor.ts";
import { benchLegibility } from "./legibility.ts";
import { benchMemory } from "./memory.ts";
import { benchPace } from "./pace.ts";
import { benchReaders } from "./readers.ts";
import { benchScale } from "./scale.ts";
import { benchScaleOut } from "./scale-out.ts";
import { benchScreens } from "./screens.ts";
import { benchStart } from "./start.ts";
import { benchTrace } from "./trace.ts";
import { benchUi } from "./ui.ts";
import { benchUnits } from "./units.ts";
import { benchWarm } from "./warm.ts";

interface Bench {
  readonly description: string;
  /** Prints a table and a line of JSON, and returns the goals that were missed, if there are any. */
  readonly run: (args: readonly string[]) => unknown;
}

const BENCHES: Readonly<Record<string, Bench>> = {
  bundle: { description: "sizes of the Lambda bundles, by package and folder", run: () => benchBundle() },
  call: { description: "processor time of one warm model_get with a stub of the table", run: () => benchCall() },
  cli: { description: "how long the command line takes to start, compared with a bare Node.js", run: benchCli },
  cost: { description: "price of a million reads and creates: units, time and log bytes", run: benchCost },
  diagram: {
    description: "diagram of 300 entities with 3,000 attributes: layout, and long tasks while panning in a browser",
    run: benchDiagram,
  },
  floor: {
    description: "reads and writes of the local service as shares of a constant answer and a bare SQLite transaction",
    run: benchFloor,
  },
  legibility: {
    description: "lines, files, folders and names of production code that make it hard to read; --list, --draw=<seed>",
    run: benchLegibility,
  },
  memory: {
    description: "time and price of cold and warm calls of the dispatcher at 512, 1,024 and 1,769 MB",
    run: benchMemory,
  },
  pace: { description: "share of a partition's full pace at which a model is written as a whole", run: benchPace },
  readers: {
    description: "every reader of a format, on real files and a model of 850 entities: processor time and memory",
    run: () => benchReaders(),
  },
  scale: {
    description: "a model with 20,000 attributes: time, memory and units of import, export, copy, deletion, sweep",
    run: benchScale,
  },
  "scale-out": {
    description:
      "10,000 models with a million attributes, compared with 100: search, reads, writes, lists; --keep <folder>",
    run: benchScaleOut,
  },
  screens: {
    description: "first paint on a slow processor, a list of 2,000 models, a table of 2,000 attributes, in a browser",
    run: benchScreens,
  },
  start: {
    description: "start of the deployed dispatcher to its first answer, compared with a constant: wall, CPU, memory",
    run: benchStart,
  },
  trace: {
    description: "files, functions and calls of our own code that one warm call of some actions runs",
    run: benchTrace,
  },
  ui: {
    description: "scripts of the web application, and the kilobytes that a browser loads before each screen",
    run: benchUi,
  },
  units: { description: "request units and sequential store calls of every action", run: benchUnits },
  warm: {
    description: "request units of every action in a process that keeps what it read, and memory of a full cache",
    run: benchWarm,
  },
};

async function main(name: string | undefined): Promise<number> {
  const bench = name === undefined ? undefined : BENCHES[name];
  if (!bench) {
    process.stderr.write(`npm run bench -- <name>, where <name> is one of:\n`);
    for (const [known, { description }] of Object.entries(BENCHES)) {
      process.stderr.write(`  ${known.padEnd(10)} ${description}\n`);
    }
    return name === undefined ? 0 : 2;
  }
  const faults = await bench.run(process.argv.slice(3));
  return Array.isArray(faults) && faults.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv[2]);
