import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve } from "../formats/source-server.ts";
import { type IssuerServer, startIssuerServer } from "../identity/support/issuer-server.ts";
import { createSigner } from "../identity/support/token-signer.ts";
import { becomeAdministrator, startProcess } from "../support/local-process.ts";
import { runProgram } from "../support/run-program.ts";
import { createFolder, writeInto } from "../support/temporary-folder.ts";

const signer = createSigner("key-1", "RS256");
let provider: IssuerServer;
beforeAll(async () => {
  provider = await startIssuerServer([signer.jwk]);
});
afterAll(() => provider.stop());

async function fileOf(content: unknown) {
  const folder = createFolder();
  return { folder, file: await writeInto(folder, "issuers.json", content) };
}

function tokenFor(audience: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.issuer, sub: "ada", aud: audience, groups: ["stewards"], iat: now, exp: now + 600 };
  return signer.token({ ...claims, name: "Ada Lovelace" });
}

describe("npm start with METACTION_ISSUERS", () => {
  test("accepts the tokens of an issuer in the file, beside its own", async () => {
    const rights = { rolesClaim: "groups", roles: { stewards: "reader" } };
    const entry = { issuer: provider.issuer, audiences: ["metaction"], ...rights };
    const { folder, file } = await fileOf({ issuers: [entry] });
    const service = await startProcess(join(folder, "data"), { METACTION_ISSUERS: file });
    const admin = await becomeAdministrator(service);
    expect((await service.call("auth/whoami", {}, admin)).status).toBe(200);
    expect(await service.call("auth/whoami", {}, tokenFor("metaction"))).toMatchObject({
      status: 200,
      body: { issuer: provider.issuer, sub: "ada", fullname: "Ada Lovelace", permissions: ["model_read"] },
    });
    expect((await service.call("auth/whoami", {}, tokenFor("another"))).status).toBe(401);
    await service.interrupt();
  });

  test("permits the pages of the providers at which a browser signs in, and lists them", async () => {
    const signIn = { clientId: "web", label: "Acme", scopes: ["openid"], origins: ["https://tokens.example"] };
    const entry = { issuer: provider.issuer, audiences: ["metaction"], signIn };
    const elsewhere = { issuer: "https://machines.example", audiences: ["metaction"] };
    const { folder, file } = await fileOf({ issuers: [entry, elsewhere] });
    const service = await startProcess(join(folder, "data"), { METACTION_ISSUERS: file, METACTION_UI: "on" });
    const policy = (await fetch(service.url)).headers.get("content-security-policy");
    expect(policy).toContain(`; connect-src 'self' ${new URL(provider.issuer).origin} https://tokens.example; `);
    const { origins, ...shown } = signIn;
    expect((await service.call("config/sign_in_options")).body).toEqual({
      passwordIssuer: "urn:metaction:users",
      firstRun: true,
      issuers: [{ issuer: provider.issuer, ...shown }],
    });
    await service.interrupt();
  });

  test("does not start with the service itself as an issuer", async () => {
    // The port of a server that was closed.
    const { port, close } = await serve(() => undefined);
    await close();
    const PORT = String(port);
    const issuer = `http://127.0.0.1:${PORT}`;
    const { folder, file } = await fileOf({ issuers: [{ issuer, audiences: ["metaction"] }] });
    const said = `METACTION_ISSUERS cannot be used. issuers[0].issuer is "${issuer}", the service itself, which needs no entry; remove it.\n`;
    const settings = { PORT, METACTION_DATA_DIR: folder, METACTION_ISSUERS: file };
    expect(await runProgram("local/main.js", settings)).toEqual({ code: 2, out: "", said });
  });

  test.each([
    ["{", "", ' cannot be used. The text is not JSON; give { "issuers": [ ... ] }.\n'],
    ['{"issuers":1}', "", " cannot be used. issuers is 1; give a list of issuers.\n"],
    ["no file", "no/such.json", "=no/such.json cannot be read (ENOENT); name a file with the JSON of the issuers.\n"],
  ])("does not start with %s", async (text, path, reason) => {
    const { folder, file } = await fileOf(text);
    const settings = { METACTION_DATA_DIR: folder, METACTION_ISSUERS: path || file };
    const said = `METACTION_ISSUERS${reason}`;
    expect(await runProgram("local/main.js", settings)).toEqual({ code: 2, out: "", said });
  });
});
