import * as z from "zod/mini";
import { LIMITS } from "../../domain/limits.ts";
import { findMember } from "../../domain/text/json-values.ts";
import { isIssuerUrl, isKeySetUrl } from "./issuer-url.ts";
import { completeSignIn, findSignInFaults, type SignIn, signInSchema } from "./sign-in.ts";

/** Signature algorithms of tokens of other issuers. */
export type TokenAlgorithm = "RS256" | "ES256";

/** OIDC provider whose access tokens are accepted, with defaults. */
export interface ExternalIssuer extends Readonly<Omit<Entry, "algorithms" | "roles" | "signIn">> {
  readonly algorithms: readonly TokenAlgorithm[];
  readonly roles: ReadonlyMap<string, string>;
  readonly emailClaim: string;
  readonly maxLifetimeSeconds: number;
  readonly signIn?: SignIn | undefined;
}

/** Sign-in of `auth/login` at a user pool of Amazon Cognito. */
export type CognitoLogin = Readonly<z.infer<typeof cognito>>;

/** The identity providers in addition to the built-in one. */
export interface IssuerConfiguration {
  readonly issuers: readonly ExternalIssuer[];
  readonly login?: { readonly cognito: CognitoLogin } | undefined;
}

/** Error about an unusable configuration; `faults` has one sentence for each fault. */
export class BadIssuers extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join(" "));
    this.name = "BadIssuers";
    this.faults = faults;
  }
}

type Entry = z.infer<typeof issuer>;
type Login = z.infer<typeof issuerFileSchema>["login"];

/** Reads the configuration from JSON. `ownUrl` is the issuer of the service, if known. */
export function readIssuers(text: string, ownUrl?: string): IssuerConfiguration {
  const json = parseConfiguration(text);
  const result = z.safeParse(issuerFileSchema, json);
  if (!result.success) throw new BadIssuers(formatFaults(result.error.issues, json));
  const { issuers, login } = result.data;
  const faults = [
    ...issuers.flatMap((entry, i) => findEntryFaults(entry, i, issuers)),
    ...findLoginFaults(login, issuers),
  ];
  if (faults.length > 0) throw new BadIssuers(faults);
  const configuration = { issuers: issuers.map(fillDefaults), login };
  if (ownUrl !== undefined) refuseOwn(configuration, ownUrl);
  return configuration;
}

/** Throws if an issuer is the service itself, whose tokens have other rules. */
export function refuseOwn({ issuers }: IssuerConfiguration, ownUrl: string): void {
  const index = issuers.findIndex(({ issuer }) => findIssuerUrl(issuer) === findIssuerUrl(ownUrl));
  if (index < 0) return;
  throw new BadIssuers([
    `issuers[${index}].issuer is ${JSON.stringify(ownUrl)}, the service itself, which needs no entry; remove it.`,
  ]);
}

const findIssuerUrl = (url: string) => (URL.parse(url)?.href ?? url).replace(/\/$/, "");

function parseConfiguration(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadIssuers(['The text is not JSON; give { "issuers": [ ... ] }.']);
  }
}

function findEntryFaults(entry: Entry, index: number, all: readonly Entry[]): readonly string[] {
  const at = `issuers[${index}]`;
  const faults: string[] = [];
  if (all.findIndex(({ issuer }) => issuer === entry.issuer) < index) {
    faults.push(`${at}.issuer is ${JSON.stringify(entry.issuer)}, which has an entry already; give one entry each.`);
  }
  if (entry.preset === "cognito" && !entry.clientIds) {
    faults.push(`${at}.clientIds is missing; give the app client ids whose tokens are accepted.`);
  } else if (!entry.audiences && !entry.clientIds) {
    faults.push(`${at} has neither audiences nor clientIds; give one of them, or any token of the issuer would do.`);
  }
  if (entry.roles && !entry.rolesClaim && entry.preset === undefined) {
    faults.push(`${at}.rolesClaim is missing; give the claim that the values of roles are looked for in.`);
  }
  return entry.signIn ? [...faults, ...findSignInFaults(entry.signIn, entry, at)] : faults;
}

function findLoginFaults(login: Login, issuers: readonly Entry[]): readonly string[] {
  const url = login?.cognito.issuer;
  if (login?.cognito.clientSecret !== undefined && login.cognito.clientSecretId !== undefined) {
    return ["login.cognito has both clientSecret and clientSecretId; give one of them."];
  }
  if (url === undefined || issuers.some(({ issuer, preset }) => issuer === url && preset === "cognito")) return [];
  return [`login.cognito.issuer is ${JSON.stringify(url)}; give one of the issuers that have "preset": "cognito".`];
}

