import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openKeyFile, rotateKeyFile } from "../../../shared/identity/tokens/file-keys.ts";
import { createKmsKeys } from "../../../shared/identity/tokens/kms-keys.ts";
import { mintToken, type SigningKeys, toPublicJwk } from "../../../shared/identity/tokens/mint-token.ts";
import { runtime as AMBIENT } from "../../../shared/service/runtime.ts";
import { createPublicKeyStore } from "../../../shared/store/accounts/unlogged-items.ts";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { openTable } from "../../support/table.ts";
import { createFolder } from "../../support/temporary-folder.ts";
import { createService } from "../support/service.ts";
import { createTestKms } from "../support/test-kms.ts";

const ADA = { username: "ada", fullname: "Ada", tokenEpoch: 0 };
const newPath = async (): Promise<string> => join(createFolder(), "auth", "keys.json");

/** Signs with the current key, and checks the signature with the public key that is published under its kid. */
async function signsAsPublished(keys: SigningKeys): Promise<boolean> {
  const current = await keys.getCurrent();
  const jwk = (await keys.listKeys()).find((key) => key.kid === current.kid);
  const input = Buffer.from("header.payload");
  const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
  return verify("sha256", input, { key, dsaEncoding: "ieee-p1363" }, await current.sign(input));
}

describe("the thumbprint of a key", () => {
  test("is that of RFC 7638, for a P-256 key with a known thumbprint", () => {
    // The public key of RFC 7517 appendix A.1, with the thumbprint that other implementations give it in their tests.
    const key = createPublicKey({
      key: {
        kty: "EC",
        crv: "P-256",
        x: "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        y: "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
      },
      format: "jwk",
    });
    expect(toPublicJwk(key).kid).toBe("cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s");
  });

  test.each([
    ["RSA", generateKeyPairSync("rsa", { modulusLength: 2048 })],
    ["P-384", generateKeyPairSync("ec", { namedCurve: "P-384" })],
  ])("is refused for another type of key: %s", (_, { publicKey }) => {
    expect(() => toPublicJwk(publicKey)).toThrow("A signing key has to be an elliptic-curve key on P-256");
  });
});

describe("the key file", () => {
  test("after a rotation signs with a new key, and still publishes the old one, whose tokens are valid", async () => {
    const path = await newPath();
    const before = await openKeyFile(path);
    const old = await mintToken(ADA, (await createService({ keys: before })).terms);
    const kid = (await before.getCurrent()).kid;
    const [newKid, ...others] = await rotateKeyFile(path);
    expect(others).toEqual([kid]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(path, ".."))).toEqual(["keys.json"]);
    const after = await openKeyFile(path);
    expect((await after.getCurrent()).kid).toBe(newKid);
    expect(await signsAsPublished(after)).toBe(true);
    const restarted = await createService({ keys: after });
    await expect(restarted.identity.verify(old.access_token)).resolves.toMatchObject({ subject: "ada" });
    const made = await mintToken(ADA, restarted.terms);
    await expect(restarted.identity.verify(made.access_token)).resolves.toMatchObject({ subject: "ada" });
    // The next rotation drops the first key, by when its tokens have ended.
    await rotateKeyFile(path);
    const later = await createService({ keys: await openKeyFile(path) });
    await expect(later.identity.verify(old.access_token)).rejects.toMatchObject({ code: "not_signed_in" });
    await expect(later.identity.verify(made.access_token)).resolves.toMatchObject({ subject: "ada" });
  });

  test("is created with one key if missing, readable by its owner only, and read again later", async () => {
    const path = await newPath();
    const first = await openKeyFile(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(path, ".."))).toEqual(["keys.json"]);
    expect(await signsAsPublished(first)).toBe(true);
    const second = await openKeyFile(path);
    expect(await second.listKeys()).toEqual(await first.listKeys());
    expect(await signsAsPublished(second)).toBe(true);
  });

  test("is the same for all processes that find it missing at once", async () => {
    for (let round = 0; round < 20; round += 1) {
      const path = await newPath();
      const opened = await Promise.all(Array.from({ length: 10 }, () => openKeyFile(path)));
      expect(new Set(await Promise.all(opened.map(async (keys) => (await keys.getCurrent()).kid))).size).toBe(1);
      expect(await readdir(join(path, ".."))).toEqual(["keys.json"]);
    }
  });

  test("may contain more keys: the first signs, and all are published without their private part", async () => {
    const path = await newPath();
    await openKeyFile(path);
    const { keys: old } = JSON.parse(await readFile(path, "utf8"));
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    await writeFile(path, JSON.stringify({ keys: [privateKey.export({ format: "jwk" }), ...old] }));
    const keys = await openKeyFile(path);
    const published = await keys.listKeys();
    expect(published).toHaveLength(2);
    expect((await keys.getCurrent()).kid).toBe(published[0]?.kid);
    expect(published.some((key) => "d" in key)).toBe(false);
    expect(await signsAsPublished(keys)).toBe(true);
  });

  test("is refused if others can read it", async () => {
    const path = await newPath();
    await openKeyFile(path);
    await chmod(path, 0o644);
    await expect(openKeyFile(path)).rejects.toThrow(
      `The signing key file ${path} can be read by others: run chmod 600 on it`,
    );
  });

  test.each([
    ["", "is not a JWK set"],
    ["{}", "is not a JWK set"],
    ['{"keys":[{"kty":"EC","d":"secret-part"}]}', "is not a JWK set"],
    ['{"keys":[]}', "holds no key"],
  ])("with %j is an error that does not quote it", async (content, sentence) => {
    const path = await newPath();
    await openKeyFile(path);
    await writeFile(path, content);
    const error: unknown = await openKeyFile(path).catch((e: unknown) => e);
    expect(String(error)).toContain(`The signing key file ${path} ${sentence}`);
    expect(String(error)).not.toContain("secret-part");
  });
});

