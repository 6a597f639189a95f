import { invalid, type PatternReader, unsupported } from './pcre-reader.ts'

/** PCRE's sets are of ASCII unless it is told otherwise; JavaScript's `\s` is not. */
const SPACE = '\\t-\\r '
const BLANK = '\\t \\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000'
const LINE_ENDS = '\\n-\\r\\x85\\u2028\\u2029'
const SETS = new Map([
  ['s', SPACE],
  ['h', BLANK],
  ['v', LINE_ENDS],
])
const COMPLEMENTS = new Map([
  ['S', '\\0-\\x08\\x0e-\\x1f!-\\u{10ffff}'],
  [
    'H',
    '\\0-\\x08\\n-\\x1f!-\\x9f\\xa1-\\u167f\\u1681-\\u180d\\u180f-\\u1fff\\u200b-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\u{10ffff}',
  ],
  ['V', '\\0-\\t\\x0e-\\x84\\x86-\\u2027\\u202a-\\u{10ffff}'],
])
const CONTROLS = new Map([
  ['a', '\\x07'],
  ['e', '\\x1b'],
  ['f', '\\f'],
  ['n', '\\n'],
  ['r', '\\r'],
  ['t', '\\t'],
])

const POSIX = new Map([
  ['alnum', 'a-zA-Z0-9'],
  ['alpha', 'a-zA-Z'],
  ['ascii', '\\0-\\x7f'],
  ['blank', '\\t '],
  ['cntrl', '\\0-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '!-~'],
  ['lower', 'a-z'],
  ['print', ' -~'],
  ['punct', '!-\\/:-@\\[-`\\{-~'],
  ['space', SPACE],
  ['upper', 'A-Z'],
  ['word', 'a-zA-Z0-9_'],
  ['xdigit', '0-9A-Fa-f'],
])

const CATEGORIES = /^(?:C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/

/** A character that means itself, inside a class as well. */
export function literal(character: string): string {
  return /[\^$\\.*+?()[\]{}|/-]/.test(character) ? `\\${character === '-' ? 'x2d' : character}` : character
}

/** What a backslash and a letter stand for, as the contents of a class. */
export function escapedSet(reader: PatternReader): { set: string; negated: boolean; isSet: boolean } {
  const plain = (set: string) => ({ set, negated: false, isSet: false })
  const whole = (set: string) => ({ set, negated: false, isSet: true })
  if (reader.done) throw invalid('\\ at end of pattern')
  const property = reader.take(/^([pP])(?:\{(\^?)\s*([^}]*?)\s*\}|([A-Z]))/)
  if (property) {
    const name = property[3] ?? property[4] ?? ''
    if (!CATEGORIES.test(name)) throw unsupported(`the property '${name}'`)
    const negative = (property[1] === 'P') !== (property[2] === '^')
    return whole(`\\${negative ? 'P' : 'p'}{${name}}`)
  }
  const hex = reader.take(/^x(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{0,2}))/)
  if (hex) return plain(codePoint(Number.parseInt(hex[1] ?? (hex[2] || '0'), 16)))
  const octal = reader.take(/^(?:o\{([0-7]{1,7})\}|(0[0-7]{0,2}))/)
  if (octal) return plain(codePoint(Number.parseInt(octal[1] ?? octal[2] ?? '0', 8)))
  const control = reader.take(/^c([ -~])/)
  if (control) return plain(codePoint((control[1] ?? '').toUpperCase().charCodeAt(0) ^ 64))
  const letter = reader.next()
  if ('dDwW'.includes(letter)) return whole(`\\${letter}`)
  const set = SETS.get(letter) ?? COMPLEMENTS.get(letter)
  if (set !== undefined) return whole(set)
  const single = CONTROLS.get(letter)
  if (single !== undefined) return plain(single)
  if (/[a-zA-Z0-9]/.test(letter)) throw invalid(`unrecognized character follows \\: ${letter}`)
  return plain(literal(letter))
}

function codePoint(code: number): string {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw invalid('character code point value is too large')
  return `\\u{${code.toString(16)}}`
}

/** A class in brackets, whose first one has been read. */
export function characterClass(reader: PatternReader): string {
  const negated = reader.take(/^\^/) ? '^' : ''
  let set = ''
  let first = true
  while (first || reader.peek() !== ']') {
    if (reader.done) throw invalid('missing terminating ] for character class')
    const low = member(reader)
    first = false
    if (reader.peek() === '-' && reader.peek(1) !== ']' && reader.peek(1) !== '') {
      reader.next()
      const high = low.isSet ? undefined : member(reader)
      // A hyphen after a set means itself.
      if (!high) set += `${low.text}\\x2d`
      else if (high.isSet) throw invalid('invalid range in character class')
      else set += `${low.text}-${high.text}`
    } else set += low.text
  }
  reader.next()
  return `[${negated}${set}]`
}

function member(reader: PatternReader): { text: string; isSet: boolean } {
  const posix = reader.take(/^\[:(\^?)(\w*):\]/)
  if (posix) {
    const set = POSIX.get(posix[2] ?? '')
    if (set === undefined) throw invalid('unknown POSIX class name')
    // JavaScript has no set within a set that is everything but.
    if (posix[1]) throw unsupported(`the negated class [:^${posix[2]}:]`)
    return { text: set, isSet: true }
  }
  if (reader.take(/^\[[.=]/)) throw invalid('POSIX collating elements are not supported')
  const character = reader.next()
  if (character !== '\\') return { text: literal(character), isSet: false }
  if (reader.take(/^b/)) return { text: '\\x08', isSet: false }
  const octal = reader.take(/^[1-7][0-7]{0,2}/)
  if (octal) return { text: `\\u{${Number.parseInt(octal[0], 8).toString(16)}}`, isSet: false }
  if (reader.take(/^[QE]/)) throw unsupported('\\Q within a class')
  if (reader.take(/^[BNRX]/)) throw invalid('escape sequence is invalid in character class')
  const { set, isSet } = escapedSet(reader)
  return { text: set, isSet }
}
