import type { Readable } from "node:stream";

/** All bytes of a stream of Node.js. The SDK's own collector also takes streams of browsers, whose classes it loads to know. */
export function collect(stream: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    stream.on("error", reject);
    // A connection that ends early gives no "end".
    stream.on("aborted", () => reject(Object.assign(new Error("aborted"), { code: "ECONNRESET" })));
    stream.on("end", () => resolve(Buffer.concat(chunks)));
  });
}
