import { isInstalled } from "./run-step.ts";

interface Part {
  readonly name: string;
  readonly needs: readonly string[];
}

/** The parts whose programs are there; of each other one, a line says that it is left out. */
export async function thoseWithTools<P extends Part>(parts: readonly P[]): Promise<readonly P[]> {
  const there: P[] = [];
  for (const part of parts) {
    const found = await Promise.all(part.needs.map(isInstalled));
    const missing = part.needs.filter((_, i) => !found[i]);
    if (missing.length === 0) there.push(part);
    else console.warn(`left out: ${part.name}, which needs ${missing.join(" and ")}`);
  }
  return there;
}
