import { foldName, UNSPACED_SCRIPT } from '../../../grader/anonymizer/name-tokens.ts'

/** Where several names fit, only the closest counts. */
export const closeness = { initial: 1, pair: 2, ends: 3, whole: 4 } as const

/** A name without its spaces. */
export interface NameKey {
  key: string
  closeness: number
}

/** `O’Malley` is two words, `Núñez` is `nunez`. */
export const splitWords = (text: string): string[] =>
  foldName(text.normalize('NFC'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** More spellings than a name with three accents has would be mostly nonsense. */
const MAX_SPELLINGS = 30

/** `Zoë` is written Zoe, and by programs that lose unknown letters Zo or Zo-; `Müller` also Mueller. */
function spellingsOf(word: string): string[] {
  let spellings = ['']
  for (const letter of word.normalize('NFC').toLowerCase()) {
    const base = foldName(letter)
    const ways = base === letter ? [letter] : [base, '', ...(/[äöüø]/.test(letter) ? [`${base}e`] : [])]
    spellings = spellings.flatMap((begun) => ways.map((way) => begun + way)).slice(0, MAX_SPELLINGS)
  }
  return spellings
}

/** Shorter prefixes are as good as an initial. */
const LEAST_PREFIX = 3

/** In the orders people write them. */
function wordOrdersOf(words: string[]): { words: string[]; closeness: number }[] {
  const first = words[0] ?? ''
  const last = words.at(-1) ?? ''
  const orders = [words, [last, ...words.slice(0, -1)], [...words.slice(1), first]].map((order) => ({
    words: order,
    closeness: closeness.whole as number,
  }))
  const both = (a: string, b: string, how: number) => {
    orders.push({ words: [a, b], closeness: how }, { words: [b, a], closeness: how })
  }
  if (words.length > 2) {
    both(first, last, closeness.ends)
    for (const [i, word] of words.slice(1).entries()) both(words[i] ?? '', word, closeness.pair)
  }
  // Not its only letter: that is the whole name again.
  if (first.length > 1) both(first.charAt(0), last, closeness.initial)
  if (first.length > 1 && words.length > 2) both(first.charAt(0), words.slice(1).join(''), closeness.initial)
  for (let end = LEAST_PREFIX; end < first.length; end++) both(first.slice(0, end), last, closeness.initial)
  return orders
}

/** Only for two words or more: one word is at best a first name, except in scripts without spaces. */
export function nameKeysOf(fullName: string): NameKey[] {
  const words = fullName
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
  if (words.length < 2)
    return UNSPACED_SCRIPT.test(fullName) ? [{ key: foldName(fullName), closeness: closeness.whole }] : []
  const keys = new Map<string, number>()
  for (const order of wordOrdersOf(words)) {
    let spelt = ['']
    for (const word of order.words)
      spelt = spelt.flatMap((begun) => spellingsOf(word).map((one) => begun + one)).slice(0, MAX_SPELLINGS)
    for (const key of spelt) keys.set(key, Math.max(keys.get(key) ?? 0, order.closeness))
  }
  return [...keys].map(([key, how]) => ({ key, closeness: how }))
}
