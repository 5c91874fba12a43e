export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

/** Commands of a page, and the output that the page shows for them. */
export interface Step {
  readonly commands: string;
  readonly line: number;
  readonly shown?: Block;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** All fenced blocks of a Markdown page, in order. */
export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(FENCE)].map(({ 1: language = "", 2: text = "", index }) => ({
    language,
    text,
    line: page.slice(0, index).split("\n").length,
  }));
}

/** The `sh` blocks of a page, each with its `json` or `text` output; throws for an output without commands. */
export function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = [];
  let open = false;
  for (const block of blocksOf(page)) {
    const isOutput = block.language === "json" || block.language === "text";
    const last = steps.at(-1);
    if (block.language === "sh") {
      steps.push({ commands: block.text, line: block.line });
    } else if (isOutput && open && last) {
      steps[steps.length - 1] = { ...last, shown: block };
    } else if (isOutput) {
      throw new Error(`line ${block.line}: an output without commands before it`);
    }
    open = block.language === "sh";
  }
  return steps;
}
