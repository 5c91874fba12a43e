import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { Field } from "./field.ts";
import type { JsonObject, Path } from "./pointer.ts";
import type { Secrets } from "./secrets.ts";

/** What every control of one place of the payload is given. */
export interface ControlProps {
  readonly field: Field;
  readonly path: Path;
  readonly value: unknown;
  readonly label?: string | undefined;
  readonly tools?: ReactNode;
}

/** What the controls of a form see and change. */
export interface FormState {
  readonly form: Field;
  readonly payload: JsonObject;
  readonly secrets: Secrets;
  /** Puts a value at a place; undefined takes it away. */
  readonly put: (path: Path, value: unknown) => void;
  readonly setSecret: (name: string, text: string) => void;
  /** Notes that what stands in a field is no value, or that it is one again. */
  readonly noteDraft: (pointer: string, isWrong: boolean) => void;
  /** The faults that the service found, by the pointer of their field. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Before the ids of elements, where a page has several forms. */
  readonly prefix: string;
  /** The control of a place; by it those of lists and objects draw what is inside of them. */
  readonly FieldAt: ComponentType<ControlProps>;
}

/** The form that a control is in. */
export const FormContext = createContext<FormState | undefined>(undefined);

/** The form that a control is in; an error outside of one. */
export function useForm(): FormState {
  const state = useContext(FormContext);
  if (!state) throw new Error("a control outside of a form");
  return state;
}
