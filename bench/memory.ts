import { post, toLambdaEvent } from "../test/http/support/transports.ts";
import { createCpuShare } from "../test/infra/support/cpu-share.ts";
import { openDelayedProxy } from "../test/infra/support/delayed-proxy.ts";
import { type EmulatedCloud, ENTITY_KEY, MODEL_KEY, startEmulatedCloud } from "../test/infra/support/emulated-cloud.ts";
import { startFunction } from "../test/infra/support/emulated-function.ts";
import { median } from "./median.ts";
import { lambdaPrice, PRICES } from "./prices.ts";

const ROUNDS = Number(process.env.METACTION_BENCH_ROUNDS ?? 15);
const SIZES = [512, 1_024, 1_769] as const;
/** Memory with which Lambda gives a function a whole processor. */
const WHOLE_MB = 1_769;
/** Share of calls that start a process. The operator guide of AWS says under 1 in 100. */
const COLD_SHARE = 0.01;
/** Calls that follow the first one in a process. */
const WARM_CALLS = 1 / COLD_SHARE - 1;

/** Time and price of calls to the dispatcher with an amount of memory, in milliseconds and in dollars for a million. */
interface Row {
  readonly megabytes: number;
  readonly call: "read" | "write";
  /** From the start of the process to the answer. */
  readonly coldMs: number;
  /** From the event to the answer. */
  readonly coldCallMs: number;
  /** Mean of all calls after the first. */
  readonly warmMs: number;
  /** Processor time, which does not depend on other programs. */
  readonly warmCpuMs: number;
  readonly coldPrice: number;
  readonly warmPrice: number;
  /** With one cold call in a hundred. */
  readonly price: number;
  readonly residentMb: number;
}

/**
 * Measures cold and warm reads and writes of the dispatcher at several sizes of memory, with the share of a processor that
 * Lambda gives each, and a table that is as slow as DynamoDB. Prices are those of Lambda only.
 */
export async function benchMemory(): Promise<readonly string[]> {
  const cloud = await startEmulatedCloud(openDelayedProxy);
  try {
    const rows: Row[] = [];
    let method = "";
    for (const megabytes of SIZES) {
      const share = createCpuShare(Math.min(1, megabytes / WHOLE_MB));
      method = share.method;
      try {
        for (const call of ["read", "write"] as const) rows.push(await measure(cloud, megabytes, call, share));
      } finally {
        share.stop();
      }
    }
    console.log(`Lambda only, arm64, prices of ${PRICES.asOf}; CPU by ${method}; medians of ${ROUNDS} processes`);
    console.table(rows);
    console.log(JSON.stringify({ bench: "memory", rounds: ROUNDS, method, pricesAsOf: PRICES.asOf, rows }));
    return [];
  } finally {
    await cloud.stop();
  }
}

async function measure(
  cloud: EmulatedCloud,
  megabytes: number,
  call: Row["call"],
  share: ReturnType<typeof createCpuShare>,
): Promise<Row> {
  const { client, dispatcher, headers } = cloud;
  const [cold, coldCall, billed, warm, warmCpu, resident]: number[][] = [[], [], [], [], [], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const running = await startFunction({ ...dispatcher, memoryMegabytes: megabytes }, { client, share });
    try {
      for (let nth = 0; nth <= WARM_CALLS; nth += 1) {
        const { answer, times } = await running.invoke(createEvent(call, headers, `${megabytes} ${round} ${nth}`));
        const { statusCode } = answer as { statusCode: number };
        if (statusCode !== 200) throw new Error(`a ${call} was answered ${JSON.stringify(answer)}`);
        if (round === 0) continue;
        const ms = times.answeredWall - times.receivedWall;
        if (nth === 0) {
          cold?.push(times.answeredWall);
          coldCall?.push(ms);
          // The start of the runtime itself is not billed.
          billed?.push(times.loadedWall - times.bootedWall + ms);
        } else {
          warm?.push(ms);
          warmCpu?.push(times.answeredCpu - times.receivedCpu);
        }
        if (nth === WARM_CALLS) resident?.push(times.maxRssMegabytes);
      }
    } finally {
      await running.stop();
    }
  }
  const middle = (values: number[] | undefined): number => median(values ?? []);
  const [coldPrice, warmPrice] = [lambdaPrice(middle(billed), megabytes), lambdaPrice(mean(warm), megabytes)];
  return {
    megabytes,
    call,
    coldMs: round(middle(cold), 1),
    coldCallMs: round(middle(coldCall), 1),
    warmMs: round(mean(warm), 1),
    warmCpuMs: round(mean(warmCpu), 1),
    coldPrice: round(coldPrice, 2),
    warmPrice: round(warmPrice, 3),
    price: round(COLD_SHARE * coldPrice + (1 - COLD_SHARE) * warmPrice, 3),
    residentMb: Math.round(middle(resident)),
  };
}

function createEvent(call: Row["call"], headers: EmulatedCloud["headers"], text: string): object {
  const modelRef = `key:${MODEL_KEY}`;
  if (call === "read") return toLambdaEvent({ target: `/api/model/model_get?modelRef=${modelRef}`, headers });
  const entity = { modelRef, entityRef: `key:${ENTITY_KEY}`, value: text };
  return toLambdaEvent(post("/api/model/entity_update_description", entity, headers));
}

function mean(values: readonly number[] | undefined = []): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

if (import.meta.main) process.exitCode = (await benchMemory()).length === 0 ? 0 : 1;
