import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readStaticFiles, type StaticFiles } from "../../local/web/static-files.ts";
import { createWebApplication } from "../../local/web/web-application.ts";
import type { PlainRequest } from "../../shared/http/request.ts";
import { runProgram } from "../support/run-program.ts";
import { createFolder } from "../support/temporary-folder.ts";

const ask = (path: string, headers = {}): PlainRequest => ({
  method: "GET",
  path,
  query: "",
  headers,
  body: undefined,
});

/** Files that come when the test says so; they are built unless they are at hand. */
function filesLater(areAtHand = false) {
  const { promise, resolve, reject } = Promise.withResolvers<StaticFiles>();
  let asked = 0;
  const read = (building: () => void): Promise<StaticFiles> => {
    asked += 1;
    if (!areAtHand) building();
    return promise;
  };
  return { files: { read, stop: async () => undefined }, asked: () => asked, resolve, reject };
}

async function someFiles(): Promise<StaticFiles> {
  const folder = createFolder();
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Built</title>");
  return readStaticFiles(folder);
}

describe("before the application is built", () => {
  test("each address shows a page that reloads itself without a script, and the API answers", async () => {
    const { files, asked, resolve } = filesLater();
    const web = createWebApplication(files, [], () => undefined);
    for (const path of ["/", "/models"]) {
      const page = await web.answer(ask(path));
      expect([page?.status, page?.headers.refresh, page?.headers["cache-control"]]).toEqual([503, "2", "no-store"]);
      expect(page?.headers["content-security-policy"]).toContain("script-src 'self' 'wasm-unsafe-eval';");
      expect(page?.body).toContain("Building the web application");
      expect(page?.body).not.toContain("<script");
    }
    expect(await web.answer(ask("/api"))).toBeUndefined();
    expect(await web.answer(ask("/models", { accept: "application/json" }))).toBeUndefined();
    resolve(await someFiles());
    expect((await web.answer(ask("/models")))?.status).toBe(200);
    expect(asked()).toBe(1);
  });

  test("calls of the API start no build, and built files are served at once, however long it takes", async () => {
    const { files, asked, resolve } = filesLater(true);
    const web = createWebApplication(files, [], () => undefined);
    await web.answer(ask("/api/model/model_list"));
    expect(asked()).toBe(0);
    web.begin();
    expect(asked()).toBe(1);
    setTimeout(async () => resolve(await someFiles()), 1_000);
    expect((await web.answer(ask("/")))?.status).toBe(200);
  });
});

describe("after a failed build", () => {
  test("the page reports it without the reason, which is logged once", async () => {
    const told: string[] = [];
    const { files, reject } = filesLater();
    const web = createWebApplication(files, [], (reason) => told.push(reason));
    reject(new Error("ui/main.tsx: <b>unexpected</b> end"));
    for (const path of ["/", "/models"]) {
      const page = await web.answer(ask(path));
      expect([page?.status, page?.headers.refresh]).toEqual([503, undefined]);
      expect(page?.body).toContain("could not be built");
      expect(page?.body).not.toContain("unexpected");
    }
    expect(await web.answer(ask("/api"))).toBeUndefined();
    expect(told).toEqual([
      "The web application could not be built, so there is the API alone:\nui/main.tsx: <b>unexpected</b> end",
    ]);
  });

  test("nothing is logged about a build that ended with the service", async () => {
    const told: string[] = [];
    const { files, reject } = filesLater();
    const web = createWebApplication({ ...files, stop: async () => reject(new Error("ended")) }, [], (reason) =>
      told.push(reason),
    );
    web.begin();
    await web.stop();
    await new Promise(setImmediate);
    expect(told).toEqual([]);
  });
});

test("a folder with a file of unknown format is refused with its name, and so is one without the page", async () => {
  const folder = createFolder();
  await writeFile(join(folder, "robots.txt"), "");
  await expect(readStaticFiles(folder)).rejects.toThrow("there is no /index.html");
  await writeFile(join(folder, "x.exe"), "");
  await expect(readStaticFiles(folder)).rejects.toThrow("there is no media type for /x.exe");
});

test("METACTION_UI is on or off", async () => {
  const METACTION_DATA_DIR = createFolder();
  const { code, said } = await runProgram("local/main.js", { METACTION_DATA_DIR, METACTION_UI: "0" });
  expect([code, said.trim()]).toEqual([2, "METACTION_UI=0 is not understood; give on or off."]);
});
