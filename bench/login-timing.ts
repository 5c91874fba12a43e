import { ambient } from "../functions/ambient.ts";
import { type BenchService, startBenchService } from "./bench-service.ts";
import { mannWhitney, median, quantile, shiftInterval } from "./two-samples.ts";

const PAIRS = 400;
/** Failures per name, fewer than make a name wait: a refusal without hashing takes another time. */
const PER_NAME = 4;
const PASSWORD = "Correct-Horse-7-Battery";
const WRONG = "Wrong-Horse-7-Battery";
/** Milliseconds of difference that nobody finds under the noise of a network within the attempts a name has. */
const MOST_MS = 2;

/**
 * Measures the time `auth/login` takes to refuse a wrong password of a user, and one of a name that no user has. Pairs
 * alternate, each in random order, so that both meet the same load. Both run argon2id once at the same cost, read the
 * same three items, count one attempt and note one refusal; only the compared bytes differ.
 */
export async function benchLoginTiming(): Promise<readonly string[]> {
  const bench = await startBenchService();
  try {
    const names = await userNames(bench, Math.ceil(PAIRS / PER_NAME));
    for (let i = 0; i < 10; i++) await refusedIn(bench, `warming-${i}`);
    const known: number[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < PAIRS; i++) {
      const name = names[i % names.length] ?? "";
      const pair = [
        async () => known.push(await refusedIn(bench, name)),
        async () => unknown.push(await refusedIn(bench, name.replace("user", "none"))),
      ];
      for (const one of ambient.random() < 0.5 ? pair : pair.toReversed()) await one();
    }
    return report(known, unknown, ambient.random);
  } finally {
    await bench.stop();
  }
}

async function userNames({ run }: BenchService, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, i) => `user-${String(i).padStart(3, "0")}`);
  for (const username of names) {
    await run("auth/user_create", { username, fullname: "Somebody", password: PASSWORD, admin: false });
  }
  return names;
}

async function refusedIn({ run }: BenchService, username: string): Promise<number> {
  const begun = performance.now();
  const code = await run("auth/login", { username, password: WRONG }).then(
    () => "none",
    (error: { readonly code?: string }) => error.code,
  );
  const took = performance.now() - begun;
  if (code !== "not_signed_in") throw new Error(`the attempt ended with ${code}`);
  return took;
}

function report(known: readonly number[], unknown: readonly number[], next: () => number): readonly string[] {
  const difference = median(known) - median(unknown);
  const { z, p } = mannWhitney(known, unknown);
  const [low, high] = shiftInterval(known, unknown, next);
  for (const [what, times] of [
    ["a user", known],
    ["no user", unknown],
  ] as const) {
    const [p10, p50, p90] = [0.1, 0.5, 0.9].map((q) => quantile(times, q).toFixed(2));
    console.log(`${what.padEnd(8)} ${times.length} refusals: 10 % ${p10} ms, median ${p50} ms, 90 % ${p90} ms`);
  }
  console.log(
    `difference of the medians ${difference.toFixed(3)} ms, 95 % interval ${low.toFixed(3)} to ${high.toFixed(3)} ms`,
  );
  console.log(`Mann-Whitney: z ${z.toFixed(2)}, p ${p.toFixed(3)}`);
  console.log(JSON.stringify({ bench: "login", pairs: known.length, differenceMs: difference, low, high, z, p }));
  return Math.min(Math.abs(low), Math.abs(high)) > MOST_MS && low * high > 0
    ? [`refusing a user and no user differ by ${difference.toFixed(2)} ms, more than ${MOST_MS}`]
    : [];
}
