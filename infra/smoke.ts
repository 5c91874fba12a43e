import { createPublicKey } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createAwsKms } from "../functions/dispatcher/aws-clients.ts";
import type { Kms } from "../shared/identity/tokens/kms-keys.ts";
import { type PublicJwk, toPublicJwk } from "../shared/identity/tokens/mint-token.ts";

const usage = `npm run smoke -- <url> --key=<id> [--key=<id>]

Checks a deployed service: it is healthy, and publishes the public keys of AWS KMS in their order, and no others.
The URL and the ids of the keys are outputs of the stack; your AWS credentials need kms:GetPublicKey.

Exit codes: 0 all is well, 1 something is not, 2 it could not be checked.
`;

/** Returns what is wrong with a deployed service, a sentence each; the first key of KMS is the one that signs. */
export async function findDeploymentFaults(
  url: string,
  keyIds: readonly string[],
  kms: Pick<Kms, "publicKey">,
): Promise<readonly string[]> {
  const { status } = await fetch(`${url}/health`);
  if (status !== 200) return [`/health answered ${status}`];
  const answer = await fetch(`${url}/.well-known/jwks.json`);
  if (!answer.ok) return [`/.well-known/jwks.json answered ${answer.status}`];
  // RFC 7517 section 5.
  const { keys } = (await answer.json()) as { readonly keys: readonly PublicJwk[] };
  const expected = await Promise.all(
    keyIds.map(async (id) => {
      const key = Buffer.from(await kms.publicKey(id));
      return toPublicJwk(createPublicKey({ key, format: "der", type: "spki" }));
    }),
  );
  const isSame = (one: PublicJwk | undefined, other: PublicJwk) =>
    one?.kid === other.kid && one.x === other.x && one.y === other.y;
  const missing = expected.flatMap((key, i) =>
    isSame(keys[i], key) ? [] : [`the key ${keyIds[i]} of KMS is not the published key number ${i + 1}`],
  );
  const unknown = keys.filter((key) => !expected.some((one) => isSame(key, one)));
  return [...missing, ...unknown.map(({ kid }) => `the published key ${kid} is not one of these keys of KMS`)];
}

async function main(args: readonly string[]): Promise<number> {
  const options = { key: { type: "string", multiple: true }, help: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [url] = positionals;
  if (values.help || url === undefined || !values.key) {
    process.stderr.write(usage);
    return values.help ? 0 : 2;
  }
  const kms = createAwsKms(() => new Error("KMS does not answer"));
  const faults = await findDeploymentFaults(url.replace(/\/$/, ""), values.key, kms);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length === 0) process.stderr.write(`${url} is well, with ${values.key.length} signing keys\n`);
  return faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 2;
    },
  );
}
