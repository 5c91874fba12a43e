/** The longest that a test waits for one thing to come, in milliseconds; what comes at all comes sooner on a busy machine. */
export const ONE_WAIT = 60_000;

/** The time that a test has which waits for a few things, one after the other. */
export const ONE_TEST = 4 * ONE_WAIT;

/** For tests that go through hundreds of places. */
export const LONG = { timeout: 20 * ONE_WAIT };