function fillDefaults(entry: Entry): ExternalIssuer {
  const { issuer, preset, rolesClaim = preset && "cognito:groups", roles = {}, signIn } = entry;
  return {
    ...entry,
    algorithms: entry.algorithms ?? ["RS256", "ES256"],
    rolesClaim,
    roles: new Map(Object.entries(roles)),
    emailClaim: entry.emailClaim ?? "email",
    maxLifetimeSeconds: entry.maxLifetimeSeconds ?? LIMITS.externalTokenSeconds,
    signIn: signIn && completeSignIn(signIn, issuer),
  };
}

type Issue = z.core.$ZodIssue;

const SHOWN = 120;

function formatFaults(issues: readonly Issue[], json: unknown): readonly string[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map(
          (key) => `${formatMemberName([...issue.path, key])} is not a member of the configuration; remove it.`,
        )
      : [formatFault(issue, json)],
  );
}

function formatFault({ path, message }: Issue, json: unknown) {
  const name = formatMemberName(path);
  const value = findMember(json, path);
  if (value === undefined) return `${name} is missing; ${message}.`;
  // A secret is not to be read in a log.
  const valueText = path.includes("clientSecret") ? "not usable" : JSON.stringify(value).slice(0, SHOWN);
  return `${name} is ${valueText}; ${message}.`;
}

function formatMemberName(path: readonly PropertyKey[]) {
  if (path.length === 0) return "The configuration";
  return path
    .map((step, i) => (typeof step === "number" ? `[${step}]` : `${i > 0 ? "." : ""}${String(step)}`))
    .join("");
}

const text = (advice: string) =>
  z.string({ error: advice }).check(z.refine((value) => value.trim() !== "", { error: advice }));

const texts = (advice: string) => z.array(text(advice), { error: advice }).check(z.minLength(1, { error: advice }));

const claim = text("give the name of a claim");
const HTTPS = "give a URL with https and without user (http for a loopback address only)";
const ALGORITHMS = 'give one or both of "RS256" and "ES256"';
const SECONDS = "give a whole number of seconds from 1 on";
const SECRET_ID = "give the ARN of a secret of AWS Secrets Manager";
const ISSUER = `${HTTPS}, without query and fragment, exactly as the tokens have it in iss`;

const issuer = z.strictObject(
  {
    /** Compared with `iss` character by character. */
    issuer: z.string({ error: ISSUER }).check(z.refine(isIssuerUrl, { error: ISSUER })),
    preset: z.optional(z.literal("cognito", { error: 'give "cognito", or leave it out' })),
    /** Allowed values of `aud`; required unless there are `clientIds`. */
    audiences: z.optional(texts("give a list of the values of which aud has to hold one")),
    /** Allowed values of `client_id`, or of `azp` in its place. */
    clientIds: z.optional(texts("give a list of client ids of which the token has to name one")),
    /** The URL of the keys; found by discovery where absent. */
    jwks: z.optional(z.string({ error: HTTPS }).check(z.refine(isKeySetUrl))),
    algorithms: z.optional(
      z
        .array(z.enum(["RS256", "ES256"], { error: ALGORITHMS }), { error: ALGORITHMS })
        .check(z.minLength(1, { error: ALGORITHMS })),
    ),
    rolesClaim: z.optional(claim),
    roles: z.optional(
      z.record(z.string(), text("give the key of a role"), {
        error: "give an object from values of the claim to keys of roles",
      }),
    ),
    nameClaim: z.optional(claim),
    emailClaim: z.optional(claim),
    maxLifetimeSeconds: z.optional(z.int({ error: SECONDS }).check(z.minimum(1, { error: SECONDS }))),
    signIn: z.optional(signInSchema),
  },
  { error: "give an object with issuer and audiences or clientIds" },
);

const cognito = z.strictObject(
  {
    clientId: text("give the id of an app client of the user pool"),
    clientSecret: z.optional(text("give the secret of the app client, or leave it out where it has none")),
    /** In the cloud: ARN of the secret of AWS Secrets Manager with the `clientSecret`. */
    clientSecretId: z.optional(
      z
        .string({ error: SECRET_ID })
        .check(z.regex(/^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+$/, { error: SECRET_ID })),
    ),
    issuer: text('give one of the issuers that have "preset": "cognito"'),
  },
  { error: "give an object with issuer and clientId" },
);

const issuerFileSchema = z.strictObject(
  {
    issuers: z.array(issuer, { error: "give a list of issuers" }),
    login: z.optional(z.strictObject({ cognito }, { error: 'give { "cognito": { ... } }, or leave it out' })),
  },
  { error: 'give { "issuers": [ ... ] }' },
);
