/** Something with a path of steps between dots. */
interface Placed {
  readonly path: string;
}

/** Things below one step: one that ends there under its whole rest of a path, or those that lie below it. */
export type PathGroup<T extends Placed> =
  | { readonly name: string; readonly own: T }
  | { readonly name: string; readonly inner: readonly T[]; readonly own?: undefined };

/**
 * Things by the first step of their paths, those below one step together. What does not stand together, or has an empty step,
 * keeps its whole path as a name, so that the order of all of them stays.
 */
export function pathGroups<T extends Placed>(things: readonly T[]): readonly PathGroup<T>[] {
  const groups: { name: string; inner: T[]; own?: T }[] = [];
  for (const thing of things) {
    const [name, rest] = headOf(thing.path);
    const last = groups.at(-1);
    if (rest === undefined) groups.push({ name: thing.path, inner: [], own: thing });
    else if (last && !last.own && last.name === name) last.inner.push({ ...thing, path: rest });
    else groups.push({ name, inner: [{ ...thing, path: rest }] });
  }
  const counts = Map.groupBy(groups, ({ name }) => name);
  return groups.flatMap(({ name, inner, own }): readonly PathGroup<T>[] => {
    if (own) return [{ name, own }];
    if (counts.get(name)?.length === 1) return [{ name, inner }];
    return inner.map((one) => ({ name: `${name}.${one.path}`, own: { ...one, path: `${name}.${one.path}` } }));
  });
}

/** The first step of a path and what is behind it; a name with an empty step is no path. */
function headOf(path: string): readonly [name: string, rest?: string] {
  const steps = path.split(".");
  if (steps.length === 1 || steps.some((step) => step.trim() === "")) return [path];
  return [steps[0] ?? path, steps.slice(1).join(".")];
}
