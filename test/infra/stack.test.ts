import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { TABLE } from "../../shared/store/table.ts";
import { resources, synthesize } from "./support/synthesize.ts";

const template = synthesize();

describe("the table", () => {
  test("is on demand, recoverable to any second of 35 days, and protected against deletion", () => {
    template.resourceCountIs("AWS::DynamoDB::Table", 1);
    template.hasResource("AWS::DynamoDB::Table", {
      DeletionPolicy: "Retain",
      UpdateReplacePolicy: "Retain",
      Properties: {
        BillingMode: "PAY_PER_REQUEST",
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
        ProvisionedThroughput: Match.absent(),
      },
    });
  });

  test("has the key and the time-to-live attribute the store uses", () => {
    template.hasResourceProperties("AWS::DynamoDB::Table", {
      KeySchema: [
        { AttributeName: TABLE.partitionKey, KeyType: "HASH" },
        { AttributeName: TABLE.sortKey, KeyType: "RANGE" },
      ],
      AttributeDefinitions: [
        { AttributeName: TABLE.partitionKey, AttributeType: "S" },
        { AttributeName: TABLE.sortKey, AttributeType: "S" },
      ],
      TimeToLiveSpecification: { AttributeName: TABLE.timeToLive, Enabled: true },
    });
  });

  test("keeps its logical id: another one would be another, empty table", () => {
    expect(Object.keys(template.findResources("AWS::DynamoDB::Table"))).toEqual(["TableCD117FA1"]);
  });
});

describe("the functions", () => {
  test("run Node 24 on arm64 from a zip and log into groups with a retention", () => {
    const functions = Object.values(template.findResources("AWS::Lambda::Function"));
    expect(functions).toHaveLength(2);
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        Handler: "index.handler",
        MemorySize: 512,
        LoggingConfig: { LogFormat: "JSON", LogGroup: { Ref: expect.any(String) } },
      });
      expect(Properties.PackageType).toBeUndefined();
    }
    const groups = Object.values(template.findResources("AWS::Logs::LogGroup"));
    expect(groups.map((group) => group.Properties.RetentionInDays).sort()).toEqual([365, 90, 90]);
  });

  test("are told where things are, and no secret", () => {
    const dispatcher = Object.values(template.findResources("AWS::Lambda::Function", { Properties: { Timeout: 29 } }));
    expect(dispatcher.map(({ Properties }) => Properties.Environment.Variables)).toEqual([
      {
        METACTION_TABLE: { Ref: expect.stringMatching(/^Table/) },
        METACTION_ISSUER: { "Fn::GetAtt": [expect.stringMatching(/^Api/), "ApiEndpoint"] },
        METACTION_SIGNING_KEY_ID: { Ref: expect.stringMatching(/^SigningKey/) },
        METACTION_BOOTSTRAP_SECRET_ID: { Ref: expect.stringMatching(/^BootstrapSecret/) },
        METACTION_VERSION: "1.2.3",
      },
    ]);
  });

  test("sweep every 15 minutes, never twice at once, and leave a failure to the next run", () => {
    template.hasResourceProperties("AWS::Events::Rule", {
      ScheduleExpression: "rate(15 minutes)",
      State: "ENABLED",
      Targets: [
        {
          RetryPolicy: { MaximumRetryAttempts: 0 },
          Arn: { "Fn::GetAtt": [Match.stringLikeRegexp("^Sweeper"), "Arn"] },
        },
      ],
    });
    template.hasResourceProperties("AWS::Lambda::Function", { Timeout: 14 * 60 });
    template.hasResourceProperties("AWS::Lambda::EventInvokeConfig", { MaximumRetryAttempts: 0 });
  });
});

