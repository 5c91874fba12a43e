/** Returns the rows of the table under a heading line, as trimmed cells; empty without such a table. */
export function tableUnder(page: string, heading: string): readonly (readonly string[])[] {
  const lines = page.split("\n");
  const at = lines.indexOf(heading);
  const rows = at < 0 ? [] : lines.slice(at + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end < 0 ? rows.length : end).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The texts that stand in code letters in a cell or a page. */
export function codeIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

/** The targets of a page's links to files, and the files and folders it names in code letters, from the root. */
export function pathsNamed(page: string, folder: string, folders: readonly string[]): readonly string[] {
  const isOurs = (path: string) => folders.includes(path.split("/")[0] ?? "") && /^[\w./-]+$/.test(path);
  const named = codeIn(page).filter((code) => code.includes("/") && isOurs(code));
  const links = [...page.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
  return [...named, ...links.filter((target) => !target.includes(":")).map((target) => joined(folder, target))];
}

function joined(folder: string, target: string): string {
  const { pathname } = new URL(target, `file:///${folder === "" ? "" : `${folder}/`}`);
  return pathname.slice(1);
}
