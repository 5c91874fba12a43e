import { afterEach } from "vitest";
import { type CognitoPool, toPool } from "../../../shared/identity/cognito-login.ts";
import { createIdentity } from "../../../shared/identity/identity.ts";
import { type PoolSettings, type PoolUser, startPool } from "./cognito-server.ts";
import { bootstrapCall, createService } from "./service.ts";

export const CLIENT = { clientId: "5abcdefghijklmnopqrstuvwxy", clientSecret: "client-secret-CANARY" };
export const ISSUER = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI";
export const PASSWORD = "Analytical Engine 1843 CANARY";
export const ADA: Readonly<Record<string, PoolUser>> = { "ada@example.com": { password: PASSWORD } };
/** The text that a pool answers in its errors and that no answer of the service may repeat. */
export const LEAK = "LEAK-4711";

/** The answers to a sign-in that is refused, and to one that nobody could judge. */
export const WRONG = { code: "not_signed_in", message: "The username or the password is not right", members: {} };
export const AWAY = { code: "unavailable", members: { retryAfter: 1 } };

/** User pools that are stopped after each test. */
export function usePools() {
  const open: Awaited<ReturnType<typeof startPool>>[] = [];
  afterEach(() => {
    for (const pool of open.splice(0)) pool.stop();
  });
  /** Starts a pool with Ada in it, whose client has a secret. */
  const openPool = async (settings: Partial<PoolSettings> = {}) => {
    const pool = await startPool({ ...CLIENT, users: ADA, ...settings });
    open.push(pool);
    return pool;
  };
  /** Starts such a pool, and the built-in provider that signs users in at it. */
  const withPool = async (settings: Partial<PoolSettings> = {}, change: Partial<CognitoPool> = {}) => {
    const pool = await openPool(settings);
    const cognito = { ...toPool({ ...CLIENT, issuer: ISSUER }), endpoint: pool.endpoint, ...change };
    const service = await createService();
    const identity = createIdentity({ ...service.terms, cognito: async () => cognito });
    const login = (username = "ada@example.com", password = PASSWORD) =>
      identity.login(username, password, bootstrapCall(service.clock));
    return { pool, service, login };
  };
  return { openPool, withPool };
}

/** The problem, or the error that is none, that a promise ends in. */
export function failureOf(promise: Promise<unknown>): Promise<{ code?: string; message: string; members?: object }> {
  return promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error) => error,
  );
}
