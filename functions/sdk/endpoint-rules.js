// biome-ignore lint/performance/noBarrelFile: a file inside a package, which can only be imported by its path
export { defaultEndpointResolver } from "../../node_modules/@aws-sdk/client-dynamodb/dist-es/endpoint/endpointResolver.js";
