import { exactJudgement, UNSURE } from '../exact-judgement.ts'
import { type Judgement, listJudgement } from '../judgement.ts'
import { integerRun } from '../list-members.ts'
import { digitsForWords } from '../numbers/number-words.ts'
import { plainMath } from '../numbers/plain-math.ts'
import { readNumberAt } from '../numbers/read-expression.ts'
import { labelsForItems } from '../prompt-items.ts'
import { mentionsIn, thingNamed } from './named-things.ts'

/** Order counts: a trace table, output, steps by letter. */
interface Sequence {
  kind: 'numbers' | 'letters' | 'things'
  values: string[]
}

const SURE = 0.95
const NOT_ALL_UNDERSTOOD = 0.8
/** A value may be wrong because the one before it was, and then some teachers give it. */
const SURE_OF_PART = 0.6
const SURE_OF_NONE = 0.88
const LONGEST = 400
const SEPARATOR = /\s*(?:[;|\n\t]|,(?!\d{3}(?!\d)|$)|,\s|→|⟶|->|=>|\s>\s|\s<\s|\bthen\b|\band\b)\s*|\s+(?:[/–-]\s+)?/i
const LEAD = /^\s*(?:\p{L}[\p{L}\d ]{0,24}?\s*[:=])\s*/u
const ANY_ORDER =
  /\b(?:which|factors?|multiples?|select|tick|circle|all\s+that|primes?|name|identify|choose|roots?|solutions?)\b/i
const IN_ORDER =
  /\b(?:orders?|sequence|trace|table|outputs?|prints?|display\w*|pass|sort\w*|travers\w+|visit\w*|stages?|steps?|rows?|columns?|terms?|fill|blanks?|gaps?|list|array|stack|queue|rank|arrange|most|least)\b/i
const FILLER = new Set(
  `the a an is are it its this values value order answer answers output outputs prints print printed printing list sequence final after so
  first second third fourth fifth last next then and finally pass goes go from start with of row column total they in be step steps`.split(
    /\s+/,
  ),
)

/** Only values: three and more, or two with a sign between them. */
function readSequence(key: string): Sequence | null {
  // What is printed in lines and columns is compared as it is printed.
  if (key.length > 120 || /[()[\]{}]/.test(key) || /\S[ \t]+\S[^\n]*\n/.test(key)) return null
  const plain = digitsForWords(plainMath(key.replace(LEAD, ''))).trim()
  const values = plain
    .replace(/[.,;]$/, '')
    .split(SEPARATOR)
    .filter((value) => value !== '')
  const least = /[,;|→\n]|->/.test(plain) ? 2 : 3
  if (values.length < least || values.length > 40) return null
  const numbers = values.map(numberOf)
  if (numbers.every((number) => number !== null)) return { kind: 'numbers', values: numbers.map(String) }
  const things = values.map(thingNamed)
  if (values.length >= 3 && things.every((thing) => thing !== null))
    return { kind: 'things', values: things.map(({ id }) => id) }
  const letters = values.length >= 3 && values.every((value) => /^[A-Za-z]$/.test(value))
  return letters ? { kind: 'letters', values: values.map((value) => value.toUpperCase()) } : null
}

function numberOf(text: string): number | null {
  const read = readNumberAt(text, 0)
  return read && read.end === text.length ? read.value : null
}

/** `points`: a single one is for all values. Null where the key is no sequence. */
export function judgeSequence(prompt: string, accepted: string[], answer: string, points: number): Judgement | null {
  const keys = accepted.map(readSequence).filter((key) => key !== null)
  if (keys.length === 0) return null
  const judged = keys.map((key) => judgeAgainst(key, prompt, answer, points))
  return judged.reduce((one, other) => (other.share > one.share ? other : one))
}

