/** A page that was left, with the title it had. */
export interface RecentPlace {
  readonly href: string;
  readonly title: string;
}

const KEPT = "metaction.recent";
const MOST = 8;

/** The pages that were left last, the newest first; what is kept and makes no sense counts as none. */
export function parsePlaces(kept: string | null): readonly RecentPlace[] {
  try {
    const list: unknown = JSON.parse(kept ?? "[]");
    if (!Array.isArray(list)) return [];
    return list.filter((one) => typeof one?.href === "string" && typeof one?.title === "string");
  } catch {
    return [];
  }
}

/** The pages with one more, which stands first; the same page stands there once. */
export function withPlace(places: readonly RecentPlace[], left: RecentPlace): readonly RecentPlace[] {
  return [left, ...places.filter(({ title }) => title !== left.title)].slice(0, MOST);
}

/** The pages that were left last in this tab. */
export const listRecentPlaces = (): readonly RecentPlace[] => parsePlaces(sessionStorage.getItem(KEPT));

/** Notes a page that is being left. */
export function notePlace(left: RecentPlace): void {
  sessionStorage.setItem(KEPT, JSON.stringify(withPlace(listRecentPlaces(), left)));
}

/** Forgets where somebody was. */
export function forgetPlaces(): void {
  sessionStorage.removeItem(KEPT);
}
