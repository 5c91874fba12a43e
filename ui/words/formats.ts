import { useLanguage } from "./words.ts";

/** Lower-cases and removes accents, to compare with typed text. */
export const foldText = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Formats numbers, times and lists in the current language; times are ISO or milliseconds. */
export interface Formats {
  formatNumber(value: number): string;
  /** Date and time to the minute. */
  formatTime(at: string | number): string;
  /** Time since a point in time, such as "3 hours ago". */
  formatSince(at: string | number, now?: number): string;
  formatList(items: readonly string[]): string;
}

const STEPS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
  ["year", Number.POSITIVE_INFINITY],
] as const;

/** Creates the formats of a language. */
export function createFormats(language: string): Formats {
  const number = new Intl.NumberFormat(language);
  const timeFormat = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const ago = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  return {
    formatNumber: (value) => number.format(value),
    formatTime: (at) => timeFormat.format(new Date(at)),
    formatSince: (at, now = Date.now()) => {
      let amount = (new Date(at).getTime() - now) / 1000;
      for (const [unit, next] of STEPS) {
        if (Math.abs(amount) < next) return ago.format(Math.round(amount), unit);
        amount /= next;
      }
      return timeFormat.format(new Date(at));
    },
    formatList: (items) => list.format(items),
  };
}

/** Formats by language, created once: creating them takes longer than rendering a table row. */
const cache = new Map<string, Formats>();

/** Returns the formats of the current language. */
export function useFormats(): Formats {
  const language = useLanguage();
  const formats = cache.get(language) ?? createFormats(language);
  cache.set(language, formats);
  return formats;
}
