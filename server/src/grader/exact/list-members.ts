import { spellingSimilarity } from '../text/fuzzy-match.ts'
import { termsOf, wordsOf } from '../text/terms.ts'
import { digitsForWords } from './numbers/plain-math.ts'
import { compareQuantities, quantitiesIn, readQuantity } from './quantity.ts'
import { thingNamed } from './worded/named-things.ts'
import { compareNames } from './worded/same-name.ts'

const LABEL = /^\s*(?:[-–—•*·▪]\s+|\(?(?:\d{1,2}|[a-z])[.):]\s+)/i
const LEAD_IN =
  /^\W*(?:(?:the|my)\s+)?(?:answers?|solutions?|order|list|roots?|values?|they)\s*(?:is|are|goes)?\s*[:=]\s*/i
const ROOT = /^\s*(\p{L})\s*(?:_?\d|[₀-₉])?\s*=\s*/iu

/** Longer texts are no lists, and slow to compare. */
const MAX_LENGTH = 2000
const MAX_MEMBERS = 40

const expandPlusMinus = (text: string) =>
  text.replace(
    /([=,]|^|\b(?:and|or)\b)\s*±\s*(\d+(?:[.,]\d+)?)/g,
    (_, before: string, number: string) => `${before} ${number}, -${number}`,
  )

