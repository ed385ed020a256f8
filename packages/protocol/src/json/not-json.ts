import { typeTag } from "./type-tag.js";

const USE_JSONIFY = "use jsonify(value) to make it JSON";

/** Why a value is not JSON, and what to do. The message follows the path to the value. */
export class NotJson extends Error {
  static number(value: number): NotJson {
    return new NotJson(`is ${value}, which JSON cannot hold: use null, or a string`);
  }

  static symbolKey(key: symbol): NotJson {
    return new NotJson(`has the symbol key ${String(key)}, which JSON cannot hold: use a string as key`);
  }

  static hole(): NotJson {
    return new NotJson("is a hole in a sparse array: fill it, with null if need be");
  }

  static cycle(): NotJson {
    return new NotJson("is a cycle, an object that contains itself: leave it out, or use jsonify(value)");
  }

  static depth(limit: number): NotJson {
    return new NotJson(`is nested more than ${limit} levels deep: make it flatter`);
  }

  /** The value's type is not JSON. */
  static type(value: unknown): NotJson {
    switch (typeof value) {
      case "undefined":
        return new NotJson("is undefined, which JSON cannot hold: use null, or leave it out");
      case "bigint":
        return new NotJson(
          "is a BigInt, which JSON cannot hold: use a number or a string, or jsonify(value)",
        );
      case "object":
        return new NotJson(
          `is ${value === null ? "null" : kindOf(value)}, not a plain object: ${USE_JSONIFY}`,
        );
      default:
        return new NotJson(`is a ${typeof value}, which JSON cannot hold: leave it out`);
    }
  }
}

/** "a Date", "a boxed Number", "an instance of Point". */
function kindOf(value: object): string {
  const tag = typeTag(value);
  if (tag === "Number" || tag === "String" || tag === "Boolean") return `a boxed ${tag}`;
  if (tag !== "Object") return /^[AEIO]/.test(tag) ? `an ${tag}` : `a ${tag}`;
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${name}` : "an instance of a class";
}
