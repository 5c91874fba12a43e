import { expect } from "vitest";
import { Problem } from "../../../../shared/domain/problems.ts";
import { type GrantFixture, send } from "./fixture.ts";
import { type Bearer, heldByBearer } from "./model.ts";
import { compareModels } from "./permission-checks.ts";
import { tokenProblems } from "./refusals.ts";
import { whoamiRow } from "./rows.ts";
import { comparable } from "./rules.ts";

/** Holds what the service says of bearers, and lets `some` of them do, against the model. */
export async function compare(
  scene: GrantFixture,
  bearers: readonly Bearer[],
  some: number,
  after: string,
): Promise<void> {
  const { cast, accounts, chance, tally } = scene;
  const shown = bearers.filter(({ token }, i) => !accounts.ended.has(token) || i >= bearers.length - 4);
  await Promise.all(
    shown.map(async (bearer) => {
      const held = heldByBearer(accounts, bearer);
      const said = await send(scene, bearer, { action: "whoami", payload: {} });
      const where = `${bearer.label} after ${after}`;
      if (said instanceof Problem) expect(tokenProblems(accounts, bearer), where).toContain(said.code);
      else {
        // Written by the service, so its members are looked into without types.
        const body = said.body as Parameters<typeof comparable>[0];
        expect({ ...body, ...comparable(body) }, where).toEqual(held && whoamiRow(accounts, bearer, held));
      }
      tally.compared += 1;
    }),
  );
  const able = bearers.filter((bearer) => heldByBearer(accounts, bearer));
  for (const bearer of able.length > 0 ? Array.from({ length: some }, () => chance.pick(able)) : []) {
    const held = heldByBearer(accounts, bearer);
    const where = `${bearer.label} after ${after}`;
    if (held) tally.compared += await compareModels(cast, held, bearer.token, where);
  }
}
