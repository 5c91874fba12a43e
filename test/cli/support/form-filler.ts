/** Follows redirects with cookies and submits forms, or cancels without answers; returns the last page's text. */
export async function fillForms(start: string, answers?: Readonly<Record<string, string>>): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  let form: URLSearchParams | undefined;
  for (let pages = 0; pages < 20; pages++) {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form && { method: "POST", body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const page = await response.text();
    const location = response.headers.get("location");
    form = undefined;
    if (location !== null) {
      url = new URL(location, url);
      continue;
    }
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    if (action === undefined) return page;
    const [, cancel] = / href="([^"]+\/abort)"/.exec(page) ?? [];
    if (answers === undefined && cancel !== undefined) {
      url = new URL(cancel, url);
      continue;
    }
    url = new URL(action, url);
    form = new URLSearchParams();
    for (const [input] of page.matchAll(/<input[^>]*>/g)) {
      const [, name = ""] = / name="([^"]*)"/.exec(input) ?? [];
      form.set(name, / value="([^"]*)"/.exec(input)?.[1] ?? answers?.[name] ?? "");
    }
  }
  throw new Error(`no end of pages at ${url}`);
}
