import { LRUCache } from 'lru-cache'
import { escapeRegExp } from '../../lib/escape-reg-exp.ts'
import type { ClassAnswers, ExtractedSubmission } from '../grader.ts'
import { isStopWord } from '../text/terms.ts'
import { createNameBook, type NameBook, type NameMatch } from './name-book.ts'
import { accentInsensitivePattern, foldName, stripAccents, tokenizeNames, UNSPACED_SCRIPT } from './name-tokens.ts'
import known from './names-as-words.json' with { type: 'json' }

export interface Mask {
  hide(text: string): string
  reveal(text: string): string
  forget(): void
  /** Indexes of lines with something hidden. */
  identifyingLines(lines: readonly string[]): Set<number>
}

/** `publicText`: the blank and the key, whose words name nobody (“Newton's law”). */
export interface MaskOptions {
  private_words: readonly string[]
  name_on_paper: string | null
  publicText: string
  otherNames?: NameBook | undefined
  /** Whether a folded word is in so many papers that it names nobody. */
  isSharedWord?: ((word: string) => boolean) | undefined
  /** Names may be misread. */
  ocr?: boolean
  /** Whether others are hidden by the same words, so that a mask tells of nobody in particular. */
  hidesAllAlike?: boolean
  /** False to keep single given or family names of others. */
  matchOthersSingleNames?: boolean
}

const EMAIL =
  /[\p{L}\p{N}._%+-]{1,64} ?(?:@|[([]at[)\]]) ?[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,4}\.\p{L}[\p{L}\p{N}-]{1,62}/giu
