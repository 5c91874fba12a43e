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
  readonly sweeper: LambdaFunction;
  /** ARN of an SNS topic that is told; absent: the alarms only show in CloudWatch. */
  readonly topic: string | undefined;
}

const MINUTES = Duration.minutes(5);

/** Five alarms, each on one metric. */
export function createAlarms(scope: Construct, { api, dispatcher, sweeper, topic }: Watched): readonly Alarm[] {
  const sum = { statistic: "Sum", period: MINUTES };
  const alarms = [
    alarm(scope, "ServerErrors", api.metricServerError(sum), 1, "Calls were answered with 5xx"),
    alarm(scope, "Throttles", dispatcher.metricThrottles(sum), 1, "Lambda refused calls: concurrency is used up"),
    // Three periods: one large import may take its 30 s without waking anybody.
    alarm(
      scope,
      "SlowCalls",
      dispatcher.metricDuration({ statistic: "p99", period: MINUTES }),
      5_000,
      "One call in 100 takes over 5 s",
      3,
    ),
    alarm(scope, "SweeperErrors", sweeper.metricErrors(sum), 1, "The sweeper failed"),
    new Alarm(scope, "SweeperSilent", {
      alarmDescription: "The sweeper has not run for an hour",
      metric: sweeper.metricInvocations({ statistic: "Sum", period: Duration.hours(1) }),
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
    }),
  ];
  if (topic !== undefined) {
    const action = new SnsAction(Topic.fromTopicArn(scope, "AlarmTopic", topic));
    for (const one of alarms) {
      one.addAlarmAction(action);
      one.addOkAction(action);
    }
  }
  return alarms;
}

function alarm(scope: Construct, id: string, metric: Metric, threshold: number, sentence: string, periods = 1): Alarm {
  return new Alarm(scope, id, {
    alarmDescription: sentence,
    metric,
    threshold,
    evaluationPeriods: periods,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
