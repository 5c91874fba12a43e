import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiProblem, createClient } from "../../client/create-client.ts";
import { commandLine } from "../cli/support/command.ts";

const asked: string[] = [];
let elsewhere: Server;
let status = 302;
let here: Server;

beforeAll(async () => {
  elsewhere = await serve((request, response) => {
    asked.push(`${request.method} ${request.headers.authorization}`);
    response.writeHead(200, { "content-type": "application/json" }).end('{"access_token":"x"}');
  });
  here = await serve((request, response) => {
    request.resume();
    response.writeHead(status, { location: `${urlOf(elsewhere)}${request.url}` }).end();
  });
});

afterAll(() => {
  for (const server of [here, elsewhere]) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: RequestListener): Promise<Server> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return server;
}

function urlOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

describe("a redirect is not followed, and the problem names its target", () => {
  test.each([301, 302, 303, 307, 308])("%i, of the client", async (given) => {
    status = given;
    const api = createClient({ url: urlOf(here), token: "secret" });
    for (const call of [api.auth.login({ username: "ada", password: "hush" }), api.model.model_list()]) {
      const problem = await call.then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(problem).toBeInstanceOf(ApiProblem);
      expect(problem).toMatchObject({ code: "unexpected_answer", status: given, retryable: false });
      expect(String(problem)).toContain(`redirects to ${urlOf(elsewhere)}/api/`);
    }
    expect(asked).toEqual([]);
  });

  test("of the command line, also when it reads the description of the service", async () => {
    const user = await commandLine(urlOf(here));
    const login = await user.run(["login", "--username=ada"], { stdin: "hush" });
    const list = await user.run(["model", "model_list", "--token=secret"]);
    for (const { code, stderr } of [login, list]) {
      expect(stderr).toContain(`redirects to ${urlOf(elsewhere)}/api`);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(code).toBe(1);
    }
    expect(asked).toEqual([]);
  });
});
