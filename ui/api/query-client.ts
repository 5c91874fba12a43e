import { QueryClient } from "@tanstack/react-query";

/** Milliseconds for which an answer is shown again without asking; asking costs little, since nothing comes back when nothing moved. */
const FRESH = 3_000;

/**
 * What was read. The client of the service repeats what may be repeated, so nothing is repeated here; a lost service is
 * asked again when it is back.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: FRESH, retry: false, networkMode: "always", refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: "always" },
  },
});
