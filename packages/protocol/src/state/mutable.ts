/** The same, as long as nobody else has seen it. */
export type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
