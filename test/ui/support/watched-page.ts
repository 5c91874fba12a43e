import { expect } from "vitest";
import type { Application } from "./application.ts";
import { RAN } from "./injections.ts";
import { visitsOf } from "./visits.ts";

/** The name in the page of what tells that a text ran. */
const TELL = "tellThatItRan";
/** Tells when the mark is set, in whichever document. */
const MARK = `Object.defineProperty(globalThis, ${JSON.stringify(RAN)}, { set: () => globalThis.${TELL}() })`;

/** Opens the application; `end` fails if a text was executed: by its mark, a dialog, a window or a connection. */
export async function openWatched(application: Application, path: string) {
  const page = await application.open(path);
  const told: string[] = [];
  page.on("dialog", (dialog) => {
    told.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => told.push(`window: ${popup.url()}`));
  page.on("frameattached", (frame) => told.push(`frame: ${frame.url()}`));
  await page.exposeFunction(TELL, () => void told.push("a text ran"));
  await page.addInitScript(MARK);
  await page.reload();
  const visits = visitsOf(page);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await visits.settled();
  return {
    page,
    visits,
    end: async () => {
      await visits.settled();
      expect([...told, ...visits.foreign()]).toEqual([]);
    },
  };
}
