/** Character set and collation of a column or table of MySQL. */
export interface Collation {
  readonly charset: string;
  readonly collation: string;
}

/** Character set of a server without another setting. */
const SERVER_CHARSET = "utf8mb4";

/** Collations of a character set that is given without one; the first is that of the oldest version. */
const DEFAULT_COLLATIONS: Readonly<Record<string, readonly string[]>> = {
  armscii8: ["armscii8_general_ci"],
  ascii: ["ascii_general_ci"],
  big5: ["big5_chinese_ci"],
  binary: ["binary"],
  cp1250: ["cp1250_general_ci"],
  cp1251: ["cp1251_general_ci"],
  cp1256: ["cp1256_general_ci"],
  cp1257: ["cp1257_general_ci"],
  cp850: ["cp850_general_ci"],
  cp866: ["cp866_general_ci"],
  cp932: ["cp932_japanese_ci"],
  eucjpms: ["eucjpms_japanese_ci"],
  euckr: ["euckr_korean_ci"],
  gb18030: ["gb18030_chinese_ci"],
  gb2312: ["gb2312_chinese_ci"],
  gbk: ["gbk_chinese_ci"],
  greek: ["greek_general_ci"],
  hebrew: ["hebrew_general_ci"],
  koi8r: ["koi8r_general_ci"],
  koi8u: ["koi8u_general_ci"],
  latin1: ["latin1_swedish_ci"],
  latin2: ["latin2_general_ci"],
  latin5: ["latin5_turkish_ci"],
  latin7: ["latin7_general_ci"],
  sjis: ["sjis_japanese_ci"],
  tis620: ["tis620_thai_ci"],
  ucs2: ["ucs2_general_ci"],
  ujis: ["ujis_japanese_ci"],
  utf16: ["utf16_general_ci"],
  utf32: ["utf32_general_ci"],
  utf8mb3: ["utf8mb3_general_ci", "utf8mb3_uca1400_ai_ci"],
  utf8mb4: ["utf8mb4_general_ci", "utf8mb4_0900_ai_ci", "utf8mb4_uca1400_ai_ci"],
};

function renameUtf8(name: string): string {
  return name.toLowerCase().replace(/^utf8(?=_|$)/, "utf8mb3");
}

/** Returns the collation that a charset, a collation or both name, without those that repeat a default. */
export function readCollation(
  charset: string | undefined,
  collation: string | undefined,
  isBinary: boolean,
  owner: Collation = { charset: SERVER_CHARSET, collation: toDefault(SERVER_CHARSET) },
): Collation {
  const named = collation === undefined ? undefined : renameUtf8(collation);
  const own = charset === undefined ? named?.replace(/_.*$/, "") : renameUtf8(charset);
  if (own === undefined) return isBinary ? { ...owner, collation: `${owner.charset}_bin` } : owner;
  if (isBinary && named === undefined) return { charset: own, collation: `${own}_bin` };
  const isDefault = named === undefined || (DEFAULT_COLLATIONS[own]?.includes(named) ?? false);
  return { charset: own, collation: isDefault ? toDefault(own) : named };
}

function toDefault(charset: string): string {
  return DEFAULT_COLLATIONS[charset]?.[0] ?? charset;
}

/** Returns the character set and the collation in the options of a table. */
export function readTableCollation(options: string): Collation {
  const charset = /\b(?:charset|character\s+set)\s*=?\s*['"]?(\w+)/i.exec(options)?.[1];
  const collation = /\bcollate\s*=?\s*['"]?(\w+)/i.exec(options)?.[1];
  return readCollation(charset, collation, false);
}

/** Returns the properties of a column whose collation differs from that of its table. */
export function describeCollation(own: Collation, table: Collation): { charset?: string; collation?: string } {
  if (own.collation === table.collation) return {};
  if (own.collation !== toDefault(own.charset)) return { collation: own.collation };
  // A character set without a collation has its default one.
  return own.charset === table.charset ? { collation: own.collation } : { charset: own.charset };
}
