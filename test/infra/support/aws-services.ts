import type { IncomingMessage } from "node:http";
import { text as readText } from "node:stream/consumers";
import { serve } from "../../formats/source-server.ts";
import { createTestKms } from "../../identity/support/test-kms.ts";

export interface AwsSettings {
  readonly keyIds: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  readonly worker: string;
  /** True where the signer with this access key id may do the action, such as `kms:Sign`. */
  readonly may: (accessKeyId: string, action: string) => boolean;
}

type Answered = readonly [status: number, body: object | undefined];

const INVOKE = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/** Serves KMS, Secrets Manager and Lambda on a loopback address; `denied` has the calls that `may` refused. */
export async function startAwsServices({ keyIds, secrets, worker, may }: AwsSettings) {
  const kms = createTestKms();
  for (const keyId of keyIds) kms.addKey(keyId);
  const invoked: unknown[] = [];
  const denied: string[] = [];
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  const targets: Record<string, readonly [string, (body: Record<string, string>) => Promise<object>]> = {
    "TrentService.GetPublicKey": [
      "kms:GetPublicKey",
      async ({ KeyId = "" }) => ({ KeyId, PublicKey: base64(await kms.publicKey(KeyId)) }),
    ],
    "TrentService.Sign": [
      "kms:Sign",
      async ({ KeyId = "", Message = "" }) => ({
        KeyId,
        Signature: base64(await kms.sign(KeyId, Buffer.from(Message, "base64"))),
      }),
    ],
    "secretsmanager.GetSecretValue": [
      "secretsmanager:GetSecretValue",
      async ({ SecretId = "" }) => {
        const SecretString = secrets[SecretId];
        if (SecretString === undefined) throw new Error(`no secret ${SecretId}`);
        return { ARN: SecretId, SecretString };
      },
    ],
  };
  const invoke = (name: string, { method, headers }: IncomingMessage, body: string): Answered => {
    if (name !== worker) return [404, { Type: "User", Message: `Function not found: ${name}` }];
    if (method !== "POST" || headers["x-amz-invocation-type"] !== "Event") return [400, {}];
    invoked.push(JSON.parse(body));
    return [202, undefined];
  };
  const answer = async (request: IncomingMessage, body: string): Promise<Answered> => {
    const caller = /Credential=([^/]+)/.exec(request.headers.authorization ?? "")?.[1] ?? "nobody";
    const called = INVOKE.exec(request.url ?? "")?.[1];
    const [action, run] = targets[String(request.headers["x-amz-target"])] ?? [];
    const asked = called === undefined ? action : "lambda:InvokeFunction";
    if (asked === undefined) return [400, {}];
    if (!may(caller, asked)) {
      denied.push(`${caller} ${asked}`);
      return [called === undefined ? 400 : 403, { __type: "AccessDeniedException" }];
    }
    if (called !== undefined) return invoke(decodeURIComponent(called), request, body);
    try {
      return [200, await run?.(JSON.parse(body))];
    } catch {
      return [400, { __type: "ResourceNotFoundException" }];
    }
  };
  const server = await serve(async (request, response) => {
    const [status, body] = await answer(request, await readText(request));
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1" });
    response.end(body && JSON.stringify(body));
  });
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    invoked,
    denied,
    /** Calls of KMS, such as `publicKey key-1`, oldest first. */
    kmsCalls: kms.calls,
    stop: () => server.close(),
  };
}
