import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTestKms } from "../../identity/support/test-kms.ts";

/** A loopback address that speaks the JSON protocol of KMS, with one real P-256 key, and of Secrets Manager, with one secret. */
export async function startAwsServices(keyId: string, secret: string) {
  const kms = createTestKms();
  kms.addKey(keyId);
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
  const answers: Record<string, (body: Record<string, string>) => Promise<object>> = {
    "TrentService.GetPublicKey": async ({ KeyId = "" }) => ({ KeyId, PublicKey: base64(await kms.publicKey(KeyId)) }),
    "TrentService.Sign": async ({ KeyId = "", Message = "" }) => ({
      KeyId,
      Signature: base64(await kms.sign(KeyId, Buffer.from(Message, "base64"))),
    }),
    "secretsmanager.GetSecretValue": async ({ SecretId }) => ({ ARN: SecretId, SecretString: secret }),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const answer = answers[String(request.headers["x-amz-target"])];
      response.setHeader("content-type", "application/x-amz-json-1.1");
      response.statusCode = answer ? 200 : 400;
      response.end(JSON.stringify(answer ? await answer(JSON.parse(Buffer.concat(chunks).toString())) : {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
