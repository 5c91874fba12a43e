import { Duration } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Alarm, type AlarmProps, ComparisonOperator, type Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";

export interface Targets {
  readonly api: HttpApi;
  readonly dispatcher: LambdaFunction;
  readonly worker: LambdaFunction;
  readonly sweeper: LambdaFunction;
  /** ARN of an SNS topic for the alarms; without it they appear only in CloudWatch. */
  readonly topic: string | undefined;
}

/** Creates six alarms, each on one metric. */
export function createAlarms(scope: Construct, { api, dispatcher, worker, sweeper, topic }: Targets): void {
  const sum = { statistic: "Sum", period: Duration.minutes(5) };
  const p99 = { ...sum, statistic: "p99" };
  const create = (id: string, alarmDescription: string, metric: Metric, props: Partial<AlarmProps> = {}): Alarm =>
    new Alarm(scope, id, {
      ...{ alarmDescription, metric, threshold: 1, evaluationPeriods: 1 },
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
    });
  const slow = { threshold: 5_000, evaluationPeriods: 3 };
  const reason = "Lambda refused a call: the account's concurrency is used up";
  const alarms = [
    create("ServerErrors", "A call was answered with 5xx", api.metricServerError(sum)),
    create("Throttles", reason, dispatcher.metricThrottles(sum)),
    create("SlowCalls", "For 15 minutes one call in 100 took over 5 s", dispatcher.metricDuration(p99), slow),
    create("WorkerErrors", "A worker failed or ran out of time: its job is started again", worker.metricErrors(sum)),
    create("SweeperErrors", "The sweeper failed", sweeper.metricErrors(sum)),
  ];
  // A sweeper that stopped has no metric, so only INSUFFICIENT_DATA shows it.
  const silent = create(
    "SweeperSilent",
    "Insufficient data: the sweeper does not run any more",
    sweeper.metricInvocations(sum),
    {
      evaluationPeriods: 3,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.MISSING,
    },
  );
  if (topic === undefined) return;
  const action = new SnsAction(Topic.fromTopicArn(scope, "AlarmTopic", topic));
  for (const alarm of [...alarms, silent]) {
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
  silent.addInsufficientDataAction(action);
}
