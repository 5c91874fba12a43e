/** The most bytes of a name; PostgreSQL cuts longer ones without asking. */
const NAME_BYTES = 63;

/** A name in double quotes. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text in single quotes, in which backslashes are no escapes. */
export function sqlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Lines of a comment; nothing in them ends it. */
export function sqlComment(text: string): string {
  return text.replace(/^/gm, "-- ").replaceAll("\r", " ");
}

/** A scope of names, of which none is longer than PostgreSQL takes and no two are alike. */
export interface SqlNames {
  /** The name as it can stand, different from all that were asked for before. */
  take(name: string): string;
}

/** A scope in which some names are taken from the start. */
export function createSqlNames(reserved: Iterable<string> = []): SqlNames {
  const taken = new Set(reserved);
  return {
    take: (name) => {
      let made = cut(name, NAME_BYTES);
      for (let n = 2; taken.has(made); n++) made = `${cut(name, NAME_BYTES - String(n).length - 1)}_${n}`;
      taken.add(made);
      return made;
    },
  };
}

function cut(name: string, bytes: number): string {
  let made = "";
  let size = 0;
  for (const letter of name) {
    size += Buffer.byteLength(letter);
    if (size > bytes) break;
    made += letter;
  }
  return made;
}