/** “Student no.: 1234567”: a person's number, never an answer. */
const LABELLED_NUMBER =
  /(\b(?:student|matric\w*|roll|candidate|registration|enrol\w*|index|exam|seat)\s*(?:id|no\.?|nr\.?|num(?:ber)?\.?)\s*[:#.=]?\s*|\bstudent\s*[:#]\s*)([A-Z]{0,3}[\d][\d \t/-]{3,18}\d)/giu
const TOKEN = /\[(?:STUDENT|NUMBER|EMAIL)(?: \d+)?\]/g

interface Hidden {
  from: number
  to: number
  kind: NameMatch['kind'] | 'EMAIL'
}

/** Hides a person, address or number behind one token. Unlabelled numbers stay: they may be the answer. */
export function createMask(options: MaskOptions): Mask {
  const { private_words, name_on_paper, otherNames, isSharedWord, ocr = false } = options
  const { hidesAllAlike = false, matchOthersSingleNames = true } = options
  const known = ` ${normalizeName(options.publicText)} `
  const tokens = new Map<string, string>()
  const values = new Map<string, string>()
  const counts = new Map<string, number>()
  const tokenFor = (kind: string, value: string): string => {
    const key = `${kind} ${normalizeWords(value)}`
    const had = tokens.get(key)
    if (had) return had
    const n = (counts.get(kind) ?? 0) + 1
    counts.set(kind, n)
    const token = n === 1 ? `[${kind}]` : `[${kind} ${n}]`
    tokens.set(key, token)
    values.set(token, value)
    return token
  }
  const own = [...private_words, ...(name_on_paper ? [name_on_paper] : [])]
  const ownBook = createNameBook([own])
  const isTaskWord = (word: string) =>
    known.includes(UNSPACED_SCRIPT.test(word) ? word : ` ${word} `) || isSharedWord?.(word) === true
  const isOrdinaryWordForStudent = (word: string) =>
    isStopWord(word) || NAMES_THAT_ARE_WORDS.has(word) || isTaskWord(word)
  const isOrdinaryWordForOthers = (word: string) =>
    (!hidesAllAlike && SUBJECT_WORDS_AND_FAMOUS_NAMES.has(word)) || isOrdinaryWordForStudent(word)
  const patterns = studentNamePatterns(own, (word) => isOrdinaryWordForStudent(normalizeName(word)))

  /** In order of precedence where they overlap. */
  function* found(text: string): Generator<Hidden> {
    // The student's own words, not our tokens.
    for (const { 0: token, index } of text.matchAll(TOKEN))
      yield { from: index, to: index + token.length, kind: 'STUDENT' }
    for (const { 0: address, index } of text.matchAll(EMAIL))
      yield { from: index, to: index + address.length, kind: 'EMAIL' }
    for (const { 0: whole, 1: label = '', index } of text.matchAll(LABELLED_NUMBER))
      yield { from: index + label.length, to: index + whole.length, kind: 'NUMBER' }
    const names = [
      ...patterns.flatMap(({ kind, pattern }) =>
        [...text.matchAll(pattern)].map(({ 0: name, index }) => ({ from: index, to: index + name.length, kind })),
      ),
      ...ownBook.find(text, { singleNames: true, ocr, isOrdinaryWord: isOrdinaryWordForStudent }),
      ...(otherNames?.find(text, {
        singleNames: matchOthersSingleNames,
        ocr,
        isOrdinaryWord: isOrdinaryWordForOthers,
      }) ?? []),
    ]
    // A whole name before its parts. The rubric's own words identify nobody.
    for (const name of names.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from))
      if (name.kind === 'NUMBER' || !known.includes(` ${normalizeName(text.slice(name.from, name.to))} `)) yield name
  }

  /** In order; `text` is in NFC. */
  function hiddenIn(text: string): Hidden[] {
    const hidden: Hidden[] = []
    for (const one of found(text)) if (!hidden.some(({ from, to }) => one.from < to && from < one.to)) hidden.push(one)
    return hidden.sort((a, b) => a.from - b.from)
  }

  return {
    hide(written) {
      const text = written.normalize('NFC')
      let said = ''
      let at = 0
      for (const { from, to, kind } of hiddenIn(text)) {
        said += text.slice(at, from) + tokenFor(kind, text.slice(from, to))
        at = to
      }
      return said + text.slice(at)
    },
    forget() {
      for (const known of [tokens, values, counts]) known.clear()
    },
    reveal: (text) => text.replace(TOKEN, (token) => values.get(token) ?? token),
    identifyingLines(lines) {
      const texts = lines.map((line) => line.normalize('NFC'))
      const hidden = hiddenIn(texts.join('\n'))
      const telling = new Set<number>()
      let from = 0
      texts.forEach((text, line) => {
        const to = from + text.length
        if (hidden.some((one) => one.from < to && from < one.to)) telling.add(line)
        from = to + 1
      })
      return telling
    },
  }
}

export const hasOcrText = ({ answers }: ExtractedSubmission): boolean => answers.some(({ reading }) => reading < 1)

const normalizeWords = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .replace(/[^\p{L}\p{N}@]+/gu, ' ')
    .trim()

const normalizeName = (text: string) => foldName(normalizeWords(text))

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** A student's own such name is hidden only within the whole name. */
const NAMES_THAT_ARE_WORDS = list(known.words)

/** Other students are not hidden by these alone: a class has hundreds of names, and a hidden word may cost points. */
const SUBJECT_WORDS_AND_FAMOUS_NAMES = list(known.subjectWordsAndFamousNames)

interface Pattern {
  kind: NameMatch['kind']
  pattern: RegExp
}

function studentNamePatterns(words: readonly string[], isWord: (word: string) => boolean): Pattern[] {
  const whole = new Map<string, Pattern>()
  const parts = new Map<string, Pattern>()
  const edge = (source: string, of: string) =>
    UNSPACED_SCRIPT.test(of) ? source : `(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`
  // A Thé is no “The”.
  const spelt = (word: string) => (isWord(stripAccents(word)) ? escapeRegExp(word) : accentInsensitivePattern(word))
  for (const word of words) {
    const bits = word.normalize('NFC').match(/[\p{L}\p{M}\p{N}.'’_-]+/gu) ?? []
    const first = bits[0]
    if (first === undefined || word.includes('@')) continue
    if (bits.length === 1) {
      const number = /^\p{L}{0,3}[\d-]{4,}$/u.test(first)
      const tellsNothing = first.length < leastOf(first) || (!number && isWord(first))
      if (!tellsNothing)
        whole.set(first, {
          kind: number ? 'NUMBER' : 'STUDENT',
          pattern: new RegExp(edge(number ? spaced(first) : spelt(first), first), 'giu'),
        })
      continue
    }
    for (const order of [bits, [...bits.slice(1), first]]) {
      const source = order.map(accentInsensitivePattern).join('[\\s,._-]*')
      whole.set(order.join(' '), { kind: 'STUDENT', pattern: new RegExp(edge(source, word), 'giu') })
    }
    for (const bit of bits) {
      // A part counts only with a capital: “rose” is a flower, and no “Rose” is hidden where the key has one.
      if (bit.length < leastOf(bit) || /\d/.test(bit) || isWord(bit)) continue
      const capital = bit.charAt(0).toUpperCase() + bit.slice(1).toLowerCase()
      const forms = [...new Set([bit, capital, bit.toUpperCase()])].filter(
        (form) => UNSPACED_SCRIPT.test(form) || /^\p{Lu}/u.test(form),
      )
      if (forms.length === 0) continue
      parts.set(bit, { kind: 'STUDENT', pattern: new RegExp(edge(`(?:${forms.map(spelt).join('|')})`, bit), 'gu') })
    }
  }
  const longest = (map: Map<string, Pattern>) =>
    [...map].sort(([a], [b]) => b.length - a.length).map(([, pattern]) => pattern)
  return [...longest(whole), ...longest(parts)]
}

/** Numbers of six digits and more may be grouped. */
const spaced = (number: string) =>
  number.replace(/\D/g, '').length < 6
    ? escapeRegExp(number)
    : [...number].filter((sign) => sign !== '-').join('[\\s-]?')

const leastOf = (word: string) => (UNSPACED_SCRIPT.test(word) ? 2 : 3)

/** More papers tell the subject's words no better. */
const MAX_COMPARED = 200
/** A word in this many other papers identifies nobody. */
const MIN_SHARED_BY = 3

interface Counted {
  counts: Map<string, number>
  ids: Set<number>
}

const cache = new LRUCache<string, Counted>({ max: 4 })

/** Takes folded words; counted once per class. */
export function classSharedWords(everyone: ClassAnswers, id: number): (word: string) => boolean {
  const counted = cache.get(everyone.key) ?? count(everyone)
  cache.set(everyone.key, counted)
  const own = counted.ids.has(id) ? everyone.submissions.find((one) => one.id === id)?.extracted : undefined
  const ownWords = own ? wordsOf(own) : new Set<string>()
  return (word) => (counted.counts.get(word) ?? 0) - (ownWords.has(word) ? 1 : 0) >= MIN_SHARED_BY
}

function count(everyone: ClassAnswers): Counted {
  const counted: Counted = { counts: new Map(), ids: new Set() }
  for (const { id, extracted } of everyone.submissions.slice(0, MAX_COMPARED)) {
    counted.ids.add(id)
    for (const word of wordsOf(extracted)) counted.counts.set(word, (counted.counts.get(word) ?? 0) + 1)
  }
  return counted
}

const wordsOf = ({ answers }: ExtractedSubmission): Set<string> =>
  new Set(answers.flatMap(({ text }) => tokenizeNames(text.normalize('NFC')).map(({ forms: [word = ''] }) => word)))
