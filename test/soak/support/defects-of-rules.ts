import { type Defects, suite } from "./defect.ts";
import { at, keep, remove, replace, swap } from "./mutation.ts";

/** Defects in comparisons, plans, rights, the audit log, fsck and the deployment. */
export const RULE_DEFECTS: Defects = {
  "removed-business-key-judged-cosmetic": {
    planted: ["assessRemoval", replace(at("binary", "tag"), '$ || objectType === "businessKey"')],
    caughtBy: [suite("test/domain/judged-changes.test.ts", "a businessKey")],
  },
  "new-required-attribute-judged-additive": {
    planted: ["assessAddition", replace(at("binary", "members"), "false")],
    caughtBy: [suite("test/domain/judged-changes.test.ts", "a required attribute is breaking")],
  },
  "alike-attributes-taken-for-renamed-though-several": {
    planted: ["pairAlike", replace(at("logical", "rival", { part: "right" }), "undefined")],
    caughtBy: [suite("test/domain/match-documents.test.ts", "a rename is likely only")],
  },
  "plan-of-another-revision-applied": {
    planted: ["hashPlan", remove(at("property", "revision", { nth: 2 }))],
    caughtBy: [suite("test/actions/apply.test.ts")],
  },
  "audit-page-never-ends": {
    planted: ["listMonths", replace(at("conditional", "to"), "undefined")],
    caughtBy: [suite("test/store/accounts/audit-list.test.ts", "has no cursor on the last page")],
  },
  "token-bound-by-id-denied": {
    planted: ["identifyModel", remove(at("spread", "within"))],
    caughtBy: [suite("test/identity/callers.test.ts", "an API token for a model by id gets from auth/can")],
  },
  "difference-of-an-object-not-reported-by-fsck": {
    planted: ["checkObject", replace(at("binary", "length"), "true")],
    caughtBy: [suite("test/store/fsck/fsck-rules.test.ts")],
  },
  "markup-not-escaped-in-a-diagram": {
    planted: ["escapeMarkup", keep("callee.object", at("call", "replace"))],
    caughtBy: [suite("test/diagram/diagram-svg.test.ts")],
  },
  "request-with-two-hosts-accepted": {
    planted: ["findHostFault", remove(at("if", "length", { nth: 2 }))],
    caughtBy: [suite("test/http/connections.test.ts", "Host")],
  },
  "edit-of-people-overwritten-by-the-source": {
    planted: ["computeVerdict", keep("consequent", at("conditional", "isSameValue"))],
    caughtBy: [suite("test/actions/import-into.test.ts")],
  },
  "search-by-one-condition-of-several": {
    planted: ["createRowTest", replace(at("identifier", "every"), "some")],
    caughtBy: [suite("test/search/search-oracle.test.ts")],
  },
  "pre-release-taken-for-the-later-version": {
    planted: ["compareVersions", swap(at("if", "labels", { part: "consequent.argument" }), "left", "right")],
    caughtBy: [suite("test/domain/value-types.test.ts")],
  },
};
