import { createServer, type ServerResponse } from "node:http";

/**
 * The controls that a terminal obeys: a new title, a colour, an empty screen (by ESC and by a C1 control), text from
 * right to left, a step back.
 */
export const OBEYED = "\u001b]0;owned\u0007\u001b[31m\u001b[1m\u009b2J\u202e\u2066\u200f\u061c\r\u0008\u007f\u0000";

const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const members = { id, key: `k${OBEYED}`, name: OBEYED, [`m${OBEYED}`]: [OBEYED, { key: OBEYED }], version: "1.0.0" };
const side = { modelKey: OBEYED, modelVersion: "1.0.0", modelAuthority: "system" };

/** Bodies by action; each text holds controls that a terminal obeys. */
const BODIES: Readonly<Record<string, unknown>> = {
  "model/model_list": [members, { ...members, text: `two\nlines\t${OBEYED}` }],
  "model/model_get": members,
  "model/model_compare": {
    left: side,
    right: side,
    breaking: 1,
    additive: 0,
    cosmetic: 0,
    entries: [
      {
        objectType: OBEYED,
        status: "MODIFIED",
        impact: "breaking",
        entityKey: OBEYED,
        members: [OBEYED],
        reasons: [OBEYED],
      },
    ],
  },
  "model/model_copy": { status: "accepted", job: `id:${id}` },
  "batch/job_get": {
    id,
    state: "failed",
    progress: { done: OBEYED, total: OBEYED },
    problem: { code: OBEYED, detail: OBEYED },
  },
};

const PROBLEM = {
  ...{
    type: "about:blank",
    title: OBEYED,
    status: 409,
    detail: `${OBEYED}\nSigned in.`,
    code: "conflict",
    retryable: false,
  },
  errors: ["a", "b"].map((name) => ({ pointer: `/${name}${OBEYED}`, detail: OBEYED })),
  changesSince: [{ revision: 1, time: OBEYED, actions: [OBEYED], objects: [OBEYED] }],
};

/**
 * A service whose every text holds controls that a terminal obeys; it describes itself as the service at `url` does,
 * with the controls in those texts too.
 */
export async function startHostileService(url: string) {
  const api = spoilt(await (await fetch(`${url}/api`)).json());
  const server = createServer((request, response) => {
    request.resume();
    const action = request.url?.replace(/^\/api\/?/, "") ?? "";
    response.setHeader("x-request-id", "r\u009b2J");
    response.setHeader("link", '</x?cursor=%1B%5B31m%C2%9B>; rel="next"');
    if (action === "") return answer(response, 200, api);
    if (action === "config/inspect_config_text") {
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(OBEYED);
      return;
    }
    const body = BODIES[action];
    if (body === undefined) answer(response, 409, PROBLEM);
    else answer(response, action === "model/model_copy" ? 202 : 200, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    body: (action: string): unknown => BODIES[action],
    close: () => server.close(),
  };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  const type = status < 400 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "content-type": type }).end(JSON.stringify(body));
}

/** The texts for people of a description, each with controls that a terminal obeys. */
function spoilt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spoilt);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    const isText = typeof inner === "string" && (name === "description" || name === "summary");
    return [name, isText ? inner.replace(" ", ` ${OBEYED} `) : spoilt(inner)];
  });
  return Object.fromEntries(entries);
}
