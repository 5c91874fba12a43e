import * as z from "zod/mini";
import { LIMITS } from "../../domain/limits.ts";
import { sentencesOf } from "./configuration-faults.ts";
import { issuerFileSchema } from "./configuration-schema.ts";
import { completedSignIn, type SignIn, signInFaults } from "./sign-in.ts";

/** The algorithms that tokens of others may be signed with. */
export type TokenAlgorithm = "RS256" | "ES256";

/** An OIDC provider whose access tokens are accepted, defaults filled in. */
export interface ExternalIssuer {
  /** Compared with `iss` character by character. */
  readonly issuer: string;
  readonly preset?: "cognito";
  /** The audiences of which `aud` has to name one; present where `clientIds` is not, or beside it. */
  readonly audiences?: readonly string[];
  /** The clients of which `client_id` has to be one, or `azp` where there is none. */
  readonly clientIds?: readonly string[];
  /** The URL of the keys; found by discovery where absent. */
  readonly jwks?: string;
  readonly algorithms: readonly TokenAlgorithm[];
  readonly rolesClaim?: string;
  /** The key of a role by the value of the claim. */
  readonly roles: ReadonlyMap<string, string>;
  readonly nameClaim?: string;
  readonly emailClaim: string;
  readonly maxLifetimeSeconds: number;
  /** How people sign in there in the browser; absent where they do not. */
  readonly signIn?: SignIn;
}

/** How `auth/login` signs in at a user pool of Amazon Cognito. */
export interface CognitoLogin {
  /** An issuer of the configuration with the preset `cognito`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** In the cloud, in place of `clientSecret`: the ARN of the secret of AWS Secrets Manager that holds it. */
  readonly clientSecretId?: string;
}

/** The identity providers beside the built-in one. */
export interface IssuerConfiguration {
  readonly issuers: readonly ExternalIssuer[];
  readonly login?: { readonly cognito: CognitoLogin };
}

/** A configuration that cannot be used; `faults` has one sentence for each thing that is wrong, the message all of them. */
export class BadIssuers extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join(" "));
    this.name = "BadIssuers";
    this.faults = faults;
  }
}

type Entry = z.infer<typeof issuerFileSchema>["issuers"][number];

/** Reads the configuration from its JSON text. `ownUrl` is the issuer of the service itself, where it is known. */
export function readIssuers(text: string, ownUrl?: string): IssuerConfiguration {
  const json = parsed(text);
  const checked = z.safeParse(issuerFileSchema, json);
  if (!checked.success) throw new BadIssuers(sentencesOf(checked.error.issues, json));
  const { issuers, login } = checked.data;
  const faults = [...issuers.flatMap((entry, i) => faultsOfEntry(entry, i, issuers)), ...loginFaults(login, issuers)];
  if (faults.length > 0) throw new BadIssuers(faults);
  const configuration = { issuers: issuers.map(completed), ...(login && { login: { cognito: loginOf(login) } }) };
  if (ownUrl !== undefined) refuseOwn(configuration, ownUrl);
  return configuration;
}

/** An error when an issuer of the configuration is the service itself, whose own tokens have other rules. */
export function refuseOwn({ issuers }: IssuerConfiguration, ownUrl: string): void {
  const place = issuers.findIndex(({ issuer }) => addressOf(issuer) === addressOf(ownUrl));
  if (place < 0) return;
  throw new BadIssuers([
    `issuers[${place}].issuer is ${JSON.stringify(ownUrl)}, the service itself, which needs no entry; remove it.`,
  ]);
}

const addressOf = (url: string): string => (URL.parse(url)?.href ?? url).replace(/\/$/, "");

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadIssuers(['The text is no JSON; give { "issuers": [ ... ] }.']);
  }
}

/** The faults of an entry whose members do not go together, or do not go with the other entries. */
function faultsOfEntry(entry: Entry, place: number, all: readonly Entry[]): readonly string[] {
  const at = `issuers[${place}]`;
  const faults: string[] = [];
  if (all.findIndex(({ issuer }) => issuer === entry.issuer) < place) {
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
  return [...faults, ...signInFaults(entry, at)];
}

function loginFaults(login: z.infer<typeof issuerFileSchema>["login"], issuers: readonly Entry[]): readonly string[] {
  const named = login?.cognito.issuer;
  if (login?.cognito.clientSecret !== undefined && login.cognito.clientSecretId !== undefined) {
    return ["login.cognito has both clientSecret and clientSecretId; give one of them."];
  }
  if (named === undefined || issuers.some(({ issuer, preset }) => issuer === named && preset === "cognito")) return [];
  return [`login.cognito.issuer is ${JSON.stringify(named)}; give one of the issuers that have "preset": "cognito".`];
}

function loginOf({ cognito }: NonNullable<z.infer<typeof issuerFileSchema>["login"]>): CognitoLogin {
  const { issuer, clientId, clientSecret, clientSecretId } = cognito;
  return {
    issuer,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(clientSecretId !== undefined && { clientSecretId }),
  };
}

function completed(entry: Entry): ExternalIssuer {
  const { issuer, preset, audiences, clientIds, jwks, nameClaim, signIn } = entry;
  const rolesClaim = entry.rolesClaim ?? (preset === "cognito" ? "cognito:groups" : undefined);
  return {
    issuer,
    ...(preset && { preset }),
    ...(audiences && { audiences }),
    ...(clientIds && { clientIds }),
    ...(jwks !== undefined && { jwks }),
    algorithms: entry.algorithms ?? ["RS256", "ES256"],
    ...(rolesClaim !== undefined && { rolesClaim }),
    roles: new Map(Object.entries(entry.roles ?? {})),
    ...(nameClaim !== undefined && { nameClaim }),
    emailClaim: entry.emailClaim ?? "email",
    maxLifetimeSeconds: entry.maxLifetimeSeconds ?? LIMITS.externalTokenSeconds,
    ...(signIn && { signIn: completedSignIn(signIn, issuer) }),
  };
}
