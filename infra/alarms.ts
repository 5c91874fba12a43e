import { Duration } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";

export interface Watched {
  readonly api: HttpApi;
  readonly dispatcher: LambdaFunction;
  readonly worker: LambdaFunction;
  readonly sweeper: LambdaFunction;
  /** ARN of an SNS topic for the alarms; without it they appear only in CloudWatch. */
  readonly topic: string | undefined;
}

/** Creates six alarms, each on one metric. */
export function createAlarms(scope: Construct, { api, dispatcher, worker, sweeper, topic }: Watched): readonly Alarm[] {
  const sum = { statistic: "Sum", period: Duration.minutes(5) };
  const p99 = { ...sum, statistic: "p99" };
  const alarms = [
    createAlarm(scope, "ServerErrors", "A call was answered with 5xx", api.metricServerError(sum)),
    createAlarm(
      scope,
      "Throttles",
      "Lambda refused a call: the account's concurrency is used up",
      dispatcher.metricThrottles(sum),
    ),
    createAlarm(
      scope,
      "SlowCalls",
      "For 15 minutes one call in 100 took over 5 s",
      dispatcher.metricDuration(p99),
      5_000,
      3,
    ),
    createAlarm(
      scope,
      "WorkerErrors",
      "A worker failed or ran out of time: its job is started again",
      worker.metricErrors(sum),
    ),
    createAlarm(scope, "SweeperErrors", "The sweeper failed", sweeper.metricErrors(sum)),
  ];
  const silent = createSilence(scope, sweeper);
  alarms.push(silent);
  if (topic !== undefined) {
    const action = new SnsAction(Topic.fromTopicArn(scope, "AlarmTopic", topic));
    for (const alarm of alarms) {
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    silent.addInsufficientDataAction(action);
  }
  return alarms;
}

/** Creates the alarm for a sweeper that stopped: it has no metric then, so only INSUFFICIENT_DATA shows it. */
function createSilence(scope: Construct, sweeper: LambdaFunction): Alarm {
  return new Alarm(scope, "SweeperSilent", {
    alarmDescription: "Insufficient data: the sweeper does not run any more",
    metric: sweeper.metricInvocations({ statistic: "Sum", period: Duration.minutes(5) }),
    threshold: 1,
    evaluationPeriods: 3,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.MISSING,
  });
}

/** Creates an alarm that goes on when the metric reaches `from` in each of `periods` periods in a row. */
function createAlarm(
  scope: Construct,
  id: string,
  alarmDescription: string,
  metric: Metric,
  from = 1,
  periods = 1,
): Alarm {
  return new Alarm(scope, id, {
    alarmDescription,
    metric,
    threshold: from,
    evaluationPeriods: periods,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
