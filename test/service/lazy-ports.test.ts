import { expect, test } from "vitest";
import { lazyImporter, lazyIssuers, lazySearches, memoize } from "../../shared/service/lazy-ports.ts";

test("a part is made once, and again after a failure", async () => {
  let count = 0;
  const load = memoize(async () => {
    count += 1;
    if (count === 1) throw new Error("first");
    return count;
  });
  await expect(load()).rejects.toThrow("first");
  expect([await load(), await load()]).toEqual([2, 2]);
});

test("a port can be awaited before it is made", async () => {
  const port = lazyImporter({ allowPrivate: false });
  expect(await port).toBe(port);
});

test("the importer, searches and issuers are loaded with their options", async () => {
  const importer = lazyImporter({ allowPrivate: false });
  await expect(importer.read({ from: "http://127.0.0.1:1/x" }, {})).rejects.toThrow(
    "only the ports 80 and 443 are fetched",
  );
  expect(await lazySearches(5)()).toHaveProperty("find");
  await expect(lazyIssuers("{", "http://localhost")()).rejects.toThrow();
});
