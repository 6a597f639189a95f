import { accentInsensitivePattern, escapeRegExp, stripAccents } from './accent-insensitive-pattern.ts'
import type { NameMatch } from './name-book.ts'
import { UNSPACED_SCRIPT } from './name-tokens.ts'

interface Pattern {
  kind: NameMatch['kind']
  pattern: RegExp
}

/** One student's names, usernames and numbers as they are looked for in their own paper. `isWord`: what is a word as well. */
export function studentNamePatterns(words: readonly string[], isWord: (word: string) => boolean): Pattern[] {
  const whole = new Map<string, Pattern>()
  const parts = new Map<string, Pattern>()
  const edge = (source: string, of: string) =>
    UNSPACED_SCRIPT.test(of) ? source : `(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`
  // Not so loosely that a name becomes a word: a Thé is no “The”.
  const spelt = (word: string) => (isWord(stripAccents(word)) ? escapeRegExp(word) : accentInsensitivePattern(word))
  for (const word of words) {
    const bits = word.normalize('NFC').match(/[\p{L}\p{M}\p{N}.'’_-]+/gu) ?? []
    const first = bits[0]
    // Addresses are found by their shape.
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
      // A part counts with a capital alone: “rose” is a flower, and no “Rose” is hidden where the key has one.
      if (bit.length < leastOf(bit) || /\d/.test(bit) || isWord(bit)) continue
      const capital = bit.charAt(0).toUpperCase() + bit.slice(1).toLowerCase()
      const forms = [...new Set([bit, capital, bit.toUpperCase()])].filter(
        (form) => UNSPACED_SCRIPT.test(form) || /^\p{Lu}/u.test(form),
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

/** A number of six figures and more may be written in groups. */
const spaced = (number: string) =>
  number.replace(/\D/g, '').length < 6
    ? escapeRegExp(number)
    : [...number].filter((sign) => sign !== '-').join('[\\s-]?')

const leastOf = (word: string) => (UNSPACED_SCRIPT.test(word) ? 2 : 3)
