import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BadIssuers, type IssuerConfiguration, readIssuers } from "../shared/identity/issuers/configuration.ts";

/** The issuers of a deployment, as the functions get them. */
export interface DeployedIssuers {
  readonly json: string;
  /** ARN of the secret that authenticates the app client for `auth/login`. */
  readonly clientSecretId?: string;
}

/** Most bytes of the configuration: Lambda allows 4 kB for the whole environment of a function. */
export const MOST_BYTES = 3_000;

const PROJECT = join(import.meta.dirname, "..");

/** Reads the file of the setting `issuers`. Throws an error with all faults. */
export function readIssuerFile(path: string, ownUrl: string | undefined): DeployedIssuers {
  const json = JSON.stringify(parseIssuerFile(path));
  const bytes = Buffer.byteLength(json);
  const configuration = checkIssuers(path, json, ownUrl);
  const faults = [
    ...findCloudFaults(configuration),
    ...(bytes > MOST_BYTES
      ? [
          `It has ${bytes} bytes without white space; give at most ${MOST_BYTES}, as Lambda allows 4 kB for all variables.`,
        ]
      : []),
  ];
  if (faults.length > 0) throw createUnusableError(path, faults.join(" "));
  const { clientSecretId } = configuration.login?.cognito ?? {};
  return { json, ...(clientSecretId !== undefined && { clientSecretId }) };
}

function parseIssuerFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(resolve(PROJECT, path), "utf8"));
  } catch {
    throw new Error(`The setting issuers=${path} is not allowed; give the path of a JSON file that can be read.`);
  }
}

function checkIssuers(path: string, json: string, ownUrl: string | undefined): IssuerConfiguration {
  try {
    return readIssuers(json, ownUrl);
  } catch (error) {
    throw error instanceof BadIssuers ? createUnusableError(path, error.message) : error;
  }
}

const createUnusableError = (path: string, faults: string): Error =>
  new Error(`The setting issuers=${path} is not allowed. ${faults}`);

/** Parts of a configuration that a local machine allows and the cloud does not. */
function findCloudFaults({ issuers, login }: IssuerConfiguration): readonly string[] {
  const plain = issuers.flatMap(({ issuer, jwks = issuer, signIn }) =>
    [issuer, jwks, ...(signIn?.origins ?? [])].every((url) => url.startsWith("https:"))
      ? []
      : [`The issuer ${issuer} is asked over http, which leads nowhere in the cloud; give a URL with https.`],
  );
  // Everybody who may view a function can read its environment.
  const secret =
    login?.cognito.clientSecret === undefined
      ? []
      : [
          "login.cognito.clientSecret would be in the environment of a function; put it into Secrets Manager and give the ARN as clientSecretId.",
        ];
  return [...plain, ...secret];
}
