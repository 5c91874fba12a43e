import { isObject, type SourceObject } from "./source-text.ts";

/** Members whose lists are in no order of the model's, so that a file has its own. */
const UNORDERED: ReadonlySet<string> = new Set([
  ...["types", "entities", "relationships", "businessKeys", "localTags", "tagGroups", "tags"],
  ...["resources", "keywords"],
]);

/** Members of a descriptor that hold the data itself, which no model keeps. */
const DATA: ReadonlySet<string> = new Set(["data"]);

/**
 * A document of a model in the way that a file is written: its members in the order of the file, ids and labels of sources
 * only where the file has any, and members that are empty on one side and absent on the other as the file has them.
 */
export function merged(file: SourceObject, model: SourceObject): SourceObject {
  const unused = ["id", "origin"].filter((member) => !hasMember(file, member));
  // Objects stay objects.
  return merge(file, unused.length > 0 ? without(model, new Set(unused)) : model, "") as SourceObject;
}

function merge(file: unknown, model: unknown, member: string): unknown {
  if (Array.isArray(file) && Array.isArray(model)) return mergeLists(file, model, member);
  if (isObject(file) && isObject(model)) return member === "properties" ? model : mergeObjects(file, model);
  return model;
}

function mergeObjects(file: SourceObject, model: SourceObject): SourceObject {
  const kept = Object.keys(file).filter((name) => name in model || isEmpty(file[name]) || DATA.has(name));
  const said = Object.keys(model).filter((name) => name in file || !isEmpty(model[name]));
  const names = inserted(kept, said);
  const isFiles = (name: string): boolean => !(name in model) || (DATA.has(name) && name in file);
  return Object.fromEntries(
    names.map((name) => [name, isFiles(name) ? file[name] : merge(file[name], model[name], name)]),
  );
}

function mergeLists(file: readonly unknown[], model: readonly unknown[], member: string): readonly unknown[] {
  const twins = twinsOf(file, model);
  const all = model.map((one) => (twins.has(one) ? merge(twins.get(one), one, "") : one));
  if (!UNORDERED.has(member)) return all;
  const byTwin = new Map(model.flatMap((one, i) => (twins.has(one) ? [[twins.get(one), all[i]] as const] : [])));
  const kept = file.flatMap((one) => (byTwin.has(one) ? [byTwin.get(one)] : []));
  return isInOrder(kept, all) ? inserted(kept, all) : [...new Set([...kept, ...all])];
}

/** Those that are kept, in their order, with each of `all` that is new behind the one that it follows there. */
function inserted<T>(kept: readonly T[], all: readonly T[]): readonly T[] {
  const result = [...kept];
  const known = new Set(kept);
  all.forEach((one, i) => {
    if (known.has(one)) return;
    const before = i > 0 ? result.indexOf(all[i - 1] as T) : -1;
    result.splice(before + 1, 0, one);
    known.add(one);
  });
  return result;
}

/** True where those that are kept stand in the order of `all`. */
function isInOrder<T>(kept: readonly T[], all: readonly T[]): boolean {
  const places = kept.map((one) => all.indexOf(one));
  return places.every((place, i) => i === 0 || place > (places[i - 1] ?? 0));
}

/** The item of a file's list that stands for each item of the model's: by id, then by key or name; texts by themselves. */
export function twinsOf(file: readonly unknown[], model: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  const twins = new Map<unknown, unknown>();
  const free = new Set(file);
  for (const nameOf of [byId, byKey]) {
    const named = new Map([...free].flatMap((one) => (nameOf(one) === undefined ? [] : [[nameOf(one), one] as const])));
    for (const one of model) {
      const twin = twins.has(one) ? undefined : named.get(nameOf(one));
      if (twin === undefined || !free.delete(twin)) continue;
      twins.set(one, twin);
    }
  }
  return twins;
}

const byId = (one: unknown): unknown => (isObject(one) ? one.id : undefined);
const byKey = (one: unknown): unknown => (isObject(one) ? (one.key ?? one.name) : one);

function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** True where an object, or one inside it, has a member of that name. */
function hasMember(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasMember(one, name));
  if (!isObject(value)) return false;
  return name in value || Object.values(value).some((one) => hasMember(one, name));
}

/** A document without some members of its objects; values of properties and constraints are the model's own. */
function without(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, names));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !names.has(name));
  return Object.fromEntries(
    kept.map(([name, one]) => [name, name === "properties" || name === "constraints" ? one : without(one, names)]),
  );
}
