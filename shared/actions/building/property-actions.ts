import { update } from "../../domain/change.ts";
import type { KindName } from "../../domain/kind-names.ts";
import type { Kind } from "../../domain/kinds.ts";
import type { AnyObject, ObjectByKind } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { propertyName, propertyValue, withoutProperty, withProperty } from "../../domain/properties.ts";
import { defineAction } from "../contract/define-action.ts";
import { required } from "../contract/params.ts";
import type { Rule } from "../contract/rules.ts";
import type { Group } from "../contract/typed-action.ts";
import { subjectOf } from "./field-actions.ts";
import { checkProperty } from "./property-checks.ts";
import { written } from "./written.ts";

/** The kinds whose objects can have properties. */
export type PropertyHolderName = {
  [N in KindName]: ObjectByKind[N] extends { readonly properties?: string } ? N : never;
}[KindName];

interface Traits<G extends Group> {
  readonly group: G;
  readonly rule: Rule;
  /** Refs of an object of the documentation. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** An action that gives an object a named value, or gives one that it has another value. */
export function updateProperty<
  A extends string,
  N extends PropertyHolderName,
  P extends KindName | undefined,
  R extends string,
  G extends Group,
>(name: A, kind: Kind<N, P, R>, traits: Traits<G>) {
  const { group, rule, example } = traits;
  return defineAction({
    group,
    name,
    title: `Set ${kind.noun} property`,
    description: `Gives the ${kind.noun} a property, or the property another value. null and "" are values like any other; \`${name.replace("_update_", "_delete_")}\` takes it away.`,
    intent: "update",
    rule,
    // The group may be any by its type, also that of accounts, which has to say so.
    apiTokens: "allowed",
    target: kind,
    input: {
      property: required(propertyName, "The name of the property."),
      value: required(propertyValue, "Its value; as its definition says, where the name is defined."),
    },
    output: written,
    errors: [],
    example: { ...example, property: "owner", value: "Sales" },
    run: async ({ target, input, view, ports }) => {
      const { property, value } = input;
      const made = withProperty(target.properties, property, value);
      if ("excess" in made) throw new Problem("too_large", `the ${kind.noun} ${target.key} ${made.excess}`);
      const changes = propertiesSet(target, made.kept);
      if (changes.length > 0)
        await checkProperty(kind.name, property, value, kind.ledger === "tags" ? view : await ports.store.tags());
      return { subject: subjectOf(target), changes };
    },
  });
}

/** An action that takes a property from an object. */
export function deleteProperty<
  A extends string,
  N extends PropertyHolderName,
  P extends KindName | undefined,
  R extends string,
  G extends Group,
>(name: A, kind: Kind<N, P, R>, traits: Traits<G>) {
  const { group, rule, example } = traits;
  return defineAction({
    group,
    name,
    title: `Delete ${kind.noun} property`,
    description: `Takes a property from the ${kind.noun}; one that it does not have changes nothing.`,
    intent: "update",
    rule,
    // The group may be any by its type, also that of accounts, which has to say so.
    apiTokens: "allowed",
    target: kind,
    input: { property: required(propertyName, "The name of the property.") },
    output: written,
    errors: [],
    example: { ...example, property: "reviewed" },
    run: async ({ target, input }) => ({
      subject: subjectOf(target),
      changes: propertiesSet(target, withoutProperty(target.properties, input.property)),
    }),
  });
}

function propertiesSet(target: AnyObject, properties: string | undefined) {
  // Every kind with these actions has the field, which `update` cannot see through the type parameters.
  return update(target, { properties } as Readonly<Record<string, unknown>>);
}
