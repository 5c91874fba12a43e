import { QueryClient } from "@tanstack/react-query";

/**
 * Milliseconds for which an answer is reused without a request. A request is cheap: an unchanged answer has no body.
 */
const STALE_TIME = 3_000;

/**
 * Cache of answers. The client of the service retries by itself, so queries do not retry. They are read again after the
 * service has reconnected.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: STALE_TIME, retry: false, networkMode: "always", refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: "always" },
  },
});
