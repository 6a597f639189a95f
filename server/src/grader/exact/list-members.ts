import { spellingSimilarity } from '../text/fuzzy-match.ts'
import { termsOf } from '../text/terms.ts'
import { compareQuantities, quantitiesIn, readQuantity } from './quantity.ts'

const LABEL = /^\s*(?:[-–—•*·▪]\s+|\(?(?:\d{1,2}|[a-z])[.):]\s+)/i
const LEAD_IN =
  /^\W*(?:(?:the|my)\s+)?(?:answers?|solutions?|order|list|roots?|values?|they)\s*(?:is|are|goes)?\s*[:=]\s*/i
const ROOT = /^\s*([a-z])\s*(?:_?\d|[₀-₉])?\s*=\s*/i

/** What is longer is no list, and comparing its members would take too long. */
const MAX_LENGTH = 2000
const MAX_MEMBERS = 40

/** “x = ±2” as “x = 2, -2”. */
const expandPlusMinus = (text: string) =>
  text.replace(
    /([=,]|^)\s*±\s*(\d+(?:[.,]\d+)?)/g,
    (_, before: string, number: string) => `${before} ${number}, -${number}`,
  )

/**
 * The members of a list as written: parted by commas, semicolons, lines, “and”, “or”, “then”, arrows or “<”. A decimal comma and
 * the comma of thousands part nothing. “x = 2 or x = −3” gives “2” and “−3”.
 */
export function membersOf(whole: string): string[] {
  const text = whole.slice(0, MAX_LENGTH)
  const plain = expandPlusMinus(
    text
      .normalize('NFKC')
      .replace(/[−–—](?=\s*\d)/g, '-')
      .replace(/[{}[\]]/g, ' '),
  )
  return plain
    .replace(LEAD_IN, '')
    .split(
      /\s*(?:[;\n]|,(?!\d{3}\b)(?=\s|\p{L}|[-+]?\s?\d)|→|⟶|➔|=>|->|>|<|\b(?:and then|and|or|then|followed by)\b|&)\s*/iu,
    )
    .map((part) =>
      part
        .replace(LABEL, '')
        .replace(ROOT, '')
        .replace(/^\s*(?:and|or|the|an?)\s+/i, '')
        .replace(/[\s.,;:!]+$/, '')
        .trim(),
    )
    .filter((part) => /[\p{L}\d]/u.test(part))
    .slice(0, MAX_MEMBERS)
}

/** Is a member of the answer what the key means? Numbers by value and unit, words by their stems, a slip forgiven. */
export function sameMember(key: string, given: string): boolean {
  const number = readQuantity(key)
  if (number) {
    const [one] = quantitiesIn(given)
    return one !== undefined && compareQuantities(number, one) === 'right'
  }
  const wanted = termsOf(key)
  const has = termsOf(given)
  const fits = (term: string) => has.some((other) => spellingSimilarity(term, other) >= 0.8)
  const negated = (terms: string[]) => terms.some((term) => /^(?:not?|never|none)$/.test(term))
  return wanted.length > 0 && wanted.every(fits) && has.length <= wanted.length + 2 && negated(wanted) === negated(has)
}
