/** A visited page with its title. */
export interface RecentPlace {
  readonly href: string;
  readonly title: string;
}

const STORAGE_KEY = "metaction.recent";
const MOST = 8;

/** Parses the recently visited pages, newest first; empty if invalid. */
export function parsePlaces(text: string | null): readonly RecentPlace[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(list)) return [];
    return list.filter((one) => typeof one?.href === "string" && typeof one?.title === "string");
  } catch {
    return [];
  }
}

/** Adds a page at the front and removes its earlier entry. */
export function addPlace(places: readonly RecentPlace[], left: RecentPlace): readonly RecentPlace[] {
  return [left, ...places.filter(({ title }) => title !== left.title)].slice(0, MOST);
}

/** Returns the pages visited last in this tab. */
export const listRecentPlaces = (): readonly RecentPlace[] => parsePlaces(sessionStorage.getItem(STORAGE_KEY));

/** Records a page that the person leaves. */
export function recordPlace(left: RecentPlace): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(addPlace(listRecentPlaces(), left)));
}

/** Clears the recently visited pages. */
export function clearPlaces(): void {
  sessionStorage.removeItem(STORAGE_KEY);
}
