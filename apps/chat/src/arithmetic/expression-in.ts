const CANDIDATE = /[\d.+\-*/%^()×·÷−\s]+/g;
const OPERATION = /[\d.)]\s*(?:[+*/%^×·÷−-])\s*[-+−(\d.]/;
const DATE = /^\d{1,4}([-/])\d{1,2}\1\d{1,4}$/;

/** The longest part of a sentence that looks like an expression, or `undefined`. */
export function expressionIn(sentence: string): string | undefined {
  const candidates = (sentence.match(CANDIDATE) ?? []).map(trimmed).filter(isExpression);
  return candidates.sort((one, other) => other.length - one.length)[0];
}

/** Without the full stop of the sentence. */
const trimmed = (candidate: string): string => candidate.trim().replace(/[\s.]+$/, "");

const isExpression = (candidate: string): boolean => OPERATION.test(candidate) && !DATE.test(candidate);
