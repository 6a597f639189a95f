import { characterClass, escapedSet, literal } from './pcre-class.ts'
import { invalid, PatternReader, unsupported } from './pcre-reader.ts'

interface Flags {
  i: boolean
  m: boolean
  s: boolean
  x: boolean
}

/** What only PCRE has, by how it starts. Each would be read otherwise, or not at all. */
const UNSUPPORTED_GROUPS: [RegExp, string][] = [
  [/^\(\*/, 'a verb such as (*UCP)'],
  [/^\(\?>/, 'an atomic group (?>'],
  [/^\(\?\|/, 'a branch reset (?|'],
  [/^\(\?\(/, 'a conditional group (?('],
  [/^\(\?(?:R|[+-]?\d|&|P[>=])/, 'a recursion or a reference'],
  [/^\(\?C/, 'a callout (?C'],
  [/^\(\?<?[*]/, 'a non-atomic assertion'],
  [/^\(\?[a-zA-Z^-]*\^?[a-zA-Z-]+[:)]/, 'an inline option within the pattern, such as a(?i)b,'],
]

/** The same pattern for JavaScript, to be compiled with these flags. */
export function translatePattern(pattern: string, options: string): { source: string; flags: string } {
  const reader = new PatternReader(pattern)
  const has = (letter: string) => options.includes(letter)
  const flags: Flags = { i: has('i'), m: has('m'), s: has('s'), x: has('x') }
  const leading = reader.take(/^\(\?([imsx]+)\)/)
  if (leading) addLeading(leading[1] ?? '', flags)
  const names = new Set<string>()
  const open: { behind: boolean }[] = []
  let result = ''
  let quantifiable = false
  while (!reader.done) {
    if (flags.x && reader.take(/^(?:[\t-\r ]|#[^\n]*\n?)/)) continue
    if (reader.take(/^\\Q/)) {
      const quoted = reader.take(/^[\s\S]*?(?=\\E)/)?.[0] ?? reader.take(/^[\s\S]*/)?.[0] ?? ''
      reader.take(/^\\E/)
      result += [...quoted].map(literal).join('')
      quantifiable = quoted !== '' || quantifiable
      continue
    }
    const quantifier = reader.take(/^(?:[*+?]|\{\d+(?:,\d*)?\})/)
    if (quantifier) {
      if (!quantifiable) throw invalid('quantifier does not follow a repeatable item')
      if (open.some((group) => group.behind)) throw unsupported('a quantifier within a lookbehind')
      const [text] = quantifier
      if (reader.peek() === '+') throw unsupported('a possessive quantifier')
      result += text + (reader.take(/^\?/) ? '?' : '')
      quantifiable = false
      continue
    }
    const character = reader.peek()
    if (character === '(') {
      const group = openGroup(reader, names)
      if (group === undefined) continue
      open.push({ behind: group.startsWith('(?<=') || group.startsWith('(?<!') })
      result += group
      quantifiable = false
    } else if (character === ')') {
      reader.next()
      if (!open.pop()) throw invalid('unmatched closing parenthesis')
      result += ')'
      quantifiable = true
    } else if (character === '|') {
      result += reader.next()
      quantifiable = false
    } else {
      result += atom(reader, flags)
      quantifiable = !'^$'.includes(character)
    }
  }
  if (open.length > 0) throw invalid('missing closing parenthesis')
  // The letter u for whole characters; m, s and x are in the translation already.
  return { source: result, flags: flags.i ? 'iu' : 'u' }
}

/** Options at the very start hold for all of the pattern. */
function addLeading(letters: string, flags: Flags): void {
  for (const letter of letters) {
    if (letter === 'i' || letter === 'm' || letter === 's' || letter === 'x') flags[letter] = true
  }
}

/** The start of a group; undefined for a comment. */
function openGroup(reader: PatternReader, names: Set<string>): string | undefined {
  if (reader.take(/^\(\?#[^)]*\)/)) return undefined
  const plain = reader.take(/^\(\?(?:[:=!]|<[=!])/)
  if (plain) return plain[0]
  const named = reader.take(/^\(\?(?:P?<(\w+)>|'(\w+)')/)
  if (named) {
    const name = named[1] ?? named[2] ?? ''
    if (names.has(name)) throw invalid('two named subpatterns have the same name')
    names.add(name)
    return `(?<${name}>`
  }
  for (const [start, what] of UNSUPPORTED_GROUPS) if (reader.take(start)) throw unsupported(what)
  if (reader.take(/^\(\?/)) throw invalid('unrecognized character after (?')
  return reader.next()
}

function atom(reader: PatternReader, flags: Flags): string {
  const character = reader.next()
  switch (character) {
    case '.':
      return flags.s ? '[^]' : '[^\\n]'
    case '^':
      // Not after a line feed that ends the text.
      return flags.m ? '(?:(?<![^])|(?<=\\n)(?=[^]))' : '(?<![^])'
    case '$':
      return flags.m ? '(?=\\n|(?![^]))' : '(?=\\n?(?![^]))'
    case '[':
      return characterClass(reader)
    case '\\':
      return escaped(reader)
    case '{':
      if (reader.take(/^\s*,?\s*\d/)) throw unsupported('a quantifier written {,n} or with spaces')
      return '\\{'
    default:
      return literal(character)
  }
}

function escaped(reader: PatternReader): string {
  const letter = reader.peek()
  switch (letter) {
    case 'b':
    case 'B':
      return `\\${reader.next()}`
    case 'A':
      reader.next()
      return '(?<![^])'
    case 'z':
      reader.next()
      return '(?![^])'
    case 'Z':
      reader.next()
      return '(?=\\n?(?![^]))'
    case 'N':
      reader.next()
      if (reader.peek() === '{') throw invalid('\\N{name} is not supported')
      return '[^\\n]'
    default:
  }
  if (reader.take(/^[1-9gk]/)) throw unsupported('a back reference')
  if (reader.take(/^[GKRXC]/)) throw unsupported(`\\${letter}`)
  const { set, negated } = escapedSet(reader)
  return set.length === 1 || /^\\(?:[dDwW]|[pP]\{[^}]*\}|x[0-9a-f]{2}|u\{[0-9a-f]+\}|[^\w])$/.test(set)
    ? set
    : `[${negated ? '^' : ''}${set}]`
}
