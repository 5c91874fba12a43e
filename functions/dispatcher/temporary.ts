import { GetPublicKeyCommand, KMSClient, SignCommand } from "@aws-sdk/client-kms";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import middy from "@middy/core";
import jsonBodyParser from "@middy/http-json-body-parser";
import { JwtVerifier } from "aws-jwt-verify";
import * as z from "zod/mini";
import { createDynamoSeam } from "../../shared/store/dynamo.ts";

const seam = createDynamoSeam({ table: "x" });
export const handler = middy(async (e: unknown) => {
  z.object({ a: z.string() }).parse(e);
  await seam.get({ pk: "a", sk: "b" });
  await new KMSClient({}).send(new SignCommand({} as never));
  await new KMSClient({}).send(new GetPublicKeyCommand({} as never));
  await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId: "x" }));
  return JwtVerifier.create({} as never);
}).use(jsonBodyParser());
