import { createContext, useCallback, useContext, useState } from "react";
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
  readonly names: readonly string[];
  /** Faults of the typed texts that are invalid values, by the pointer of their field. */
  readonly drafts: ReadonlyMap<string, string>;
  /** Sets the value at a path; undefined removes it. */
  readonly put: (path: Path, value: unknown) => void;
  readonly setSecret: (name: string, text: string) => void;
  /** Records the fault of the text in a field; undefined removes it. */
  readonly noteDraft: (pointer: string, fault: string | undefined) => void;
  readonly replace: (payload: JsonObject) => void;
  readonly getWhole: () => JsonObject;
}

/** Holds a payload that the form and the JSON editor share. */
export function usePayload(form: Field, first: JsonObject): PayloadState {
  const [start] = useState(() => splitSecrets(form, first));
  const [payload, setPayload] = useState(start.open);
  const [secrets, setSecrets] = useState(start.secrets);
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string>>(new Map());
  const noteDraft = useCallback((pointer: string, fault: string | undefined) => {
    setDrafts((before) => {
      if (before.get(pointer) === fault) return before;
      const others = [...before].filter(([one]) => one !== pointer);
      return new Map(fault === undefined ? others : [...others, [pointer, fault]]);
    });
  }, []);
  return {
    payload,
    secrets,
    names: listSecretNames(form).filter((name) => secrets[name]),
    drafts,
    // A payload is an object, and stays one after each change.
    put: (path, value) => setPayload((before) => (setValueAt(before, path, value) ?? {}) as JsonObject),
    setSecret: (name, text) => setSecrets((before) => ({ ...before, [name]: text })),
    noteDraft,
    replace: (next) => {
      const parts = splitSecrets(form, next);
      setPayload(parts.open);
      setSecrets((before) => ({ ...before, ...parts.secrets }));
    },
    getWhole: () => addSecrets(form, payload, secrets),
  };
}

interface FormState extends PayloadState {
  readonly form: Field;
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Prefix of element ids, for pages with several forms. */
  readonly prefix: string;
}

export const FormContext = createContext<FormState | undefined>(undefined);

/** Returns the form around a control; throws outside of a form. */
export function useForm(): FormState {
  const state = useContext(FormContext);
  if (!state) throw new Error("useForm must be called inside a form.");
  return state;
}