function judgeAgainst(key: Sequence, prompt: string, written: string, points: number): Judgement {
  const named =
    key.kind === 'letters'
      ? labelsForItems(
          prompt,
          key.values.map((value) => value.toLowerCase()),
          written,
        )
      : written
  // “(8 is now in its place)” is an aside.
  const answer = named.replace(/(?<=\d\s*)\([^()]*\p{L}{2}[^()]*\)/gu, ' ')
  const given =
    key.kind === 'numbers' ? numbersIn(answer, key) : key.kind === 'things' ? thingsIn(answer) : lettersIn(answer, key)
  if (given.values.length === 0) return exactJudgement(0, 0.7, 'exact_wrong')
  if (/\bor\b/i.test(answer) || /\bnot\b|n['’]t\b/i.test(answer)) return exactJudgement(0.5, UNSURE, 'unclear')
  const known = new Set([...(prompt.toLowerCase().match(/\p{L}+/gu) ?? []), ...FILLER])
  const understood = given.words.every((word) => word.length === 1 || known.has(word))
  // What the prompt gives of the sequence may be said again.
  const told = given.values.slice(0, -key.values.length)
  if (told.length > 1 && prompt.replace(/\s/g, '').includes(told.join(','))) given.values.splice(0, told.length)
  const right = given.values.join(' ') === key.values.join(' ')
  if (right) return exactJudgement(1, understood ? SURE : NOT_ALL_UNDERSTOOD, 'exact_right')
  if (key.kind === 'numbers' && given.values.join('') === key.values.join(''))
    return exactJudgement(0.5, UNSURE, 'unclear')
  if (!IN_ORDER.test(prompt) && [...given.values].sort().join(' ') === [...key.values].sort().join(' '))
    return ANY_ORDER.test(prompt) ? exactJudgement(1, 0.88, 'exact_right') : exactJudgement(0.5, UNSURE, 'unclear')
  const share = shareInPlace(key.values, given.values)
  if (share === 0) return exactJudgement(0, understood ? SURE_OF_NONE : 0.7, 'exact_wrong')
  if (points <= 1) return exactJudgement(share >= 0.5 ? 0.25 : 0, 0.7, 'exact_wrong')
  return listJudgement(share, [], [], SURE_OF_PART)
}

/** Mean of values in place and values in order, which one left out does not spoil. */
function shareInPlace(key: readonly string[], given: readonly string[]): number {
  const size = Math.max(key.length, given.length)
  const placed = key.filter((value, i) => given[i] === value).length
  const kept = longestCommon(key, given)
  // One value is in order in any list.
  return (placed + (kept > 1 ? kept : placed)) / 2 / size
}

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let above = b.map(() => 0).concat(0)
  for (const one of a) {
    const row = [0]
    for (const [j, other] of b.entries())
      row.push(one === other ? (above[j] ?? 0) + 1 : Math.max(above[j + 1] ?? 0, row[j] ?? 0))
    above = row
  }
  return above[b.length] ?? 0
}

interface Given {
  values: string[]
  words: string[]
}

/** The answer's numbers in order; of “i = 1: 4” and “total = 4” the value. */
function numbersIn(answer: string, key: Sequence): Given {
  const text = digitsForWords(plainMath(answer.slice(0, LONGEST)))
  const run = integerRun(text, key.values)
  if (run) return { values: run, words: [] }
  const labelled = text.match(/\p{L}\w*\s*=\s*-?[\d.]+\s*(?::|→|->)\s*(?=-?[.\d])/gu) ?? []
  const plain = text
    .replace(/\p{L}\w*\s*\([^()]*\)\s*[=:]/gu, ' ')
    .replace(/[[\](){}"]/g, ' ')
    // “54·3 = 162, 162·3 = 486”
    .replace(/[^,;\n=:]*\d\s*[*/+-]\s*\d[^,;\n=]*=\s*(?=-?\d)/g, ' ')
    .replace(labelled.length > 1 ? /\p{L}\w*\s*=\s*-?[\d.]+\s*(?::|→|->)\s*(?=-?[.\d])/gu : /$^/, ' ')
    .replace(/\b(?:pass|step|row|line|iteration)\s+\d+\s*[:=]/gi, ' ')
    .replace(/\p{L}\w*\s*[=:]/gu, ' ')
    .replace(/(?<=\d)\s*-\s+(?=\d)|(?<=\d)-(?=\d)/g, ' ')
  const listed = numbered(plain, key)
  const values: string[] = []
  const words: string[] = []
  for (const part of (listed ?? plain).split(SEPARATOR)) {
    const bare = part.replace(/[.,;:!]+$/, '')
    const number = numberOf(bare)
    if (number !== null) values.push(String(number))
    else words.push(...(bare.toLowerCase().match(/\p{L}+|\d+/gu) ?? []))
  }
  return { values, words }
}

/** “1) 4  2) 9”: without the numbers of the list. */
function numbered(text: string, key: Sequence): string | null {
  const marks = [...text.matchAll(/(?:^|\s)\(?(\d{1,2})[.)]\s+(?=-?\d)/g)]
  const counts = marks.length === key.values.length && marks.every((mark, i) => Number(mark[1]) === i + 1)
  return counts ? text.replace(/(?:^|\s)\(?\d{1,2}[.)]\s+(?=-?\d)/g, '\n') : null
}

function thingsIn(answer: string): Given {
  const values = mentionsIn(answer.slice(0, LONGEST), true).map(({ thing }) => thing.id)
  return { values: /</.test(answer) ? values.toReversed() : values, words: [] }
}

/** The answer's single letters in order, or those of “CADB”; capitals where it has some. */
function lettersIn(answer: string, key: Sequence): Given {
  const text = answer.slice(0, LONGEST).normalize('NFKC').replace(/\d+/g, ' ')
  const words = text.match(/\p{L}+/gu) ?? []
  const known = new Set(key.values)
  const [only] = words
  const glued =
    words.length === 1 &&
    only !== undefined &&
    only.length > 1 &&
    [...only.toUpperCase()].every((one) => known.has(one))
  if (glued) return { values: [...only.toUpperCase()], words: [] }
  const single = words.filter((word) => word.length === 1)
  const capital = single.filter((word) => word === word.toUpperCase())
  const values = (capital.length > 0 && words.length > single.length ? capital : single).map((one) => one.toUpperCase())
  const flipped = /</.test(text) && !/>|-/.test(text) ? values.toReversed() : values
  return { values: flipped, words: words.filter((word) => word.length > 1).map((word) => word.toLowerCase()) }
}
