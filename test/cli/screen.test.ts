import { describe, expect, test } from "vitest";
import { createFolder, writeInto } from "../support/temporary-folder.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();
const { json } = here;

/** What a command shows on a terminal of 100 columns and a number of rows, where the pager says that it was there. */
async function shown(rows: number, command: string, before = "NO_COLOR=1 PAGER='sed s/^/paged:/'"): Promise<string> {
  const { stdout, code } = await here.user.onTerminal(`stty rows ${rows}; export ${before}; metaction ${command}`);
  expect(code).toBe(0);
  return stdout.replaceAll("\r", "");
}

describe("a pager", () => {
  test("shows texts longer than the screen, and no others", async () => {
    expect(await shown(20, "help models")).toMatch(/^paged:NAME\npaged: {4}metaction models/);
    expect(await shown(10, "models type_list --modelRef=library")).toMatch(/^paged:key/);
    expect(await shown(2, "models")).toMatch(/^paged:key/);
    // Header, model and the line of the next prompt.
    expect(await shown(3, "models")).toMatch(/^key/);
    expect(await shown(500, "help models")).toMatch(/^NAME/);
  });

  test("is not used when it is disabled or missing", async () => {
    expect(await shown(20, "help models --no-pager")).toMatch(/^NAME/);
    expect(await shown(20, "help models", "NO_COLOR=1 PAGER=")).toMatch(/^NAME/);
    expect(await shown(20, "help models", "NO_COLOR=1 PAGER='not-there 2>/dev/null'")).toMatch(/^NAME/);
    const piped = await here.user.run(["help", "models"], { environment: { PAGER: "sed s/^/paged:/" } });
    expect(piped.stdout).toMatch(/^NAME/);
  });

  test("that is closed early ends the command without an error", async () => {
    expect(await shown(20, "help models", "NO_COLOR=1 PAGER='head -n 1'")).toBe("NAME\n");
  });
});

test("a question is shown on the terminal itself, below a plan longer than the screen", async () => {
  const types = Array.from({ length: 40 }, (_, i) => ({ key: `type${i}` }));
  const path = await writeInto(createFolder(), "asked.json", { $schema: "urn:metaction:model:2", key: "asked", types });
  const asked = await here.user.onTerminal(
    `stty rows 10; export NO_COLOR=1 PAGER='sed s/^/paged:/'; metaction apply '${path}' --create; echo "code $?"`,
    [{ after: "Continue? [y/N]", text: "n\n" }],
  );
  expect(asked.stdout).toContain("create type39");
  expect(asked.stdout).not.toContain("paged:");
  expect(asked.stdout).toMatch(/^Apply to asked on \S+\. Continue\? \[y\/N\] n\s+nothing was applied\r\ncode 130/m);
});

test("the help of a group has a section for each kind, and the common errors once", async () => {
  const group = (await here.run`help models`).stdout;
  const sections = ["MODEL", "ENTITY", "ENTITY ATTRIBUTE", "RELATIONSHIP ROLE", "MORE", "ERRORS OF EVERY ACTION"];
  expect(group.match(/^[A-Z][A-Z ]+$/gm)).toEqual(expect.arrayContaining(sections));
  expect(group).toMatch(/^ENTITY\n {4}entity_create /m);
  expect(group).toMatch(/^ENTITY ATTRIBUTE\n {4}entity_attribute_create /m);
  expect(group).toContain("503 unavailable");
  const action = (await here.run`help models entity_get`).stdout;
  expect(action).toContain("404 not_found");
  expect(action).not.toContain("503 unavailable");
  expect(action).toContain("and the codes of every action; see: metaction help models");
  expect((await here.run`help logout`).stdout).not.toContain("FLAGS");
  expect((await here.run`help models model_update_authority`).stdout).toContain("one of system, canonical");
  expect((await here.run`help config`).stdout).toMatch(/metaction config\n.*inspect_type_system/s);
  for (const page of [group, action]) expect(page.split("\n").filter((line) => line.length > 100)).toEqual([]);
});

test("an empty list has a note on a terminal, and is empty in a pipe", async () => {
  expect(await shown(50, "batch job_list")).toBe("No jobs.\n");
  expect(await shown(50, "search nothing-of-the-kind")).toBe("No matches.\n");
  expect(await json`batch job_list`).toEqual({ items: [] });
});
