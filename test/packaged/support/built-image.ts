import { execFile } from "node:child_process";
import { chmod, cp, glob, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Instruction, Stage } from "./dockerfile.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** An image as its instructions leave it, in a folder that is its root. */
export interface BuiltImage {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly workingFolder: string;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** Runs the stages of a Dockerfile, each in a folder; skips base images, `npm ci`, and builds that are in `dist`. */
export async function buildImage(stages: readonly Stage[], folder: string, dist: string): Promise<BuiltImage> {
  const roots = new Map<string, string>();
  let built: BuiltImage | undefined;
  for (const [i, { name = "last", instructions }] of stages.entries()) {
    const root = join(folder, `${i}-${name}`);
    await mkdir(root);
    roots.set(name, root);
    built = await carriedOut(instructions, root, roots, dist);
  }
  if (!built) throw new Error("there is no stage");
  return built;
}

async function carriedOut(all: readonly Instruction[], root: string, roots: ReadonlyMap<string, string>, dist: string) {
  const inRoot = (path: string) => (path.startsWith("/") ? join(root, path) : path);
  let workingFolder = root;
  const environment: Record<string, string> = {};
  let command: readonly string[] = [];
  let healthCheck: readonly string[] = [];
  for (const { name, text, words = [], flags } of all) {
    if (name === "WORKDIR") {
      workingFolder = inRoot(text);
      await mkdir(workingFolder, { recursive: true });
    } else if (name === "ENV") {
      for (const [, key = "", value = ""] of text.matchAll(/(\w+)=(\S+)/g)) environment[key] = inRoot(value);
    } else if (name === "COPY") {
      const [from = "", to = ""] = text.split(/\s+/);
      if (flags.from) await cp(join(roots.get(flags.from) ?? "", from), inRoot(to), { recursive: true });
      else {
        await copyContext(workingFolder);
        await cp(dist, join(workingFolder, "dist"), { recursive: true });
      }
    } else if (name === "RUN") {
      if (text.startsWith("npm ci")) await symlink(join(ROOT, "node_modules"), join(workingFolder, "node_modules"));
      else await promisify(execFile)("sh", ["-c", text], { cwd: workingFolder });
    } else if (name === "CMD") command = words.map(inRoot);
    else if (name === "HEALTHCHECK") healthCheck = words;
    else if (name === "VOLUME") for (const path of words) await chmod(inRoot(path), 0o755);
    else if (!["EXPOSE", "USER"].includes(name)) throw new Error(`${name} is not known here`);
  }
  return { root, environment, workingFolder, command, healthCheck };
}

/** Copies what `Dockerfile.dockerignore` includes: of a list that begins with everything, what it takes back. */
async function copyContext(folder: string) {
  const lines = (await readFile(join(ROOT, "packaging/Dockerfile.dockerignore"), "utf8")).split("\n");
  const rules = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (rules[0] !== "*") throw new Error("the list does not begin with everything");
  for (const rule of rules.slice(1)) {
    if (!rule.startsWith("!")) throw new Error(`${rule} is not known here`);
    for await (const path of glob(rule.slice(1), { cwd: ROOT }))
      await cp(join(ROOT, path), join(folder, path), { recursive: true });
  }
}
