/** The endpoint that the SDK's rules give. */
export function defaultEndpointResolver(parameters: {
  readonly Region: string;
  readonly UseFIPS: boolean;
  readonly UseDualStack: boolean;
}): { readonly url: URL };
