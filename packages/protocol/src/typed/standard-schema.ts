/**
 * A schema of any library that implements Standard Schema, version 1 (https://standardschema.dev): zod, valibot, ArkType and others. It is
 * declared here because this package depends on nothing; the declarations are compatible.
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>;
    /** For the compiler only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The result of a validation: with `issues`, the value is refused. */
export type StandardSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaIssue[] };

/** What is wrong with a value, and where. */
export interface StandardSchemaIssue {
  readonly message: string;
  /** Keys from the value down. Absent or empty: the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
