/** As much of the package as the test uses; it brings no types. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: object);
    /** Of node:http. */
    callback(): RequestListener;
  }
}
