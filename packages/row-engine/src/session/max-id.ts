/** Greater than every id: no id is known to be new. For stores that append without looking at ids, too. */
export const NO_MAX_ID = "\uffff";

/** The greatest of some ids, if engines and JavaScript agree on their order. */
export function maxIdOf(max: string, id: string): string {
  if (!isAscii(id)) return NO_MAX_ID;
  return id > max ? id : max;
}

/** Whether an id is greater than all that `max` was made of, so that it is none of them. Generated ids rise: most need no lookup. */
export function isAfterMaxId(id: string, max: string): boolean {
  return id > max && isAscii(id);
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}
