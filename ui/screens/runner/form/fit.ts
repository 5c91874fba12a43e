import type { Control, Field } from "./field.ts";
import { getValueAt, isObject, type Path, toPointer } from "./form-state.ts";

/** Returns true if a control can show a value, apart from its members and items. */
export function canShow(control: Control, value: unknown): boolean {
  if (value === undefined) return true;
  switch (control.kind) {
    case "text":
    case "secret":
    case "ref":
    case "time":
      // A field with one line would remove line breaks.
      return typeof value === "string" && !(control.kind === "text" && control.lines === "one" && /[\r\n]/.test(value));
    case "number":
      return typeof value === "number";
    case "flag":
      return typeof value === "boolean";
    case "choice":
      return typeof value === "string" && (value === "" || control.values.includes(value));
    case "choices":
      return (
        Array.isArray(value) &&
        new Set(value).size === value.length &&
        value.every((one) => control.values.includes(one))
      );
    case "list":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "variants":
      return isObject(value) && findVariant(control.variants, value) !== undefined;
    case "json":
      return true;
  }
}

/** Returns true if a value has every required member, and no unknown ones. */
export function isComplete({ control, required }: Field, value: unknown): boolean {
  if (value === undefined) return !required;
  if (!canShow(control, value)) return false;
  if (control.kind === "choice") return value !== "";
  if (control.kind === "list") return (value as unknown[]).every((one) => isComplete(control.item, one));
  if (control.kind !== "object") return true;
  const object = value as Record<string, unknown>;
  return (
    control.members.every((member) => isComplete(member, getValueAt(object, [member.name]))) &&
    listUnknownMembers(control.members, object).length === 0
  );
}

/** Lists the members of an object without a field. */
export function listUnknownMembers(members: readonly Field[], value: object): readonly string[] {
  return Object.keys(value).filter((name) => members.every((member) => member.name !== name));
}

/** Returns the index of the first variant that a value matches or may still match. */
export function findVariant(variants: readonly Field[], value: unknown): number | undefined {
  const at = [isComplete, isCompatible].map((fits) => variants.findIndex((field) => fits(field, value)));
  return at.find((one) => one >= 0);
}

/** Returns true if the existing members of a value do not contradict a variant. */
export function isCompatible({ control }: Field, value: unknown): boolean {
  if (control.kind !== "object" || !isObject(value)) return canShow(control, value);
  return (
    listUnknownMembers(control.members, value).length === 0 &&
    control.members.every((member) => canShow(member.control, getValueAt(value, [member.name])))
  );
}

/** Returns the initial value of a field: constants, and empty objects and lists. */
export function createInitialValue({ control }: Field): unknown {
  switch (control.kind) {
    case "object":
      return Object.fromEntries(
        control.members
          .filter((member) => member.required && isFixed(member))
          .map((member) => [member.name, createInitialValue(member)]),
      );
    case "list":
      return Array.from({ length: control.least }, () => createInitialValue(control.item));
    case "variants":
      return {};
    case "choices":
      return [];
    case "choice":
      return isFixed({ control }) ? control.values[0] : "";
    case "number":
      return control.least ?? 0;
    case "flag":
      return false;
    case "json":
      return control.shape === "list" ? [] : control.shape === "object" ? {} : null;
    default:
      return "";
  }
}

/** Returns true for a field with a single allowed word. */
export function isFixed({ control }: Pick<Field, "control">): boolean {
  return control.kind === "choice" && control.values.length === 1;
}

/** Lists the pointers of the visible fields for a payload; the form itself has an empty pointer. */
export function listPointers({ control }: Field, value: unknown, path: Path = []): readonly string[] {
  const own = toPointer(path);
  if (control.kind === "object" && isObject(value)) {
    const pointers = control.members.flatMap((member) =>
      listPointers(member, getValueAt(value, [member.name]), [...path, member.name]),
    );
    return [own, ...pointers, ...listUnknownMembers(control.members, value).map((name) => toPointer([...path, name]))];
  }
  if (control.kind === "list" && Array.isArray(value))
    return [own, ...value.flatMap((one, at) => listPointers(control.item, one, [...path, at]))];
  if (control.kind === "variants" && isObject(value)) {
    const variant = control.variants[findVariant(control.variants, value) ?? -1];
    return variant ? listPointers(variant, value, path) : [own];
  }
  return [own];
}
