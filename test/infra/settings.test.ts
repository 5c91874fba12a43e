import { App } from "aws-cdk-lib";
import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { readSettings } from "../../infra/settings.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { synthesize } from "./support/synthesize.ts";

const read = (context: Record<string, string>) => readSettings(new App({ context }).node);

describe("the settings of a deployment", () => {
  test("all have defaults", () => expect(read({})).toEqual({ stage: "prod", corsOrigins: [], signingKeys: ["first"] }));

  test.each([LIMITS.leastTokenMinutes, LIMITS.mostTokenMinutes])("accept %d minutes for a token", (tokenMinutes) => {
    expect(read({ tokenMinutes: String(tokenMinutes) })).toMatchObject({ tokenMinutes });
  });

  test.each([
    ["alarmTopik", "did you mean alarmTopic?"],
    ["stag", "did you mean stage?"],
    ["cors", "did you mean corsOrigins?"],
    ["TokenMinutes", "did you mean tokenMinutes?"],
    ["alarm-topic", "did you mean alarmTopic?"],
    ["bananas", "the settings are stage, corsOrigins, issuer"],
    ["constructor", "the settings are stage, corsOrigins, issuer"],
  ])("do not include %s, and the refusal has the nearest name", (name, wayOut) => {
    expect(() => read({ [name]: "x" })).toThrow(`Unknown setting ${name}; ${wayOut}`);
  });

  test("may include those that CDK adds to the context", () => {
    const ofCdk = {
      "aws:cdk:enable-path-metadata": "true",
      "@aws-cdk/core:x": "true",
      "availability-zones:account=1:region=x": "a",
      "cli-telemetry": "false",
      "acknowledged-issue-numbers": "1",
    };
    expect(read(ofCdk)).toEqual(read({}));
  });

  test("are passed to the functions and the alarms", () => {
    const template = synthesize({
      corsOrigins: "https://a.example, http://localhost:5173",
      issuer: "https://metadata.example/id",
      alarmTopic: "arn:aws:sns:eu-central-1:123456789012:alarms",
      tokenMinutes: "15",
      callerSeconds: String(LIMITS.mostCallerSeconds),
    });
    template.hasResourceProperties("AWS::Lambda::Function", {
      Environment: {
        Variables: {
          METACTION_CORS_ORIGINS: "https://a.example,http://localhost:5173",
          METACTION_ISSUER: "https://metadata.example/id",
          METACTION_TOKEN_MINUTES: "15",
          METACTION_CALLER_SECONDS: String(LIMITS.mostCallerSeconds),
        },
      },
    });
    template.allResourcesProperties("AWS::CloudWatch::Alarm", {
      AlarmActions: ["arn:aws:sns:eu-central-1:123456789012:alarms"],
      OKActions: Match.anyValue(),
    });
  });

  test.each([
    ["stage", "Prod"],
    ["stage", "9"],
    ["corsOrigins", "a.example"],
    ["corsOrigins", "https://a.example/"],
    ["corsOrigins", "*"],
    ["issuer", "http://a.example"],
    ["issuer", "https://a.example?x"],
    ["alarmTopic", "alarms"],
    ["signingKeys", "2027_01"],
    ["signingKeys", "2027-01,"],
    ["signingKeys", "first,first"],
    ["signingKeys", "a,b,c,d"],
    ["tokenMinutes", String(LIMITS.leastTokenMinutes - 1)],
    ["tokenMinutes", String(LIMITS.mostTokenMinutes + 1)],
    ["tokenMinutes", "an hour"],
    ["callerSeconds", String(LIMITS.mostCallerSeconds + 1)],
    ["callerSeconds", "-1"],
    ["table", "ab"],
    ["table", "my table"],
    ["table", "arn:aws:dynamodb:eu-central-1:123456789012:table/x"],
    ["issuers", "no/such/file.json"],
    ["issuers", "README.md"],
  ])("refuse %s=%s with a sentence that names it", (name, value) => {
    expect(() => read({ [name]: value })).toThrow(new RegExp(`^The setting ${name}=.* is not allowed; give .*\\.$`));
  });
});
