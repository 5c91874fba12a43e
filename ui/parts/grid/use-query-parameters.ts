import { useNavigate, useSearch } from "@tanstack/react-router";

/** Returns the query parameters and a function that changes some. */
export function useQueryParameters() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (values: Partial<typeof search>, { replace = false } = {}): Promise<void> =>
    navigate({ to: ".", search: (before) => ({ ...before, ...values }), replace });
  return { search, change };
}
