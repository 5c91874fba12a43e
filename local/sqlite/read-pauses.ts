/** Reads that may follow one another before everything else in the process gets its turn. */
const READS = 100;
/** Bytes that count as another read. */
const BYTES_OF_ONE = 10_000;

/**
 * Makes a function that every read calls and waits for: it returns at once, but now and then only in a later turn of
 * the event loop. A read answers without the disk or the network, so a call that reads thousands of items would keep
 * all others waiting.
 */
export function createReadPauses(): (bytes: number) => Promise<void> | undefined {
  let since = 0;
  return (bytes) => {
    since += 1 + bytes / BYTES_OF_ONE;
    if (since < READS) return undefined;
    since = 0;
    return new Promise((resolve) => setImmediate(resolve));
  };
}
