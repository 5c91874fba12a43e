/** One arrow of a Mermaid drawing. `isDotted` is true of `-.->`. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly isDotted: boolean;
  readonly label: string;
}

/** The text of the first fenced block of a language after a heading. */
export function blockAfter(page: string, heading: string, language: string): string {
  const at = page.indexOf(`\n${heading}\n`);
  const begin = page.indexOf(`\n\`\`\`${language}\n`, at);
  if (at < 0 || begin < 0) throw new Error(`no block of ${language} after ${heading}`);
  const text = page.slice(begin).split("\n").slice(2);
  return text.slice(0, text.indexOf("```")).join("\n");
}

const FLOW =
  /^(?<from>\S+?)(?:\["[^"]*"\])? (?<line>-->|-\.->)(?:\|(?<label>[^|]*)\|)? (?<to>[^"[]+?)(?:\["[^"]*"\])?$/;
const STATE = /^(?<from>\S+) --> (?<to>[^\s"]+): (?<label>.*)$/;

/** The arrows of a drawing, one for each of several targets that `&` joins. A line that is none is left out. */
export function arrowsOf(drawing: string): readonly Arrow[] {
  return drawing.split("\n").flatMap((line) => {
    const parts = (STATE.exec(line.trim()) ?? FLOW.exec(line.trim()))?.groups;
    if (!parts) return [];
    const { from = "", to = "", label = "" } = parts;
    return to.split(" & ").map((one) => ({ from, to: one.trim(), label, isDotted: parts.line === "-.->" }));
  });
}

/** The rooms of a line such as `shared/store   table <- log <- jobs | sweep`, lowest first. */
export function floorsIn(drawing: string, folder: string): readonly (readonly string[])[] {
  const line = drawing.split("\n").find((text) => text.startsWith(`${folder} `)) ?? "";
  const floors = line.slice(folder.length).split("<-");
  return floors.map((floor) => floor.split("|").map((room) => room.trim()));
}

/** The strings and the member names of the members of a union type, in the order of its declaration. */
export function membersOfUnion(source: string, type: string): readonly string[] {
  const from = source.indexOf(`type ${type} =`);
  const text = source.slice(from, source.indexOf(";\n", from)).replaceAll("readonly ", "");
  return [...text.matchAll(/\| (?:\{ (\w+)|"(\w+)")/g)].map(([, member, value]) => member ?? value ?? "");
}
