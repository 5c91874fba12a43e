import fc from "fast-check";

/** A whole HTTP message as bytes, with what it tries. */
export interface Message {
  readonly tries: string;
  readonly bytes: Uint8Array;
  /** True for what is no request, and for the one method that asks for something else than an answer. */
  readonly silent?: true;
}

/** The parts that messages are made of: where a call goes, who calls, and its JSON. */
export interface Parts {
  readonly path: string;
  readonly token: string;
  readonly body: string;
}

export function goodMessage({ path, token, body }: Parts): string {
  return [
    `POST ${path} HTTP/1.1`,
    "Host: metaction.example",
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

/** Messages in which one thing about the form is wrong, or odd. */
export function oddMessages({ path, token, body }: Parts): readonly Message[] {
  const good = goodMessage({ path, token, body });
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const auth = `Authorization: Bearer ${token}`;
  const type = "Content-Type: application/json";
  const chunk = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const post = `POST ${path} HTTP/1.1`;
  const all = [post, auth, type, length] as const;
  const raw = (tries: string, text: string): Message => ({
    tries,
    bytes: Buffer.from(text, "latin1"),
    ...(/^(\r\n)*$|^CONNECT /.test(text) && { silent: true }),
  });
  const lines = (tries: string, first: string, ...headers: string[]): Message =>
    raw(tries, [first, ...headers, "Connection: close", "", body].join("\r\n"));
  const asked = (tries: string, first: string, ...headers: string[]): Message =>
    raw(tries, [first, auth, ...headers, "Connection: close", "", ""].join("\r\n"));
  const inChunks = (tries: string, header: string, chunks = chunk): Message =>
    raw(tries, [post, auth, type, header, "", chunks].join("\r\n"));
  return [
    raw("nothing at all", ""),
    raw("an empty line", "\r\n"),
    raw("many empty lines", "\r\n".repeat(10_000)),
    raw("a word", "hello"),
    raw("zeros", "\0".repeat(1_000)),
    raw("a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
    raw("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    raw("HTTP/0.9", `GET ${path}\r\n`),
    raw("half a request line", `POST ${path}`),
    raw("half a header", `${post}\r\nHost: x\r\nX-Hal`),
    raw("no end of the headers", `${post}\r\nHost: x\r\n`),
    ...["HTTP/1.0", "HTTP/2.0", "HTTP/1.2", "HTTP/9.9", "http/1.1", "HTTP/1.1x", "HTTP/11", "HTP/1.1"].map((version) =>
      lines(`the version ${version}`, `POST ${path} ${version}`, auth, type, length),
    ),
    ...[
      ...["get", "G", "POST\t", "P\0ST", "BREW", "M-SEARCH", "PURGE", "CONNECT", "TRACE", "LINK", "QUERY"],
      "X".repeat(5_000),
    ].map((method) =>
      lines(`the method ${JSON.stringify(method.slice(0, 20))}`, `${method} ${path} HTTP/1.1`, auth, type, length),
    ),
    ...[
      "*",
      "metaction.example:80",
      `http://other.example${path}`,
      `https://x${path}`,
      ...["?", "#", " ", "\x80\xff", "/\0", "//", "../..", "/a b"],
      `${path}#x`,
      `${path}?a=\xe9`,
      `${path}?\x01`,
      `/${"a".repeat(30_000)}`,
    ].map((target) => asked(`the target ${JSON.stringify(target.slice(0, 30))}`, `GET ${target} HTTP/1.1`)),
    lines("no host", ...all),
    lines("two hosts", post, "Host: a", "Host: b", auth, type, length),
    lines("two equal lengths", ...all, length),
    lines("two lengths", ...all, "Content-Length: 0"),
    ...["-1", "+5", "0x5", "1e3", "", "abc", "5, 5", "99999999999999999999", "5 5", "05"].map((value) =>
      lines(`the length ${JSON.stringify(value)}`, post, auth, type, `Content-Length: ${value}`),
    ),
    lines("a length that is too long", post, auth, type, "Content-Length: 1000000"),
    lines("a length over the limit", post, auth, type, "Content-Length: 5500001"),
    lines("a length that is too short", post, auth, type, "Content-Length: 1"),
    raw("chunks", [post, auth, type, "Transfer-Encoding: chunked", "Connection: close", "", chunk].join("\r\n")),
    raw("chunks and a length", [...all, "Transfer-Encoding: chunked", "", chunk].join("\r\n")),
    inChunks("chunks twice", "Transfer-Encoding: chunked, chunked"),
    inChunks("another transfer encoding", "Transfer-Encoding: gzip"),
    inChunks("chunked in disguise", "Transfer-Encoding: xchunked"),
    inChunks("chunks with space before the colon", "Transfer-Encoding : chunked"),
    ...[
      ...["g\r\nx\r\n0\r\n\r\n", "-1\r\nx\r\n", "ffffffffffffffff\r\nx", "5\r\nab", "1\r\nxy\r\n0\r\n\r\n"],
      ...["0\r\nX: y\r\n\r\n", "0\r\n", ""],
    ].map((chunks) => inChunks(`the chunks ${JSON.stringify(chunks)}`, "Transfer-Encoding: chunked", chunks)),
    lines("a folded header", ...all, "X-Folded: a\r\n b"),
    lines("a header without a name", ...all, ": x"),
    lines("a header without a colon", ...all, "nothing"),
    lines("space before the colon", ...all, "X-Space : x"),
    lines("space in a header name", ...all, "X Space: x"),
    lines("a control character in a header", ...all, "X-Control: a\x01b"),
    lines("NUL in a header", ...all, "X-Nul: a\0b"),
    lines("a bare CR in a header", ...all, "X-Cr: a\rb"),
    lines("bytes over 127 in a header", ...all, "X-High: \xe9\xff", "X-Request-Id: \xe9"),
    lines("a header name of 20,000 letters", ...all, `${"a".repeat(20_000)}: x`),
    lines("a header of 20,000 letters", ...all, `X-Long: ${"a".repeat(20_000)}`),
    lines("5,000 headers", ...all, ...Array.from({ length: 5_000 }, (_, i) => `a${i}:`)),
    lines("3,000 headers of one name", ...all, ...Array.from({ length: 2_400 }, () => "a: b")),
    lines("the names of prototypes", ...all, "__proto__: x", "constructor: x", "hasOwnProperty: x"),
    lines("two authorizations", post, auth, auth, type, length),
    lines("two media types", post, auth, type, "Content-Type: text/plain", length),
    lines("two dry runs", ...all, "Dry-Run: true", "Dry-Run: false"),
    lines("two idempotency keys", ...all, "Idempotency-Key: a", "Idempotency-Key: b c"),
    ...["100-continue", "100-Continue", "200-ok", "", "100-continue, 100-continue"].map((expectation) =>
      lines(`expecting ${JSON.stringify(expectation)}`, ...all, `Expect: ${expectation}`),
    ),
    lines("an upgrade", ...all, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: x"),
    lines("an upgrade to HTTP/2", ...all, "Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: "),
    raw("only line feeds", good.replaceAll("\r\n", "\n")),
    raw("an empty line first", `\r\n${good}`),
    raw("a body of a GET", good.replace("POST", "GET")),
    raw("two in one", good.replace("Connection: close\r\n", "").repeat(2)),
    raw("one, and then no HTTP", `${good.replace("Connection: close\r\n", "")}hello\r\n\r\n`),
    ...["\xff", "\xc0\xaf", "\xed\xa0\x80", "\xef\xbb\xbf{}", "\xfe\xff\0{\0}", "{\0}"].map((bad) =>
      raw(
        `the body ${JSON.stringify(bad)}`,
        goodMessage({ path, token, body: "" }).replace("Content-Length: 0", `Content-Length: ${bad.length}`) + bad,
      ),
    ),
  ];
}

/** A good message with some of its bytes changed, left out, doubled or put in. */
export function damaged(parts: Parts): fc.Arbitrary<Message> {
  const good = Buffer.from(goodMessage(parts), "utf8");
  const damage = fc.record({
    at: fc.nat(good.length - 1),
    how: fc.constantFrom("flip", "put", "drop", "double", "cut"),
    byte: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 9, 10, 13, 32, 34, 58, 127, 255)),
    length: fc.integer({ min: 1, max: 40 }),
  });
  return fc.array(damage, { minLength: 1, maxLength: 4 }).map((all) => {
    let bytes: Uint8Array = good;
    for (const { at, how, byte, length } of all) {
      const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
      if (how === "flip") bytes = Buffer.concat([head, Buffer.from([byte]), tail.subarray(1)]);
      else if (how === "put") bytes = Buffer.concat([head, Buffer.from([byte]), tail]);
      else if (how === "drop") bytes = Buffer.concat([head, tail.subarray(length)]);
      else if (how === "double") bytes = Buffer.concat([head, tail.subarray(0, length), tail]);
      else bytes = head;
    }
    return { tries: all.map(({ how, at }) => `${how} at ${at}`).join(", "), bytes };
  });
}
