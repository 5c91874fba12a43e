import { expect, test } from "vitest";
import * as z from "zod/mini";
import { createRegistry } from "../../shared/actions/catalogue.ts";
import { defineAction } from "../../shared/actions/contract/define-action.ts";
import { roomOf } from "../support/actions.ts";
import { describeTransports } from "./support/both-transports.ts";
import { createSmallService } from "./support/small-service.ts";

const whence = defineAction({
  group: "config",
  name: "whence",
  title: "Whence",
  description: "Tells where a call comes from.",
  intent: "other",
  safe: true,
  rule: "public",
  input: {},
  output: { mediaType: "application/json", description: "The address.", schema: () => z.unknown() },
  errors: [],
  example: {},
  run: async ({ call }) => ({ body: { sourceAddress: call.sourceAddress } }),
});

describeTransports(
  "the address a call comes from",
  ({ send }) => {
    test("is the one of the connection, whatever the headers are", async () => {
      const told = ["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "sourceaddress"];
      const headers = Object.fromEntries(told.map((name) => [name, "203.0.113.9"]));
      const { json } = await send({ target: "/api/config/whence", headers });
      expect(["192.0.2.1", "127.0.0.1"]).toContain(json.sourceAddress);
    });
  },
  { ...createSmallService(), registry: createRegistry([roomOf(whence)]) },
);
