/** An object with this one field, or with none if the value is absent. */
export function optionalField<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [N in Name]?: Value };
export function optionalField(name: string, value: unknown): object {
  return value === undefined ? {} : { [name]: value };
}
