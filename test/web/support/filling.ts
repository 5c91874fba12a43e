import type { Field } from "../../../ui/screens/runner/form/field.ts";
import { createInitialValue, findVariant } from "../../../ui/screens/runner/form/fit.ts";
import { getValueAt, isObject, type Path, setValueAt } from "../../../ui/screens/runner/form/form-state.ts";
import { formatControlText, parseControlText, type TextControl } from "../../../ui/screens/runner/form/inputs.tsx";

export type Step =
  | { readonly do: "type"; readonly path: Path; readonly text: string; readonly control: TextControl }
  | { readonly do: "choose"; readonly path: Path; readonly value: string | boolean }
  | { readonly do: "tick"; readonly path: Path; readonly value: string }
  | { readonly do: "give"; readonly path: Path; readonly field: Field }
  | { readonly do: "more"; readonly path: Path; readonly field: Field }
  /** Takes an item away again, which leaves an empty list. */
  | { readonly do: "less"; readonly path: Path }
  | { readonly do: "shape"; readonly path: Path; readonly at: number; readonly variant: Field };

/** What a person does to make a value in an empty form; an error where the form has no way to it. */
export function stepsTo(field: Field, value: unknown, path: Path = [], now?: unknown): readonly Step[] {
  const { control } = field;
  if (JSON.stringify(value) === JSON.stringify(now)) return [];
  if (value === undefined) throw new Error(`nothing takes away ${path.join("/")}`);
  switch (control.kind) {
    case "flag":
      return [{ do: "choose", path, value: value as boolean }];
    case "choice":
      return [{ do: "choose", path, value: value as string }];
    case "choices":
      return (value as readonly string[]).map((one) => ({ do: "tick", path, value: one }));
    case "list":
      return listSteps(field, control, value as readonly unknown[], path, now);
    case "object":
      return objectSteps(field, value, path, now);
    case "variants":
      return variantSteps(control.variants, value, path);
    default:
      return [{ do: "type", path, text: formatControlText(control, value), control }];
  }
}

function objectSteps(field: Field, value: unknown, path: Path, now: unknown): readonly Step[] {
  if (!isObject(value) || field.control.kind !== "object") throw new Error(`no object at ${path.join("/")}`);
  const steps: Step[] = now === undefined && path.length > 0 ? [{ do: "give", path, field }] : [];
  const begun = now ?? (path.length > 0 ? createInitialValue(field) : {});
  const there = isObject(begun) ? begun : {};
  for (const name of Object.keys(value)) {
    const member = field.control.members.find((one) => one.name === name);
    if (!member) throw new Error(`no field for ${name}`);
    steps.push(...stepsTo(member, getValueAt(value, [name]), [...path, name], getValueAt(there, [name])));
  }
  return steps;
}

function listSteps(
  field: Field,
  { item, least }: { readonly item: Field; readonly least: number },
  list: readonly unknown[],
  path: Path,
  now: unknown,
): readonly Step[] {
  const steps: Step[] = [];
  let there: readonly unknown[] | undefined = Array.isArray(now) ? now : undefined;
  const more = () => {
    steps.push({ do: "more", path, field });
    there = grown(field, there);
  };
  if (list.length === 0) {
    more();
    return [...steps, { do: "less", path: [...path, 0] }];
  }
  while ((there?.length ?? 0) < list.length) more();
  if ((there?.length ?? 0) > list.length) throw new Error(`fewer than ${least} items at ${path.join("/")}`);
  return [...steps, ...list.flatMap((one, at) => stepsTo(item, one, [...path, at], there?.[at]))];
}

function grown(field: Field, list: readonly unknown[] | undefined): readonly unknown[] {
  if (field.control.kind !== "list") return [];
  const { item, least } = field.control;
  if (list === undefined && least > 0) return createInitialValue(field) as readonly unknown[];
  return [...(list ?? []), createInitialValue(item)];
}

function variantSteps(variants: readonly Field[], value: unknown, path: Path): readonly Step[] {
  const at = findVariant(variants, value);
  const variant = at === undefined ? undefined : variants[at];
  if (at === undefined || !variant) throw new Error(`no shape for ${path.join("/")}`);
  return [{ do: "shape", path, at, variant }, ...stepsTo(variant, value, path, createInitialValue(variant))];
}

/** What a payload is after a step, by the functions that the controls use. */
export function after(payload: unknown, step: Step): unknown {
  switch (step.do) {
    case "type": {
      const typed = parseControlText(step.control, step.text, typeof step.path.at(-1) === "number");
      if ("fault" in typed) throw new Error(`${step.text} is refused: ${typed.fault}`);
      return setValueAt(payload, step.path, typed.value);
    }
    case "choose":
      return setValueAt(payload, step.path, step.value);
    case "tick":
      return setValueAt(payload, step.path, [...(listAt(payload, step.path) ?? []), step.value]);
    case "give":
      return setValueAt(payload, step.path, createInitialValue(step.field));
    case "more":
      return setValueAt(payload, step.path, grown(step.field, listAt(payload, step.path)));
    case "less":
      return setValueAt(payload, step.path, undefined);
    case "shape":
      return setValueAt(payload, step.path, createInitialValue(step.variant));
  }
}

function listAt(payload: unknown, path: Path): readonly unknown[] | undefined {
  const value = getValueAt(payload, path);
  return Array.isArray(value) ? value : undefined;
}
