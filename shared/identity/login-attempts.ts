import type { Call, Runtime } from "../actions/contract/call.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { foldText } from "../domain/text/characters.ts";
import type { AccountStore, Attempts, AttemptsOf } from "./accounts.ts";

/** Milliseconds between two wrong passwords for one name, once as many as an hour allows have come at once. */
const APART_MS = 3_600_000 / LIMITS.loginFailuresPerHour;
const ALLOWANCE_MS = APART_MS * (LIMITS.loginFailuresPerHour - 1);
/** Days before a known network is forgotten at which it is noted anew. */
const RENEWED_DAYS = LIMITS.knownNetworkDays / 2;
/** How often a count that others raise at the same moment is tried. */
const TRIES = 10;

/** An attempt that was counted as failed, until it is known to be otherwise. */
export interface CountedAttempt {
  /** Notes that the password was right: wrong ones from the same network are forgotten. */
  proved(): Promise<void>;
  /** Notes that the password was right and signs somebody in, whose network is known from now on. */
  signedIn(): Promise<void>;
  /** Takes the attempt back, because nobody could say whether the password was right. */
  unjudged(): Promise<void>;
}

interface Terms {
  readonly accounts: AccountStore;
  readonly ambient: Pick<Runtime, "now">;
}

/**
 * Counts an attempt to sign in before its password is looked at, so that of many at once none gets through uncounted.
 * `throttled` while the name has to wait: after a few wrong passwords from the network the call came from, or, where nobody
 * signed in with the name from that network lately, after many from anywhere. So whoever guesses keeps no user out
 * elsewhere. Names without a user count as well, in any spelling, so that nothing is learnt from it.
 */
export async function countAttempt(username: string, call: Call, terms: Terms): Promise<CountedAttempt> {
  const { accounts, ambient } = terms;
  const [name, network] = [foldText(username.normalize("NFKC")), toSourceNetwork(call.sourceAddress)];
  const here = { name, network };
  for (;;) {
    const now = ambient.now();
    const seen = await accounts.attempts(here);
    refuseUntil(seen.here, now);
    const isKnown = seen.knownUntil !== undefined;
    if (!isKnown) refuseUntil(seen.anywhere, now);
    // Of those who read the same count one goes on; after a few the others have to wait.
    const after = countFailure(seen.here, now);
    if (!(await accounts.noteAttempt(here, seen.here, after))) continue;
    // The count goes back only where no other attempt was counted meanwhile: that one stands.
    const takeBack = () => accounts.noteAttempt(here, after, seen.here);
    const giveBack = isKnown
      ? undefined
      : await countWithoutAddress(here, seen.anywhere, terms).catch(undoing(takeBack));
    const proved = async (): Promise<void> => {
      await Promise.all([accounts.forgetAttempts(here), giveBack?.()]);
    };
    return {
      proved,
      signedIn: async () => {
        const isDue = now / 1000 + RENEWED_DAYS * 86_400 > (seen.knownUntil ?? 0);
        await Promise.all([proved(), isDue && accounts.noteNetwork(here)]);
      },
      unjudged: async () => {
        await Promise.all([takeBack(), giveBack?.()]);
      },
    };
  }
}

/** Counts an attempt among those from anywhere, and answers how to give it back; `throttled`. */
async function countWithoutAddress(
  here: Required<AttemptsOf>,
  first: Attempts | undefined,
  { accounts, ambient }: Terms,
): Promise<() => Promise<void>> {
  const anywhere = { name: here.name };
  let before = first;
  for (let tries = 0; tries < TRIES; tries++) {
    refuseUntil(before, ambient.now());
    const counted = afterAttemptAnywhere(before, ambient.now());
    if (await accounts.noteAttempt(anywhere, before, counted)) return () => giveBack(counted);
    before = (await accounts.attempts(here)).anywhere;
  }
  throw createThrottledProblem(1);

  async function giveBack(counted: Attempts): Promise<void> {
    let now: Attempts | undefined = counted;
    for (let tries = 0; now && tries < TRIES; tries++) {
      const { notBefore, failures, ...rest }: Attempts = now;
      const others = { notBefore: notBefore - APART_MS, failures: failures - 1, ...rest };
      if (await accounts.noteAttempt(anywhere, now, others.failures > 0 ? others : undefined)) return;
      now = (await accounts.attempts(here)).anywhere;
    }
  }
}

/** The attempts from one network after one more: a wait that doubles. */
export function countFailure(before: Attempts | undefined, now: number): Attempts {
  const failures = (before?.failures ?? 0) + 1;
  const doublings = failures - LIMITS.freeLoginFailures - 1;
  const wait = doublings < 0 ? 0 : Math.min(2 ** doublings, LIMITS.loginWaitSeconds);
  return {
    failures,
    notBefore: now + wait * 1000,
    expiresAt: Math.ceil(now / 1000) + LIMITS.loginFailureHours * 3_600,
  };
}

/** The attempts from anywhere after one more: an hour's at once, then one after the other, evenly. */
function afterAttemptAnywhere(before: Attempts | undefined, now: number): Attempts {
  const usedUp = Math.max(now, (before?.notBefore ?? 0) + ALLOWANCE_MS) + APART_MS;
  const failures = (before?.failures ?? 0) + 1;
  return { failures, notBefore: usedUp - ALLOWANCE_MS, expiresAt: Math.ceil(usedUp / 1000) };
}

function refuseUntil(attempts: Attempts | undefined, now: number): void {
  const wait = (attempts?.notBefore ?? 0) - now;
  if (wait > 0) throw createThrottledProblem(Math.ceil(wait / 1000));
}

function createThrottledProblem(retryAfter: number): Problem {
  const detail = "There were too many wrong passwords for this name; wait, then try again";
  return new Problem("throttled", detail, { retryAfter });
}

function undoing(undo: () => Promise<unknown>): (error: unknown) => Promise<never> {
  return async (error) => {
    await undo();
    throw error;
  };
}

/**
 * The network of an address, in one spelling: an IPv4 address itself, of an IPv6 address its first 64 bits, because whoever
 * has one has all that share them. An address that nobody knows is a network of its own.
 */
export function toSourceNetwork(address: string | undefined): string {
  // Without the zone of a link-local address.
  const [plain = ""] = (address ?? "").toLowerCase().split("%");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const [before, after] = [splitAddressGroups(head), splitAddressGroups(tail ?? "")];
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

function splitAddressGroups(text: string): readonly string[] {
  return text === "" ? [] : text.split(":");
}
