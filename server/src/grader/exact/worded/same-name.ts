import { editDistance } from '../../text/fuzzy-match.ts'

const FORMS: [RegExp, string][] = [
  [/sulph/g, 'sulf'],
  [/aluminum/g, 'aluminium'],
  [/(?<=[ai])e(?=m)|(?<=^)oe|(?<=\p{L})ae(?=\p{L})/gu, 'e'],
  [/our\b/g, 'or'],
  [/is(?=(?:ed?|ing|ation)\b)/g, 'iz'],
  [/(?<=met|lit|cent|fib|theat)re/g, 'er'],
]
/** Words that differ in one of these are two words. */
const PREFIXES = /^(?:inter|intra|micro|macro|hypo|hyper|endo|exo|ecto|anti|ante|peri|para|iso|eso|epi|apo|pro|per|pre)/
/** Endings that tell one substance from another. */
const ENDINGS = /(?:(?:at|it|id|in|en|an|yn|os)e|ol|al)(?=s?$)/
const LONG = 7

/** Merges letters of one sound and drops vowels and doubled letters: slips hardly ever change the rest. */
const consonantsOf = (word: string): string =>
  word
    .replace(/[st]ion/g, 'shn')
    .replace(/ph/g, 'f')
    .replace(/n(?=[bp])/g, 'm')
    .replace(/ch(?=[ei])/g, 'c')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/ck|[cq]/g, 'k')
    .replace(/z/g, 's')
    .replace(/(?<=[^aeiouy])h/g, '')
    .replace(/(.)\1/g, '$1')
    .replace(/[aeiouy]/g, '')

/** Names from other alphabets in English, German or French spelling: “Gorbachev”, “Gorbatschow”. */
const transliterated = (word: string): string =>
  word
    .replace(/tsch|tch/g, 'c')
    .replace(/sch|sh/g, 's')
    .replace(/cz|kh|ch/g, 'c')
    .replace(/w|ff$/g, 'v')
    .replace(/[jy]/g, 'i')
    .replace(/ii/g, 'i')
    .replace(/ks|chs/g, 'x')

const plainOf = (word: string): string => {
  const bare = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return FORMS.reduce((text, [pattern, form]) => text.replace(pattern, form), bare)
}

/** Two neighbouring letters swapped are one slip. */
function slipsIn(a: string, b: string): number {
  const distance = editDistance(a, b)
  if (a.length !== b.length || distance !== 2) return distance
  const at = [...a].findIndex((letter, i) => letter !== b[i])
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2) ? 1 : distance
}

const sameLetters = (a: string, b: string): boolean => [...a].sort().join() === [...b].sort().join()

const singular = (word: string): string =>
  word.replace(/(?:ies)$/, 'y').replace(/(?<=s|x|ch|sh)es$|(?<=[^s]{2,}|st)s$/, '')
/** “Mitochondria” and “mitochondrion”, “fungi” and “fungus”. */
const latin = (word: string): string => word.replace(/(?<=.{4})(?:a|ae|um|on|us|i)$/, '')

export function compareNames(key: string, given: string): 'same' | 'slip' | 'different' {
  // A code has no misspelling.
  if (/^\p{Lu}{3,}$/u.test(key)) return key === given.toUpperCase() ? 'same' : 'different'
  const [a, b] = [plainOf(key), plainOf(given)]
  if (a === b || singular(a) === singular(b) || (latin(a) === latin(b) && latin(a) !== a && latin(b) !== b))
    return 'same'
  const shorter = Math.min(a.length, b.length)
  const [name, other] = [transliterated(a), transliterated(b)]
  if (
    /^\p{Lu}/u.test(key) &&
    shorter > 4 &&
    name.replace(/[aeiou]/g, '') === other.replace(/[aeiou]/g, '') &&
    editDistance(name, other) < 2
  )
    return 'slip'
  const initial = (word: string) => word.replace(/^ph/, 'f').replace(/^[ck]/, 'k').replace(/^w/, 'v')[0]
  if (initial(a) !== initial(b) || shorter < 4 || !/^\p{L}+$/u.test(a + b)) return 'different'
  const slips = slipsIn(a, b)
  const [stem, bare] = [latin(a), latin(b)]
  if (stem !== a && bare !== b && stem.length > LONG && slipsIn(stem, bare) === 1 && sameLetters(stem, bare))
    return 'slip'
  if (slips > (shorter >= LONG ? 2 : 1)) return 'different'
  const [first, second] = [PREFIXES.exec(a)?.[0], PREFIXES.exec(b)?.[0]]
  if (first !== second && first !== undefined && second !== undefined) return 'different'
  const [end, ending] = [ENDINGS.exec(a)?.[0], ENDINGS.exec(b)?.[0]]
  if (end !== ending && end !== undefined && ending !== undefined) return 'different'
  if (consonantsOf(singular(a)) === consonantsOf(singular(b)) || consonantsOf(a) === consonantsOf(b)) return 'slip'
  const swapped = sameLetters(a, b)
  if (swapped && slips === 1 && /^(?:\p{L}{5,}|\p{Lu}\p{L}{3})$/u.test(key)) return 'slip'
  // A letter too many, one too few or two swapped; another consonant makes another word.
  return slips === 1 &&
    Math.max(a.length, b.length) >= (/^\p{Lu}/u.test(key) ? LONG : LONG + 1) &&
    (a.length !== b.length || sameLetters(a, b))
    ? 'slip'
    : 'different'
}
