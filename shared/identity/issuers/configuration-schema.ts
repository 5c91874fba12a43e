import * as z from "zod/mini";
import { isIssuerUrl, isKeySetUrl } from "./issuer-url.ts";
import { signInSchema } from "./sign-in-schema.ts";

/*
 * The message of each check is the way out alone; `configuration-faults.ts` puts the member and its value before it.
 */

const text = (wayOut: string) =>
  z.string({ error: wayOut }).check(z.refine((value) => value.trim() !== "", { error: wayOut }));

const texts = (wayOut: string) => z.array(text(wayOut), { error: wayOut }).check(z.minLength(1, { error: wayOut }));

const claim = text("give the name of a claim");
const HTTPS = "give a URL with https and without user (http for a loopback address only)";
const ALGORITHMS = 'give one or both of "RS256" and "ES256"';
const SECONDS = "give a whole number of seconds from 1 on";
const SECRET_ID = "give the ARN of a secret of AWS Secrets Manager";
const ISSUER = `${HTTPS}, without query and fragment, exactly as the tokens have it in iss`;

const issuer = z.strictObject(
  {
    issuer: z.string({ error: ISSUER }).check(z.refine(isIssuerUrl, { error: ISSUER })),
    preset: z.optional(z.literal("cognito", { error: 'give "cognito", or leave it out' })),
    audiences: z.optional(texts("give a list of the values of which aud has to hold one")),
    clientIds: z.optional(texts("give a list of client ids of which the token has to name one")),
    jwks: z.optional(z.string({ error: HTTPS }).check(z.refine(isKeySetUrl, { error: HTTPS }))),
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
    clientSecretId: z.optional(
      z
        .string({ error: SECRET_ID })
        .check(z.regex(/^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+$/, { error: SECRET_ID })),
    ),
    issuer: text('give one of the issuers that have "preset": "cognito"'),
  },
  { error: "give an object with issuer and clientId" },
);

/** The form of the configuration; whether its members go together is checked afterwards. */
export const issuerFileSchema = z.strictObject(
  {
    issuers: z.array(issuer, { error: "give a list of issuers" }),
    login: z.optional(z.strictObject({ cognito }, { error: 'give { "cognito": { ... } }, or leave it out' })),
  },
  { error: 'give { "issuers": [ ... ] }' },
);
