import { isStopWord } from '../offline/terms.ts'
import { bare, speltExactly, speltLoosely } from './spelt-loosely.ts'

/** What is hidden from a model, and how it comes back. */
export interface Mask {
  hide(text: string): string
  /** Puts back what was hidden, in what the model wrote. */
  show(text: string): string
}

/** What would tell who a student is. `kept`: words of the blank and the key, which name nobody (“Newton's law”). */
export interface MaskOptions {
  private_words: readonly string[]
  name_on_paper: string | null
  kept: string
}

/** Names that are words as well: hidden only as a part of the whole name. */
const WORDS_AS_WELL = new Set(
  `amber angel april art august autumn bill bishop black blue bond book brown carol case chance chase church clay cliff cook dale
  dawn day dean drew earl east eve faith field fisher fox frank gene glen grace grant gray green hall heath hill holly hope hunter
  iris ivy jack jasmine jean jewel joy june king lake lane lee lily long love major mark marsh mason may mercy miles min moss north
  olive page park penny pearl price prince ray rich rob rock rose ruby sage sandy sky snow stone star summer sunny sun terry victor
  violet wade ward water west white will wood wolf young`.split(/\s+/),
)

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu
/** “Student no.: 1234567”: what follows a label is a number of a person, never an answer. */
const LABELLED =
  /(\b(?:student|matric\w*|roll|candidate|registration|enrol\w*|index|exam|seat)\s*(?:id|no\.?|nr\.?|num(?:ber)?\.?)\s*[:#.=]?\s*|\bstudent\s*[:#]\s*)([A-Z]{0,3}[\d][\d\s/-]{3,18}\d)/giu

/**
 * Hides names, usernames, addresses and numbers of one student, the same thing always behind the same token: `[STUDENT]`,
 * `[STUDENT 2]`, `[NUMBER]`, `[EMAIL]`. A number nobody said is the student's stays, however long: it may be the answer.
 */
export function createMask({ private_words, name_on_paper, kept }: MaskOptions): Mask {
  const known = ` ${plain(kept)} `
  const tokens = new Map<string, string>()
  const values = new Map<string, string>()
  const counts = new Map<string, number>()
  const tokenFor = (kind: string, value: string): string => {
    const key = `${kind} ${plain(value)}`
    const had = tokens.get(key)
    if (had) return had
    const n = (counts.get(kind) ?? 0) + 1
    counts.set(kind, n)
    const token = n === 1 ? `[${kind}]` : `[${kind} ${n}]`
    tokens.set(key, token)
    values.set(token, value)
    return token
  }
  const patterns = patternsOf([...private_words, ...(name_on_paper ? [name_on_paper] : [])], known)
  return {
    hide(text) {
      // A letter and its accent may come as two.
      let hidden = text.normalize('NFC').replace(EMAIL, (found) => tokenFor('EMAIL', found))
      hidden = hidden.replace(
        LABELLED,
        (_, label: string, number: string) => label + tokenFor('NUMBER', number),
      )
      for (const { kind, pattern } of patterns)
        hidden = hidden.replace(pattern, (found) => tokenFor(kind, found))
      return hidden
    },
    show: (text) =>
      text.replace(/\[(?:STUDENT|NUMBER|EMAIL)(?: \d+)?\]/g, (token) => values.get(token) ?? token),
  }
}

interface Pattern {
  kind: 'STUDENT' | 'NUMBER'
  pattern: RegExp
}

/** Written without spaces between words, and names of two letters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** The longest first, so that a whole name is one token. */
function patternsOf(words: string[], known: string): Pattern[] {
  const whole = new Map<string, Pattern>()
  const parts = new Map<string, Pattern>()
  const edge = (source: string, of: string) =>
    UNSPACED.test(of) ? source : `(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`
  // Not so loosely that a name becomes a word: a Thé is no “The”.
  const spelt = (word: string) => (isOrdinary(bare(word), known) ? speltExactly(word) : speltLoosely(word))
  for (const word of words) {
    const bits = word.normalize('NFC').match(/[\p{L}\p{M}\p{N}.'’_-]+/gu) ?? []
    const first = bits[0]
    // Addresses are found by their shape.
    if (first === undefined || word.includes('@')) continue
    if (bits.length === 1) {
      const number = /^\p{L}{0,3}[\d-]{4,}$/u.test(first)
      const tellsNothing = first.length < leastOf(first) || (!number && isOrdinary(first, known))
      if (!tellsNothing)
        whole.set(first, {
          kind: number ? 'NUMBER' : 'STUDENT',
          pattern: new RegExp(edge(spelt(first), first), 'giu'),
        })
      continue
    }
    for (const order of [bits, [...bits.slice(1), first]]) {
      const source = order.map(speltLoosely).join('[\\s,._-]*')
      whole.set(order.join(' '), { kind: 'STUDENT', pattern: new RegExp(edge(source, word), 'giu') })
    }
    for (const bit of bits) {
      // A part counts with a capital alone: “rose” is a flower, and no “Rose” is hidden where the key has one.
      if (bit.length < leastOf(bit) || /\d/.test(bit) || isOrdinary(bit, known)) continue
      const capital = bit.charAt(0).toUpperCase() + bit.slice(1).toLowerCase()
      const forms = [...new Set([bit, capital, bit.toUpperCase()])].filter(
        (form) => UNSPACED.test(form) || /^\p{Lu}/u.test(form),
      )
      if (forms.length === 0) continue
      parts.set(bit, {
        kind: 'STUDENT',
        pattern: new RegExp(edge(`(?:${forms.map(spelt).join('|')})`, bit), 'gu'),
      })
    }
  }
  const longest = (map: Map<string, Pattern>) =>
    [...map].sort(([a], [b]) => b.length - a.length).map(([, pattern]) => pattern)
  return [...longest(whole), ...longest(parts)]
}

const leastOf = (word: string) => (UNSPACED.test(word) ? 2 : 3)

const isOrdinary = (word: string, known: string) => {
  const small = plain(word)
  return (
    isStopWord(small) ||
    WORDS_AS_WELL.has(small) ||
    known.includes(UNSPACED.test(small) ? small : ` ${small} `)
  )
}

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .replace(/[^\p{L}\p{N}@]+/gu, ' ')
    .trim()
