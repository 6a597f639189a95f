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
  // “Number” of “atomic number” and “mass number” tells neither.
  const [told, ...more] = labels.filter((label) => label.split(/[\s-]+/).some(called))
  if (more.length > 0) return undefined
  const initial =
    word.length === 1 && !/^[ai]$/.test(word) ? labels.filter((label) => label.toLowerCase().startsWith(plain)) : []
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
  /** Behind “=”. */
  result?: boolean
}

/** What each label is followed by, up to the next; null where that is more than one value. */
function paired(tokens: Token[]): Map<string, Value> | null {
  const found = new Map<string, Value>()
  let label: string | undefined
  for (const { label: own, value, result } of tokens) {
    label = own ?? label
    if (label === undefined || value === undefined) continue
    // Of a working “= 25/5 = 5” the end counts.
    if (found.has(label) && !result) return null
    found.set(label, value)
  }
  return found
}

function valuesIn(answer: string, key: Values): Values {
  const labels = [...key.keys()]
  // “Max 4 min −2” has no minutes.
  const spelt = /maximum|minimum/i.test(labels.join()) ? answer.replace(/\b(max|min)\b/gi, '$1imum') : answer
  const { skeleton, quantities } = scanQuantities(divided(spelt), { things: countedNounsIn(labels.join(' ')) })
  const numeric = [...key.values()].some((value) => typeof value === 'object')
  const tokensOf = (text: string) =>
    [...text.matchAll(/(=\s*)?#(\d+)#|[↑↓]|\p{L}[\p{L}\p{M}]*/gu)].flatMap(([word, sign, index]): Token[] => {
      const value = numeric ? (index === undefined ? undefined : quantities[Number(index)]) : wayIn(word)
      const label = value === undefined ? labelFor(labels, word) : undefined
      return value !== undefined ? [{ value, result: sign !== undefined }] : label ? [{ label }] : []
    })
  const tokens = tokensOf(skeleton)
  // The values alone stand in the order of the labels.
  if (tokens.length === labels.length && tokens.every(({ value }) => value !== undefined))
    return new Map(labels.map((label, i) => [label, tokens[i]?.value ?? 0]))
  // A label and a value in each part, whichever comes first.
  const parts = skeleton
    .split(PART)
    .map(tokensOf)
    .filter((part) => part.length > 0)
  const each = parts.map((part) => {
    const [label, ...others] = new Set(part.flatMap((token) => token.label ?? []))
    const values = part.filter((token) => token.value !== undefined)
    const value =
      values.length === 1 || values.slice(1).every(({ result }) => result) ? values.at(-1)?.value : undefined
    return others.length === 0 && label !== undefined && value !== undefined ? ([label, value] as const) : null
  })
  if (each.length === labels.length && each.every((pair) => pair !== null)) return new Map(each)
  const [forwards, backwards] = [paired(tokens) ?? new Map(), paired(tokens.toReversed()) ?? new Map()]
  const reversed = tokens.at(-1)?.label !== undefined ? backwards.size >= forwards.size : backwards.size > forwards.size
  return reversed ? backwards : forwards
}

/** “slope 2, intercept −5”, “apple 50p, pear 40p”, “price falls, quantity rises”: exchanged ones are wrong. */
export const LABELLED_VALUES: Notation<Values> = {
  read: (key) => (key.length <= 160 ? readValues(key) : null),
  find(answer, key) {
    const unclear = /\b(?:not?|or|nor|never|neither|then|first)\b|n['’]t\b|\?/i.test(answer)
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