export function membersOf(whole: string, key: string[] = []): string[] {
  const text = listPart(whole.slice(0, MAX_LENGTH), key)
    .normalize('NFKC')
    .replace(/[−–—](?=\s*\d)/g, '-')
  return expandPlusMinus(text.replace(/[{}[\]]/g, ' '))
    .replace(LEAD_IN, '')
    .replace(/^[\p{L}\s]+\s[\p{L}\d\s]+:\s*(?=\S)/u, '')
    .split(
      /\s*(?:[;\n]|,(?!\d{3}\b)(?=\s|\p{L}|[-+]?\s?\d)|→|←|⟶|➔|=>|<-(?![\d])|->|>|<|\b(?:and then|(?:and )?after that|and|or|then|followed by)\b|&)\s*/iu,
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

export function integerRun(text: string, key: readonly string[]): string[] | null {
  const [, from, to] =
    /^\D*?(-?\d+)\s*(?:(?:up\s+)?to(?:\s+and\s+including)?|[-–]|through|(?:,\s*)?(?:\.{2,}|…)\s*,?)\s*(-?\d+)\D*$/.exec(
      text.replace(/−/g, '-'),
    ) ?? []
  const [first, size] = [Number(from), Number(to) - Number(from) + 1]
  const consecutive = key.length > 2 && key.every((value, i) => Number(value) === Number(key[0]) + i)
  return consecutive && size > 1 && size < 40 ? Array.from({ length: size }, (_, i) => String(first + i)) : null
}

function listPart(text: string, key: string[]): string {
  const dashes = /[,;\n&→<>|]|->/.test(text) ? 0 : (text.match(/\s[-–—]\s/g)?.length ?? 0)
  if (dashes > 1 && !/\d/.test(text)) return text.replace(/\s+[-–—]\s+/g, ', ')
  if (key.length < 2) return text
  const numeric = key.every((member) => readQuantity(member) !== null)
  if (numeric) {
    const run = integerRun(digitsForWords(text), key)
    if (run) return run.join(', ')
    const [, result] = /(?:\bso\b|\btherefore\b|\bhence\b|⇒|∴)\s*:?\s*([^\n]+)$/i.exec(text.trim()) ?? []
    // “1x6, 2x3” are four factors.
    const solved = /=\s*0\b[^\n]*?(\p{L}\s*=.*)$/isu.exec(text)?.[1]
    const plain = digitsForWords(result ?? solved ?? text).replace(/(?<=\d)\s*[x×*]\s*(?=\d)(?!\s*10\b)/g, ', ')
    return /[,;\n&→<>]|\b(?:and|or|then)\b|=.*=/i.test(plain)
      ? plain
      : plain.trim().replace(/\s+(?=[-+−]?[\d.])/g, ', ')
  }
  const numbered = text.match(/(?:^|\s)\(?\d{1,2}[.):]?\s+(?=\p{L})/gu) ?? []
  if (numbered.length > 1 && !text.includes('\n')) return text.replace(/(?:^|\s)\(?\d{1,2}[.):]?\s+(?=\p{L})/gu, '\n')
  const oneWord = key.every((member) => !/\s/.test(member.trim()))
  const unparted = !/[,;\n&→<>|]|->|\b(?:and|or|then)\b/i.test(text)
  if (unparted && /\s\/\s|\S\/\S/.test(text)) return text.replace(/\s*\/\s*/g, ', ')
  return oneWord && unparted && text.trim().split(/\s+/).length <= key.length + 2
    ? text.trim().replace(/\s+/g, ', ')
    : text
}

/** `signs`: a formula is asked for, no name. */
export function sameMember(key: string, given: string, signs = false): boolean {
  const number = readQuantity(key)
  if (number) {
    if (/[a-z]\s*[-+*^(−]|\)\s*\(/i.test(given)) return false
    const [one] = quantitiesIn(given)
    return one !== undefined && /^(?:right|rounded)$/.test(compareQuantities(number, one))
  }
  if (singularOf(key) === singularOf(given)) return true
  const [thing, other] = [key, given].map((one) => thingNamed(one) ?? thingNamed(/\(([^()]+)\)/.exec(one)?.[1] ?? ''))
  if (thing && other) return thing.id === other.id && (!signs || thing.form === other.form)

  if (isInitials(given, key) || isInitials(key, given)) return true
  const wanted = termsOf(key)
  const has = termsOf(given)
  const fits = (term: string) =>
    has.some((other) => spellingSimilarity(term, other) >= 0.8 || compareNames(term, other) === 'slip')
  const negated = (terms: string[]) => terms.some((term) => /^(?:not?|never|none)$/.test(term))
  return wanted.length > 0 && wanted.every(fits) && has.length <= wanted.length + 2 && negated(wanted) === negated(has)
}

/** The key's members in a sentence, in its order; null where the answer is a list. */
export function membersWithin(key: readonly string[], answer: string, members: readonly string[]): string[] | null {
  if (!members.some((member) => wordsOf(member).length > 6)) return null
  const words = ` ${wordsOf(answer).join(' ')} `
  const placeOf = (member: string) => words.indexOf(` ${wordsOf(member).join(' ')} `)
  return key.filter((member) => placeOf(member) >= 0).sort((a, b) => placeOf(a) - placeOf(b))
}

/** The stemmer does not see that “gases” is “gas”. */
const singularOf = (text: string): string =>
  wordsOf(text)
    .map((word) => word.replace(/(?<=ss|s|x|ch|sh)es$|(?<=[^s]{3,})s$/, ''))
    .join(' ')

export function isInitials(short: string, long: string): boolean {
  const letters = short.trim().replace(/\./g, '')
  if (!/^\p{Lu}{2,5}$/u.test(letters)) return false
  const words = long.trim().split(/[\s-]+/)
  const initials = words.map((word) => word.charAt(0)).join('')
  return words.length === letters.length && initials.toUpperCase() === letters
}

/** “Ig., sed., meta.”, “pro-, meta-, telophase”: expands each that only one member of the key begins with. */
export const expandAbbreviations = (answer: string, key: readonly string[]): string =>
  answer.replace(/(?<![\p{L}\d.])(\p{L}{2,})[.-](?=[\s,;/]|$)/gu, (whole, start: string) => {
    const begins = (one: string) => one.length > start.length && one.toLowerCase().startsWith(start.toLowerCase())
    const [meant = whole, other] = key.filter(begins)
    return other === undefined && !/\s/.test(meant) ? meant : whole
  })

/** “P-M-A-T” of an ordered list. */
export function expandInitials(answer: string, key: readonly string[]): string {
  const letters = answer.match(/\p{L}+/gu) ?? []
  const byInitial = new Map(key.map((member) => [member.charAt(0).toLowerCase(), member]))
  const initials =
    letters.length === key.length && byInitial.size === key.length && letters.every((one) => one.length === 1)
  return initials ? letters.map((one) => byInitial.get(one.toLowerCase()) ?? one).join(', ') : answer
}

export const ORDERED =
  /\b(?:principal\s+parts|in\s+(?:the\s+)?(?:correct\s+|right\s+|chronological\s+|ascending\s+|descending\s+|increasing\s+|decreasing\s+|alphabetical\s+)?(?:order|sequence)|arrange|rank|from\s+(?:the\s+)?(?:smallest|largest|lowest|highest|least|most|first|oldest|newest|nearest|shortest|longest|lightest|heaviest|slowest|fastest|weakest|strongest))\b/i
const SEQUENCE = /\b(?:traversal|(?:in|pre|post)-?order|terms|sequence|next\s+\w+\s+numbers?)\b/i
/** “The three states of matter” are all of them; “three gases” may be any. */
const ASKS_FOR_ALL =
  /\bin\s+any\s+order\b|\(any\s+order\)|\bwhich\s+(?:two|three|four|five|six)\b|\bwhich\s+of\s+(?:these|the\s+following)\b[^.?!]*\bare\b|\b(?:name|list|give|state|identify|write\s+down|what\s+are|which\s+are)\b[^.?!]{0,40}\b(?:the\s+(?:two|three|four|five|six|seven|eight|nine|ten|[2-9]|10)|all(?:\s+of)?(?:\s+the)?)\b/i
const ROOTS =
  /\b(?:eigenvalues?|solve|roots?|solutions?|zeros|zeroes|values\s+of|factors\s+of|prime\s+numbers|numbers)\b/i
const ONE_ROOT = /^\s*([a-z])\s*(?:_?\d|[₀-₉])?\s*=\s*[-+−±]?\s*[\d.]/i
const LONG_MEMBER = 4

/** “x = 2 or x = −3”, “x = ±2” */
export function isRootList(text: string): boolean {
  const parts = text.split(/\s*(?:,|;|\bor\b|\band\b)\s*/i).filter((part) => part !== '')
  const names = parts.map((part) => ONE_ROOT.exec(part)?.[1])
  const [first] = names
  if (first === undefined) return false
  if (/=\s*±/.test(text)) return true
  return (
    parts.length > 1 && parts.every((part, i) => names[i] === first || (names[i] === undefined && readQuantity(part)))
  )
}

/** Null where members cannot be compared one by one, or it is unclear whether order counts. */
export function listKeyKind(prompt: string, key: string): 'set' | 'ordered_list' | null {
  if (key.length > 200) return null
  if (isRootList(key)) return 'set'
  if (/^\s*\{[^{}]+,[^{}]+\}\s*$/.test(key)) return 'set'
  const members = membersOf(key)
  const short = members.every((member) => member.split(/\s+/).length <= LONG_MEMBER)
  if (members.length < 2 || members.length > 12 || !short || /[.?!]\s+\S/.test(key)) return null
  if (
    (members.length > 2 && ORDERED.test(prompt)) ||
    (/\bin\s+th(?:is|at)\s+order\b/i.test(prompt) && !/[[({]/.test(key))
  )
    return 'ordered_list'
  if (members.length > 2 && SEQUENCE.test(prompt) && members.every((member) => readQuantity(member) !== null))
    return 'ordered_list'
  if (members.length > 2 && members.every((member) => /^(?:T|F|0|1|true|false)$/i.test(member))) return 'ordered_list'
  if (!/[,;\n&]|\band\b/i.test(key)) return null
  if (ASKS_FOR_ALL.test(prompt)) return 'set'
  return ROOTS.test(prompt) && members.every((member) => readQuantity(member) !== null) ? 'set' : null
}
