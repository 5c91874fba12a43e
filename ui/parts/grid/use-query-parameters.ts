import { useNavigate, useSearch } from "@tanstack/react-router";

/** Returns the query parameters and a function that changes some. */
export function useQueryParameters() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (some: Partial<typeof search>, { replace = false } = {}): Promise<void> =>
    navigate({ to: ".", search: (before) => ({ ...before, ...some }), replace });
  return { search, change };
}
