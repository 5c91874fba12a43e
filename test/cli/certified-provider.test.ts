import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Provider } from "oidc-provider";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalProcess, startProcess } from "../support/local-process.ts";
import { commandLine } from "./support/command.ts";

const API = "https://metaction.example/api";
const SECRET = "a-secret-of-the-robot-client";

let server: Server;
let service: LocalProcess;
let issuer: string;

beforeAll(async () => {
  server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const client = { client_id: "robot", client_secret: SECRET, grant_types: ["client_credentials"] };
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [], response_types: [] }],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" }] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async () => ({
          audience: API,
          scope: "metadata",
          accessTokenTTL: 600,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  });
  server.on("request", provider.callback());
  const folder = await mkdtemp(join(tmpdir(), "metaction-certified-"));
  const issuers = join(folder, "issuers.json");
  await writeFile(issuers, JSON.stringify({ issuers: [{ issuer, audiences: [API], clientIds: ["robot"] }] }));
  service = await startProcess(folder, { METACTION_ISSUERS: issuers });
}, 60_000);

afterAll(async () => {
  await service.interrupt();
  server.close();
});

test("a program signs in at a certified provider, for the API, and is known to the service", async () => {
  const user = await commandLine(service.url);
  const login = ["login", `--issuer=${issuer}`, "--client-id=robot", "--client-secret=-"];
  const ended = await user.run([...login, `--resource=${API}`, "--scope=metadata"], { stdin: SECRET });
  expect(ended.stderr).toContain("Signed in to");
  expect(ended.code).toBe(0);
  const { stdout } = await user.run(["whoami"]);
  expect(JSON.parse(stdout)).toMatchObject({ issuer, sub: "robot", admin: false });
  const refused = await user.run(login, { stdin: "another" });
  expect(refused).toMatchObject({ code: 4, stdout: "" });
  expect(refused.stderr).toMatch(/did not sign you in: .+\n$/);
});
