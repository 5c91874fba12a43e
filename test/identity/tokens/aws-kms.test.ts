import { json as readJson } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createAwsKms } from "../../../functions/dispatcher/aws-clients.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { serve } from "../../formats/source-server.ts";
import { createTestKms } from "../support/test-kms.ts";

const unavailable = (): Problem => new Problem("unavailable", "The signing keys cannot be reached; try again");

/** A KMS with keys of this process; the server below speaks its wire protocol to the SDK. */
const kms = createTestKms("key-1");
let refusal: { status: number; type: string } | undefined;
const requests: { target: string | undefined; body: Record<string, unknown> }[] = [];

const server = await serve(async (request, response) => {
  const body = (await readJson(request)) as Readonly<Record<string, string>>;
  const target = request.headers["x-amz-target"]?.toString();
  requests.push({ target, body });
  response.setHeader("content-type", "application/x-amz-json-1.1");
  const { KeyId = "", Message = "" } = body;
  if (refusal) {
    response.statusCode = refusal.status;
    response.end(JSON.stringify({ __type: refusal.type, message: "arn:aws:kms:secret-detail" }));
  } else if (target === "TrentService.GetPublicKey") {
    response.end(JSON.stringify({ KeyId, PublicKey: Buffer.from(await kms.publicKey(KeyId)).toString("base64") }));
  } else {
    const signature = await kms.sign(KeyId, Buffer.from(Message, "base64"));
    response.end(JSON.stringify({ KeyId, Signature: Buffer.from(signature).toString("base64") }));
  }
});

beforeAll(() => {
  vi.stubEnv("AWS_ENDPOINT_URL_KMS", `http://127.0.0.1:${server.port}`);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
});

afterAll(() => {
  vi.unstubAllEnvs();
  return server.close();
});

test("the public key and the signature of a digest are read from KMS through the SDK", async () => {
  const aws = createAwsKms(unavailable);
  expect(Buffer.from(await aws.publicKey("key-1"))).toEqual(Buffer.from(await kms.publicKey("key-1")));
  const digest = Buffer.alloc(32, 7);
  expect((await aws.sign("key-1", digest))[0]).toBe(0x30);
  const how = { MessageType: "DIGEST", SigningAlgorithm: "ECDSA_SHA_256" };
  const body = { KeyId: "key-1", Message: digest.toString("base64"), ...how };
  expect(requests.at(-1)).toEqual({ target: "TrentService.Sign", body });
});

test.each([
  [500, "KMSInternalException"],
  [500, "DependencyTimeoutException"],
  [400, "ThrottlingException"],
  [503, "ServiceUnavailable"],
])("%i %s is `unavailable`, without the message of KMS", async (status, type) => {
  refusal = { status, type };
  await expect(createAwsKms(unavailable).publicKey("key-1")).rejects.toMatchObject({
    code: "unavailable",
    message: "The signing keys cannot be reached; try again",
  });
});

test.each([
  "AccessDeniedException",
  "NotFoundException",
  "DisabledException",
])("%s is a defect of the installation with its own message", async (type) => {
  refusal = { status: 400, type };
  await expect(createAwsKms(unavailable).sign("key-1", Buffer.alloc(32))).rejects.toMatchObject({ name: type });
});
