import { useCallback, useState } from "react";
import type { Field } from "./field.ts";
import {
  addSecrets,
  type JsonObject,
  listSecretNames,
  type Path,
  type Secrets,
  setValueAt,
  takeSecrets,
} from "./form-state.ts";

/** A payload that is being made. */
export interface PayloadState {
  /** Without its secrets: what may be shown, linked to and kept. */
  readonly payload: JsonObject;
  readonly secrets: Secrets;
  /** The names of the secrets that are given. */
  readonly given: readonly string[];
  /** The pointers of fields in which no value stands. */
  readonly drafts: ReadonlySet<string>;
  readonly put: (path: Path, value: unknown) => void;
  readonly setSecret: (name: string, text: string) => void;
  readonly noteDraft: (pointer: string, isWrong: boolean) => void;
  /** Puts another payload in its place; its secrets go to their fields. */
  readonly replace: (payload: JsonObject) => void;
  /** What is sent. */
  readonly getWhole: () => JsonObject;
}

/** Keeps a payload, of which form and JSON are two views. */
export function usePayload(form: Field, first: JsonObject): PayloadState {
  const [begun] = useState(() => takeSecrets(form, first));
  const [payload, setPayload] = useState(begun.open);
  const [secrets, setSecrets] = useState(begun.secrets);
  const [drafts, setDrafts] = useState<ReadonlySet<string>>(new Set());
  const put = useCallback((path: Path, value: unknown) => {
    // A payload is an object, and so is what becomes of it.
    setPayload((before) => (setValueAt(before, path, value) ?? {}) as JsonObject);
  }, []);
  const setSecret = useCallback((name: string, text: string) => {
    setSecrets((before) => ({ ...before, [name]: text }));
  }, []);
  const noteDraft = useCallback((pointer: string, isWrong: boolean) => {
    setDrafts((before) => {
      if (before.has(pointer) === isWrong) return before;
      return isWrong ? new Set([...before, pointer]) : new Set([...before].filter((one) => one !== pointer));
    });
  }, []);
  const replace = useCallback(
    (next: JsonObject) => {
      const taken = takeSecrets(form, next);
      setPayload(taken.open);
      if (Object.keys(taken.secrets).length > 0) setSecrets((before) => ({ ...before, ...taken.secrets }));
    },
    [form],
  );
  const given = listSecretNames(form).filter((name) => secrets[name]);
  return {
    payload,
    secrets,
    given,
    drafts,
    put,
    setSecret,
    noteDraft,
    replace,
    getWhole: () => addSecrets(form, payload, secrets),
  };
}
