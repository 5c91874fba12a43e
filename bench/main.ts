import { benchBatch } from "./batch.ts";
import { benchBundle } from "./bundle.ts";
import { benchCli } from "./cli.ts";
import { benchCost } from "./cost.ts";
import { benchDiagram } from "./diagram.ts";
import { benchHistory } from "./history.ts";
import { benchLocal } from "./local.ts";
import { benchLoginTiming } from "./login-timing.ts";
import { benchMemory } from "./memory.ts";
import { benchPace } from "./pace.ts";
import { benchReaders } from "./readers.ts";
import { benchScale } from "./scale.ts";
import { benchScaleOut } from "./scale-out.ts";
import { benchScreens } from "./screens.ts";
import { benchSearch } from "./search.ts";
import { benchStart } from "./start.ts";
import { benchUi } from "./ui.ts";
import { benchUnits } from "./units.ts";
import { benchWarm } from "./warm.ts";

/**
 * Every measurement: its description and how it is run. Each prints a table and a line of JSON, and answers the faults
 * it found.
 */
const BENCHES: Readonly<
  Record<string, { readonly tells: string; readonly run: (args: readonly string[]) => unknown }>
> = {
  batch: {
    tells: "1,000 and 20,000 attributes made in one batch, in a model of 10,000 objects: time and units",
    run: benchBatch,
  },
  bundle: { tells: "sizes of the Lambda bundles and what is in them", run: () => benchBundle() },
  cli: { tells: "how long the command line takes to start, beside a bare Node.js", run: benchCli },
  diagram: {
    tells: "the diagram of 300 entities with 3,000 attributes: layout, and what holds panning up in a browser",
    run: benchDiagram,
  },
  local: {
    tells: "npm start on SQLite beside the engine it ran on before: creates, reads, export, start, memory",
    run: benchLocal,
  },
  login: {
    tells: "how long a wrong password of a user takes beside one of nobody, with its statistics",
    run: benchLoginTiming,
  },
  cost: { tells: "the price of a million reads and creates: units, time and log bytes", run: benchCost },
  memory: {
    tells: "time and price of cold and warm reads and writes of the dispatcher at 512, 1,024 and 1,769 MB",
    run: benchMemory,
  },
  pace: { tells: "share of a partition's full pace at which a model is written as a whole", run: benchPace },
  readers: {
    tells: "every reader of a format, on real files and a made model of 850 entities: processor time and memory",
    run: () => benchReaders(),
  },
  screens: {
    tells: "first paint on a slow processor, a list of 2,000 models, a table of 2,000 attributes, in a browser",
    run: benchScreens,
  },
  start: {
    tells:
      "from the start of the deployed dispatcher to its first answer, beside a hello world: wall, CPU, memory, modules",
    run: benchStart,
  },
  ui: { tells: "kilobytes of the web application that a browser loads before each screen shows", run: benchUi },
  units: { tells: "request units and sequential store calls of every action", run: benchUnits },
  warm: {
    tells:
      "every call of the budget in a process that keeps nothing and in one that keeps what it read; memory of a full cache",
    run: benchWarm,
  },
  "scale-out": {
    tells:
      "10,000 models with a million attributes beside 100: search from cold and warm, reads, writes, lists; --keep <folder>",
    run: benchScaleOut,
  },
  scale: {
    tells: "a model with 20,000 attributes: time, memory and units of import, export, copy, deletion, sweep",
    run: benchScale,
  },
  history: {
    tells: "a model with 10,000 commits: time and units of reading its past; 100,000 changes, page by page",
    run: benchHistory,
  },
  search: {
    tells: "200 models with 100,000 objects: time, units and memory of searches, cold and warm",
    run: benchSearch,
  },
};

async function main(name: string | undefined): Promise<number> {
  const bench = name === undefined ? undefined : BENCHES[name];
  if (!bench) {
    process.stderr.write(`npm run bench -- <name>, where <name> is one of:\n`);
    for (const [known, { tells }] of Object.entries(BENCHES)) process.stderr.write(`  ${known.padEnd(8)} ${tells}\n`);
    return name === undefined ? 0 : 2;
  }
  const faults = await bench.run(process.argv.slice(3));
  return Array.isArray(faults) && faults.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv[2]);
