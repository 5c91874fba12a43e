import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSecurityHeaders } from "../../local/web/static-files.ts";
import { serve } from "../formats/source-server.ts";
import { useApplication } from "./support/application.ts";

const application = useApplication();

const ELSEWHERE = "http://127.0.0.1:9";

/** Something that a script in a page tries, the directive that forbids it, and what is told to be blocked. */
type Attempt = readonly [what: string, directive: string, blocked: string | RegExp, script: string];

const append = (tag: string, members: string) =>
  `document.body.append(Object.assign(document.createElement("${tag}"), ${members}))`;

const FORBIDDEN: readonly Attempt[] = [
  ["a script in the page", "script-src-elem", "inline", append("script", `{ textContent: "globalThis.ran = 1" }`)],
  [
    "a handler in an attribute",
    "script-src-attr",
    "inline",
    `document.body.insertAdjacentHTML("beforeend", '<img src="/none.svg" onerror="globalThis.ran = 1">')`,
  ],
  ["an address that is a script", "script-src-elem", "inline", `location.href = "javascript:globalThis.ran = 1"`],
  ["eval", "script-src", "eval", `(0, eval)("globalThis.ran = 1")`],
  ["a function made of a text", "script-src", "eval", `new Function("globalThis.ran = 1")()`],
  ["a script of another origin", "script-src-elem", ELSEWHERE, append("script", `{ src: "${ELSEWHERE}/x.js" }`)],
  ["a script in an address", "script-src-elem", "data", append("script", `{ src: "data:text/javascript,ran=1" }`)],
  [
    "a script made by a script",
    "script-src-elem",
    "blob",
    append("script", `{ src: URL.createObjectURL(new Blob(["globalThis.ran = 1"])) }`),
  ],
  [
    "a worker made by a script",
    "worker-src",
    "blob",
    `try { new Worker(URL.createObjectURL(new Blob(["postMessage(1)"]))) } catch {}`,
  ],
  ["a call of another origin", "connect-src", ELSEWHERE, `fetch("${ELSEWHERE}/x").catch(() => undefined)`],
  ["a beacon to another origin", "connect-src", ELSEWHERE, `navigator.sendBeacon("${ELSEWHERE}/x", "told")`],
  ["an image of another origin", "img-src", ELSEWHERE, append("img", `{ src: "${ELSEWHERE}/x.png" }`)],
  [
    "an image of another origin in a style",
    "img-src",
    ELSEWHERE,
    `document.body.setAttribute("style", "background: url(${ELSEWHERE}/x.png)")`,
  ],
  [
    "a style sheet of another origin",
    "style-src-elem",
    ELSEWHERE,
    append("link", `{ rel: "stylesheet", href: "${ELSEWHERE}/x.css" }`),
  ],
  [
    "a font of another origin",
    "font-src",
    ELSEWHERE,
    `new FontFace("x", "url(${ELSEWHERE}/x.woff2)").load().catch(() => undefined)`,
  ],
  ["a film", "media-src", ELSEWHERE, append("video", `{ src: "${ELSEWHERE}/x.mp4" }`)],
  ["a plug-in", "object-src", ELSEWHERE, append("object", `{ data: "${ELSEWHERE}/x.swf" }`)],
  ["a frame", "frame-src", ELSEWHERE, append("iframe", `{ src: "${ELSEWHERE}/" }`)],
  ["another base for addresses", "base-uri", ELSEWHERE, append("base", `{ href: "${ELSEWHERE}/" }`)],
  [
    "a form that the browser sends",
    "form-action",
    /./,
    `(() => { const form = document.createElement("form"); document.body.append(form); form.submit(); })()`,
  ],
];

describe("the browser prevents a page from loading or executing", () => {
  test.each(FORBIDDEN)("%s", async (_, directive, blocked, script) => {
    const told = typeof blocked === "string" ? blocked.replaceAll(".", "\\.") : ".";
    application.expectComplaint(new RegExp(`^policy: ${directive} forbids ${told}`));
    // The browser says the same in its own words.
    application.expectComplaint(/^(?:console|exception): .*Content Security Policy/);
    const page = await application.open("/sign-in", { token: null });
    // In a task of its own: what the debugger evaluates itself may do more.
    await page.evaluate(`new Promise((resolve) => {
      addEventListener("securitypolicyviolation", () => setTimeout(resolve), { once: true });
      setTimeout(() => { ${script} });
    })`);
    await expect.poll(() => page.evaluate("globalThis.ran")).toBeUndefined();
  });

  test("one case for each directive of the policy, and for those of the default", () => {
    const named = (createSecurityHeaders([])["content-security-policy"] ?? "")
      .split("; ")
      .map((one) => one.split(" ")[0]);
    const tried = new Set(FORBIDDEN.map(([, directive]) => directive.replace(/-(elem|attr)$/, "")));
    // A page that frames this one tries the last of these; a manifest is fetched for the address bar alone.
    const others = ["default-src", "frame-ancestors", "manifest-src"];
    expect(named.filter((one) => !tried.has(one ?? "") && !others.includes(one ?? ""))).toEqual([]);
  });
});

test("the application's own needs are permitted: WebAssembly, styles, generated images", async () => {
  const page = await application.open("/sign-in", { token: null });
  const all = await page.evaluate(`(async () => {
    const shows = (src) => new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve(true);
      image.onerror = () => resolve(false);
      image.src = src;
    });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>';
    document.body.setAttribute("style", "outline-width: 3px; outline-style: solid");
    const wasm = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    return [
      wasm instanceof WebAssembly.Module,
      getComputedStyle(document.body).outlineWidth,
      await shows("data:image/svg+xml," + encodeURIComponent(svg)),
      await shows(URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))),
    ];
  })()`);
  expect(all).toEqual([true, "3px", true, true]);
});

test("no page of another origin shows the application in a frame", async () => {
  const { url } = application.service;
  const { port, close } = await serve((_, answer) => {
    answer.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><iframe src="${url}/sign-in"></iframe>`);
  });
  application.expectComplaint(/^request: GET .*\/sign-in net::ERR_BLOCKED_BY_RESPONSE/);
  const page = await application.open("/sign-in", { token: null });
  const told = page.waitForEvent("console", { predicate: (message) => /frame-ancestors/.test(message.text()) });
  await page.goto(`http://127.0.0.1:${port}`);
  await told;
  const [, frame] = page.frames();
  await expect.poll(() => frame?.evaluate("document.querySelector('#app')").catch(() => null)).toBeNull();
  await close();
});

test("the page on security explains every directive", () => {
  const page = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => /^\| `[a-z-]+-?[a-z]* /.test(line));
  const told = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, text]) => text));
  const directives = (createSecurityHeaders([])["content-security-policy"] ?? "").split("; ");
  expect(["default-src 'none'", ...told].sort()).toEqual([...directives].sort());
});
