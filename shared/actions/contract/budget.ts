import { LIMITS } from "../../domain/limits.ts";
import { listObjects, type ModelContent } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import { PatternBudget } from "../../domain/text/pattern-budget.ts";

/** Thrown when a call turns out to be long: it starts again in a thread of its own. Nothing is written before. */
export class LongCall extends Error {}

/** The clock of a call, in milliseconds. */
interface Clock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Time after which a long piece of work lets other calls run, in milliseconds. */
const YIELD_MS = 20;

/** Bytes of an object in addition to its texts: ids, numbers and names of members. */
const OBJECT_BYTES = 100;

/** The time, the bytes, the objects and the steps of patterns that one call may use. */
export class CallBudget {
  /** The steps of the patterns of property definitions. */
  patterns = new PatternBudget();
  readonly #clock: Clock;
  readonly #deadline: number;
  #canMove: boolean;
  #readBytes = 0;
  #answerBytes = 0;
  #resumedAt: number;

  /** `canMove` is true if a long call can continue in another thread. `deadline` is in milliseconds since the epoch. */
  constructor(clock: Clock, deadline: number, canMove = false) {
    this.#clock = clock;
    this.#deadline = deadline;
    this.#canMove = canMove;
    this.#resumedAt = clock.now();
  }

  /** Charges bytes of a request body or of a model that was read whole. Throws `LongCall`. */
  chargeBytes(bytes: number): void {
    this.#readBytes += bytes;
    if (this.#readBytes > LIMITS.sharedThreadBytes) this.move();
  }

  /** Checks the number of objects that a reader has made so far. Throws `LongCall`. */
  checkObjects(count: number): void {
    if (count > LIMITS.sharedThreadObjects) this.move();
  }

  /** Charges the content of a model that was read whole. Throws `LongCall`. */
  readonly noteContent = (content: ModelContent): void => {
    if (!this.#canMove) return;
    for (const object of listObjects(content)) this.chargeBytes(measureTexts(object));
  };

  /** Moves a call that may take long to a thread of its own, by throwing `LongCall`, if it shares its thread. */
  move(): void {
    if (this.#canMove) throw new LongCall();
  }

  /** Charges a value of the answer, as JSON. Throws `too_large` when the call holds more than `batchAnswerBytes`. */
  chargeAnswer(value: unknown): void {
    this.#answerBytes += Buffer.byteLength(JSON.stringify(value) ?? "");
    if (this.#answerBytes <= LIMITS.batchAnswerBytes) return;
    const detail =
      `The results of a batch may have at most ${LIMITS.batchAnswerBytes} bytes together (limit batchAnswerBytes), and this entry exceeds them. ` +
      `Send the entries that read in several batches`;
    throw new Problem("too_large", detail);
  }

  /** Starts to count the answer and the patterns again, for another attempt, which stays in its thread. */
  repeat(): void {
    // A commit of the attempt before may still be applied, and only this call would recognise it as its own.
    this.#canMove = false;
    this.#answerBytes = 0;
    this.patterns = new PatternBudget();
  }

  /** Lets other calls run after a while of work. Throws `out_of_time` after the deadline. */
  async checkTime(): Promise<void> {
    const { now, sleep } = this.#clock;
    if (now() - this.#resumedAt >= YIELD_MS) {
      await sleep(0);
      this.#resumedAt = now();
    }
    if (now() < this.#deadline) return;
    const detail = `The batch did not finish within the ${LIMITS.callMs} ms of one call (limit callMs); nothing was changed. Split it into several batches`;
    throw new Problem("out_of_time", detail, { retryAfter: 1 });
  }
}

function measureTexts(object: object): number {
  let bytes = OBJECT_BYTES;
  for (const value of Object.values(object)) {
    if (typeof value === "string") bytes += value.length;
    else if (typeof value === "object" && value !== null) bytes += JSON.stringify(value).length;
  }
  return bytes;
}
