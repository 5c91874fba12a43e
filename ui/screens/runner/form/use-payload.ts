import { useCallback, useState } from "react";
import type { Field } from "./field.ts";
import {
  addSecrets,
  type JsonObject,
  listSecretNames,
  type Path,
  type Secrets,
  setValueAt,
  splitSecrets,
} from "./form-state.ts";

/** Payload that is being edited. */
export interface PayloadState {
  /** Without secrets: safe to show, link to and store. */
  readonly payload: JsonObject;
  readonly secrets: Secrets;
  /** Names of the secrets that have a value. */
  readonly given: readonly string[];
  /** Pointers of the fields with an invalid value. */
  readonly drafts: ReadonlySet<string>;
  readonly put: (path: Path, value: unknown) => void;
  readonly setSecret: (name: string, text: string) => void;
  readonly noteDraft: (pointer: string, isWrong: boolean) => void;
  /** Replaces the payload; its secrets move to their fields. */
  readonly replace: (payload: JsonObject) => void;
  /** Returns the payload to send. */
  readonly getWhole: () => JsonObject;
}

/** Holds a payload that the form and the JSON editor share. */
export function usePayload(form: Field, first: JsonObject): PayloadState {
  const [begun] = useState(() => splitSecrets(form, first));
  const [payload, setPayload] = useState(begun.open);
  const [secrets, setSecrets] = useState(begun.secrets);
  const [drafts, setDrafts] = useState<ReadonlySet<string>>(new Set());
  const put = useCallback((path: Path, value: unknown) => {
    // A payload is an object, and stays one after each change.
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
      const taken = splitSecrets(form, next);
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
