/** An answer that is kept to be shown again while its entity tag holds. */
interface Kept {
  readonly etag: string;
  readonly body: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** Characters of all bodies that are kept; the oldest go first. */
const MOST = 20_000_000;

/**
 * A `fetch` for reads that asks with `If-None-Match` whether an answer it kept still holds, and answers that one where the
 * service says 304. What is kept belongs to one access token.
 */
export function fetchByEtag(send: typeof fetch): typeof fetch {
  let kept = new Map<string, Kept>();
  let size = 0;
  let token: string | undefined;

  const keep = (name: string, one: Kept): void => {
    size -= kept.get(name)?.body.length ?? 0;
    kept.delete(name);
    kept.set(name, one);
    size += one.body.length;
    for (const [oldest, { body }] of kept) {
      if (size <= MOST) break;
      kept.delete(oldest);
      size -= body.length;
    }
  };

  return async (target, request) => {
    const headers = new Headers(request?.headers);
    const bearer = headers.get("authorization") ?? undefined;
    if (bearer !== token) {
      token = bearer;
      kept = new Map();
      size = 0;
    }
    const name = `${target} ${String(request?.body ?? "")}`;
    const known = headers.has("idempotency-key") || headers.has("dry-run") ? undefined : kept.get(name);
    if (known) headers.set("if-none-match", known.etag);
    const answer = await send(target, { ...request, headers });
    if (answer.status === 304 && known) {
      keep(name, known);
      const again = new Headers(known.headers.map(([n, v]) => [n, v]));
      // The call itself has a name of its own in the service's log.
      const requestId = answer.headers.get("x-request-id");
      if (requestId !== null) again.set("x-request-id", requestId);
      return new Response(known.body, { status: 200, headers: again });
    }
    const etag = answer.headers.get("etag");
    if (etag === null || answer.status !== 200 || headers.has("idempotency-key") || headers.has("dry-run"))
      return answer;
    const body = await answer.text();
    const all = [...answer.headers].filter(([header]) => header !== "content-encoding" && header !== "content-length");
    keep(name, { etag, body, headers: all });
    return new Response(body, { status: 200, headers: all });
  };
}
