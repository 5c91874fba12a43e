import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { formatWarningLines } from "../../cli/output/output.ts";
import { serve } from "../formats/source-server.ts";
import { createFolder, writeInto } from "../support/temporary-folder.ts";
import { commandLine } from "./support/command.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();

const { json, run } = here;
const list = ["model", "entity_list", "--modelRef=key:library"];

const masked = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
    .replaceAll(/01[0-9a-f]{6}-[0-9a-f-]*…/g, "<uuid>…")
    .replaceAll(here.service.url, "<url>")
    .replaceAll(here.user.home, "<home>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");

interface Described {
  readonly paths: Record<string, { post: { requestBody: { content: { "application/json": { example: object } } } } }>;
}

/** A proxy in front of the service that can be closed, with the statuses that the service answered through it. */
async function frontOf(url: string) {
  const statuses: number[] = [];
  const { port, close } = await serve(async (request, response) => {
    const etag = request.headers["if-none-match"];
    const headers = etag === undefined ? {} : { "if-none-match": etag };
    const answer = await fetch(`${url}${request.url}`, { headers });
    statuses.push(answer.status);
    response.writeHead(answer.status, { "content-type": "application/json", etag: answer.headers.get("etag") ?? "" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  return { url: `http://127.0.0.1:${port}`, statuses, close };
}

describe("help", () => {
  test.each([
    ["help"],
    ["help", "batch"],
    ["help", "models", "entity_create"],
    ["model", "entity-delete", "--help"],
    ["help", "login"],
    ["help", "diff"],
  ])("%j", async (...args: string[]) => {
    const { code, stdout, stderr } = await run`${args}`;
    expect([stderr, code]).toEqual(["", 0]);
    expect(masked(stdout)).toMatchSnapshot();
  });

  test.each([
    ["model", "entity_attribute_create"],
    ["model", "entity_primary_key_update"],
    ["auth", "token_create"],
    ["auth", "can"],
    ["tag", "tag_search"],
    ["batch", "batch_run"],
  ])("of %s %s has an example with valid syntax", async (group, action) => {
    const { stdout } = await run`help ${group} ${action}`;
    const example = stdout.slice(stdout.indexOf("EXAMPLE")).split("\n")[1]?.trim() ?? "";
    // A shell takes it apart, as it does with what people copy, and the command that comes of it.
    const shown = await here.user.shell(`${example} --curl`);
    expect(shown.code).toBe(0);
    const sent = await here.user.shell(`curl() { printf '%s' "\${@: -1}"; }\n${shown.stdout}`);
    const api = (await (await fetch(`${here.service.url}/api`)).json()) as Described;
    const { requestBody } = api.paths[`/api/${group}/${action}`]?.post ?? {};
    expect(JSON.parse(sent.stdout)).toEqual(requestBody?.content["application/json"].example);
  });

  test("works offline after the first call, and is updated by ETag", async () => {
    const front = await frontOf(here.service.url);
    const user = await commandLine(front.url);
    const help = () => user.run(["help", "model"]);
    const first = await help();
    expect(first.code).toBe(0);
    expect(await help()).toEqual(first);
    expect(front.statuses).toEqual([200]);

    const folder = join(user.home, ".cache/metaction");
    const [file = ""] = await readdir(folder);
    const outdate = async () => {
      const kept = JSON.parse(await readFile(join(folder, file), "utf8"));
      await writeFile(join(folder, file), JSON.stringify({ ...kept, asked: kept.asked - 11 * 60_000 }));
    };
    await outdate();
    expect(await help()).toEqual(first);
    expect(front.statuses).toEqual([200, 304]);
    await outdate();
    expect((await user.run(["help", "unknown"])).code).toBe(2);
    expect(front.statuses).toEqual([200, 304, 304]);

    await front.close();
    await outdate();
    expect(await help()).toEqual(first);
    expect((await user.run(["complete", "--", "metaction models entity_g"])).stdout).toContain("entity_get");
    const call = await user.run(["model", "model_list"]);
    expect(call).toMatchObject({ code: 1, stdout: "" });
    expect(call.stderr).toContain(`${front.url} cannot be reached`);
  });

  test("shows what is known without a service", async () => {
    const away = { environment: { METACTION_URL: "http://127.0.0.1:9" } };
    const stderr = expect.stringContaining("http://127.0.0.1:9 cannot be reached");
    expect(await here.user.run(["help", "model"], away)).toEqual({ code: 1, stdout: "", stderr });
    expect(await here.user.run(["help"], away)).toMatchObject({ code: 0, stdout: expect.stringContaining("COMMANDS") });
  });
});

describe("answers", () => {
  test("are JSON in a pipe, byte by byte the body of the service", async () => {
    const { stdout } = await run`${list}`;
    const called = await here.service.call("model/entity_list", { modelRef: "key:library" }, here.token);
    expect(JSON.parse(stdout)).toEqual(called.body);
  });

  test("are a table on a terminal", async () => {
    const { stdout, code } = await here.user.onTerminal(`metaction ${list.join(" ")}`);
    expect(code).toBe(0);
    expect(masked(stdout.replaceAll("\u001b", "<esc>"))).toMatchSnapshot();
    expect((await here.user.onTerminal(`NO_COLOR=1 metaction ${list.join(" ")}`)).stdout).not.toContain("\u001b");
  });

  test("have every other format", async () => {
    const body = await json`${list}`;
    expect(parse((await run`${list} --output=yaml`).stdout)).toEqual(body);
    const lines = (await run`${list} -o ndjson`).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(body.items);
    expect(await json`${list} -o raw`).toEqual(body);
    expect(masked((await run`model model_list -o table`).stdout)).toMatchSnapshot();
    expect(masked((await run`model model_get --modelRef=key:library -o table`).stdout)).toMatchSnapshot();
  });

  test("are reduced by a query", async () => {
    expect(JSON.parse((await run`${list} --query=items[].key`).stdout)).toEqual(["book", "loan"]);
    expect((await run`${list} --query=items[0].key -o raw`).stdout).toBe("book\n");
    expect(await run`${list} --query=items[`).toMatchObject({ code: 2, stdout: "" });
    // A gate that compares the answer with [] would pass by accident.
    for (const [command, nearest] of [
      [[...list, "--query=items[].kye"], "key"],
      [["models", "search", "--query=items[].pathh"], "path"],
      [["search", "book", "--query=items[].paht"], "path"],
    ] as const) {
      const stderr = expect.stringContaining(`did you mean ${nearest}?`);
      expect(await run`${command}`).toEqual({ code: 2, stdout: "", stderr });
    }
  });

  test("mention further pages on stderr", async () => {
    const [, cursor] = /^More rows: --cursor=(\S+)\n$/.exec((await run`${list} --limit=1`).stderr) ?? [];
    expect(JSON.parse((await run`${list} --limit=1 --cursor=${cursor} --query=items[].key`).stdout)).toEqual(["loan"]);
  });

  test("of a text are the text", async () => {
    const { stdout } = await run`config inspect_config_text`;
    expect(stdout).not.toMatch(/^"/);
    expect(stdout.length).toBeGreaterThan(20);
  });

  test("of a deletion list the removed objects by kind and key", async () => {
    const gone = ["--modelRef=key:library", "--entityRef=key:gone"];
    await run`model entity_create --modelRef=key:library --entityKey=gone`;
    for (const key of ["b", "a"])
      await run`model entity_attribute_create ${gone} --attributeKey=${key} --type=key:string --optional`;
    await run`model entity_primary_key_update ${gone} --attributeRef=key:a`;
    const { stdout } = await run`model entity_delete ${gone} --yes -o table`;
    expect(stdout).toMatch(/^removed +primary_key gone, attribute a, attribute b$/m);
  });
});

test("a warning has its count if there are several, and its first place if that is known", () => {
  const format = (count: number, pointers: string[]) =>
    formatWarningLines([{ code: "tag_kept", detail: "d", count, pointers }]);
  expect([...format(1, []), ...format(2, [""])]).toEqual(["tag_kept: d", "tag_kept: d (2 times), first at the model"]);
});

test("a closed pipe ends the command without an error", async () => {
  const piped = await here.user.shell(`metaction help model | head -n 1; echo "\${PIPESTATUS[0]}"`);
  expect(piped).toMatchObject({ stdout: "NAME\n0\n", stderr: "" });
});

describe("a deletion", () => {
  const remove = "metaction model type_delete --modelRef=key:library --typeRef=key:any";

  test("asks for confirmation on a terminal, and accepts only yes", async () => {
    const no = await here.user.onTerminal(remove, [{ after: "[y/N]", text: "n\n" }]);
    expect(no.stdout).toContain(
      `Delete type modelRef=key:library typeRef=key:any on ${here.service.url}. Continue? [y/N]`,
    );
    expect(no).toMatchObject({ stdout: expect.stringContaining("nothing was deleted"), code: 130 });
    expect((await here.user.onTerminal(remove, [{ after: "[y/N]", text: "y\n" }])).code).toBe(0);
    expect((await run`model type_get --modelRef=key:library --typeRef=key:any`).code).toBe(3);
  });

  test("asks for no confirmation with --yes", async () => {
    for (const key of ["a", "b"]) await run`model type_create --modelRef=key:library --typeKey=${key}`;
    const asked = await here.user.onTerminal(
      "metaction model type_delete --modelRef=key:library --typeRef=key:a --yes",
    );
    expect(asked).toMatchObject({ stdout: expect.not.stringContaining("[y/N]"), code: 0 });
    expect((await run`model type_delete --modelRef=key:library --typeRef=key:b --yes`).code).toBe(0);
  });

  const batch = (action: string, payload: object, ...first: readonly object[]) => {
    const actions = JSON.stringify([...first, { group: "model", action, payload }]);
    return ["batch", "batch_run", `--actions=${actions}`];
  };
  const kept = { modelRef: "key:kept" };
  test.each([
    [["models", "model_delete", "--modelRef=key:kept"]],
    [batch("model_delete", kept)],
    [batch("model_delete", kept, { group: "model", action: "model_get", payload: kept })],
    [batch("model_apply", { ...kept, content: { key: "kept" }, prune: true })],
    [["models", "model_apply", "--modelRef=key:kept", '--content={"key":"kept"}', "--prune"]],
  ])("without a terminal and without --yes sends nothing and ends with 9: %j", async (args) => {
    await run`models model_create --key=kept --name=Kept`;
    const { code, stdout, stderr } = await run`${args} --verbose`;
    expect([code, stdout]).toEqual([9, ""]);
    expect(stderr).toMatch(/Confirmation needed for: .* on http.*Nothing was sent\. Add --yes to run it$/m);
    expect(stderr).toContain(String(args.at(-1)).slice("--".length));
    expect(stderr).not.toContain("POST");
    expect((await run`models model_get --modelRef=key:kept`).code).toBe(0);
    expect((await run`${args} --dry-run`).code).not.toBe(9);
  });
});

describe("a command that comments on its work on stderr", () => {
  const folder = createFolder();
  const file = join(folder, "shelves.json");

  beforeAll(async () => {
    const model = { key: "shelves", name: "Shelves", types: [], entities: [{ key: "shelf" }] };
    await writeInto(folder, "shelves.json", { $schema: "urn:metaction:model:2", ...model });
    await writeInto(folder, "notes.txt", "not a model");
    await run`apply ${file} --create`;
  });

  test.each<[comment: RegExp, args: readonly string[]]>([
    [/^More rows: --cursor=/, [...list, "--limit=1"]],
    [/^More matches: --limit=/, ["search", "o", "--limit=1"]],
    [/^not_written: /, ["export", "library", "--as=dbml"]],
    [/Wrote .*library\.svg\.\n$/, ["export", "library", "--as=svg", `--out=${join(folder, "library.svg")}`]],
    [/^not_written: /, ["diff", "library", file, "--as=postgresql"]],
    [/revision 1/, ["apply", file]],
    [/^Ignored, because they do not end in /m, ["plan", folder]],
    [/^The current profile is other\.\n$/, ["use", "other"]],
    [/^Signed in to /, ["login", "--username=admin", "--profile=other"]],
    [/^Signed in to .* as admin, with profile default\.$/m, ["init", "--username=admin"]],
    [/does not limit model_read/, ["grant", "admin", "reader", "--models=library", "--dry-run"]],
    [/^Signed out of profile other\.\n$/, ["logout", "--profile=other"]],
  ])("says %s, and nothing with --quiet", async (comment, args) => {
    const user = await commandLine(here.service.url);
    const given = { stdin: "Violet-Harbor-7-Lantern\n" };
    const ended = async (...more: string[]) => {
      // Both runs start with the same profiles.
      for (const profile of ["other", "default"])
        await user.run(["login", "--username=admin", `--profile=${profile}`, "--quiet"], given);
      return user.run([...args, ...more], given);
    };
    const spoken = await ended();
    expect(spoken).toMatchObject({ code: 0, stderr: expect.stringMatching(comment) });
    expect(await ended("--quiet")).toEqual({ code: 0, stdout: spoken.stdout, stderr: "" });
  });
});
