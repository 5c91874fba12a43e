const HALF = 32;

/**
 * An ES256 signature as a JWS carries it (r and s of 32 bytes each, RFC 7518 section 3.4) from the DER form that KMS
 * answers (RFC 3279 section 2.2.3). An error when it is no such form.
 */
export function joseSignature(der: Uint8Array): Uint8Array {
  const [tag, length] = der;
  // r and s of P-256 take at most 33 bytes each, so the length always fits one byte.
  if (tag !== 0x30 || length !== der.length - 2) throw malformed();
  const r = integerAt(der, 2);
  const s = integerAt(der, r.end);
  if (s.end !== der.length) throw malformed();
  const signature = new Uint8Array(2 * HALF);
  signature.set(r.magnitude, HALF - r.magnitude.length);
  signature.set(s.magnitude, 2 * HALF - s.magnitude.length);
  return signature;
}

function integerAt(der: Uint8Array, start: number): { readonly magnitude: Uint8Array; readonly end: number } {
  const length = der[start + 1] ?? 0;
  const end = start + 2 + length;
  if (der[start] !== 0x02 || length === 0 || end > der.length) throw malformed();
  const content = der.subarray(start + 2, end);
  // A leading zero byte only says that the number is positive.
  const magnitude = content[0] === 0 ? content.subarray(1) : content;
  if (magnitude.length > HALF) throw malformed();
  return { magnitude, end };
}

const malformed = (): Error => new Error("The signature is not in DER form for P-256");
