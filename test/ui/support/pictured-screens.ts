import type { Page } from "playwright-core";
import { LONG_KEY, LONG_MODEL, type Pictured } from "./pictured-service.ts";

/** What a picture is taken of. */
export interface Picture {
  readonly path: string;
  /** True where nobody is signed in. */
  readonly isForNobody?: boolean;
  /** Does what a person does before there is something to see. */
  readonly before?: (page: Page) => Promise<void>;
}

/** Lines of the longest error that is pictured. */
const FAULTS = 40;

/** A source in which every attribute has a type that there is not. */
const FAULTY = {
  resources: [
    { name: "r", schema: { fields: Array.from({ length: FAULTS }, (_, at) => ({ name: `f${at}`, type: at })) } },
  ],
};

/** Pastes a text into the editor of JSON that is open, and presses what it is for. */
async function pasteAndPress(page: Page, text: string, button: string): Promise<void> {
  await page.locator(".cm-content").first().fill(text);
  await page.locator(button).first().click();
  await page.getByRole("alert").first().waitFor();
}

/** Every screen by the name of its picture, those that are empty, long or refused among them. */
export function pictures({
  entityKey,
  attributeKey,
  relationshipKey,
  typeKey,
}: Pictured): Readonly<Record<string, Picture>> {
  const model = "/models/key:library";
  const entity = `${model}/entities/key:${entityKey}`;
  const long = `/models/key:${LONG_MODEL}`;
  const paths = {
    models: "/models",
    model,
    entity,
    attribute: `${entity}/attributes/key:${attributeKey}`,
    relationship: `${model}/relationships/key:${encodeURIComponent(relationshipKey)}`,
    type: `${model}/types/key:${typeKey}`,
    "model-tags": `${model}/tags`,
    diagram: `${model}/diagram`,
    history: `${model}/history`,
    compare: "/compare?left=key:library&leftAt=2.0.0&right=key:library",
    search: "/search?q=book",
    tags: "/tags",
    actions: "/actions",
    action: "/actions/model/entity_create",
    batch: "/batch",
    jobs: "/jobs",
    people: "/administration/people",
    roles: "/administration/roles",
    tokens: "/administration/tokens",
    properties: "/administration/properties",
    issuers: "/administration/issuers",
    audit: "/administration/audit",
    "empty-model": "/models/key:sales",
    "empty-diagram": "/models/key:sales/diagram",
    "empty-history": "/models/key:sales/history",
    "empty-compare": "/compare",
    "empty-search": "/search?q=nothingatall",
    "gone-model": "/models/key:nothing",
    "long-model": long,
    "long-entity": `${long}/entities/key:${LONG_KEY}`,
    "long-attribute": `${long}/entities/key:${LONG_KEY}/attributes/key:${LONG_KEY}`,
    "long-diagram": `${long}/diagram`,
    "long-history": `${long}/history`,
    "long-compare": `/compare?left=key:${LONG_MODEL}&leftAt=r1&right=key:${LONG_MODEL}`,
    "long-search": `/search?q=${LONG_KEY.slice(0, 20)}`,
    "long-tags": `${long}/tags`,
  };
  return {
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { path }])),
    "sign-in": { path: "/sign-in", isForNobody: true },
    "first-run": { path: "/first-run", isForNobody: true },
    "refused-import": {
      path: "/models?do=import",
      before: async (page) => {
        await page
          .getByRole("dialog")
          .getByText(/^Texte?$/)
          .click();
        await pasteAndPress(page, JSON.stringify(FAULTY), "[role=dialog] button:last-of-type >> nth=-1");
      },
    },
    "refused-action": {
      path: "/actions/model/entity_create",
      before: async (page) => {
        await page.locator("[data-run]").click();
        await page.locator("[data-ended]").waitFor();
      },
    },
  };
}
