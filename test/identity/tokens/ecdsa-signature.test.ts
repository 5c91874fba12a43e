import { generateKeyPairSync, sign, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { toJoseSignature } from "../../../shared/identity/tokens/kms-keys.ts";
import { toDer } from "../support/test-kms.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

describe("an ES256 signature in JOSE form", () => {
  test("made from DER verifies as P1363 with node:crypto, for signatures of every length", () => {
    const lengths = new Set<number>();
    for (let i = 0; i < 2_000; i += 1) {
      const input = Buffer.from(`message ${i}`);
      const der = sign("sha256", input, privateKey);
      lengths.add(der.length);
      const signature = toJoseSignature(der);
      expect(signature.length).toBe(64);
      expect(verify("sha256", input, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature)).toBe(true);
    }
    // 70 to 72 bytes are the rule; shorter ones come with a small r or s.
    expect(lengths.size).toBeGreaterThanOrEqual(3);
  });

  test.each([1, 2, 16, 31, 32])("pads numbers of %i bytes on the left, with and without the top bit", (length) => {
    for (const top of [0x01, 0x7f, 0x80, 0xff]) {
      const short = new Uint8Array(32);
      short.fill(0x5a, 32 - length);
      short[32 - length] = top;
      const full = new Uint8Array(32).fill(top);
      expect(toJoseSignature(toDer(short, full))).toEqual(Uint8Array.from([...short, ...full]));
      expect(toJoseSignature(toDer(full, short))).toEqual(Uint8Array.from([...full, ...short]));
    }
  });

  test("is refused for anything but the DER of two numbers", () => {
    const der = sign("sha256", Buffer.from("message"), privateKey);
    const r = new Uint8Array(33).fill(0x11);
    const bad: Uint8Array[] = [
      ...Array.from(der, (_, end) => der.subarray(0, end)),
      Buffer.concat([der, Buffer.alloc(1)]),
      Uint8Array.from([0x31, ...der.subarray(1)]),
      Uint8Array.from([0x30, der.length - 1, ...der.subarray(2), 0]),
      Uint8Array.from([...der.subarray(0, 2), 0x03, ...der.subarray(3)]),
      toDer(r, new Uint8Array(32).fill(1)),
      Uint8Array.from([0x30, 4, 2, 0, 2, 0]),
      Uint8Array.from([0x30, 0]),
      new Uint8Array(64).fill(1),
    ];
    for (const bytes of bad) expect(() => toJoseSignature(bytes)).toThrow("The signature is not in DER form for P-256");
  });
});