describe("keys in KMS", () => {
  test("sign tokens that the verifier accepts, from signatures in DER", async () => {
    const keys = createKmsKeys(["key-1"], createTestKms("key-1"), undefined);
    expect(await signsAsPublished(keys)).toBe(true);
    const { identity, terms } = await createService({ keys });
    for (let i = 0; i < 100; i += 1) {
      const { access_token } = await mintToken(ADA, terms);
      await expect(identity.verify(access_token)).resolves.toMatchObject({ subject: "ada" });
    }
  });

  test("cause one request for a public key, and one for each signature", async () => {
    const kms = createTestKms("key-1");
    const { identity, terms } = await createService({ keys: createKmsKeys(["key-1"], kms, undefined) });
    for (let i = 0; i < 3; i += 1) await identity.verify((await mintToken(ADA, terms)).access_token);
    expect(kms.calls).toEqual(["publicKey key-1", "sign key-1", "sign key-1", "sign key-1"]);
  });

  test("rotate: the first id signs, tokens of the second stay valid", async () => {
    const kms = createTestKms("old", "new");
    const { terms } = await createService({ keys: createKmsKeys(["old"], kms, undefined) });
    const { access_token } = await mintToken(ADA, terms);
    const rotated = createKmsKeys(["new", "old"], kms, undefined);
    const { identity } = await createService({ keys: rotated });
    await expect(identity.verify(access_token)).resolves.toBeDefined();
    const [first] = await rotated.listKeys();
    expect((await rotated.getCurrent()).kid).toBe(first?.kid);
  });

  test("are requested again after a failure", async () => {
    const kms = createTestKms();
    const keys = createKmsKeys(["late"], kms, undefined);
    await expect(keys.listKeys()).rejects.toThrow("no key late");
    await expect(keys.getCurrent()).rejects.toThrow("no key late");
    kms.addKey("late");
    expect(await signsAsPublished(keys)).toBe(true);
  });

  describe("with their public halves cached in the table", () => {
    const ofTable = async () => {
      const opened = await openTable();
      return { opened, kept: createPublicKeyStore(() => opened.table) };
    };

    test("cause one request to KMS for a key in all processes; another key is another item", async () => {
      const { opened, kept } = await ofTable();
      const kms = createTestKms("old", "new");
      const { terms } = await createService({ keys: createKmsKeys(["old"], kms, kept) });
      const { access_token } = await mintToken(ADA, terms);
      const other = createTestKms();
      const { identity } = await createService({ keys: createKmsKeys(["old"], other, kept) });
      await expect(identity.verify(access_token)).resolves.toMatchObject({ subject: "ada" });
      expect(other.calls).toEqual([]);
      const rotated = createKmsKeys(["new", "old"], kms, kept);
      expect(await signsAsPublished(rotated)).toBe(true);
      expect((await rotated.listKeys()).map(({ kid }) => kid)).toHaveLength(2);
      expect(kms.calls.filter((call) => call.startsWith("publicKey"))).toEqual(["publicKey old", "publicKey new"]);
      // A key that is named no more is good for nothing, kept or not.
      const { identity: later } = await createService({ keys: createKmsKeys(["new"], kms, kept) });
      await expect(later.verify(access_token)).rejects.toMatchObject({ code: "not_signed_in" });
      const runtime = { ...AMBIENT, now: () => 1_800_000_000_000 };
      expect((await checkTable(opened.table, { runtime, scan: opened.scan })).violations).toEqual([]);
    });

    test("are read from KMS if the table cannot be read or written", async () => {
      const kms = createTestKms("key-1");
      const away = async (): Promise<never> => {
        throw new Error("no answer from the store");
      };
      expect(await signsAsPublished(createKmsKeys(["key-1"], kms, { get: away, put: away }))).toBe(true);
    });
  });

  test.each([
    "alias/signing",
    "arn:aws:kms:eu-west-1:111122223333:alias/signing",
  ])("cannot be given by an alias: %s", (id) => {
    expect(() => createKmsKeys([id], createTestKms(), undefined)).toThrow(
      `${id} is an alias: name the signing key by its id or ARN`,
    );
  });
});
