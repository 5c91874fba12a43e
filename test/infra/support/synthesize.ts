import { readFileSync } from "node:fs";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { readSettings } from "../../../infra/settings.ts";
import { createStack } from "../../../infra/stack.ts";

/** The template `cdk synth` makes with these settings, under the feature flags of `cdk.json`. */
export function synthesize(settings: Readonly<Record<string, string>> = {}): Template {
  const { context } = JSON.parse(readFileSync("cdk.json", "utf8")) as { context: Record<string, unknown> };
  const app = new App({ analyticsReporting: false, context: { ...context, ...settings } });
  return Template.fromStack(createStack(app, readSettings(app.node), "1.2.3"));
}

/** One resource of a template, as CloudFormation reads it. */
export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

export const resources = (template: Template): Readonly<Record<string, Resource>> =>
  (template.toJSON() as { Resources: Record<string, Resource> }).Resources;

export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** The statements of the policy attached to one role, by the beginning of the role's logical id. */
export const statements = (template: Template, role: string): readonly Statement[] =>
  Object.values(template.findResources("AWS::IAM::Policy"))
    .map((policy) => policy.Properties as { Roles: { Ref: string }[]; PolicyDocument: { Statement: Statement[] } })
    .filter((policy) => policy.Roles.some(({ Ref }) => Ref.startsWith(role)))
    .flatMap((policy) => policy.PolicyDocument.Statement);
