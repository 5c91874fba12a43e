import type { ServerResponse } from "node:http";
import { serve } from "../../formats/source-server.ts";

/** Controls that a terminal obeys: title, colour, empty screen (ESC and C1), text direction, a step back. */
export const OBEYED = "\u001b]0;owned\u0007\u001b[31m\u001b[1m\u009b2J\u202e\u2066\u200f\u061c\r\u0008\u007f\u0000";

const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const members = { id, key: `k${OBEYED}`, name: OBEYED, [`m${OBEYED}`]: [OBEYED, { key: OBEYED }], version: "1.0.0" };
const side = { modelKey: OBEYED, modelVersion: "1.0.0", modelAuthority: "system" };

const difference = { objectType: OBEYED, status: "MODIFIED", impact: "breaking" };

/** Bodies by action; each text holds controls that a terminal obeys. */
const BODIES: Readonly<Record<string, unknown>> = {
  "model/model_list": [members, { ...members, text: `two\nlines\t${OBEYED}` }],
  "model/model_get": members,
  "model/model_compare": {
    ...{ left: side, right: side, breaking: 1, additive: 0, cosmetic: 0 },
    entries: [{ ...difference, entityKey: OBEYED, members: [OBEYED], reasons: [OBEYED] }],
    likelyRenames: [
      { objectType: "entity", from: [OBEYED], to: OBEYED, confidence: 1, reason: OBEYED, declaredBy: "renamedFrom" },
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
  ...{ type: "about:blank", title: OBEYED, status: 409, code: "conflict", retryable: false },
  detail: `${OBEYED}\nSigned in.`,
  errors: ["a", "b"].map((name) => ({ pointer: `/${name}${OBEYED}`, detail: OBEYED })),
  changesSince: [{ revision: 1, time: OBEYED, actions: [OBEYED], objects: [OBEYED] }],
};

/** Starts a copy of a service with controls in every text; as an OIDC provider, it refuses every sign-in. */
export async function startHostileService(serviceUrl: string) {
  const api = spoilt(await (await fetch(`${serviceUrl}/api`)).json());
  const refusal = { error: "access_denied", error_description: OBEYED };
  const { port, close } = await serve((request, response) => {
    request.resume();
    const { pathname, searchParams } = new URL(request.url ?? "/", url);
    const action = pathname.replace(/^\/(api\/?)?/, "");
    response.setHeader("x-request-id", "r\u009b2J");
    response.setHeader("link", '</x?cursor=%1B%5B31m%C2%9B>; rel="next"');
    switch (action) {
      case "":
        return answer(response, 200, api);
      case ".well-known/openid-configuration":
        return answer(response, 200, {
          ...{ issuer: url, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` },
          ...{ response_types_supported: ["code"], code_challenge_methods_supported: ["S256"] },
        });
      case "authorize": {
        const back = new URL(searchParams.get("redirect_uri") ?? "");
        back.search = String(new URLSearchParams({ ...refusal, state: searchParams.get("state") ?? "" }));
        return void response.writeHead(302, { location: back.href }).end();
      }
      case "token":
        return answer(response, 400, refusal, "application/json");
      case "config/inspect_config_text":
        return void response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(OBEYED);
    }
    const body = BODIES[action];
    if (body === undefined) answer(response, 409, PROBLEM, "application/problem+json");
    else answer(response, action === "model/model_copy" ? 202 : 200, body);
  });
  const url = `http://127.0.0.1:${port}`;
  return { url, body: (action: string): unknown => BODIES[action], close };
}

function answer(response: ServerResponse, status: number, body: unknown, type = "application/json") {
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
