import { QueryClient } from "@tanstack/react-query";

/** Milliseconds for which an answer is reused; a request is cheap, as an unchanged answer has no body. */
const STALE_TIME = 3_000;

/** Cache of answers. The client of the service retries by itself, so queries do not. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: STALE_TIME, retry: false, networkMode: "always", refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: "always" },
  },
});
