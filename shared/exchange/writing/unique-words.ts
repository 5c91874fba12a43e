/**
 * Names of one scope as words of letters of ASCII, digits and `_`, that begin with a letter and are all different. A name that is
 * one stays; in any other each run of other characters becomes one `_`.
 */
export function uniqueWords(names: readonly string[], instead: string): readonly string[] {
  const taken = new Set(names.filter(isWord));
  return names.map((name) => {
    if (isWord(name)) return name;
    const bare = name.replace(/\W+/g, "_").replace(/^_+|_+$/g, "");
    const base = bare === "" ? instead : isWord(bare) ? bare : `_${bare}`;
    let word = base;
    for (let n = 2; taken.has(word); n++) word = `${base}_${n}`;
    taken.add(word);
    return word;
  });
}

/** True for a name that is a word: Avro, Mermaid and GraphQL take it as it is. */
export function isWord(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}
