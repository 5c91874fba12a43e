import { type Defect, suite } from "./defect.ts";
import { at, keep, remove, replace, swap } from "./mutation.ts";

/** Defects in comparisons, plans, rights, the audit log, fsck and the deployment. */
export const RULE_DEFECTS: readonly Defect[] = [
  {
    name: "removed-business-key-judged-cosmetic",
    where: "assessRemoval",
    mutation: replace(at("binary", "tag"), '$ || objectType === "businessKey"'),
    caughtBy: [suite("test/domain/judged-changes.test.ts", "a businessKey")],
  },
  {
    name: "new-required-attribute-judged-additive",
    where: "assessAddition",
    mutation: replace(at("binary", "members"), "false"),
    caughtBy: [suite("test/domain/judged-changes.test.ts", "a required attribute is breaking")],
  },
  {
    name: "alike-attributes-taken-for-renamed-though-several",
    where: "pairAlike",
    mutation: replace(at("logical", "rival", { part: "right" }), "undefined"),
    caughtBy: [suite("test/domain/match-documents.test.ts", "a rename is likely only")],
  },
  {
    name: "plan-of-another-revision-applied",
    where: "hashPlan",
    mutation: remove(at("property", "revision", { nth: 2 })),
    caughtBy: [suite("test/actions/apply.test.ts")],
  },
  {
    name: "audit-page-never-ends",
    where: "listMonths",
    mutation: replace(at("conditional", "to"), "undefined"),
    caughtBy: [suite("test/store/accounts/audit-list.test.ts", "has no cursor on the last page")],
  },
  {
    name: "token-bound-by-id-denied",
    where: "identifyModel",
    mutation: remove(at("spread", "within")),
    caughtBy: [suite("test/identity/callers.test.ts", "an API token for a model by id gets from auth/can")],
  },
  {
    name: "difference-of-an-object-not-reported-by-fsck",
    where: "checkObject",
    mutation: replace(at("binary", "length"), "true"),
    caughtBy: [suite("test/store/fsck/fsck-rules.test.ts")],
  },
  {
    name: "markup-not-escaped-in-a-diagram",
    where: "escapeMarkup",
    mutation: keep("callee.object", at("call", "replace")),
    caughtBy: [suite("test/diagram/diagram-svg.test.ts")],
  },
  {
    name: "request-with-two-hosts-accepted",
    where: "findHostFault",
    mutation: remove(at("if", "length", { nth: 2 })),
    caughtBy: [suite("test/http/connections.test.ts", "Host")],
  },
  {
    name: "edit-of-people-overwritten-by-the-source",
    where: "computeVerdict",
    mutation: keep("consequent", at("conditional", "isSameValue")),
    caughtBy: [suite("test/actions/import-into.test.ts")],
  },
  {
    name: "search-by-one-condition-of-several",
    where: "createRowTest",
    mutation: replace(at("identifier", "every"), "some"),
    caughtBy: [suite("test/search/search-oracle.test.ts")],
  },
  {
    name: "pre-release-taken-for-the-later-version",
    where: "compareVersions",
    mutation: swap(at("if", "labels", { part: "consequent.argument" }), "left", "right"),
    caughtBy: [suite("test/domain/value-types.test.ts")],
  },
];
