import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { largeModel, shop } from "../diagram/support/diagram-models.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { DESKTOP, LOOKS, type Opening, useApplication } from "./support/application.ts";
import { drag, restingBox } from "./support/mouse-and-keyboard.ts";
import { visitsOf } from "./support/visits.ts";

const application = useApplication();
const { act } = application;
const DIAGRAM = "/models/key:shop/diagram";

beforeAll(async () => {
  await act("model/import", { content: shop });
  await act("model/import", { content: largeModel(60) });
});

async function openDiagram(path = DIAGRAM, opening?: Opening): Promise<Page> {
  const page = await application.open(path, opening);
  await page.locator(".react-flow__node").first().waitFor();
  return page;
}

const box = (page: Page, name: string) => page.getByLabel(new RegExp(`^Entity ${name},`));
const zoomOf = async (page: Page): Promise<number> =>
  Number(
    await page.evaluate(`new DOMMatrix(getComputedStyle(document.querySelector(".react-flow__viewport")).transform).a`),
  );
async function zoomOutBelow(page: Page, bound: number) {
  for (let scale = await zoomOf(page); scale >= bound; scale = await zoomOf(page)) {
    await page.getByRole("button", { name: "Zoom out" }).click();
    await expect.poll(() => zoomOf(page)).toBeLessThan(scale);
  }
}
const clear = (page: Page): Promise<number> => page.locator(".react-flow__node:not(.faded)").count();

describe("the diagram of a model", () => {
  test("draws entities with their rows, the number of hidden rows, and the lines between them", async () => {
    const page = await openDiagram();
    await expect.poll(() => page.locator(".react-flow__node").count()).toBe(6);
    await expect.poll(() => page.locator(".react-flow__edge").count()).toBe(7);
    await page.goto(`${application.service.url}${DIAGRAM}?entity=key:product`);
    await box(page, "product").getByText("10 more").waitFor();
    await expect.poll(() => box(page, "product").getByLabel("Part of the primary key").count()).toBe(1);
    await expect.poll(() => page.getByLabel(/^Relationship delivery with 3 roles/).count()).toBe(1);
  });

  test("is shown only once its scale is set", async () => {
    const page = await openDiagram("/models/key:large/diagram");
    await page.addInitScript(`globalThis.scales = [];
      const look = () => {
        const [node, viewport] = [".react-flow__node", ".react-flow__viewport"].map((one) => document.querySelector(one));
        if (!node || getComputedStyle(node).visibility !== "visible") return;
        scales.push(new DOMMatrix(getComputedStyle(viewport).transform).a);
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
      (function lookAgain() { look(); requestAnimationFrame(lookAgain); })()`);
    await page.reload();
    await page.locator(".react-flow__node").first().waitFor();
    await visitsOf(page).settled();
    await expect.poll(() => page.evaluate("[...new Set(scales)]")).toEqual([await zoomOf(page)]);
  });

  test("hides attributes, then names, as it gets smaller", async () => {
    const page = await openDiagram(`${DIAGRAM}?entity=key:customer`);
    await box(page, "Customer").getByText("referrer_id").waitFor();
    await zoomOutBelow(page, 0.6);
    await expect.poll(() => box(page, "Customer").getByText("referrer_id").count()).toBe(0);
    await expect.poll(() => box(page, "Customer").getByText("Customer").count()).toBe(1);
    await zoomOutBelow(page, 0.3);
    await expect.poll(() => box(page, "Customer").getByText("Customer").count()).toBe(0);
    await expect.poll(() => box(page, "Customer").count()).toBe(1);
  });

  test("shows a chosen entity in the panel and in the address, and links to its relationships", async () => {
    const page = await openDiagram();
    await box(page, "order").click();
    const panel = page.getByRole("complementary", { name: "order", exact: true });
    await panel.getByText("placed_at").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("entity")).toBe("key:order");
    await panel.getByRole("button", { name: "places" }).click();
    await page.getByRole("complementary", { name: "places" }).getByText("customer.id = order.customer_id").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("relationship")).toBe("key:places");
    await page.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("");
  });

  test("shows name, roles and key pairs of a line under the pointer", async () => {
    const page = await openDiagram();
    await page.getByLabel(/^Relationship places from/).focus();
    await page.locator(".react-flow__edgelabel-renderer").getByText("id = customer_id").waitFor();
  });

  test("is limited to an entity and its neighbours, and back shows it whole", async () => {
    const page = await openDiagram(`${DIAGRAM}?entity=key:order_line`);
    await page.getByRole("button", { name: "Focus on this entity" }).click();
    await expect.poll(() => clear(page)).toBe(3);
    await page.getByText("+2", { exact: true }).click();
    await expect.poll(() => clear(page)).toBe(5);
    await expect.poll(() => new URL(page.url()).searchParams.get("distance")).toBe("2");
    await page.goBack();
    await expect.poll(() => page.locator(".react-flow__node.faded").count()).toBe(0);
  });

  test("is limited to the entities of a tag, in its colour", async () => {
    const page = await openDiagram();
    await page.getByRole("button", { name: "People" }).click();
    await expect.poll(() => clear(page)).toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get("tags")).toContain("key:people");
    await page.reload();
    await expect.poll(() => clear(page)).toBe(1);
  });

  test("finds an entity outside of the view, and moves there", async () => {
    const page = await openDiagram("/models/key:large/diagram");
    await expect.poll(() => zoomOf(page)).toBeLessThan(0.6);
    await page.getByPlaceholder("Find an entity").fill("entity_42");
    await page.getByRole("option", { name: "entity_42" }).click();
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(0.6);
    await box(page, "entity_42").getByText("attribute_0").waitFor();
    const { x, width } = await restingBox(box(page, "entity_42"));
    expect(Math.abs(x + width / 2 - DESKTOP.width / 2)).toBeLessThan(400);
  });
});

