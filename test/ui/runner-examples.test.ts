import { expect, test } from "vitest";
import { type OpenApiDocument, parseDescription } from "../../ui/api/description.ts";
import { createForm } from "../../ui/screens/runner/form/field.ts";
import { ACTIONS } from "../support/actions.ts";
import { stepsTo } from "../web/support/filling.ts";
import { useApplication } from "./support/application.ts";
import { LONG } from "./support/patience.ts";
import { doStep, openByPalette, sentByRun } from "./support/runner.ts";

const application = useApplication();

test("every action of the registry runs once from its form, which sends the example", LONG, async () => {
  // Most examples name what this store does not have; they are sent all the same.
  application.expectComplaint(/^answer: 4\d\d POST \/api\//);
  const answer = await fetch(`${application.service.url}/api`);
  const { actions, schemas } = parseDescription((await answer.json()) as OpenApiDocument);
  expect([...actions.keys()].toSorted()).toEqual(ACTIONS.map(({ group, name }) => `${group}/${name}`).toSorted());

  const page = await application.open("/actions");
  const loads = { count: 0 };
  page.on("load", () => loads.count++);
  const wrong: string[] = [];
  for (const [ref, { input, example }] of actions) {
    await openByPalette(page, ref);
    for (const step of stepsTo(createForm(input, schemas), example)) await doStep(page, step);
    const sent: unknown = (await sentByRun(page, ref)).postDataJSON();
    if (JSON.stringify(sent) !== JSON.stringify(example))
      wrong.push(`${ref} sent ${JSON.stringify(sent)}, not ${JSON.stringify(example)}`);
  }
  expect(wrong).toEqual([]);
  // All of it in one page.
  expect(loads.count).toBe(0);
});
