/** A suite that has to notice a defect, or those of its tests whose names hold a text. */
export interface Suite {
  /** Path of the test file from the root of the repository. */
  readonly file: string;
  readonly tests?: string;
}

/** One mistake that a tired hand could make, as a change of one place in the sources. */
export interface Defect {
  /** A few words with hyphens; `METACTION_DEFECTS` chooses by it. */
  readonly name: string;
  readonly file: string;
  /** Text that stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Every one of these has to fail. */
  readonly caughtBy: readonly Suite[];
}

/** The file with the defect in it; an error when the bank no longer keeps up with the code. */
export function planted(defect: Defect, text: string): string {
  const { name, file, find, replace } = defect;
  const times = text.split(find).length - 1;
  if (times !== 1) {
    throw new Error(
      `the defect ${name} is to be planted where ${file} says once, but it says ${times} times:\n${find}`,
    );
  }
  const [before = "", after = ""] = text.split(find);
  return before + replace + after;
}

/** Words that a defect may use though the file does not: those of the language, and of expectations about items. */
const WELL_KNOWN: ReadonlySet<string> = new Set(
  (
    "Math Number POSITIVE_INFINITY String as continue false get includes length max number size slice true undefined void " +
    "absent absentOrEqual anything callMs check deadline entry head ledgerId query service v"
  ).split(" "),
);

const wordsOf = (text: string): readonly string[] => text.match(/(?<![\w$])[A-Za-z_$][\w$]*/g) ?? [];

/** Words of a defect that its file does not know, such as a name that became another: nothing but an error would come of it. */
export function strangeWords({ replace }: Defect, text: string): readonly string[] {
  const known = new Set(wordsOf(text));
  return wordsOf(replace.replace(/"[^"]*"/g, "")).filter((word) => !known.has(word) && !WELL_KNOWN.has(word));
}

/** Shortens the naming of the suites of a room: `suiteIn("test/store")("sweep")`. */
export function suiteIn(room: string): (name: string, tests?: string) => Suite {
  return (name, tests) => ({ file: `${room}/${name}.test.ts`, ...(tests !== undefined && { tests }) });
}
