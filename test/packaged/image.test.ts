import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createFolder } from "../support/temporary-folder.ts";
import { type BareMachine, bareMachine, type Going } from "./support/bare-machine.ts";
import { type BuiltImage, buildImage } from "./support/built-image.ts";
import { imageFaults, stagesOf } from "./support/dockerfile.ts";
import { readPacked } from "./support/read-packed.ts";

const ROOT = join(import.meta.dirname, "../..");

const dockerfile = await readFile(join(ROOT, "packaging/Dockerfile"), "utf8");
const stages = stagesOf(dockerfile);

describe("the Dockerfile", () => {
  test("makes an image that runs unprivileged, has a health check and a volume, and contains only the package", () => {
    expect(stages).toHaveLength(2);
    expect(imageFaults(stages)).toEqual([]);
  });

  test.each([
    ["that runs as root", /^USER .*$/m, "USER root", "it runs as root"],
    ["that says nothing of its user", /^USER .*$/m, "", "it runs as root"],
    ["without a health check", /^HEALTHCHECK [^\n]*\n[^\n]*$/m, "", "it has no health check"],
    ["without a volume", /^VOLUME .*$/m, "", "it has no volume for data"],
    ["of no version", /node:24-alpine/, "node", "node names no version"],
    ["that is built in its last stage", /^EXPOSE .*$/m, "RUN npm ci", "its last stage runs something"],
    ["with the repository in it", /^EXPOSE .*$/m, "COPY . /x", "its last stage copies . /x of the repository"],
  ])("would be refused for an image %s", (_, what, instead, fault) => {
    expect(imageFaults(stagesOf(dockerfile.replace(what, instead)))).toEqual([fault]);
  });
});

describe("an image, its instructions executed in a folder", () => {
  let image: BuiltImage;
  let machine: BareMachine;
  let service: Going;

  beforeAll(async () => {
    image = await buildImage(stages, createFolder(), join((await readPacked()).repository, "dist"));
    machine = await bareMachine();
    const [program = "", ...args] = image.command;
    service = machine.begin(program, args, { ...image.environment, PORT: "0" });
  });

  afterAll(() => service?.end("SIGKILL"));

  test("contains only the package and an empty folder for data, until it runs", async () => {
    expect((await readdir(image.root)).sort()).toEqual(["data", "opt"]);
    expect(await readdir(join(image.root, "opt/metaction"))).not.toContain("node_modules");
  });

  test("listens on every address, prints the address for a browser, and is healthy", async () => {
    const [, port = ""] = await service.says(/Metaction answers on http:\/\/localhost:(\d+)/);
    await service.says(/http:\/\/localhost:\d+\/first-run#secret=/);
    const check = async (at: string): Promise<unknown> => {
      const [program = "", ...args] = image.healthCheck;
      const env = { ...process.env, ...image.environment, PORT: at };
      return promisify(execFile)(program, args, { env }).then(
        () => "healthy",
        ({ code }) => code,
      );
    };
    expect(await check(port)).toBe("healthy");
    expect(await service.end("SIGTERM")).toBe(0);
    expect(await check(port)).toBe(1);
    expect(await readdir(join(image.root, "data"))).toContain("metaction.db");
  });
});

describe("compose.yaml", () => {
  const last = stages.at(-1)?.instructions ?? [];
  const textOf = (name: string) => last.find((one) => one.name === name)?.text ?? "";

  test("uses the volume of the image, publishes its port on this machine only, and gives no privileges", async () => {
    const { services, volumes } = parse(await readFile(join(ROOT, "packaging/compose.yaml"), "utf8"));
    const [[name, service] = []] = Object.entries<Record<string, unknown>>(services);
    expect(Object.keys(services)).toEqual([name]);
    const [path] = JSON.parse(textOf("VOLUME"));
    expect(service?.volumes).toEqual(Object.keys(volumes).map((volume) => `${volume}:${path}`));
    expect(service?.ports).toEqual([`127.0.0.1:${textOf("EXPOSE")}:${textOf("EXPOSE")}`]);
    expect(textOf("ENV")).toContain(`PORT=${textOf("EXPOSE")}`);
    expect(service).toMatchObject({
      build: { context: "..", dockerfile: "packaging/Dockerfile" },
      read_only: true,
      cap_drop: ["ALL"],
    });
  });
});
