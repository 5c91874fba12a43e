import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { Unfetched } from "./unfetched.ts";

/** Bytes that one import may still take in; reading takes them off. */
export interface SizeBudget {
  /** Bytes over the wire. */
  wire: number;
  /** Bytes after decompression. */
  inflated: number;
  /** How many times larger a body may become, once it passes `RATIO_FROM`. */
  readonly ratio: number;
}

/** Smaller bodies may be compressed as well as they like. */
const RATIO_FROM = 1_000_000;

/** The decoded body of a response (gzip, deflate, br or plain), stopped as soon as it passes a limit. */
export async function readBody(response: IncomingMessage, size: SizeBudget, signal: AbortSignal): Promise<Uint8Array> {
  const decoder = decoderOf(response.headers["content-encoding"]);
  const chunks: Uint8Array[] = [];
  let wire = 0;
  let inflated = 0;
  const meter = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      wire += chunk.length;
      size.wire -= chunk.length;
      if (size.wire < 0) throw tooLarge();
      yield chunk;
    }
  };
  const collect = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) {
      inflated += chunk.length;
      size.inflated -= chunk.length;
      if (size.inflated < 0) throw tooLarge();
      if (inflated > RATIO_FROM && inflated > wire * size.ratio) {
        throw new Unfetched(`it is compressed more than ${size.ratio} to 1`, true);
      }
      chunks.push(chunk);
    }
  };
  const { pipeline } = process.getBuiltinModule("node:stream/promises");
  try {
    if (decoder) await pipeline(response, meter, decoder, collect, { signal });
    else await pipeline(response, meter, collect, { signal });
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(Z_|ERR__ERROR|ERR_BROTLI)/.test(String(error.code))) {
      throw new Unfetched("its compression is damaged");
    }
    throw error;
  }
  return Buffer.concat(chunks);
}

function tooLarge(): Unfetched {
  return new Unfetched("it is too large", true);
}

/** The decompressor for a `Content-Encoding`, none for a plain body. */
function decoderOf(encoding: string | undefined): Transform | undefined {
  const zlib = process.getBuiltinModule("node:zlib");
  switch ((encoding ?? "identity").trim().toLowerCase()) {
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "deflate":
      return zlib.createInflate();
    case "br":
      return zlib.createBrotliDecompress();
    default:
      throw new Unfetched("it is compressed in a way that is not known; gzip, deflate and br are");
  }
}
