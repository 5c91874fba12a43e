import type { Node } from "constructs";
import { CALLER_SECONDS, isCallerSeconds, isTokenMinutes, TOKEN_MINUTES } from "../shared/domain/accounts/sessions.ts";
import { RECORDED_ADDRESSES, type RecordedAddresses } from "../shared/domain/accounts/source-address.ts";
import { includeMember } from "../shared/domain/model/content.ts";
import { findNearest } from "../shared/domain/text/suggestions.ts";
import { FIRST_GENERATION } from "./identity.ts";
import { type DeployedIssuers, readIssuerFile } from "./issuers.ts";

/** Settings of a deployment, given with `cdk deploy -c <name>=<value>`; see `docs/deploy.md`. */
export interface Settings {
  readonly stage: string;
  /** Origins a browser may call from, such as `https://app.example.com`. */
  readonly corsOrigins: readonly string[];
  /** URL that callers use, and the `iss` of the tokens; the URL of the API by default. */
  readonly issuer?: string;
  /** ARN of an SNS topic that is notified when an alarm goes on and off. */
  readonly alarmTopic?: string;
  /** Generations of the signing key: the first one signs; tokens of the others are still valid. */
  readonly signingKeys: readonly [string, ...string[]];
  /** Lifetime of the tokens; an hour by default. */
  readonly tokenMinutes?: number;
  /** Seconds for which a function caches callers and their rights; by default they are read for every call. */
  readonly callerSeconds?: number;
  /** What the logs record of the addresses of callers; all of it by default. */
  readonly recordedAddresses?: RecordedAddresses;
  /** Name of an existing table in the account and region of the stack; by default the stack creates one. */
  readonly table?: string;
  readonly issuers?: DeployedIssuers;
}

interface Rule {
  readonly format: string;
  readonly isAllowed: (value: string) => boolean;
  /** True if `isAllowed` tests each part of a list separated by commas. */
  readonly isForParts?: true;
}

/** Most generations of the signing key: a rotation needs no more, and each costs a dollar a month. */
const MOST_KEYS = 3;

/** The settings by name, with their allowed values. */
const RULES: Readonly<Record<keyof Settings, Rule>> = {
  stage: {
    format: "lower-case letters, digits and hyphens, at most 31, such as prod",
    isAllowed: (name) => /^[a-z][a-z0-9-]{0,30}$/.test(name),
  },
  corsOrigins: {
    format: "origins separated by commas, such as https://app.example.com",
    isAllowed: (origin) => origin === "" || URL.parse(origin)?.origin === origin,
    isForParts: true,
  },
  issuer: { format: "an https URL without query or fragment", isAllowed: isIssuer },
  alarmTopic: {
    format: "the ARN of an SNS topic",
    isAllowed: (arn) => /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/.test(arn),
  },
  signingKeys: {
    format: `one to ${MOST_KEYS} different names of lower-case letters, digits and hyphens, separated by commas, such as 2027-01,first`,
    isAllowed: (names) => areGenerations(splitList(names)),
  },
  // `readIssuerFile` checks the file.
  issuers: { format: "the path of a JSON file", isAllowed: () => true },
  tokenMinutes: { format: TOKEN_MINUTES, isAllowed: isTokenMinutes },
  table: {
    format: "the name of a DynamoDB table: 3 to 255 letters, digits, dots, hyphens and underscores",
    isAllowed: (name) => /^[A-Za-z0-9_.-]{3,255}$/.test(name),
  },
  callerSeconds: { format: CALLER_SECONDS, isAllowed: isCallerSeconds },
  recordedAddresses: {
    format: "full, network or none",
    isAllowed: (value) => RECORDED_ADDRESSES.some((one) => one === value),
  },
};

/** Names in the context that belong to CDK although they have no colon and no slash. */
const OF_CDK: ReadonlySet<string> = new Set(["cli-telemetry", "acknowledged-issue-numbers", "tree"]);

/** Reads the settings from the CDK context. Throws an error with the allowed values. */
export function readSettings(node: Node): Settings {
  refuseUnknown(Object.keys(node.getAllContext()));
  const texts = Object.entries(RULES).map(([name, rule]) => [name, readText(node, name, rule)] as const);
  const values: Readonly<Partial<Record<keyof Settings, string>>> = Object.fromEntries(texts);
  const { issuer, issuers, tokenMinutes, callerSeconds } = values;
  const [signingKey = "", ...keysBefore] = splitList(values.signingKeys ?? FIRST_GENERATION);
  return {
    stage: values.stage ?? "prod",
    corsOrigins: splitList(values.corsOrigins ?? "").filter((origin) => origin !== ""),
    signingKeys: [signingKey, ...keysBefore],
    ...includeMember("issuer", issuer),
    ...includeMember("alarmTopic", values.alarmTopic),
    ...includeMember("table", values.table),
    ...includeMember(
      "recordedAddresses",
      RECORDED_ADDRESSES.find((one) => one === values.recordedAddresses),
    ),
    ...(tokenMinutes !== undefined && { tokenMinutes: Number(tokenMinutes) }),
    ...(callerSeconds !== undefined && { callerSeconds: Number(callerSeconds) }),
    ...(issuers !== undefined && { issuers: readIssuerFile(issuers, issuer) }),
  };
}

/** Throws for an unknown setting: a misspelled one would have no effect. */
function refuseUnknown(keys: readonly string[]) {
  const names = Object.keys(RULES);
  const key = keys.find((name) => !names.includes(name) && !/[:/]/.test(name) && !OF_CDK.has(name));
  if (key === undefined) return;
  const close = findNearest(key, names);
  throw new Error(
    `Unknown setting ${key}; ${close === undefined ? `the settings are ${names.join(", ")}` : `did you mean ${close}?`}`,
  );
}

function readText(node: Node, name: string, { format, isAllowed, isForParts }: Rule): string | undefined {
  const value: unknown = node.tryGetContext(name);
  if (value === undefined || value === "") return undefined;
  const text = String(value);
  const wrong = (isForParts ? splitList(text) : [text]).find((part) => !isAllowed(part));
  if (wrong === undefined) return text;
  throw new Error(`The setting ${name}=${wrong} is not allowed; give ${format}.`);
}

const splitList = (text: string): readonly string[] => text.split(",").map((part) => part.trim());

function areGenerations(names: readonly string[]) {
  const isNew = (name: string, i: number) => /^[a-z0-9][a-z0-9-]{0,30}$/.test(name) && names.indexOf(name) === i;
  return names.length <= MOST_KEYS && names.every(isNew);
}

/** RFC 8414 section 2: https, no query, no fragment. */
function isIssuer(text: string) {
  const url = URL.parse(text);
  return url?.protocol === "https:" && url.search === "" && url.hash === "" && !/[?#\s]/.test(text);
}
