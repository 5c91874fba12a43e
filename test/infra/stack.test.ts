import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { TABLE } from "../../shared/store/table/table-schema.ts";
import { resources, statements, synthesize } from "./support/synthesize.ts";

const template = synthesize();

function functionOf(id: string) {
  const [found] = Object.entries(template.findResources("AWS::Lambda::Function")).filter(([key]) => key.startsWith(id));
  return found?.[1].Properties;
}

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

  test("has the key and the time-to-live attribute of the store", () => {
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

  test("keeps its logical id: with another one it would be replaced by an empty table", () => {
    expect(Object.keys(template.findResources("AWS::DynamoDB::Table"))).toEqual(["TableCD117FA1"]);
  });
});

describe("the functions", () => {
  test("use Node 24 on arm64 from a zip and log into groups with a retention", () => {
    const functions = Object.values(template.findResources("AWS::Lambda::Function"));
    expect(functions).toHaveLength(3);
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        LoggingConfig: { LogFormat: "JSON", LogGroup: { Ref: expect.any(String) } },
      });
      expect(Properties.PackageType).toBeUndefined();
      // A new account has too few runs at once to set some aside.
      expect(Properties.ReservedConcurrentExecutions).toBeUndefined();
    }
    // The dispatcher waits for its keys before it is called; that takes an ES module.
    expect(functions.map(({ Properties }) => Properties.Handler).sort()).toEqual([
      "index.handler",
      "index.handler",
      "start.handler",
    ]);
    const groups = Object.values(template.findResources("AWS::Logs::LogGroup"));
    expect(groups.map((group) => group.Properties.RetentionInDays).sort()).toEqual([365, 90, 90, 90]);
    // The access log, which is kept longest, stays when the stack is deleted.
    template.hasResource("AWS::Logs::LogGroup", { DeletionPolicy: "Retain", Properties: { RetentionInDays: 365 } });
  });

  test.each([
    ["Dispatcher", 29, 512],
    ["Worker", 15 * 60, 2_048],
    ["Sweeper", 4 * 60, 512],
  ])("have enough time and memory: %s %i s, %i MB", (id, seconds, megabytes) => {
    expect(functionOf(id)).toMatchObject({ Timeout: seconds, MemorySize: megabytes });
  });

  test("get the names of resources, and no secret", () => {
    const service = {
      METACTION_TABLE: { Ref: expect.stringMatching(/^Table/) },
      METACTION_ISSUER: { "Fn::GetAtt": [expect.stringMatching(/^Api/), "ApiEndpoint"] },
      METACTION_SIGNING_KEY_ID: { Ref: expect.stringMatching(/^SigningKey/) },
      METACTION_BOOTSTRAP_SECRET_ID: { Ref: expect.stringMatching(/^BootstrapSecret/) },
      METACTION_VERSION: "1.2.3",
    };
    const worker = { METACTION_WORKER: { Ref: expect.stringMatching(/^Worker/) } };
    const told = (id: string) => functionOf(id).Environment.Variables;
    expect(told("Dispatcher")).toEqual({ ...service, ...worker });
    expect(told("Worker")).toEqual(service);
    expect(told("Sweeper")).toEqual({ METACTION_TABLE: service.METACTION_TABLE, ...worker });
  });

  test("leave a failure to the next run, and drop events that waited too long", () => {
    const settings = Object.values(template.findResources("AWS::Lambda::EventInvokeConfig")).map((r) => r.Properties);
    const of = (id: string) => settings.find(({ FunctionName }) => FunctionName.Ref.startsWith(id));
    expect(settings).toHaveLength(2);
    expect(of("Worker")).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 300 });
    expect(of("Sweeper")).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
  });

  test("sweep every 5 minutes, and a run ends before the next one, however long its event waited", () => {
    template.hasResourceProperties("AWS::Events::Rule", {
      ScheduleExpression: "rate(5 minutes)",
      State: "ENABLED",
      Targets: [
        {
          RetryPolicy: { MaximumRetryAttempts: 0 },
          Arn: { "Fn::GetAtt": [Match.stringLikeRegexp("^Sweeper"), "Arn"] },
        },
      ],
    });
    expect(functionOf("Sweeper").Timeout + 60).toBeLessThanOrEqual(5 * 60);
  });
});

