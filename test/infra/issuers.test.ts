import { relative } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { createIdentity } from "../../infra/identity.ts";
import { MOST_BYTES } from "../../infra/issuers.ts";
import { readSettings } from "../../infra/settings.ts";
import { CLIENT_ID, issuerFile, ONE_POOL, POOL, SECRET_ARN } from "./support/issuer-file.ts";
import { statements, synthesize } from "./support/synthesize.ts";

/** A template with issuers and signing keys at once, because a template takes seconds to make. */
const template = synthesize({ issuers: issuerFile(ONE_POOL), signingKeys: "2027-01, first" });
const read = (context: Record<string, string>) => readSettings(new App({ context }).node);
const secrets = (role: string, of = template) =>
  statements(of, role)
    .filter(({ Action }) => JSON.stringify(Action).includes("secretsmanager"))
    .map(({ Action, Resource }) => [Action, Resource]);

describe("the file of issuers", () => {
  test("is passed to the dispatcher and the worker as one line, and the client secret as an id that only the dispatcher may read", () => {
    const functions = Object.entries(template.findResources("AWS::Lambda::Function"));
    const told = (id: string) =>
      functions.find(([key]) => key.startsWith(id))?.[1].Properties.Environment.Variables.METACTION_ISSUERS;
    expect(told("Dispatcher")).toBe(JSON.stringify(ONE_POOL));
    expect(told("Worker")).toBe(JSON.stringify(ONE_POOL));
    expect(told("Sweeper")).toBeUndefined();
    const [[action, resources] = []] = secrets("DispatcherRole");
    expect(action).toBe("secretsmanager:GetSecretValue");
    expect(resources).toHaveLength(2);
    expect(resources).toEqual(expect.arrayContaining([{ Ref: expect.stringMatching(/^BootstrapSecret/) }, SECRET_ARN]));
    expect(secrets("WorkerRole")).toEqual([]);
  });

  test("requires no further permission without a client secret", () => {
    const login = { cognito: { issuer: POOL, clientId: CLIENT_ID } };
    const without = synthesize({ issuers: issuerFile({ ...ONE_POOL, login }) });
    const [[, resource] = [], ...more] = secrets("DispatcherRole", without);
    expect([resource, more]).toEqual([{ Ref: expect.stringMatching(/^BootstrapSecret/) }, []]);
  });

  test("is found relative to the project, from any working directory", () => {
    const path = relative(process.cwd(), issuerFile(ONE_POOL));
    expect(path).toMatch(/^\.\./);
    expect(read({ issuers: path }).issuers).toEqual({ json: JSON.stringify(ONE_POOL), clientSecretId: SECRET_ARN });
  });

  const SECRET = "client-secret-CANARY";
  const EXAMPLE = { issuer: "https://id.example", audiences: ["metaction"] };
  const faulty: Readonly<Record<string, readonly [content: unknown, said: string]>> = {
    "no JSON": ["{", "give the path of a JSON file that can be read."],
    "no list": [{}, "issuers is missing; give a list of issuers."],
    "an issuer that takes tokens meant for anybody": [
      { issuers: [{ issuer: "https://id.example" }] },
      "issuers[0] has neither audiences nor clientIds; give one of them, or any token of the issuer would do.",
    ],
    "a client secret in clear": [
      { ...ONE_POOL, login: { cognito: { issuer: POOL, clientId: CLIENT_ID, clientSecret: SECRET } } },
      "login.cognito.clientSecret would be in the environment of a function; put it into Secrets Manager and give the ARN as clientSecretId.",
    ],
    "two client secrets": [
      { ...ONE_POOL, login: { cognito: { ...ONE_POOL.login.cognito, clientSecret: SECRET } } },
      "login.cognito has both clientSecret and clientSecretId; give one of them.",
    ],
    "a client secret by its name": [
      { ...ONE_POOL, login: { cognito: { issuer: POOL, clientId: CLIENT_ID, clientSecretId: "cognito" } } },
      'login.cognito.clientSecretId is "cognito"; give the ARN of a secret of AWS Secrets Manager.',
    ],
    "an issuer on this machine": [
      { issuers: [{ issuer: "http://127.0.0.1:8080", audiences: ["metaction"] }] },
      "The issuer http://127.0.0.1:8080 is asked over http, which leads nowhere in the cloud; give a URL with https.",
    ],
    "a browser's sign-in on this machine": [
      { issuers: [{ ...EXAMPLE, signIn: { clientId: "web", origins: ["http://localhost:9"] } }] },
      "The issuer https://id.example is asked over http, which leads nowhere in the cloud; give a URL with https.",
    ],
    "keys on this machine": [
      { issuers: [{ ...EXAMPLE, jwks: "http://localhost/keys" }] },
      "The issuer https://id.example is asked over http, which leads nowhere in the cloud; give a URL with https.",
    ],
  };

  test.each(Object.entries(faulty))("with %s is refused before the deployment", (_, [content, said]) => {
    const path = issuerFile(content);
    let message = "";
    try {
      read({ issuers: path });
    } catch (error) {
      message = error instanceof Error ? error.message : "";
    }
    expect(message.startsWith(`The setting issuers=${path} is not allowed`)).toBe(true);
    expect(message.endsWith(said), message).toBe(true);
    expect(message).not.toContain(SECRET);
  });

  test("that contains the service itself is refused", () => {
    const issuers = issuerFile({ issuers: [{ issuer: "https://metadata.example", audiences: ["metaction"] }] });
    expect(() => read({ issuers, issuer: "https://metadata.example/" })).toThrow(/the service itself/);
    expect(read({ issuers, issuer: "https://other.example" }).issuers).toBeDefined();
  });

  test("may have as many bytes as fit beside the other variables, without white space", () => {
    const of = (bytes: number) => {
      const whole = { issuers: [{ issuer: POOL, audiences: ["a"] }] };
      const left = bytes - JSON.stringify(whole).length;
      return issuerFile({ issuers: [{ issuer: POOL, audiences: [`a${"x".repeat(left)}`] }] });
    };
    expect(Buffer.byteLength(read({ issuers: of(MOST_BYTES) }).issuers?.json ?? "")).toBe(MOST_BYTES);
    expect(() => read({ issuers: of(MOST_BYTES + 1) })).toThrow(
      `It has ${MOST_BYTES + 1} bytes without white space; give at most ${MOST_BYTES}, as Lambda allows 4 kB for all variables.`,
    );
  });
});

