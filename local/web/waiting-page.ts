import type { WebHeaders } from "../../functions/web/security-headers.ts";
import type { PlainResponse } from "../../shared/http/request.ts";

/** Seconds after which the page asks again. */
const AGAIN_SECONDS = 2;

/** The page that is shown until the web application is built; it loads itself again without a script. */
export function buildingPage(secured: WebHeaders): PlainResponse {
  return page(
    "Building the web application",
    "This takes some seconds at the first start and after an update. The page loads itself again; the API answers already.",
    { ...secured, refresh: String(AGAIN_SECONDS), "retry-after": String(AGAIN_SECONDS) },
  );
}

/** The page that is shown where the web application could not be built. */
export function failedPage(secured: WebHeaders): PlainResponse {
  return page(
    "The web application could not be built",
    "The terminal in which the service runs says why. The API answers; start the service again to build once more.",
    secured,
  );
}

function page(title: string, text: string, headers: WebHeaders): PlainResponse {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} - Metaction</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; margin: 20vh auto; max-width: 36em; padding: 0 16px }</style>
<h1>${title}</h1>
<p>${text}
</html>
`;
  return {
    status: 503,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      "cache-control": "no-store",
    },
    body,
  };
}
