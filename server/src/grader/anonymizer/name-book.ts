import { escapeRegExp } from '../../lib/escape-reg-exp.ts'
import { foldName, type NameToken, tokenizeNames, UNSPACED_SCRIPT } from './name-tokens.ts'
import { createMisreadNameFinder, foldOcrLookAlikes } from './ocr-lookalikes.ts'

export interface NameMatch {
  from: number
  to: number
  kind: 'STUDENT' | 'NUMBER'
}

interface NameSearchOptions {
  /** Also single given or family names; else only what identifies one person. */
  singleNames: boolean
  ocr: boolean
  /** Takes a folded word. */
  isOrdinaryWord(word: string): boolean
}

/** Names, usernames and numbers of some people, whom it does not tell apart. */
export interface NameBook {
  /** `text` is in NFC; matches may overlap. */
  find(text: string, how: NameSearchOptions): NameMatch[]
}

/** A number this long is no answer by chance. */
const LEAST_DIGITS = 6
/** Shorter usernames of letters alone are words. */
const LEAST_USERNAME = 5
/** A shorter name misread is another word. */
const LEAST_MISREAD = 6

/** `asRead`: read somewhere, so perhaps no names, and matched only whole. */
export function createNameBook(people: readonly (readonly string[])[], asRead: readonly string[] = []): NameBook {
  const forms: NameForm[] = []
  const parts = new Set<string>()
  const partsAlike = new Set<string>()
  const handles = new Set<string>()
  const numbers = new Set<string>()
  const unspaced = new Set<string>()
  const pairs = new Set<string>()
  const addName = (name: string, withParts: boolean) => {
    const bits = tokenizeNames(name)
    for (const spelt of bits.some(({ forms: both }) => both.length > 1) ? [0, 1] : [0]) {
      const words = bits.map(({ forms: both }) => both[spelt] ?? both[0] ?? '')
      const first = words[0] ?? ''
      const last = words.at(-1) ?? ''
      if (words.length > 1) {
        forms.push(...nameFormsOf(words))
        if (first.length + last.length >= 7) forms.push([first + last], [last + first])
        if (first.length > 1 && last.length > 1) pairs.add(`${first} ${last}`).add(`${last} ${first}`)
      }
      if (!withParts) continue
      for (const word of words) {
        if (word.length < 3) continue
        parts.add(word)
        if (word.length >= LEAST_MISREAD) partsAlike.add(foldOcrLookAlikes(word))
      }
    }
  }
  for (const words of people)
    for (const each of words) {
      const word = each.normalize('NFC').trim()
      const [local = '', host] = word.split('@')
      if (UNSPACED_SCRIPT.test(word)) {
        const name = word.replace(/\s+/g, '')
        if (name.length > 1) unspaced.add(name)
      } else if (/\s/.test(word) && host === undefined) addName(word, true)
      else if (/^\p{L}{0,3}[\d-]{4,}$/u.test(word)) {
        if (digitsOf(word).length >= LEAST_DIGITS) numbers.add(digitsOf(word))
      } else if (/[\d._-]/.test(local) && /\p{L}/u.test(local)) {
        if (local.length >= 4) handles.add(local.toLowerCase())
        addName(local.replace(/[\d._-]+/g, ' ').trim(), true)
      } else if (host === undefined) {
        if (word.length >= LEAST_USERNAME) handles.add(word.toLowerCase())
        addName(word, true)
      }
    }
  for (const name of asRead) addName(name.normalize('NFC'), false)
  const formsByStart = Map.groupBy(forms, ([start = '']) => start)
  const longestFirst = [...unspaced].sort((a, b) => b.length - a.length)
  const ofUnspaced = unspaced.size > 0 ? new RegExp(longestFirst.map(escapeRegExp).join('|'), 'gu') : null

  function find(text: string, { singleNames, ocr, isOrdinaryWord }: NameSearchOptions): NameMatch[] {
    const places: NameMatch[] = []
    const add = (from: number, to: number, kind: NameMatch['kind'] = 'STUDENT') => places.push({ from, to, kind })
    if (ofUnspaced)
      for (const { 0: name, index } of text.matchAll(ofUnspaced))
        if (!isOrdinaryWord(name)) add(index, index + name.length)
    if (numbers.size > 0)
      for (const { 0: run, index } of text.matchAll(/(?<![\p{L}\d])\p{L}{0,3}\d(?:[\s-]?\d){5,19}(?![\p{L}\d])/gu))
        if (numbers.has(digitsOf(run))) add(index, index + run.length, 'NUMBER')
    for (const { 0: run, index } of text.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?/gu)) {
      const small = run.toLowerCase()
      if (handles.has(small) && (/[\d._-]/.test(small) || !isOrdinaryWord(foldName(small))))
        add(index, index + run.length)
    }
    const words = tokenizeNames(text)
    words.forEach((word, i) => {
      for (const start of indexKeysOf(word))
        for (const form of formsByStart.get(start) ?? []) {
          const end = matchFormAt(text, words, i, form, isOrdinaryWord)
          if (end) add(word.from, end.to)
        }
      if (singleNames && isPart(word) && !word.forms.some(isOrdinaryWord)) add(word.from, word.to)
    })
    if (ocr) {
      const read = tokenizeNames(text, true)
      const like = new Map<string, readonly string[]>()
      const namesFor = ({ forms: [word = ''] }: NameToken) => {
        const known = like.get(word) ?? (word.length < 2 ? [] : namesLike(word, isOrdinaryWord))
        like.set(word, known)
        return known
      }
      read.forEach((word, i) => {
        const next = read[i + 1]
        if (next && NAME_SEPARATOR.test(text.slice(word.to, next.from)) && isPair(namesFor(word), namesFor(next)))
          add(word.from, next.to)
        if (singleNames && /^[\p{Lu}\d|]/u.test(word.text) && isPartMisread(word) && !word.forms.some(isOrdinaryWord))
          add(word.from, word.to)
      })
    }
    return places
  }

  const isPart = ({ capital, forms: both }: NameToken) => capital && both.some((form) => parts.has(form))
  const isPartMisread = ({ forms: [form = ''] }: NameToken) =>
    form.length >= LEAST_MISREAD && partsAlike.has(foldOcrLookAlikes(form))

  /** Built on first use: most papers are typed. */
  let misreadNames: ((word: string) => readonly string[]) | undefined
  const namesLike = (word: string, stays: NameSearchOptions['isOrdinaryWord']) => {
    misreadNames ??= createMisreadNameFinder(new Set([...pairs].flatMap((pair) => pair.split(' '))))
    return misreadNames(word).filter((name) => name === word || !stays(word))
  }
  const isPair = (firsts: readonly string[], seconds: readonly string[]) =>
    seconds.length > 0 && firsts.some((one) => seconds.some((two) => pairs.has(`${one} ${two}`)))
  return { find }
}

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** Folded words; a single letter is an initial. */
type NameForm = readonly string[]

