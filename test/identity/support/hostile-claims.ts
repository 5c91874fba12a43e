import { BUILT_IN } from "../../../shared/domain/accounts/principal.ts";
import { forge } from "./forge.ts";
import { each, type Genuine, type Hostile, withClaims, without } from "./genuine-token.ts";

/** Claims that are missing, out of range, of another type, or another's; all of them correctly signed. */
export function hostileClaims(genuine: Genuine, now: number): Hostile[] {
  const { own, header, claims, sign, longest, audience } = genuine;
  const { iss, sub, iat } = claims;
  const changed = (change: object): string => withClaims(genuine, change);
  /** The claims as JSON with one value in a spelling that `JSON.stringify` does not write. */
  const raw = (name: string, json: string): string =>
    forge(header, JSON.stringify({ ...claims, [name]: "@" }).replace(`"${name}":"@"`, `"${name}":${json}`), sign);
  const needed = own ? Object.keys(without(claims, "name")) : ["iss", "sub", audience, "iat", "exp"];
  const issuers = [
    `${iss}/`,
    iss.toUpperCase(),
    `${iss} `,
    ` ${iss}`,
    "https://evil.example",
    "",
    null,
    [iss],
    BUILT_IN,
  ];
  const audiences = ["other", "", "metactio", "METACTION", null, 1, [], ["other"], [["metaction"]], { metaction: 1 }];
  const times = [String(now + 3600), now + 3599.5, -1e300, 1e300, -1, 0, true, [now + 3600], now, now - 1];
  return [
    ...needed.map((name): Hostile => [`no ${name}`, forge(header, without(claims, name), sign)]),
    ...each("iss", [...issuers, `${iss}.evil.example`, iss.replace("p", "\u0440"), `${iss}?a`, 7], (value) =>
      changed({ iss: value }),
    ),
    [
      "iss twice, the good one first",
      forge(header, JSON.stringify(claims).replace(/}$/, ',"iss":"https://evil.example"}'), sign),
    ],
    ...each(audience, audiences, (value) => changed({ [audience]: value })),
    ...each("exp", [null, ...times, iat + longest + 1, (now + 3600) * 1000], (exp) => changed({ exp })),
    ["exp beyond a double", raw("exp", "1e999")],
    ["exp before every double", raw("exp", "-1e999")],
    ...each(
      "cnf",
      [{ jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" }, { "x5t#S256": "bwcK0esc3ACC" }, {}, null],
      (cnf) => changed({ cnf }),
    ),
    ["exp before iat", changed({ iat: now + 30, exp: now + 10 })],
    ["a lifetime of ten years", changed({ exp: now + 315_360_000 })],
    ["a lifetime of ten years, nine of them over", changed({ iat: now - 283_824_000, exp: now + 3600 })],
    ...each("iat", [null, String(now), now + 61, now + 0.5, -1e300, 1e300, -1, true], (value) =>
      changed({ iat: value }),
    ),
    ...each("nbf", [null, String(now), now + 61, 1e300, -1e300, now - 0.5, true], (nbf) => changed({ nbf })),
    ...each("sub", ["", null, 7, [sub], "a\u0000da", "ada\n", "\u007f"], (value) => changed({ sub: value })),
    ["sub with half a surrogate pair", raw("sub", '"\\ud800"')],
    ["sub of 256 characters", changed({ sub: "s".repeat(256) })],
    ...(own ? ownClaims(changed) : []),
    ...each("payload", ["null", "[]", '"ada"', "1", "", "{", "\ufeff{}", "ey"], (text) =>
      forge(header, String(text), sign),
    ),
    ["claims below __proto__", forge(header, `{"__proto__":${JSON.stringify(claims)}}`, sign)],
    [
      "exp below __proto__",
      forge(
        header,
        JSON.stringify({ ...without(claims, "exp"), gone: 1 }).replace('"gone":1', `"__proto__":{"exp":${claims.exp}}`),
        sign,
      ),
    ],
  ];
}

/** Claims that only our own tokens have to have. */
function ownClaims(changed: (change: object) => string): Hostile[] {
  return [
    ...each("jti", ["", null, 1], (jti) => changed({ jti })),
    ...each("ver", [null, "0", -1, 0.5, 1e300, true], (ver) => changed({ ver })),
    ...each("name", [null, 1, ["Ada"]], (name) => changed({ name })),
  ];
}
