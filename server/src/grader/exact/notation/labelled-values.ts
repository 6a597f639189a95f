import { scanQuantities, type WrittenQuantity } from '../numbers/scan-quantities.ts'
import { asKey, compareQuantities, countedNounsIn, readQuantity } from '../quantity.ts'
import { wayOf } from '../worded/judge-change.ts'
import { compareNames } from '../worded/same-name.ts'
import { HALF, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

/** A number, or which way something goes: up, down, not at all. */
type Value = WrittenQuantity | 1 | -1 | 0
/** By label, in the key's order. */
type Values = ReadonlyMap<string, Value>

const PART = /\s*(?:[,;\n]|\band\b|\bwhile\b)\s*/i
const PAIR = /^(?:the\s+)?(\p{L}[\p{L}\s-]*?)\s*(?:=|:|\bis\b|\s)\s*([-+−–£$€]?\s?\d[^=]*)$/u
const CHANGE = /^(?:the\s+)?(\p{L}{3,}(?:\s\p{L}+){0,2}?)\s+(?:goes\s+|is\s+|will\s+|stays\s+)?(\p{L}+)$/u
const STAYS = /^(?:same|unchanged|constant)$/i
/** “7 R 5” of a division. */
const DIVIDED = /(?<!\d)(\d+)\s*(?:r|rem\.?|remainder)\s*(?:of\s+)?(\d+)/gi
const divided = (text: string): string => text.replace(DIVIDED, 'quotient $1, remainder $2')
/** Other names of what is often asked for; letters in their usual meaning. */
const ALSO: readonly string[][] = [
  ['slope', 'gradient', 'm'],
  ['intercept', 'axis', 'c', 'b'],
  ['mean', 'average', 'x̄'],
  ['median', 'md'],
  ['maximum', 'max', 'largest', 'highest', 'greatest'],
  ['minimum', 'min', 'smallest', 'lowest', 'least'],
  ['remainder', 'rest', 'r'],
  ['quotient', 'q'],
  ['width', 'breadth', 'w'],
  ['length', 'l'],
  ['height', 'h'],
  ['amplitude', 'a'],
  ['radius', 'r'],
]

function labelFor(labels: string[], word: string): string | undefined {
  const plain = word.toLowerCase()
  const called = (part: string) =>
    compareNames(part, word) !== 'different' ||
    (plain.length > 2 && part.toLowerCase().startsWith(plain)) ||
    ALSO.some((all) => all.includes(part.toLowerCase()) && all.includes(plain))
  const told = labels.find((label) => label.split(/[\s-]+/).some(called))
  const initial = word.length === 1 ? labels.filter((label) => label.toLowerCase().startsWith(plain)) : []
  return told ?? (initial.length === 1 ? initial[0] : undefined)
}

function wayIn(word: string): Value | undefined {
  if (/[↑↓]/.test(word)) return word === '↑' ? 1 : -1
  return STAYS.test(word) ? 0 : wayOf(word.toLowerCase()) || undefined
}

function readValues(key: string): Values | null {
  const parts = divided(key)
    .trim()
    .replace(/[.,;]$/, '')
    .split(PART)
  const pairs = parts.flatMap((part): [string, Value][] => {
    const [, label = '', written = ''] = PAIR.exec(part) ?? []
    const [quantity] = scanQuantities(written.replace(/−/g, '-')).quantities
    if (quantity && (label.length > 2 || quantity.unit) && readQuantity(written)) return [[label, quantity]]
    const [, changing = '', word = ''] = CHANGE.exec(part) ?? []
    const way = wayIn(word)
    return way === undefined || wayIn(changing) !== undefined ? [] : [[changing, way]]
  })
  return pairs.length > 1 && pairs.length === parts.length ? new Map(pairs) : null
}

interface Token {
  label?: string
  value?: Value
}

/** What each label is followed by, up to the next. */
function paired(tokens: Token[], last: boolean): Map<string, Value> {
  const found = new Map<string, Value>()
  let label: string | undefined
  for (const token of tokens) {
    if (token.label) label = token.label
    // Of a working “= 25/5 = 5” the end counts.
    else if (label && token.value !== undefined && (last || !found.has(label))) found.set(label, token.value)
  }
  return found
}

function valuesIn(answer: string, key: Values): Values {
  const { skeleton, quantities } = scanQuantities(divided(answer), {
    things: countedNounsIn([...key.keys()].join(' ')),
  })
  const labels = [...key.keys()]
  const numeric = [...key.values()].some((value) => typeof value === 'object')
  const tokens = [...skeleton.matchAll(/#(\d+)#|[↑↓]|\p{L}[\p{L}\p{M}]*/gu)].flatMap(([word, index]): Token[] => {
    const value = numeric ? (index === undefined ? undefined : quantities[Number(index)]) : wayIn(word)
    const label = value === undefined ? labelFor(labels, word) : undefined
    return value !== undefined ? [{ value }] : label ? [{ label }] : []
  })
  // The values alone stand in the order of the labels.
  if (tokens.length === labels.length && tokens.every(({ value }) => value !== undefined))
    return new Map(labels.map((label, i) => [label, tokens[i]?.value ?? 0]))
  const [forwards, backwards] = [paired(tokens, true), paired(tokens.toReversed(), false)]
  const reversed = tokens.at(-1)?.label !== undefined ? backwards.size >= forwards.size : backwards.size > forwards.size
  return reversed ? backwards : forwards
}

/** “slope 2, intercept −5”, “apple 50p, pear 40p”, “price falls, quantity rises”: exchanged ones are wrong. */
export const LABELLED_VALUES: Notation<Values> = {
  read: (key) => (key.length <= 160 ? readValues(key) : null),
  find(answer, key) {
    const unclear = /\b(?:not|or)\b|n['’]t\b|\?/i.test(answer)
    const values = unclear ? new Map() : valuesIn(answer, key)
    return values.size > 0 ? { skeleton: '#0#', found: [values] } : { skeleton: answer.replace(/#/g, ' '), found: [] }
  },
  compare(key, given) {
    const fits = [...key].map(([label, value]) => {
      const own = given.get(label)
      if (typeof value !== 'object' || typeof own !== 'object') return own === value ? 'right' : 'wrong'
      return compareQuantities(asKey(value), own)
    })
    const right = fits.filter((fit) => fit === 'right' || fit === 'rounded').length
    const bare = fits.filter((fit) => fit === 'unit_missing').length
    if (right === key.size) return { ...RIGHT, confidence: 0.92 }
    if (right + bare === key.size) return { ...HALF, share: 0.75 }
    return right + bare > 0
      ? { share: (right + bare / 2) / key.size, confidence: 0.75 }
      : { ...WRONG, confidence: 0.85 }
  },
  otherwise: () => null,
}
