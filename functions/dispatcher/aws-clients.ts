/*
 * The services of AWS that few calls need, in one module that is bundled apart: signing in asks both. It raises no `Problem`,
 * because a class that is bundled twice is two classes.
 */
// biome-ignore lint/performance/noBarrelFile: it is the entry of a file of the bundle
export { createAwsKms } from "../../shared/identity/aws-kms.ts";
export { fetchSecret } from "./fetch-secret.ts";
