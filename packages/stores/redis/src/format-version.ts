/** The version of the format that is written, and the newest that is understood. */
export const FORMAT_VERSION = 1;