const NAME_SEPARATOR = /^(?:[.,]?[\s_]{1,2}|[._'’-]|,)$/u
type IsOrdinaryWord = (word: string) => boolean

/** A lone letter may be an initial only as a capital. */
const indexKeysOf = ({ text, forms }: NameToken): string[] =>
  text.length === 1 ? (/\p{Lu}/u.test(text) ? forms.slice(0, 1) : []) : forms

function nameFormsOf(words: string[]): NameForm[] {
  const first = words[0] ?? ''
  const last = words.at(-1) ?? ''
  const a = first.charAt(0)
  const forms: NameForm[] = [
    words,
    [last, ...words.slice(0, -1)],
    [...words.slice(1), first],
    [first, last],
    [last, first],
    [a, last],
    [last, a],
    [first, last.charAt(0)],
  ]
  const middle = words.length > 2 ? words[1]?.charAt(0) : undefined
  // Which words of a file's name are the student's is unknown.
  for (const [i, word] of words.slice(1).entries()) {
    const before = words[i] ?? ''
    if (before.length > 1 && word.length > 1) forms.push([before, word])
  }
  if (middle) forms.push([first, middle, last], [a, middle, last], [last, a, middle])
  return [...new Map(forms.map((form) => [form.join(' '), form])).values()]
}

function matchFormAt(
  text: string,
  words: NameToken[],
  at: number,
  form: NameForm,
  stays: IsOrdinaryWord,
): NameToken | null {
  const own = words.slice(at, at + form.length)
  const last = own.at(-1)
  if (own.length < form.length || !last) return null
  for (const [i, word] of own.entries()) {
    const wanted = form[i] ?? ''
    if (
      wanted.length === 1
        ? word.text.length > 1 || !word.capital || word.forms[0] !== wanted
        : !word.forms.includes(wanted)
    )
      return null
    const before = own[i - 1]
    if (before && !NAME_SEPARATOR.test(text.slice(before.to, word.from))) return null
  }
  const weak = own.every((word) => word.text.length === 1 || word.forms.some(stays))
  if (!weak) return last
  if (own.length === 1 || own.some(({ capital }) => !capital)) return null
  const initial = own.find((word) => word.text.length === 1)
  // “A. King Henry” is a choice and its words; “Rose K” may be anything.
  if (!initial) return last
  const isChoice = initial === own[0] && /[A-H]/.test(initial.text) && isLineStart(text, initial.from)
  return text[initial.to] === '.' && !isChoice ? last : null
}

const isLineStart = (text: string, at: number) => /(?:^|\n)\s*\(?$/.test(text.slice(Math.max(0, at - 8), at))
