import { afterAll, describe, expect, test } from "vitest";
import { ApiProblem, createClient } from "../../client/create-client.ts";
import { commandLine } from "../cli/support/command.ts";
import { serve } from "../formats/source-server.ts";

const asked: string[] = [];
let status = 302;
const elsewhere = await serve((request, response) => {
  asked.push(`${request.method} ${request.headers.authorization}`);
  response.writeHead(200, { "content-type": "application/json" }).end('{"access_token":"x"}');
});
const target = `http://127.0.0.1:${elsewhere.port}`;
const here = await serve((request, response) => {
  request.resume();
  response.writeHead(status, status === 300 ? {} : { location: `${target}${request.url}` }).end();
});
const url = `http://127.0.0.1:${here.port}`;
afterAll(() => Promise.all([here.close(), elsewhere.close()]));

describe("a redirect is not followed, and the problem names its target", () => {
  test.each([301, 302, 303, 307, 308])("%i, of the client", async (given) => {
    status = given;
    const api = createClient({ url, token: "secret" });
    for (const call of [api.auth.login({ username: "ada", password: "hush" }), api.model.model_list()]) {
      const problem = await call.then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(problem).toBeInstanceOf(ApiProblem);
      expect(problem).toMatchObject({ code: "unexpected_answer", status: given, retryable: false });
      expect(String(problem)).toContain(`redirects to ${target}/api/`);
    }
    expect(asked).toEqual([]);
  });

  test("if it has one", async () => {
    status = 300;
    await expect(createClient({ url, token: "secret" }).model.model_list()).rejects.toThrow(" redirects, and");
  });

  test("of the command line, also when it reads the description of the service", async () => {
    status = 308;
    const user = await commandLine(url);
    const login = await user.run(["login", "--username=ada"], { stdin: "hush" });
    const list = await user.run(["model", "model_list", "--token=secret"]);
    for (const { code, stderr } of [login, list]) {
      expect([code, stderr]).toEqual([1, expect.stringContaining(`redirects to ${target}/api`)]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
    }
    expect(asked).toEqual([]);
  });
});
