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
  /** ARN of an SNS topic that gets the alarms; absent: they only show in CloudWatch. */
  readonly topic: string | undefined;
}

/** Six alarms, each on one metric. */
export function createAlarms(scope: Construct, { api, dispatcher, worker, sweeper, topic }: Watched): readonly Alarm[] {
  const alarms = [
    createAlarm(scope, "ServerErrors", {
      sentence: "A call was answered with 5xx",
      metric: api.metricServerError({ statistic: "Sum", period: Duration.minutes(5) }),
      from: 1,
    }),
    createAlarm(scope, "Throttles", {
      sentence: "Lambda refused a call: the account's concurrency is used up",
      metric: dispatcher.metricThrottles({ statistic: "Sum", period: Duration.minutes(5) }),
      from: 1,
    }),
    createAlarm(scope, "SlowCalls", {
      sentence: "For 15 minutes one call in 100 took over 5 s",
      metric: dispatcher.metricDuration({ statistic: "p99", period: Duration.minutes(5) }),
      from: 5_000,
      periods: 3,
    }),
    createAlarm(scope, "WorkerErrors", {
      sentence: "A worker failed or ran out of time: its job is started again",
      metric: worker.metricErrors({ statistic: "Sum", period: Duration.minutes(5) }),
      from: 1,
    }),
    createAlarm(scope, "SweeperErrors", {
      sentence: "The sweeper failed",
      metric: sweeper.metricErrors({ statistic: "Sum", period: Duration.minutes(5) }),
      from: 1,
    }),
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

/**
 * Tells when the sweeper stops running. A function that does not run has no metric at all, and so has one that has not run yet:
 * missing data counted as a fault would tell of every new stack. INSUFFICIENT_DATA is the state a new alarm begins in, so going
 * back to it is what tells.
 */
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

interface Condition {
  readonly sentence: string;
  readonly metric: Metric;
  /** The alarm goes on at this value, reached in each of `periods` periods in a row. */
  readonly from: number;
  readonly periods?: number;
}

function createAlarm(scope: Construct, id: string, { sentence, metric, from, periods = 1 }: Condition): Alarm {
  return new Alarm(scope, id, {
    alarmDescription: sentence,
    metric,
    threshold: from,
    evaluationPeriods: periods,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