describe("the API", () => {
  test("has one route for everything, in payload format 2.0, and no CORS settings", () => {
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

  test("is throttled and logs a line of JSON for each call, without path, query and headers", () => {
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

test("identity has a generated bootstrap secret of 40 letters and digits", () => {
  template.hasResourceProperties("AWS::SecretsManager::Secret", {
    GenerateSecretString: { PasswordLength: 40, ExcludePunctuation: true },
    SecretString: Match.absent(),
  });
});

describe("the stack", () => {
  test("watches errors, throttles, slow calls, the worker and the sweeper, without alarms in idle times", () => {
    const alarms = Object.values(template.findResources("AWS::CloudWatch::Alarm"));
    expect(alarms.map(({ Properties: p }) => [p.MetricName, p.TreatMissingData, p.Period])).toEqual([
      ["5xx", "notBreaching", 300],
      ["Throttles", "notBreaching", 300],
      ["Duration", "notBreaching", 300],
      ["Errors", "notBreaching", 300],
      ["Errors", "notBreaching", 300],
      ["Invocations", "missing", 300],
    ]);
    const functions = alarms.flatMap(({ Properties }) => Properties.Dimensions ?? []);
    expect(functions.filter(({ Name }) => Name === "FunctionName").map(({ Value }) => Value.Ref)).toEqual([
      expect.stringMatching(/^Dispatcher/),
      expect.stringMatching(/^Dispatcher/),
      expect.stringMatching(/^Worker/),
      expect.stringMatching(/^Sweeper/),
      expect.stringMatching(/^Sweeper/),
    ]);
  });

  test("alarms when the sweeper stops, and not before its first run", () => {
    const topic = "arn:aws:sns:eu-central-1:123456789012:alarms";
    const told = Object.entries(synthesize({ alarmTopic: topic }).findResources("AWS::CloudWatch::Alarm"));
    // A new alarm is in this state already, so nothing happens until it comes back to it.
    const onSilence = told.filter(([, { Properties }]) => Properties.InsufficientDataActions !== undefined);
    expect(onSilence.map(([id, { Properties: p }]) => [p.TreatMissingData, p.InsufficientDataActions, id])).toEqual([
      ["missing", [topic], expect.stringMatching(/^SweeperSilent/)],
    ]);
    expect(told.filter(([, { Properties }]) => Properties.TreatMissingData === "breaching")).toEqual([]);
  });

  test("works with an existing table, which it neither creates nor may administer", () => {
    const restored = synthesize({ table: "metaction-restored.2" });
    expect(restored.findResources("AWS::DynamoDB::Table")).toEqual({});
    const variables = Object.values(restored.findResources("AWS::Lambda::Function")).map(
      ({ Properties }) => Properties.Environment.Variables.METACTION_TABLE,
    );
    expect(variables).toEqual(Array(3).fill("metaction-restored.2"));
    for (const role of ["Dispatcher", "Worker", "Sweeper"]) {
      const own = statements(template, role).filter(({ Action }) => String(Action).includes("dynamodb:"));
      const there = statements(restored, role).filter(({ Action }) => String(Action).includes("dynamodb:"));
      expect(there.map(({ Action }) => Action)).toEqual(own.map(({ Action }) => Action));
      for (const { Resource } of there) expect(JSON.stringify(Resource)).toContain(":table/metaction-restored.2");
    }
  });

  test("gives no resource a fixed name that prevents its replacement", () => {
    const named = Object.entries(resources(template)).flatMap(([id, { Type, Properties }]) => {
      const property = NAME_OF[Type];
      return property !== undefined && property in Properties ? [`${id} is named by ${property}`] : [];
    });
    expect(named).toEqual([]);
    const unknown = Object.values(resources(template)).filter(({ Type }) => !(Type in NAME_OF) && !NAMELESS.has(Type));
    expect(unknown.map(({ Type }) => Type)).toEqual([]);
  });

  test("outputs the URL, the table, the id of the secret with the command to read it, and the signing keys", () => {
    expect(Object.keys(template.findOutputs("*"))).toEqual([
      ...["Url", "TableName", "BootstrapSecretId", "ShowBootstrapSecret", "SigningKeyIds"],
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

/** Types of resources without such a property: an API may share its name, and CDK makes the name of a policy. */
const NAMELESS = new Set([
  ...["AWS::ApiGatewayV2::Api", "AWS::ApiGatewayV2::Integration", "AWS::ApiGatewayV2::Route"],
  ...["AWS::ApiGatewayV2::Stage", "AWS::IAM::Policy", "AWS::Lambda::EventInvokeConfig", "AWS::Lambda::Permission"],
]);
