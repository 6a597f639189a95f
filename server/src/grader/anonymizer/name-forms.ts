import type { NameToken } from './name-tokens.ts'

/** A name as it may be written, word by word, folded; a single letter is an initial. */
export type NameForm = readonly string[]

/** Between the words of one name. */
export const NAME_SEPARATOR = /^(?:[.,]?[\s_]{1,2}|[._'’-]|,)$/u
type IsOrdinaryWord = (word: string) => boolean

/** Where the words of a text that may begin with this one are listed; a capital alone may be an initial. */
export const indexKeysOf = ({ text, forms }: NameToken): string[] =>
  text.length === 1 ? (/\p{Lu}/u.test(text) ? forms.slice(0, 1) : []) : forms

/** Whole in both orders, first and last of several, neighbours, and with initials. */
export function nameFormsOf(words: string[]): NameForm[] {
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
  // Neither is it known which words of a file's name are the student's.
  for (const [i, word] of words.slice(1).entries()) {
    const before = words[i] ?? ''
    if (before.length > 1 && word.length > 1) forms.push([before, word])
  }
  if (middle) forms.push([first, middle, last], [a, middle, last], [last, a, middle])
  return [...new Map(forms.map((form) => [form.join(' '), form])).values()]
}

/** The last word of a name that begins at a word, or null. */
export function matchFormAt(
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
