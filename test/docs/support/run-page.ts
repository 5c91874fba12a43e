import { createComparison } from "./comparison.ts";
import { needsServiceStopped, type Started, startService, startsService } from "./service.ts";
import { openShell, type ShellPlace } from "./shell.ts";
import { type Block, stepsOf } from "./steps.ts";

/** An output that the page shows, and the output that came. */
export interface Recorded {
  readonly shown: Block;
  readonly came: string;
}

/** The result of running a page. */
export interface PageRun {
  /** The differences of page and run, each with the line of the page; empty where the page says the truth. */
  readonly differences: readonly string[];
  readonly recorded: readonly Recorded[];
}

/**
 * Runs a page's commands word by word in one shell session, but a block that starts the service in a shell of its own,
 * which Ctrl-C ends before the next one starts, and before what works on its data. Stops at the first command that fails.
 */
export async function runPage(page: string, place: ShellPlace): Promise<PageRun> {
  const comparison = createComparison();
  const differences: string[] = [];
  const recorded: Recorded[] = [];
  const shell = openShell(place);
  let service: Started | undefined;
  try {
    for (const { commands, line, shown } of stepsOf(page)) {
      let printed: string;
      if (startsService(commands) || needsServiceStopped(commands)) {
        await service?.stop();
        service = undefined;
      }
      if (startsService(commands)) {
        service = await startService(commands, place);
        // The lines before are npm's own and depend on the machine.
        printed = service.said.slice(service.said.indexOf("Metaction answers on"));
      } else {
        const ran = await shell.run(commands);
        printed = ran.printed;
        if (ran.failed) {
          differences.push(`line ${line}: a command fails: ${printed.trim()}`);
          break;
        }
      }
      if (!shown) continue;
      recorded.push({ shown, came: printed });
      const difference = comparison.difference(shown, printed);
      if (difference !== undefined) differences.push(`line ${shown.line}: ${difference}`);
    }
  } finally {
    await shell.close();
    await service?.stop();
  }
  return { differences, recorded };
}
