import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";

/** How long an answer may take, in milliseconds, and how many bytes it may have. */
export type CognitoLimits = Pick<Readonly<Record<keyof typeof LIMITS, number>>, "cognitoMs" | "cognitoBytes">;

/** The answer of a user pool; of the body nothing is known but that it is an object. */
export interface CognitoAnswer {
  readonly status: number;
  /** The name of the exception; "" where there is none. */
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The answer to everything that is not an answer of a user pool. It repeats nothing of the answer. */
export const unreachable = (): Problem =>
  new Problem("unavailable", "The user pool that signs people in cannot be reached; try again", { retryAfter: 1 });

/**
 * Calls InitiateAuth of Amazon Cognito, which takes no AWS credentials. `unavailable` when the answer is late, too long,
 * a redirect or no JSON object.
 */
export async function initiateAuth(
  endpoint: string,
  request: object,
  limits: CognitoLimits = LIMITS,
): Promise<CognitoAnswer> {
  const options: RequestInit = {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth",
      // A function that was frozen meanwhile would find the kept connection dead.
      connection: "close",
    },
    body: JSON.stringify(request),
    redirect: "error",
    signal: AbortSignal.timeout(limits.cognitoMs),
  };
  try {
    const response = await fetch(endpoint, options);
    const body = objectOf(await textOf(response, limits.cognitoBytes));
    const type = response.headers.get("x-amzn-errortype") ?? body.__type;
    return { status: response.status, type: nameOf(type), body };
  } catch {
    throw unreachable();
  }
}

async function textOf({ body }: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > most) throw new Error("too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function objectOf(text: string): CognitoAnswer["body"] {
  const json: unknown = JSON.parse(text);
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw new Error("no object");
  return { ...json };
}

/** An exception is written with a namespace before `#` and details after `:`, or without. */
function nameOf(type: unknown): string {
  return typeof type === "string" ? (type.split(":")[0]?.split("#").at(-1) ?? "") : "";
}