test("boxes that a user moved keep their position in this browser, until the diagram is arranged again", async () => {
  const page = await openDiagram();
  const arrange = page.getByRole("button", { name: "Arrange", exact: true });
  const placeNow = async (): Promise<string> =>
    /translate\([^)]*\)/.exec((await box(page, "note").getAttribute("style")) ?? "")?.[0] ?? "";
  const before = await placeNow();
  await expect.poll(() => arrange.isDisabled()).toBe(true);
  await drag(box(page, "note"), { x: 30, y: 12 }, ({ x, y }) => ({ x: x + 120, y: y + 60 }));
  await expect.poll(placeNow).not.toBe(before);
  const moved = await placeNow();
  await page.reload();
  await box(page, "note").waitFor();
  await expect.poll(placeNow).toBe(moved);
  await arrange.click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect.poll(placeNow).toBe(moved);
  await arrange.click();
  await page.getByRole("dialog").getByText("1 box that you moved").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Arrange" }).click();
  await expect.poll(placeNow).toBe(before);
});

test("the list of a diagram has the same content by keyboard only, and returns to the diagram", async () => {
  const page = await openDiagram();
  await page.getByRole("radio", { name: "List" }).focus();
  await page.keyboard.press("Space");
  await page.getByRole("article", { name: "order_line" }).getByText("amount").waitFor();
  await expect.poll(() => page.getByRole("article").count()).toBe(5);
  const product = page.getByRole("article", { name: /^product/ });
  await expect.poll(() => product.getByText("trait_19").count()).toBe(1);
  await page.getByRole("button", { name: "Show in the diagram: order_line" }).focus();
  await page.keyboard.press("Enter");
  await box(page, "order_line").waitFor();
  await page.getByRole("complementary", { name: "order_line" }).waitFor();
});

describe("export of a diagram", () => {
  async function exported(page: Page, item: string): Promise<{ readonly name: string; readonly content: Buffer }> {
    await page.getByRole("button", { name: "Export" }).click();
    const click = page.getByRole("menuitem", { name: item }).click();
    const [file] = await Promise.all([page.waitForEvent("download"), click]);
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
  }

  test("is an SVG file that another program reads, and a picture of it", async () => {
    const page = await openDiagram();
    const svg = await exported(page, "SVG file");
    expect(svg.name).toBe("shop-diagram.svg");
    const told = (await page.evaluate(
      `(() => {
        const read = new DOMParser().parseFromString(${JSON.stringify(svg.content.toString("utf8"))}, "image/svg+xml");
        return { root: read.documentElement.tagName, texts: [...read.querySelectorAll("text")].map((one) => one.textContent) };
      })()`,
    )) as { readonly root: string; readonly texts: readonly string[] };
    expect(told.root).toBe("svg");
    expect(told.texts).toEqual(expect.arrayContaining(["Customer", "order_line", "placed_at", "10 more"]));
    const png = await exported(page, "PNG picture");
    expect([png.name, png.content.subarray(1, 4).toString("latin1")]).toEqual(["shop-diagram.png", "PNG"]);
    expect(png.content.length).toBeGreaterThan(20_000);
  });
});

test("states of a diagram report a model without entities, a missing one, and one without permission", async () => {
  const none = { entities: [], relationships: [], localTags: [], tagGroups: [] };
  await act("model/import", { content: { ...shop, key: "bare", name: "Bare", ...none } });
  const bare = await application.open("/models/key:bare/diagram");
  await bare.getByText("No entities yet").waitFor();
  application.expectComplaint(/^answer: 404 POST \/api\/model\/model_export/);
  const gone = await application.open("/models/key:gone/diagram");
  await gone.getByRole("heading", { name: "Not found" }).waitFor();
});

describe("the diagram conforms to WCAG", () => {
  const views = [
    ...["", "?entity=key:customer", "?relationship=key:places", "?focus=key:note&tags=%5B%22key%3Apeople%22%5D"],
    "?view=list",
  ];
  test.each(LOOKS)("on a $device, $colorScheme", async ({ device: _, ...look }) => {
    for (const view of views) {
      const page = await application.open(DIAGRAM + view, look);
      await page.locator(".react-flow__node, article").first().waitFor();
      await expectAccessible(page);
      await page.close();
    }
  });
});
