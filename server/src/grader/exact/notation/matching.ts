import { escapeRegExp } from '../../../lib/escape-reg-exp.ts'
import { digitsForWords } from '../numbers/number-words.ts'
import { labelsForItems } from '../prompt-items.ts'
import { readUnit, sameUnit } from '../units/read-unit.ts'
import { thingNamed } from '../worded/named-things.ts'
import { compareNames } from '../worded/same-name.ts'
import { type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

/** Left to right. */
type Pairs = ReadonlyMap<string, string>

const PART = /\s*(?:[,;\n](?![^()]*\))|\band\b)\s*/i
const PAIR =
  /^(.+?)\s*(?:→|->|=>|:|=|\s[-–—]\s|(?<=\p{L})[–—](?=\p{L})|(?<=^\w)[-–—](?=\w$))\s*(.+)$|^(\p{L}[\p{L}\s]*?)\s+(\(?[-−]?\d.*)$/su
const COMPACT = /^\(?([A-Za-z]|\d{1,2}|[ivx]{1,4})\)?[\s.-]*([A-Za-z]|\d{1,2}|[ivx]{1,4})$/
const MOST_WORDS = 4
/** “A3 B1 C2” */
const SPACED =
  /^\s*(?:\(?(?:[A-Za-z]{1,2}\)?[-.]?\d{1,2}|\d{1,2}\)?[-.]?[A-Za-z]{1,2}|[A-Za-z]\)?[-.]?[A-Za-z])(?:\s+|$)){2,}$/
const LONGEST = 400

const plainOf = (text: string): string =>
  digitsForWords(text)
    .toLowerCase()
    .replace(/^(?:the|an?)\s+/, '')
    .replace(/[()'"]|\.(?!\d)/g, '')
    .replace(/−/g, '-')
    .replace(/(?<=\d),\s+(?=[-\d])/g, ',')
    .replace(/\s+/g, ' ')
    .trim()

function pairOf(text: string): [string, string] | null {
  const compact = COMPACT.exec(text)
  const mixed = compact !== null && /\d/.test(compact[1] ?? '') !== /\d/.test(compact[2] ?? '')
  const [, left = '', right = ''] = ((mixed ? compact : PAIR.exec(text)) ?? []).filter((side) => side !== undefined)
  const short = [left, right].every((side) => side.trim() !== '' && side.trim().split(/\s+/).length <= MOST_WORDS)
  return short ? [plainOf(left), plainOf(right)] : null
}

function pairsOf(key: string): Pairs | null {
  const spaced = SPACED.test(key)
  const parts = key
    .trim()
    .replace(/\.$/, '')
    .split(spaced && !/[,;\n]/.test(key) ? /\s+/ : PART)
  const pairs = parts.map(pairOf).filter((pair) => pair !== null)
  const complete = parts.length > 1 && pairs.length === parts.length
  return complete && new Set(pairs.map(([left]) => left)).size === pairs.length ? new Map(pairs) : null
}

/** The key's names in the answer, in order; each left with the right beside it. */
function mentioned(answer: string, key: Pairs): Pairs {
  const names = [...key].flat().sort((a, b) => b.length - a.length)
  const pattern = new RegExp(String.raw`(?<![\p{L}\d])(?:${names.map(escapeRegExp).join('|')})(?![\p{L}\d])`, 'giu')
  // “Farads”, “F” for farad.
  const alike = (name: string, word: string) => {
    const [unit, other] = [readUnit(name), readUnit(word)]
    const [thing, meant] = [thingNamed(name), thingNamed(word)]
    if (thing && meant) return thing.id === meant.id
    return unit && other ? sameUnit(unit, other) : compareNames(name, word) !== 'different'
  }
  const plain = digitsForWords(answer).replace(/[\p{L}Ω]+/gu, (word) => names.find((name) => alike(name, word)) ?? word)
  const found = [...plain.matchAll(pattern)].map(([name]) => name.toLowerCase())
  const pairs = new Map<string, string>()
  for (let i = 0; i + 1 < found.length; i += 2) {
    const [one = '', other = ''] = [found[i], found[i + 1]]
    if (key.has(one)) pairs.set(one, other)
    else pairs.set(other, one)
  }
  // The right ones alone stand in the order of the left.
  const rights = [...key.values()]
  if (found.length === key.size && found.every((name) => rights.includes(name) && !key.has(name)))
    return new Map([...key.keys()].map((left, i) => [left, found[i] ?? '']))
  return pairs
}

/** “A-3, B-1”, “France: Paris; Italy: Rome”: exchanged ones are wrong. */
export const MATCHING: Notation<Pairs> = {
  read(key) {
    const pairs = key.length <= 200 ? pairsOf(key) : null
    // Values of unknowns are compared as numbers.
    return pairs && [...pairs].some((pair) => pair.every((side) => /^[-+\d./\s]*$|^[a-z]$/.test(side)) && /=/.test(key))
      ? null
      : pairs
  },
  find(written, key, prompt) {
    const answer = labelsForItems(prompt, [...key].flat(), written)
    const own = answer.length <= LONGEST ? pairsOf(answer) : null
    const turned =
      own !== null && ![...own].some(([left]) => key.has(left)) ? new Map([...own].map(([a, b]) => [b, a])) : own
    const fits = turned !== null && [...turned].some(([left]) => key.has(left))
    const pairs = fits ? turned : mentioned(answer, key)
    return pairs.size > 0 ? { skeleton: '#0#', found: [pairs] } : { skeleton: answer.replace(/#/g, ' '), found: [] }
  },
  compare(key, given) {
    const matched = [...key].filter(([left, right]) => given.get(left) === right).length
    if (matched === key.size) return { ...RIGHT, confidence: given.size > key.size ? 0.75 : 0.93 }
    return matched > 0 ? { share: matched / key.size, confidence: 0.8 } : { ...WRONG, confidence: 0.85 }
  },
  otherwise: () => null,
}
