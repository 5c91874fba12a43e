/** Most characters of a value in a sentence. */
const SHOWN = 60;

/** JSON of a value as a sentence shows it: its beginning, where it is long. */
export function shown(json: string): string {
  return json.length > SHOWN ? `${json.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, "")}…` : json;
}