describe("the API", () => {
  test("has one route for everything, in payload format 2.0, and no CORS of its own", () => {
    const routes = Object.values(template.findResources("AWS::ApiGatewayV2::Route"));
    expect(routes.map((route) => route.Properties.RouteKey)).toEqual(["$default"]);
    template.hasResourceProperties("AWS::ApiGatewayV2::Integration", {
      IntegrationType: "AWS_PROXY",
      PayloadFormatVersion: "2.0",
      IntegrationUri: { "Fn::GetAtt": [Match.stringLikeRegexp("^Dispatcher"), "Arn"] },
    });
    template.hasResourceProperties("AWS::ApiGatewayV2::Api", {
      ProtocolType: "HTTP",
      CorsConfiguration: Match.absent(),
    });
  });

  test("is throttled and logs a line of JSON per call, without path, query and headers", () => {
    const [stage] = Object.values(template.findResources("AWS::ApiGatewayV2::Stage"));
    expect(stage?.Properties).toMatchObject({
      StageName: "$default",
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 },
    });
    const format = JSON.parse(stage?.Properties.AccessLogSettings.Format) as Record<string, string>;
    expect(format.requestId).toBe("$context.requestId");
    expect(Object.values(format).filter((value) => /path|query|header|agent|authorizer/i.test(value))).toEqual([]);
  });
});

describe("identity", () => {
  test("signs with a P-256 key of KMS", () => {
    template.resourceCountIs("AWS::KMS::Key", 1);
    template.hasResourceProperties("AWS::KMS::Key", { KeySpec: "ECC_NIST_P256", KeyUsage: "SIGN_VERIFY" });
  });

  test("has a generated bootstrap secret of 40 letters and digits", () => {
    template.hasResourceProperties("AWS::SecretsManager::Secret", {
      GenerateSecretString: { PasswordLength: 40, ExcludePunctuation: true },
      SecretString: Match.absent(),
    });
  });
});

describe("the stack", () => {
  test("watches errors, throttles, slow calls and the sweeper, quietly while nobody calls", () => {
    const alarms = Object.values(template.findResources("AWS::CloudWatch::Alarm"));
    expect(alarms.map(({ Properties }) => [Properties.MetricName, Properties.TreatMissingData])).toEqual([
      ["5xx", "notBreaching"],
      ["Throttles", "notBreaching"],
      ["Duration", "notBreaching"],
      ["Errors", "notBreaching"],
      ["Invocations", "breaching"],
    ]);
  });

  test("gives no resource a name that would stand in the way of its replacement", () => {
    const named = Object.entries(resources(template)).flatMap(([id, { Type, Properties }]) => {
      const property = NAME_OF[Type];
      return property !== undefined && property in Properties ? [`${id} is named by ${property}`] : [];
    });
    expect(named).toEqual([]);
    const unknown = Object.values(resources(template)).filter(({ Type }) => !(Type in NAME_OF) && !NAMELESS.has(Type));
    expect(unknown.map(({ Type }) => Type)).toEqual([]);
  });

  test("tells the URL, the table, the secret's id and how to read it", () => {
    expect(Object.keys(template.findOutputs("*"))).toEqual([
      "Url",
      "TableName",
      "BootstrapSecretId",
      "ShowBootstrapSecret",
    ]);
  });
});

/** The property whose change replaces a resource, and whose value is taken in the account. */
const NAME_OF: Readonly<Record<string, string>> = {
  "AWS::CloudWatch::Alarm": "AlarmName",
  "AWS::DynamoDB::Table": "TableName",
  "AWS::Events::Rule": "Name",
  "AWS::IAM::Role": "RoleName",
  "AWS::KMS::Key": "KeyId",
  "AWS::Lambda::Function": "FunctionName",
  "AWS::Logs::LogGroup": "LogGroupName",
  "AWS::SecretsManager::Secret": "Name",
};

/** These have none: an API may share its name, and a policy's is made by CDK. */
const NAMELESS = new Set([
  "AWS::ApiGatewayV2::Api",
  "AWS::ApiGatewayV2::Integration",
  "AWS::ApiGatewayV2::Route",
  "AWS::ApiGatewayV2::Stage",
  "AWS::IAM::Policy",
  "AWS::Lambda::EventInvokeConfig",
  "AWS::Lambda::Permission",
]);
