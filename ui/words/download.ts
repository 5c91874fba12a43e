import { download as en } from "./en/download.ts";
import { wordsOf } from "./language.ts";

/** The words of the dialog that downloads. */
export const useDownloadWords = wordsOf("download", en, async () => (await import("./fr/download.ts")).download);
