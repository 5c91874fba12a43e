import { Like } from "../reference/expected-answer.ts";
import { PLAN } from "../reference/values.ts";

/** Ids of the reference are of this form, so that no other text is taken for one. */
const OURS = /00000000-0000-4000-8000-[0-9a-f]{12}/g;
const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The reference's id of the `nth` object made at a step of a history. */
export function referenceId(step: number, nth: number): string {
  return `00000000-0000-4000-8000-${step.toString(16).padStart(4, "0")}${nth.toString(16).padStart(8, "0")}`;
}

export type Binding = ReturnType<typeof createBinding>;

/** Creates the pairs of ids, cursors and plans of the service and of the reference that are the same, found from the answers. */
export function createBinding() {
  const real = new Map<string, string>();
  const ours = new Map<string, string>();
  const cursors = new Map<string, string>();

  const sameText = (expected: string, actual: string) => {
    if (PLAN.test(expected)) {
      const named = cursors.get(expected) ?? actual;
      cursors.set(expected, actual);
      return actual === named && /^[0-9a-f]{64}$/.test(actual);
    }
    const wanted = expected.match(OURS) ?? [];
    if (wanted.length === 0) return expected === actual;
    const got = actual.match(UUIDS) ?? [];
    if (got.length !== wanted.length || expected.replace(OURS, "") !== actual.replace(UUIDS, "")) return false;
    return wanted.every((id, i) => {
      const other = got[i] ?? "";
      if ((real.get(id) ?? other) !== other || (ours.get(other) ?? id) !== id) return false;
      real.set(id, other);
      ours.set(other, id);
      return true;
    });
  };

  const differsAt = (path: string, expected: unknown, actual: unknown): string | undefined => {
    if (expected instanceof Like) {
      const why = expected.check(actual, (e, a) => differsAt(path, e, a));
      return why === undefined ? undefined : `${path}: expected ${expected.what}, got ${why}`;
    }
    if (typeof expected === "string" && typeof actual === "string") {
      const isSame = sameText(expected, actual);
      return isSame ? undefined : `${path}: expected ${real.get(expected) ?? expected}, got ${actual}`;
    }
    if (typeof expected !== "object" || expected === null || typeof actual !== "object" || actual === null)
      return expected === actual ? undefined : `${path}: expected ${print(expected)}, got ${print(actual)}`;
    if (Array.isArray(expected) !== Array.isArray(actual)) return `${path}: a list and an object`;
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    for (const name of names) {
      const found = differsAt(`${path}.${name}`, Reflect.get(expected, name), Reflect.get(actual, name));
      if (found !== undefined) return found;
    }
    return undefined;
  };

  /** Returns a value with the service's ids and cursors in place of the reference's. */
  const toReal = <T>(value: T, newId: () => string): T => {
    const inText = (text: string) =>
      cursors.get(text) ??
      PLAN.exec(text)?.[3] ??
      text.replace(OURS, (id) => {
        const known = real.get(id) ?? newId();
        real.set(id, known);
        ours.set(known, id);
        return known;
      });
    const walk = (one: unknown): unknown => {
      if (typeof one === "string") return inText(one);
      if (Array.isArray(one)) return one.map(walk);
      if (typeof one !== "object" || one === null) return one;
      return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, walk(inner)]));
    };
    // Only texts are replaced, by texts.
    return walk(value) as T;
  };

  return {
    /** Binds new ids and returns the first difference of two values, as a path and a sentence. */
    differs: (expected: unknown, actual: unknown) => differsAt("", expected, actual),
    bindCursor: (expected: string, actual: string) => void cursors.set(expected, actual),
    toReal,
  };
}

function print(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 300);
}
