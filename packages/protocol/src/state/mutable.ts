/** The type without `readonly`, for an object under construction that no other code has seen yet. */
export type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
