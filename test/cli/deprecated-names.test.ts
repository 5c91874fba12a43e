import { expect, test } from "vitest";
import { type OpenApi, toDescription } from "../../cli/calls/description.ts";
import { formatActionPage, formatGroupPage } from "../../cli/calls/help-pages.ts";
import { createRegistry } from "../../shared/actions/catalogue.ts";
import { describeApi } from "../../shared/http/openapi.ts";
import { findAction, roomOf } from "../support/actions.ts";
import { entityShow, entityTouch } from "../support/deprecated-actions.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();

test("a call with a deprecated name prints a note on stderr, unless --quiet", async () => {
  const command = "tag maintenance_rebuild_caches";
  expect((await here.run`${command.split(" ")}`).stderr).toBe("");
  const { code, stdout, stderr } = await here.run`${command.split(" ")} --no-mend`;
  expect([code, JSON.parse(stdout).found]).toEqual([0, 0]);
  expect(stderr).toBe(
    `Deprecated: a name of this call may be removed from Tue, 30 Nov 2027 00:00:00 GMT on; see: metaction help ${command}\n`,
  );
  expect((await here.run`${command.split(" ")} --no-mend --quiet`).stderr).toBe("");
  const page = (await here.run`help ${command.split(" ")}`).stdout.replace(/\s+/g, " ");
  expect(page).toContain("The alias mend is deprecated since 2026-11-30 and may be removed from 2027-11-30 on.");
});

test("help marks deprecated actions and parameters", async () => {
  const registry = createRegistry([roomOf(findAction("model/entity_get"), entityShow, entityTouch)]);
  const api = await describeApi({ registry, facts: { version: "0" } }, "http://x");
  // The members that the command line reads.
  const description = toDescription(api as unknown as OpenApi);
  const [get, show, touch] = description.actions;
  if (!get || !show || !touch) throw new Error("there are three actions");
  const text = (page: ReturnType<typeof formatGroupPage>) =>
    page.map((part) => (typeof part === "string" ? part : "text" in part ? part.text : part.bold)).join("");
  expect(text(formatGroupPage(description, "model"))).toMatch(
    /entity_get +Get entity\n +entity_show +Show entity \(deprecated\)\n/,
  );
  expect(text(formatActionPage(description, show))).toContain("Show entity (deprecated)");
  expect(text(formatActionPage(description, get))).not.toMatch(/deprecated/i);
  const page = text(formatActionPage(description, touch));
  expect(page).toContain("--[no-]strict  (optional; deprecated)");
  expect(page).toContain("--label=<TextSingleLine>  (optional)\n");
});
