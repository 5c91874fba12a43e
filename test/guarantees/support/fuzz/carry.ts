import fc from "fast-check";
import type { Action } from "../../../../shared/actions/contract/action.ts";
import { getAllParams } from "../../../../shared/actions/contract/action-parameters.ts";
import { LIMITS } from "../../../../shared/domain/limits.ts";
import type { PayloadJson } from "../payloads.ts";
import type { FuzzRequest } from "./exchange.ts";

/** The parts of a request that do not come from the payload. */
export type Around = Pick<FuzzRequest, "tries" | "headers" | "expected">;

const PLURALS: Readonly<Record<string, string>> = {
  model: "models",
  tag: "tags",
  auth: "auths",
  config: "configs",
  batch: "batches",
};

const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  'Application/JSON ; charset="utf-8"',
  "application/json;",
];

function pathsOf({ group, name }: Action): readonly string[] {
  const groups = [group, ...(PLURALS[group] ? [PLURALS[group]] : [])];
  return groups.flatMap((g) => [
    `/api/${g}/${name}`,
    `/api/actions/${g}/${name}`,
    `/api/${g}/%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
    `/%61pi/${g}/${name}`,
  ]);
}

/** The ways to say the same payload: in the query, in the body, in both, under old names, with values that mean nothing. */
export function carried(action: Action, payload: PayloadJson, around: Around): fc.Arbitrary<FuzzRequest> {
  const params = getAllParams(action);
  return fc
    .record({
      path: fc.constantFrom(...pathsOf(action)),
      place: fc.constantFrom("body", "body", "query", "both"),
      method: fc.constantFrom("POST", "GET"),
      contentType: fc.constantFrom(...CONTENT_TYPES),
      asBytes: fc.boolean(),
      plus: fc.boolean(),
      aliased: fc.boolean(),
      absent: fc.constantFrom(undefined, null, ""),
      accept: fc.constantFrom(undefined, "*/*", action.output.mediaType, `text/html, ${action.output.mediaType};q=0.1`),
      gzip: fc.boolean(),
      cut: fc.nat(),
    })
    .map((way): FuzzRequest => {
      const entries = Object.entries(payload).map(([name, value]) => {
        const old = way.aliased ? params[name]?.aliases[0] : undefined;
        const { secret = false, json } = params[name]?.type ?? {};
        return { name: old ?? name, value, secret, inQuery: json === "any" ? JSON.stringify(value) : value };
      });
      const open = entries.filter((entry) => !entry.secret);
      const count = way.place === "query" ? open.length : way.place === "both" ? way.cut % (open.length + 1) : 0;
      const asked = open.slice(0, count);
      const query = asked.map((one) => `${inQuery(one.name)}=${inQuery(one.inQuery, way.plus)}`).join("&");
      const fits = query.length <= LIMITS.queryBytes;
      const sent = entries.filter((entry) => !fits || !asked.includes(entry));
      const left = Object.entries(params).filter(
        ([name, p]) => !(name in payload) && !p.required && p.type.id !== "Location",
      );
      const nothing = way.absent === undefined ? [] : left.map(([name]): [string, unknown] => [name, way.absent]);
      const members = [...sent.map(({ name, value }): [string, unknown] => [name, value]), ...nothing];
      const body = members.length === 0 ? undefined : JSON.stringify(Object.fromEntries(members));
      return {
        ...around,
        method: way.method,
        target: fits && query !== "" ? `${way.path}?${query}` : way.path,
        headers: [
          ...around.headers,
          ...(body === undefined ? [] : [["content-type", way.contentType] as const]),
          ...(way.accept === undefined ? [] : [["accept", way.accept] as const]),
          ...(way.gzip ? [["accept-encoding", "gzip"] as const] : []),
        ],
        ...(body !== undefined && { body: way.asBytes ? Buffer.from(body) : body }),
        action,
        payload,
      };
    });
}

function inQuery(value: unknown, plus = false): string {
  const text = encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value));
  return plus ? text.replaceAll("%20", "+") : text;
}

/** A POST of a body to an action under its own path. */
export function posted(action: Action, body: string | Uint8Array, around: Around): FuzzRequest {
  const isTooLong = action.rule === "public" && Buffer.byteLength(body) > LIMITS.shortBodyBytes;
  return {
    ...around,
    ...(isTooLong && { expected: ["too_large"] }),
    method: "POST",
    target: `/api/${action.group}/${action.name}`,
    headers: [...around.headers, ["content-type", "application/json"]],
    body,
    action,
  };
}
