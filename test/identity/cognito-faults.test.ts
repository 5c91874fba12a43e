import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { AWAY, failureOf, LEAK, usePools } from "./support/cognito-pools.ts";

const { openPool, withPool } = usePools();

/** Limits short enough for a test, and long enough for an answer on a busy machine. */
const LIMITED = { cognitoMs: 1_000, cognitoBytes: 10_000 };

describe("a pool that", () => {
  test.each([
    "TooManyRequestsException",
    "LimitExceededException",
    "ThrottlingException",
  ])("answers %s is busy: 429 with Retry-After", async (__type) => {
    const { login, pool } = await withPool();
    pool.answerWith((_, response) => response.writeHead(400).end(JSON.stringify({ __type, message: LEAK })));
    expect(await failureOf(login())).toMatchObject({ code: "throttled", members: { retryAfter: 1 } });
    pool.answerWith((_, response) => response.writeHead(429).end("{}"));
    expect(await failureOf(login())).toMatchObject({ code: "throttled", members: { retryAfter: 1 } });
  });

  const answer =
    (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): RequestListener =>
    (_, response) =>
      response.writeHead(status, headers).end(body);
  const JSON_TYPE = { "content-type": "application/x-amz-json-1.1" };
  const token = (change: object) =>
    JSON.stringify({ AuthenticationResult: { AccessToken: LEAK, ExpiresIn: 60, TokenType: "Bearer", ...change } });
  const FAULTS: Readonly<Record<string, RequestListener>> = {
    "answers 500": answer(500, JSON.stringify({ __type: "InternalErrorException", message: LEAK })),
    "answers 500 with the name of a refusal": answer(500, JSON.stringify({ __type: "NotAuthorizedException" })),
    "answers 503 with a web page": answer(503, `<html>${LEAK}</html>`),
    "answers an exception nobody knows": answer(400, JSON.stringify({ __type: "NewException", message: LEAK })),
    "lets a function of its own fail": answer(400, JSON.stringify({ __type: "UnexpectedLambdaException" })),
    "answers 403 without a name": answer(403, JSON.stringify({ message: LEAK })),
    "answers a web page": answer(200, `<!doctype html><title>${LEAK}</title>`, { "content-type": "text/html" }),
    "answers a list": answer(200, `["${LEAK}"]`),
    "answers null": answer(200, "null"),
    "refuses with null": answer(400, "null", { "x-amzn-errortype": "NotAuthorizedException" }),
    "answers nothing": answer(200, ""),
    "answers half a document": answer(200, `{"AuthenticationResult": {"AccessToken": "${LEAK}`),
    "answers neither token nor challenge": answer(200, "{}"),
    "answers a result without a token": answer(200, token({ AccessToken: undefined })),
    "answers an empty token": answer(200, token({ AccessToken: "" })),
    "answers a token that is no text": answer(200, token({ AccessToken: { a: LEAK } })),
    "answers a token without a lifetime": answer(200, token({ ExpiresIn: undefined })),
    "answers a token that is over": answer(200, token({ ExpiresIn: 0 })),
    "answers a lifetime that is no number": answer(200, token({ ExpiresIn: "3600" })),
    "answers more than it may": answer(200, token({ IdToken: "x".repeat(LIMITED.cognitoBytes) }), JSON_TYPE),
    "answers a compressed flood": answer(200, gzipSync(token({ IdToken: "x".repeat(5_000_000) })), {
      ...JSON_TYPE,
      "content-encoding": "gzip",
    }),
    "answers without end": (_, response) => {
      const chunk = Buffer.alloc(64_000, " ");
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    },
    "answers nothing for too long": () => undefined,
    "stops in the middle": (_, response) => void response.writeHead(200).write('{"Auth'),
    "sends a byte now and then": (_, response) => {
      const timer = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(timer));
    },
    "hangs up": (request) => void request.socket.destroy(),
  };

  test.each(
    Object.keys(FAULTS),
  )("%s is unavailable: 503 with a short Retry-After, and nothing of its answer is repeated", async (name) => {
    const { login, pool } = await withPool({}, { limits: LIMITED });
    pool.answerWith(FAULTS[name]);
    const began = performance.now();
    const problem = await failureOf(login());
    expect(problem).toMatchObject(AWAY);
    expect(performance.now() - began).toBeLessThan(LIMITED.cognitoMs + 2_000);
    expect(JSON.stringify([problem.message, problem.members])).not.toContain(LEAK);
    // The next call asks the pool again.
    pool.answerWith(undefined);
    expect(await login()).toHaveProperty("access_token");
  });

  test.each([
    301, 302, 303, 307, 308,
  ])("redirects with %i is unavailable: the password is not sent to the target", async (status) => {
    const elsewhere = await openPool();
    const { login, pool } = await withPool();
    pool.answerWith((_, response) => response.writeHead(status, { location: `${elsewhere.endpoint}/` }).end());
    expect(await failureOf(login())).toMatchObject(AWAY);
    expect(elsewhere.asked).toEqual([]);
  });

  test("does not exist is unavailable", async () => {
    const { login, pool } = await withPool();
    pool.stop();
    expect(await failureOf(login())).toMatchObject(AWAY);
  });

  test.each([
    ["ResourceNotFoundException", "User pool client x does not exist."],
    ["InvalidUserPoolConfigurationException", "x"],
    ["InvalidParameterException", "USER_PASSWORD_AUTH flow not enabled for this client"],
  ])("is misconfigured (%s) is a defect with the reason in the log only", async (__type, message) => {
    const { login, pool } = await withPool();
    pool.answerWith((_, response) => response.writeHead(400).end(JSON.stringify({ __type, message })));
    const error = await failureOf(login());
    expect(error.code).toBeUndefined();
    expect(error.message).toMatch(/^The user pool cannot be used for signing in: /);
  });

  test("refuses a user with its own message is a wrong sign-in", async () => {
    const { login, pool } = await withPool();
    const refusal = { __type: "UserLambdaValidationException", message: "USER_PASSWORD_AUTH flow not enabled" };
    pool.answerWith((_, response) => response.writeHead(400).end(JSON.stringify(refusal)));
    expect(await failureOf(login())).toMatchObject({ code: "not_signed_in" });
  });

  test("answers at the limits of size and time is available", async () => {
    const { login, pool } = await withPool();
    const whole = token({ AccessToken: "t" });
    pool.answerWith(answer(200, whole.padEnd(LIMITS.cognitoBytes)));
    expect(await login()).toMatchObject({ access_token: "t" });
    pool.answerWith(answer(200, whole.padEnd(LIMITS.cognitoBytes + 1)));
    expect(await failureOf(login())).toMatchObject(AWAY);
    const within = await withPool({}, { limits: { ...LIMITED, cognitoMs: 5_000 } });
    within.pool.answerWith((request, response) => void setTimeout(() => answer(200, whole)(request, response), 1_200));
    expect(await within.login()).toMatchObject({ access_token: "t" });
    // A call has 29 seconds, of which this may take a part.
    expect(LIMITS.cognitoMs).toBeLessThan(LIMITS.callMs / 2);
  });
});
