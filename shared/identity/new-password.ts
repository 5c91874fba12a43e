import { COMMON_PASSWORD, findPasswordFaults } from "../domain/accounts/passwords.ts";
import { Problem } from "../domain/problems.ts";
import type { Passwords } from "./passwords.ts";

/** Entries of 14 characters or more of `passwords-common` in the npm package `@zxcvbn-ts/language-common` (MIT licence). */
const LEAKED = `
mailcreated5240 polniypizdec0211 123456789987654321 1qaz2wsx3edc4rfv chickenwing101 newproject2004 maurolarastefy
domainlock2005 momsanaladventure hd764nw5d7e1vb1 qazwsxedcrfvtgb 23176djivanfros 123456789qwerty 12345678900987654321
lost4815162342 qwerty123456789 iseedeadpeople 4815162342lost q1w2e3r4t5y6u7 polniypizdec110211 12345678987654321
31217221027711 q1w2e3r4t5y6u7i8 zqjphsyf6ctifgu lhbjkjubz2957704 1qazxsw23edcvfr4 an83546921an13 nhfdvfnjkju123
nemvxyheqdd5oqxyxyzi passwordpassword 89876065093rax 1234567qwertyu lytghjgtnhjdcr 1234qwerasdfzxcv
1234567890987654321 1234567890qwerty q1w2e3r4t5y6u7i8o9p0 59382113kevinp passwordstandard bpgjldsgjldthnf
1234567887654321 zxcvbnm123456789 122333444455555 111222333444555 michaeljackson qwertyuiop12345 1qa2ws3ed4rf5tg
websolutionssu weihnachtsbaum z1x2c3v4b5n6m7 ghjnbdjcnjzybt nick1234-rem936 qwertasdfgzxcvb aksjdlasdakj89879
pfqwtd27121988 12345677654321 zxcvbnmmnbvcxz alpha135792468 lytdybrbdfvgbhf passwordassword ipo54tj45uy856
420842084208555 polniypizdec1102 ne_e_pod_chehyl hd764nw5d7e1vbv bhrh0h2oof6xbqjeh
`;

/** Passwords that pages, examples and messages of this product have printed. */
const PRINTED = [
  "Another horse 2 battery",
  "Bombe and Colossus 1944",
  "Compiler and moth 1947",
  "Correct horse 1 battery",
  "Correct horse 7 battery",
  "<new password>",
];

const normalizePassword = (password: string) =>
  password
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Long passwords that have been published. */
export const PUBLISHED_PASSWORDS: readonly string[] = [...LEAKED.trim().split(/\s+/), ...PRINTED];

const NORMALIZED = new Set(PUBLISHED_PASSWORDS.map(normalizePassword));

/** Checks and hashes a new password; see `Identity.hashNewPassword`. Upper case, spaces and signs make no difference to the list. */
export async function hashNewPassword(
  password: string,
  username: string,
  pointer: string,
  { passwords }: { readonly passwords: Passwords },
): Promise<string> {
  const faults = new Set(findPasswordFaults(password, username));
  if (NORMALIZED.has(normalizePassword(password))) faults.add(COMMON_PASSWORD);
  const errors = [...faults].map((detail) => ({ pointer, detail }));
  if (errors.length > 0) throw new Problem("bad_parameters", "The password is too weak", { errors });
  return passwords.hash(password);
}
