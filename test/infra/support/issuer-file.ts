import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFolder } from "../../support/temporary-folder.ts";

export const POOL = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI";
export const CLIENT_ID = "5abcdefghijklmnopqrstuvwxy";
export const SECRET_ARN = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:metaction/cognito-client-AbCdEf";

/** A configuration with one user pool, whose users sign in through `auth/login`. */
export const ONE_POOL = {
  issuers: [{ issuer: POOL, preset: "cognito", clientIds: [CLIENT_ID] }],
  login: { cognito: { issuer: POOL, clientId: CLIENT_ID, clientSecretId: SECRET_ARN } },
};

/** Writes a file of issuers and answers its path. */
export function issuerFile(content: unknown): string {
  const path = join(createFolder(), "issuers.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  return path;
}