describe("the signing keys", () => {
  const keyOf = (generation: string) => ({
    Ref: expect.stringMatching(new RegExp(`^SigningKey${generation}[0-9A-F]{8}$`)),
  });

  test("are one for each generation: the first signs, the tokens of all are valid, and the dispatcher may use exactly these", () => {
    template.resourceCountIs("AWS::KMS::Key", 2);
    // A key is deleted with its generation, after the minimum of days of KMS.
    template.allResources("AWS::KMS::Key", {
      DeletionPolicy: "Delete",
      Properties: { KeySpec: "ECC_NIST_P256", KeyUsage: "SIGN_VERIFY", PendingWindowInDays: 7 },
    });
    const ids = { "Fn::Join": ["", [keyOf("202701"), ",", keyOf("")]] };
    const functions = Object.values(template.findResources("AWS::Lambda::Function"));
    const told = functions.map(({ Properties }) => Properties.Environment.Variables.METACTION_SIGNING_KEY_ID);
    expect(told.filter((value) => value !== undefined)).toEqual([ids, ids]);
    const kms = statements(template, "DispatcherRole").filter(({ Action }) => JSON.stringify(Action).includes("kms"));
    expect(kms).toEqual([
      {
        Effect: "Allow",
        Action: ["kms:GetPublicKey", "kms:Sign"],
        Resource: expect.arrayContaining(
          [keyOf("202701"), keyOf("")].map(({ Ref }) => ({ "Fn::GetAtt": [Ref, "Arn"] })),
        ),
      },
    ]);
    expect(kms[0]?.Resource).toHaveLength(2);
  });

  test("are kept when their order changes, and when others are added or removed", () => {
    const keys = (...generations: readonly string[]) => {
      const stack = new Stack();
      createIdentity(stack, generations);
      return Object.keys(Template.fromStack(stack).findResources("AWS::KMS::Key"));
    };
    const [first = ""] = keys("first");
    const [second = ""] = keys("2027-01");
    expect(Object.keys(template.findResources("AWS::KMS::Key"))).toEqual([second, first]);
    expect(keys("first", "2027-01")).toEqual([first, second]);
    expect(keys("2027-01", "first")).toEqual([second, first]);
    expect(keys("2027-07", "2027-01")).toContain(second);
    // The first key has the logical id it has in stacks that are deployed already.
    expect(first).toBe("SigningKeyEEFC2790");
  });
});
