export interface Instruction {
  readonly name: string;
  /** Its flags, such as `--from=build`, without the dashes. */
  readonly flags: Readonly<Record<string, string>>;
  /** Everything behind the flags, continued lines as one. */
  readonly text: string;
  /** The words of its JSON form; undefined where it has another one. */
  readonly words?: readonly string[];
}

/** A stage of a Dockerfile, from its `FROM` on. */
export interface Stage {
  readonly name: string | undefined;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile. An error for a line that is no instruction. */
export function stagesOf(dockerfile: string): readonly Stage[] {
  const lines = dockerfile
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, " ")
    .split("\n");
  const all = lines.filter((line) => line.trim() !== "").map(instructionOf);
  const begins = all.flatMap(({ name }, i) => (name === "FROM" ? [i] : []));
  return begins.map((begin, i) => {
    const [base = "", , name] = all[begin]?.text.split(/\s+/) ?? [];
    return { base, name, instructions: all.slice(begin + 1, begins[i + 1]) };
  });
}

function instructionOf(line: string): Instruction {
  const parts = /^(?<name>[A-Z]+)\s+(?<flags>(?:--\S+\s+)*)(?<text>.+)$/.exec(line)?.groups;
  if (!parts) throw new Error(`no instruction: ${line}`);
  const { name = "", flags = "", text = "" } = parts;
  const read = [...flags.matchAll(/--([\w-]+)=(\S+)/g)].map(([, flag = "", value = ""]) => [flag, value] as const);
  const json = /^\[.*\]$/.test(text) ? text : /^CMD (\[.*\])$/.exec(text)?.[1];
  return { name, flags: Object.fromEntries(read), text, ...(json && { words: JSON.parse(json) as string[] }) };
}

/** What is to be mended in an image's Dockerfile, one sentence each. */
export function imageFaults(stages: readonly Stage[]): readonly string[] {
  const last = stages.at(-1);
  if (!last) return ["there is no stage"];
  const textOf = (name: string): string | undefined => last.instructions.findLast((one) => one.name === name)?.text;
  const user = textOf("USER") ?? "root";
  const copied = last.instructions.filter(({ name }) => name === "COPY");
  return [
    ...stages.filter(({ base }) => !/:\d/.test(base)).map(({ base }) => `${base} names no version`),
    ...(/^(?:root|0)(?::|$)/.test(user) ? [`it runs as ${user}`] : []),
    ...(textOf("HEALTHCHECK") === undefined ? ["it has no health check"] : []),
    ...(textOf("VOLUME") === undefined ? ["it has no volume for data"] : []),
    ...(last.instructions.some(({ name }) => name === "RUN") ? ["its last stage runs something"] : []),
    ...copied.filter(({ flags }) => !flags.from).map(({ text }) => `its last stage copies ${text} of the repository`),
    ...stages.flatMap(({ instructions }) => instructions.filter(({ name }) => name === "ADD").map(() => "it adds")),
  ];
}
