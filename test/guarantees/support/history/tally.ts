/** Counts of actions, codes and special answers that the histories hit. */
export interface Tally {
  note(action: string, code: string): void;
  readonly actions: ReadonlyMap<string, number>;
  readonly codes: ReadonlyMap<string, number>;
  /** Two tables: calls and answers per action, and hits per code. */
  table(): string;
}

export function createTally(): Tally {
  const actions = new Map<string, number>();
  const answered = new Map<string, number>();
  const codes = new Map<string, number>();
  const add = (map: Map<string, number>, key: string): unknown => map.set(key, (map.get(key) ?? 0) + 1);
  return {
    actions,
    codes,
    note: (action, code) => {
      add(codes, code);
      if (action !== "") add(actions, action);
      if (code === "ok") add(answered, action);
    },
    table: () => {
      const rows = [...actions].sort(([a], [b]) => (a < b ? -1 : 1));
      return [
        "calls  answered  action",
        ...rows.map(([name, n]) => `${pad(n, 5)}  ${pad(answered.get(name) ?? 0, 8)}  ${name}`),
        " hits  code",
        ...[...codes].sort(([, a], [, b]) => b - a).map(([code, n]) => `${pad(n, 5)}  ${code}`),
      ].join("\n");
    },
  };
}

const pad = (n: number, width: number): string => String(n).padStart(width);
