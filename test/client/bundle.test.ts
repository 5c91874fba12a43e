import { build } from "esbuild";
import { expect, test } from "vitest";

test("the bundled client is smaller than 10 kB, without code of Node.js", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ["client/create-client.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    metafile: true,
    write: false,
  });
  expect(outputFiles[0]?.contents.length).toBeLessThan(10_000);
  expect(Object.keys(metafile.inputs).filter((path) => !path.startsWith("client/"))).toEqual([]);
});
