import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { LARGE_TEXTS } from "../formats/large/large-texts.ts";

/** What a process says that read one text; see `read-large.ts`. */
interface Outcome {
  readonly code?: string;
  /** Bytes of a problem, as a caller gets it. */
  readonly problemBytes: number;
  readonly entities?: number;
  readonly bytes: number;
  readonly cpuMs: number;
  /** Bytes that the process grew by while it read. */
  readonly grownBytes: number;
}

const READER = join(import.meta.dirname, "../formats/large/read-large.ts");
/** Megabytes of objects that a process may have: that of 512 MB which reads sources has less of them. */
const HEAP = 512;

const rows: string[] = [];
afterAll(() => {
  console.log(["| format | text | outcome | processor ms | MB grown |", "|---|---|---|---|---|", ...rows].join("\n"));
});

describe("a text of 50 MB", () => {
  test.each(
    LARGE_TEXTS.map(({ format, shape }) => [format, shape] as const),
  )("of the format %s is a problem or a model, in bounded memory: %s", async (format, shape) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      `--max-old-space-size=${HEAP}`,
      ...[READER, format, shape],
    ]);
    const { code, problemBytes, entities, bytes, cpuMs, grownBytes }: Outcome = JSON.parse(stdout);
    rows.push(
      `| ${[format, shape, code ?? `${entities} entities`, cpuMs, Math.round(grownBytes / 1e6)].join(" | ")} |`,
    );
    if (code === undefined) expect(entities).toBeGreaterThanOrEqual(0);
    else expect(["source_not_recognised", "invalid_content", "too_large"]).toContain(code);
    expect(problemBytes).toBeLessThan(100_000);
    // What a limit refuses is never made: the text itself is copied into one piece and no more.
    if (code === "source_not_recognised") expect(grownBytes).toBeLessThan(2 * bytes);
  });
});
