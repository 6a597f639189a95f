import type { ExtractedSubmission } from '../grader.ts'
import { isStopWord } from '../text/terms.ts'
import { NAMES_THAT_ARE_WORDS, SUBJECT_WORDS_AND_FAMOUS_NAMES } from './common-word-names.ts'
import { createNameBook, type NameBook, type NameMatch } from './name-book.ts'
import { foldName, UNSPACED_SCRIPT } from './name-tokens.ts'
import { studentNamePatterns } from './student-name-patterns.ts'

/** What is hidden from a model, and how it comes back. */
export interface Mask {
  hide(text: string): string
  /** Restores masked names in what the LLM wrote. */
  reveal(text: string): string
  /** Forgets what was hidden so far: tokens are numbered anew. */
  forget(): void
  /** Which of these lines, read one after the other, hold something of what is hidden. */
  identifyingLines(lines: readonly string[]): Set<number>
}

/** What identifies a student. `publicText`: words of the blank and the key, which name nobody (“Newton's law”). */
export interface MaskOptions {
  private_words: readonly string[]
  name_on_paper: string | null
  publicText: string
  /** Everybody else whose name may be in the paper. */
  otherNames?: NameBook | undefined
  /** Whether a word is in so many other papers that it names nobody. Given folded. */
  isSharedWord?: ((word: string) => boolean) | undefined
  /** Whether the words were read from a picture: then names may be misread. */
  ocr?: boolean
  /** False to mask others only where one person is identified: single given or family names stay. */
  matchOthersSingleNames?: boolean
}

const EMAIL =
  /[\p{L}\p{N}._%+-]{1,64} ?(?:@|[([]at[)\]]) ?[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,4}\.\p{L}[\p{L}\p{N}-]{1,62}/giu
/** “Student no.: 1234567”: what follows a label is a number of a person, never an answer. */
const LABELLED_NUMBER =
  /(\b(?:student|matric\w*|roll|candidate|registration|enrol\w*|index|exam|seat)\s*(?:id|no\.?|nr\.?|num(?:ber)?\.?)\s*[:#.=]?\s*|\bstudent\s*[:#]\s*)([A-Z]{0,3}[\d][\d \t/-]{3,18}\d)/giu
const TOKEN = /\[(?:STUDENT|NUMBER|EMAIL)(?: \d+)?\]/g

interface Hidden {
  from: number
  to: number
  kind: NameMatch['kind'] | 'EMAIL'
}

/**
 * Hides names, usernames, addresses and numbers of one student and of those around them, the same thing always behind the same token:
 * `[STUDENT]`, `[STUDENT 2]`, `[NUMBER]`, `[EMAIL]`. Unlabelled numbers stay, however long: they may be the answer.
 * What is a name and what a word: `README.md`.
 */
export function createMask(options: MaskOptions): Mask {
  const { private_words, name_on_paper, otherNames, isSharedWord, ocr = false, matchOthersSingleNames = true } = options
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
  const isOrdinaryWord = (word: string) => SUBJECT_WORDS_AND_FAMOUS_NAMES.has(word) || isOrdinaryWordForStudent(word)
  const patterns = studentNamePatterns(own, (word) => isOrdinaryWordForStudent(normalizeName(word)))

  /** In the order in which one goes before another where they overlap. */
  function* found(text: string): Generator<Hidden> {
    // Somebody's own words, which are not to be taken for ours.
    for (const { 0: token, index } of text.matchAll(TOKEN))
      yield { from: index, to: index + token.length, kind: 'STUDENT' }
    for (const { 0: address, index } of text.matchAll(EMAIL))
      yield { from: index, to: index + address.length, kind: 'EMAIL' }
    for (const { 0: whole, 1: label = '', index } of text.matchAll(LABELLED_NUMBER))
      yield { from: index + label.length, to: index + whole.length, kind: 'NUMBER' }
    const names = [
      ...patterns.flatMap(({ kind, pattern }) =>
        [...text.matchAll(pattern)].map(({ 0: name, index }) => ({
          from: index,
          to: index + name.length,
          kind,
        })),
      ),
      ...ownBook.find(text, { singleNames: true, ocr, isOrdinaryWord: isOrdinaryWordForStudent }),
      ...(otherNames?.find(text, { singleNames: matchOthersSingleNames, ocr, isOrdinaryWord: isOrdinaryWord }) ?? []),
    ]
    // A whole name before its parts. What the rubric says word for word identifies nobody.
    for (const name of names.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from))
      if (name.kind === 'NUMBER' || !known.includes(` ${normalizeName(text.slice(name.from, name.to))} `)) yield name
  }

  /** What is hidden of a text in NFC, in its order. */
  function hiddenIn(text: string): Hidden[] {
    const hidden: Hidden[] = []
    for (const one of found(text)) if (!hidden.some(({ from, to }) => one.from < to && from < one.to)) hidden.push(one)
    return hidden.sort((a, b) => a.from - b.from)
  }

  return {
    hide(written) {
      // A letter and its accent may come as two.
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

/** Whether any of a paper's words were read from a picture. */
export const hasOcrText = ({ answers }: ExtractedSubmission): boolean => answers.some(({ reading }) => reading < 1)

/** Small words without signs. */
const normalizeWords = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .replace(/[^\p{L}\p{N}@]+/gu, ' ')
    .trim()

/** As names are compared: without accents, too. */
const normalizeName = (text: string) => foldName(normalizeWords(text))
