import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { handle } from "../../../shared/http/handle.ts";
import { listAudit } from "../../../shared/store/accounts/audit-list.ts";
import { toAuditItem } from "../../../shared/store/commit/account-writes.ts";
import { auditKey } from "../../../shared/store/table/keys.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { entries } from "../../actions/support/audit-entries.ts";
import { expectFaults, newKey, useWorld } from "../../actions/support/checked-world.ts";
import { createChance, seedOf } from "../../support/chance.ts";
import { ISSUER } from "../../support/issuer.ts";
import { realRuntime, runtimeAt } from "../../support/runtime.ts";
import { freshTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { putItems } from "../support/check-model.ts";

const world = useWorld();

const SEED = seedOf("audit list");

const NOW = "2026-11-22T12:00:00.000Z";
const DAY = 86_400_000;

describe("auth/audit_list", () => {
  test("answers the same entries as a full scan, for any filter and page size", async () => {
    const { next, happens, below, pick } = createChance(SEED);
    const world = await createWorld({ runtime: runtimeAt(NOW) });
    const actors = [realRuntime.newId(), realRuntime.newId(), realRuntime.newId()];
    const acts = ["auth/login", "auth/user_create", "admin:reopen"];
    const start = Date.parse(NOW);
    const items = Array.from({ length: 400 }, () => {
      const age = happens(0.3) ? next() * DAY : next() * 430 * DAY;
      const id = pick(actors);
      const actor = happens(0.8) ? { actor: { id, subject: id.slice(0, 8) } } : {};
      const fields = { act: pick(acts), outcome: pick(["ok", "refused"] as const), ...actor };
      return toAuditItem(auditKey(new Date(start - Math.floor(age)).toISOString(), realRuntime.newId()), fields);
    });
    await putItems(world.table, items);
    const living = items
      .filter(({ expiresAt }) => Number(expiresAt) * 1000 >= start)
      .sort((a, b) => (a.sk < b.sk ? 1 : -1));
    for (let round = 0; round < 40; round++) {
      const moment = () => new Date(start - Math.floor(next() * 430 * DAY)).toISOString();
      const filter = {
        ...(happens(0.3) && { actorId: pick(actors) }),
        ...(happens(0.3) && { act: pick(acts) }),
        ...(happens(0.3) && { outcome: pick(["ok", "refused"]) }),
        ...(happens(0.4) && { from: pick([moment(), pick(items).sk.slice(0, 24)]) }),
        ...(happens(0.4) && { until: pick([moment(), pick(items).sk.slice(0, 24)]) }),
        ...(happens(0.7) && { limit: 1 + below(60) }),
      };
      const wanted = living.filter(({ sk, actor, act, outcome }) => {
        const { actorId = undefined, from = "", until = "9" } = filter as Record<string, string | undefined>;
        return (
          (actorId === undefined || (actor as { id: string } | undefined)?.id === actorId) &&
          (filter.act === undefined || act === filter.act) &&
          (filter.outcome === undefined || outcome === filter.outcome) &&
          sk.slice(0, 24) >= from &&
          sk.slice(0, 24) < until
        );
      });
      const listed = (await entries(world, filter)).map(({ id }) => id);
      expect(listed, `seed ${SEED}, ${JSON.stringify(filter)}`).toEqual(wanted.map(({ sk }) => sk));
    }
  });

  test("has no cursor on the last page, and one on a full page before it", async () => {
    const world = await createWorld({ runtime: runtimeAt(NOW) });
    const times = [1, 2, 3, 4].map((day) => `2026-11-0${day}T00:00:00.000Z`);
    const login = { act: "auth/login", outcome: "ok" } as const;
    const items = times.map((time) => toAuditItem(auditKey(time, "x"), login));
    await putItems(world.table, items);
    const [a, b, c, d] = times.map((time) => ({ time }));
    const first = await world.answer("auth/audit_list", { limit: 2 });
    expect(first.body).toMatchObject({ items: [d, c] });
    const last = await world.answer("auth/audit_list", { limit: 2, cursor: first.next });
    expect(last.body).toMatchObject({ items: [b, a] });
    expect(last.next).toBeUndefined();
  });

  test("reads auditScanned entries and then answers a cursor, also without a match", async () => {
    const world = await createWorld({ runtime: runtimeAt(NOW) });
    const at = (i: number) => new Date(Date.parse(NOW) - i * 60_000).toISOString();
    const entry = (i: number, act: string) => toAuditItem(auditKey(at(i), "x"), { act, outcome: "ok" });
    const many = Array.from({ length: 2 * LIMITS.auditScanned }, (_, i) => entry(i + 1, "auth/login"));
    await putItems(world.table, [...many, entry(many.length + 1, "auth/role_create")]);
    const first = await world.answer("auth/audit_list", { act: "auth/role_create" });
    expect(first).toMatchObject({ body: { items: [] }, next: expect.any(String) });
    const second = await world.answer("auth/audit_list", { act: "auth/role_create", cursor: first.next });
    expect(second).toMatchObject({ body: { items: [] }, next: expect.any(String) });
    const third = await world.answer("auth/audit_list", { act: "auth/role_create", cursor: second.next });
    expect(third.body).toMatchObject({ items: [{ time: at(many.length + 1) }] });
    expect(third.next).toBeUndefined();
    const whole = await world.answer("auth/audit_list", { from: at(LIMITS.auditScanned + 1), until: at(2) });
    expect((whole.body as { items: unknown[] }).items).toHaveLength(LIMITS.auditScanned - 1);
    expect(whole.next).toBeUndefined();
  }, 60_000);

  test("answers entries for auditDays, even if the table still has older ones", async () => {
    const runtime = runtimeAt(NOW);
    const world = await createWorld({ runtime });
    await putItems(world.table, [toAuditItem(auditKey(NOW, "x"), { act: "auth/login", outcome: "ok" })]);
    runtime.advance(LIMITS.auditDays * DAY);
    // Tokens expire long before audit entries.
    const { audit } = world.service.ports(Number.POSITIVE_INFINITY);
    const seen = async () => (await audit.list({ act: "auth/login" }, {})).items.length;
    expect(await seen()).toBe(1);
    runtime.advance(1_000);
    expect(await seen()).toBe(0);
  });

  test.each([
    [{ from: "yesterday" }, "/from"],
    [{ from: "2026-02-30" }, "/from"],
    [{ until: "2026-11-22T10:00:00" }, "/until"],
    [{ until: "2026-11-22T25:00:00Z" }, "/until"],
    [{ act: "login" }, "/act"],
    [{ outcome: "maybe" }, "/outcome"],
    [{ actorId: "ada" }, "/actorId"],
    [{ cursor: Buffer.from("2026").toString("base64url") }, "/cursor"],
    [{ cursor: Buffer.from("9999-99-99T99:99:99.999Z#x").toString("base64url") }, "/cursor"],
  ])("refuses %j", async (payload, pointer) => expectFaults(await world.refused("auth/audit_list", payload), pointer));

  test("accepts a date, a time with a zone, and an empty range", async () => {
    for (const until of ["2026-02-22", "2026-02-22T10:00+02:00", "0001-01-01"])
      expect((await world.read("auth/audit_list", { from: "2026-01-01T00:00:00Z", until })).items).toEqual([]);
  });

  test("reads no more months than it keeps, for far points in time", async () => {
    const inner = await freshTable();
    let queries = 0;
    const table: Table = { ...inner, query: (range) => inner.query(range).finally(() => queries++) };
    const asked = { from: "0001-01-01T00:00:00.000Z", until: "9999-01-01T00:00:00.000Z" };
    expect(await listAudit(table, runtimeAt(NOW), asked, {})).toEqual({ items: [] });
    expect(queries).toBe(14);
  });
});

describe("a list as newline-delimited JSON", () => {
  const get = async (path: string, query: string, accept: string) => {
    const { service, people } = world;
    const headers = { authorization: `Bearer ${people.admin}`, accept };
    const began = realRuntime.now();
    const none = { body: undefined, source: {} };
    const request = { method: "GET", path, query, headers, ...none, requestId: "r", began, deadline: began + 10_000 };
    return handle(request, service, { publicUrl: ISSUER, corsOrigins: [], log: () => undefined });
  };

  test.each([
    "application/x-ndjson",
    "application/json;q=0.5, application/x-ndjson",
  ])("has a row of the audit log on each line for Accept: %s, and a link to the next page", async (accept) => {
    for (const key of [newKey("role"), newKey("role"), newKey("role")])
      await world.run("auth/role_create", { key, name: "N" });
    const { items } = await world.run("auth/audit_list", { limit: 2 });
    const { status, headers, body } = await get("/api/auth/audit_list", "limit=2", accept);
    expect({ status, type: headers["content-type"] }).toEqual({ status: 200, type: "application/x-ndjson" });
    expect(headers.link).toMatch(/limit=2&cursor=[^>]+>; rel="next"$/);
    const lines = String(body).split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => JSON.parse(line))).toEqual(items);
  });

  test("is JSON if both are equally acceptable, and available for every list", async () => {
    for (const accept of ["*/*", "application/*", "application/json, application/x-ndjson"])
      expect((await get("/api/auth/audit_list", "", accept)).headers["content-type"]).toBe("application/json");
    const key = newKey();
    await world.run("model/model_create", { key, name: "M" });
    const models = await get("/api/model/model_list", "", "application/x-ndjson");
    expect(String(models.body)).toContain(`"key":"${key}"`);
    expect(String(models.body).startsWith("{")).toBe(true);
    expect((await get("/api/auth/whoami", "", "application/x-ndjson")).status).toBe(406);
  });
});
