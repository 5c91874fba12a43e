import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  findContentFaults,
  findLeakFaults,
  findLicenseFaults,
  findVersionFaults,
} from "../../packaging/release-faults.ts";
import { readPacked } from "./support/read-packed.ts";

const ROOT = join(import.meta.dirname, "../..");
const { paths, bytes, unpackedBytes } = await readPacked();
const sizes = { packed: bytes, unpacked: unpackedBytes };
const ACTION = "    default: metaction@1.2.0\n";

describe("the check of a release", () => {
  test("accepts the package as it is packed", () => expect(findContentFaults(paths, sizes)).toEqual([]));

  test.each([
    ...["shared/domain/limits.ts", "dist/ui/.sources", "dist/cli/main.js.map", ".npmrc", "dist/types/a.ts"],
  ])("finds %s, which is not part of it", (path) =>
    expect(findContentFaults([...paths, path], sizes)).toEqual([`${path} does not belong to the package`]));

  test("finds missing files, and files that are too large", () => {
    const without = paths.filter((path) => path !== "dist/ui/index.html");
    expect(findContentFaults(without, { ...sizes, packed: 9e6 })).toEqual([
      "dist/ui/index.html is missing",
      "the package has 9000000 bytes packed, more than 8000000",
    ]);
  });

  test("requires the version in the changelog, with its date, and in the action", async () => {
    expect(findVersionFaults("1.2.0", "# Changelog\n\n## 1.2.0 (2027-02-03)\n", ACTION)).toEqual([]);
    expect(findVersionFaults("1.2.0", "## 1.1.0 (unreleased)\n", "default: metaction@1.1.0\n")).toEqual([
      "CHANGELOG.md begins with 1.1.0, and package.json says 1.2.0",
      'CHANGELOG.md says "unreleased" of 1.1.0; give it the day of the release',
      "action.yml does not install metaction@1.2.0",
    ]);
    const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const own = ["CHANGELOG.md", "action.yml"].map((file) => readFile(join(ROOT, file), "utf8"));
    const [changelog = "", action = ""] = await Promise.all(own);
    // All but the day, which a release is given last.
    expect(findVersionFaults(version, changelog, action).filter((fault) => !fault.includes("the day"))).toEqual([]);
  });

  test.each([
    ["a private key", `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}\n`],
    ["a key of AWS", `x = "AKIA${"Q".repeat(16)}"`],
    ["a token of GitHub's", `ghp_${"a".repeat(36)}`],
    ["a token of npm's", `//registry.npmjs.org/:_authToken=${"npm"}_${"a".repeat(36)}`],
  ])("finds %s", (_, text) => {
    expect(findLeakFaults([{ path: "a.js", text }], [])[0]).toContain("a.js has what looks like a secret");
  });

  test("finds a path of the build machine, and accepts other files", () => {
    const file = { path: "dist/cli/main.js", text: 'load("/home/ada/metaction/cli/main.ts")' };
    expect(findLeakFaults([file], ["/home/ada/metaction"])).toEqual(["dist/cli/main.js names /home/ada/metaction"]);
    expect(findLeakFaults([{ ...file, text: "-----BEGIN PRIVATE KEY-----" }], ["/home/ada"])).toEqual([]);
  });

  test("finds a licence that forbids distribution, and a page without a name", () => {
    const page = (text: string) => ({ path: "dist/licenses.txt", text });
    expect(findLicenseFaults(page("## a - 1.0.0 (MIT)\n## @b/c - 2.0.0 (Apache-2.0)\n"))).toEqual([]);
    expect(findLicenseFaults(page("## a - 1.0.0 (GPL-3.0-only)\n"))).toEqual([
      "dist/licenses.txt: a - 1.0.0 is under (GPL-3.0-only)",
    ]);
    expect(findLicenseFaults(page(""))).toEqual(["dist/licenses.txt lists no package"]);
  });
});
