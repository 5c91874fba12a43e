import type { Node } from "constructs";
import { CALLER_SECONDS, isCallerSeconds, isTokenMinutes, TOKEN_MINUTES } from "../shared/domain/limits.ts";
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
  /** Name of an existing table in the account and region of the stack; by default the stack creates one. */
  readonly table?: string;
  readonly issuers?: DeployedIssuers;
}

const NAMES = [
  "stage",
  "corsOrigins",
  "issuer",
  "alarmTopic",
  "signingKeys",
  "issuers",
  "tokenMinutes",
  "table",
  "callerSeconds",
] as const;
/** Names in the context that belong to CDK although they have no colon and no slash. */
const OF_CDK: ReadonlySet<string> = new Set(["cli-telemetry", "acknowledged-issue-numbers", "tree"]);
const STAGE = /^[a-z][a-z0-9-]{0,30}$/;
const GENERATION = /^[a-z0-9][a-z0-9-]{0,30}$/;
/** Most generations of the signing key: a rotation needs no more, and each costs a dollar a month. */
const MOST_KEYS = 3;
const TABLE_NAME = /^[A-Za-z0-9_.-]{3,255}$/;
const TOPIC = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/;

/** Reads the settings from the CDK context. Throws an error with the allowed values. */
export function readSettings(node: Node): Settings {
  refuseUnknown(Object.keys(node.getAllContext()));
  const [
    stage = "prod",
    origins = "",
    issuer,
    alarmTopic,
    generations = FIRST_GENERATION,
    issuerFile,
    minutes,
    table,
    seconds,
  ] = NAMES.map((name) => readText(node, name));
  const corsOrigins = origins.split(",").map((origin) => origin.trim());
  const [signingKey = "", ...keysBefore] = generations.split(",").map((generation) => generation.trim());
  const settings: Settings = {
    stage,
    corsOrigins: corsOrigins.filter((origin) => origin !== ""),
    ...(issuer !== undefined && { issuer }),
    ...(alarmTopic !== undefined && { alarmTopic }),
    signingKeys: [signingKey, ...keysBefore],
    ...(minutes !== undefined && { tokenMinutes: Number(minutes) }),
    ...(table !== undefined && { table }),
    ...(seconds !== undefined && { callerSeconds: Number(seconds) }),
  };
  const badOrigin = settings.corsOrigins.find((origin) => URL.parse(origin)?.origin !== origin);
  const isTable = table === undefined || TABLE_NAME.test(table);
  refuseUnless(STAGE.test(stage), "stage", stage, "lower-case letters, digits and hyphens, at most 31, such as prod");
  refuseUnless(
    badOrigin === undefined,
    "corsOrigins",
    badOrigin,
    "origins separated by commas, such as https://app.example.com",
  );
  refuseUnless(issuer === undefined || isIssuer(issuer), "issuer", issuer, "an https URL without query or fragment");
  refuseUnless(alarmTopic === undefined || TOPIC.test(alarmTopic), "alarmTopic", alarmTopic, "the ARN of an SNS topic");
  refuseUnless(
    areGenerations(settings.signingKeys),
    "signingKeys",
    generations,
    `one to ${MOST_KEYS} different names of lower-case letters, digits and hyphens, separated by commas, such as 2027-01,first`,
  );
  refuseUnless(minutes === undefined || isTokenMinutes(minutes), "tokenMinutes", minutes, TOKEN_MINUTES);
  refuseUnless(seconds === undefined || isCallerSeconds(seconds), "callerSeconds", seconds, CALLER_SECONDS);
  refuseUnless(
    isTable,
    "table",
    table,
    "the name of a DynamoDB table: 3 to 255 letters, digits, dots, hyphens and underscores",
  );
  return issuerFile === undefined ? settings : { ...settings, issuers: readIssuerFile(issuerFile, issuer) };
}

/** Throws for an unknown setting: a misspelled one would have no effect. */
function refuseUnknown(given: readonly string[]): void {
  const names: readonly string[] = NAMES;
  const unknown = given.find((name) => !names.includes(name) && !/[:/]/.test(name) && !OF_CDK.has(name));
  if (unknown === undefined) return;
  const close = findNearest(unknown, names);
  throw new Error(
    `There is no setting ${unknown}; ${close === undefined ? `the settings are ${names.join(", ")}` : `did you mean ${close}?`}`,
  );
}

function readText(node: Node, name: string): string | undefined {
  const value: unknown = node.tryGetContext(name);
  return value === undefined || value === "" ? undefined : String(value);
}

function areGenerations(names: readonly string[]): boolean {
  const isNew = (name: string, i: number): boolean => GENERATION.test(name) && names.indexOf(name) === i;
  return names.length <= MOST_KEYS && names.every(isNew);
}

/** RFC 8414 section 2: https, no query, no fragment. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" && url.search === "" && url.hash === "" && !/[?#\s]/.test(text);
}

function refuseUnless(isAllowed: boolean, name: string, value: string | undefined, allowed: string): void {
  if (!isAllowed) throw new Error(`The setting ${name}=${value} is not allowed; give ${allowed}.`);
}
