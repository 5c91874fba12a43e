import { expect, test } from "vitest";
import { toDescription } from "../../cli/calls/description.ts";
import { findQueryFault } from "../../cli/output/query.ts";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import { describeApi } from "../../shared/http/openapi.ts";

const service = { registry: createCatalogue(), facts: { version: "0" } };
// biome-ignore lint/suspicious/noExplicitAny: the command line reads the document as JSON
const { actions, shapes } = toDescription((await describeApi(service, "http://localhost")) as any);

test.each<[action: string, query: string, fault?: string]>([
  ["search", "items[].path"],
  ["search", "items[?location.objectType=='entity'].path | sort(@) | [0]"],
  ["search", "items[*].{kind: location.objectType, id: id}[].kind"],
  ["search", "items[:2].location.[modelKey, entityKey]"],
  ["search", "length(items) > `0` && !items[0].location.typeKey || items[-1].id"],
  ["search", "max_by(items, &path).location.modelKey"],
  ["search", "reverse(sort_by(items, &path))[0].id"],
  ["model_list", "[].key"],
  ["model_list", "[[0].id, @[1].key]"],
  ["model_export", "entities[].attributes[].key"],
  ["model_export", "properties.owner.name"],
  ["model_get", "properties.*.name"],
  ["batch_run", "results[].revision"],
  ["batch_run", "results[].items[].path"],
  ["search", "items[].paht", "did you mean path?"],
  ["search", "items[?location.objecttype=='entity'].path", "did you mean objectType?"],
  ["search", "items[?path].key", "it has id, location, path"],
  ["search", "items[*].{kind: location.objectType}[].kinds", "did you mean kind?"],
  ["search", "items.path", "a list has no member path; write [].path"],
  ["search", "items[].id.key", "no member key there; it is a single value"],
  ["search", "sort_by(items, &paht)", "did you mean path?"],
  ["search", "min_by(items, &path).key", "it has id, location, path"],
  ["search", "length(item)", "did you mean items?"],
  ["search", "items | [0].paths", "did you mean path?"],
  ["search", "!item", "did you mean items?"],
  ["search", "[items, paths]", "no member paths"],
  ["search", "items[", "Expected Star"],
  ["model_get", "property.*.name", "no member property there"],
  ["model_list", "items[].key", "a list has no member items; write [].items"],
  ["model_export", "entities[].attributes[].keys", "did you mean key?"],
])("`%s --query=%s`: the member that no answer has is %j", async (name, query, fault) => {
  const shape = actions.find((action) => action.name === name)?.shape ?? expect.fail(`no action ${name}`);
  const found = await findQueryFault(query, shape, shapes);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(fault);
});
