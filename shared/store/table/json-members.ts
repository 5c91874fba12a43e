/**
 * True for a member that is an object of any JSON. Items hold it as text: DynamoDB has fewer numbers than JSON, and the AWS
 * SDK loses some members by their names.
 */
export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

/** A member of an object, as its item holds it. */
export function storedMember(value: unknown): unknown {
  return isJsonObject(value) ? { json: JSON.stringify(value) } : value;
}

/** The member of an object that an item holds. */
export function memberOf(stored: unknown): unknown {
  return isJsonObject(stored) ? JSON.parse((stored as { readonly json: string }).json) : stored;
}
