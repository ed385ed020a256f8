/** The version of the format that is written, and the only one that is understood. Format 1 was never released. */
export const FORMAT_VERSION = 2;
