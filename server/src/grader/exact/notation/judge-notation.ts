import { COEFFICIENTS, judgeWordEquation } from '../chemistry/judge-chemistry.ts'
import { judgeListedChoice } from '../choices/judge-choice.ts'
import { judgeFormula } from '../judge-formula.ts'
import { bestJudgement, exactJudgement, type Judgement, UNSURE, unclear, verdict } from '../judgement.ts'
import { digitsForWords, plainMath } from '../numbers/plain-math.ts'
import { judgeDescription } from '../worded/judge-description.ts'
import { COMPLEXITY } from './asymptotic-complexity.ts'
import { CHARGE, ELECTRON_CONFIGURATION, NUCLIDE } from './charge.ts'
import { CLOCK_TIME, DATE } from './date.ts'
import { HALF, judgeBy, type Notation, onlyOne, RIGHT, WRONG } from './judge-by-notation.ts'
import { LETTER_CODE } from './letter-code.ts'
import { LOGIC } from './logic.ts'
import { MATRIX } from './matrix.ts'
import { MUSICAL_KEY } from './musical-key.ts'
import { REAL_SET } from './real-set.ts'
import { SOLUTIONS, TUPLE } from './tuple.ts'
import { SYMBOL, UNIT } from './unit.ts'

const by =
  <T>(notation: Notation<T>) =>
  (prompt: string, accepted: string[], answer: string) =>
    judgeBy(notation, prompt, accepted, answer)

/** Follows the rules of subtraction: `IL` is not 49. */
const ROMAN_NUMERAL: Notation<string> = {
  read: (key, prompt) => (/\broman\b/i.test(prompt) && /^\s*[MDCLXVI]+\s*$/.test(key) ? key.trim() : null),
  find(answer) {
    const plain = /^[\sMDCLXVI+-]+$/i.test(answer) ? answer.replace(/[\s+-]/g, '') : answer.replace(/#/g, ' ')
    const last = [...plain.matchAll(/(?<![\p{L}\d])[MDCLXVI]+(?![\p{L}\d])/giu)].at(-1)
    if (!last || (last[0] === 'I' && /\bI\s+\p{L}/u.test(plain))) return { skeleton: plain, found: [] }
    return { skeleton: `${plain.slice(0, last.index)}#0#`.replace(/^.*=/s, ''), found: [last[0].toUpperCase()] }
  },
  compare: (key, given) => (key === given ? RIGHT : WRONG),
}

const QUANTIFIED: [RegExp, string][] = [
  [/\$|\\[,;:! ]|\\(?:left|right)(?![a-z])|\\mathbb(?![a-z])|[{}]/g, ''],
  [/\\exists(?![a-z])|\bthere\s+(?:is|exists|are)\s+(?:at\s+least\s+one\s+|an?\s+|some\s+)?/gi, '∃'],
  [/\\forall(?![a-z])|\bfor\s+(?:all|every|each|any)\s+/gi, '∀'],
  [/\breal\s+(?:numbers?\s+)?(\w)\b/g, '$1∈ℝ'],
  [/\b(?:natural|whole)\s+(?:numbers?\s+)?(\w)\b/g, '$1∈ℕ'],
  [/\bnot\s+(?=[A-Z(])|\\(?:neg|lnot)(?![a-z])|[~!]/g, '¬'],
  [/([A-Z]\(\w\))\s+(?:is\s+not\s+true|is\s+false|does\s+not\s+hold)/g, '¬$1'],
  [/\\(?:in|isin)(?![a-z])/g, '∈'],
  [/\\(?:land|wedge)(?![a-z])|\band\b/g, '∧'],
  [/\\(?:lor|vee)(?![a-z])|\bor\b/g, '∨'],
  [/\\(?:to|rightarrow|implies)(?![a-z])|->|=>/g, '→'],
  [/(?<=∈\s*)R/g, 'ℝ'],
  [/(?<=∈\s*)N/g, 'ℕ'],
  [/\b(?:such\s+that|for\s+which|with|we\s+have|it\s+holds|holds|real|natural|number|that)\b|[\s()[\]:,.|]/g, ''],
]

/** Other quantifiers, a missing “not” or another connective are wrong; the rest may be written in other ways. */
function judgeQuantified(key: string, answer: string): Judgement {
  const [wanted = '', given = ''] = [key, answer].map((text) =>
    QUANTIFIED.reduce((rest, [pattern, sign]) => rest.replace(pattern, sign), text)
      .replace(/(\w)>(\w)/g, '$2<$1')
      .replace(/(\w)≥(\w)/g, '$2≤$1'),
  )
  const same = (signs: RegExp) => {
    const [one, other] = [wanted, given].map((text) => (text.match(signs) ?? []).sort().join())
    return one === other
  }
  const quantifiers = (text: string) => (text.match(/[∀∃]/g) ?? []).join('')
  const commutes = !/[→∨↔<≤=>≥]/.test(wanted + given) && wanted[0] === given[0]
  if (wanted === given || (commutes && same(/¬?[A-Z]\w/g) && same(/[¬∧∀∃]/g))) return verdict(true, 0.85)
  const compares = /[<≤]/.test(wanted)
  const wrong =
    quantifiers(given) === quantifiers(wanted)
      ? compares
        ? !/¬/.test(given) && same(/./gu)
        : /[A-Z]\w.*\n.*[A-Z]\w/.test(`${wanted}\n${given}`) && !same(/[¬∧∨→]/g)
      : quantifiers(given) !== '' && !/¬[∀∃]/.test(wanted + given)
  return wrong ? verdict(false, 0.7) : unclear(0.5)
}

const judgeEuler = (prompt: string, accepted: string[], answer: string): Judgement | null =>
  accepted[0] === 'e' && /^\W*(?:exp|e\^|\d)/.test(answer) ? judgeFormula(prompt, accepted, answer) : null

const NUMBER = String.raw`\d+(?:\.\d+)?`
const RATIO = new RegExp(
  String.raw`(?<![\d:.])${NUMBER}(?:\s+(?!to\b)\p{L}+)?(?:\s*(?::|\bto\b|(?<=\p{L})\s-\s)\s*${NUMBER}(?:\s+(?!to\b)\p{L}+)?)+(?![\d:])`,
  'giu',
)
const SHARE =
  /(\d+(?:\.\d+)?)(?:\s*\/\s*(\d+))?\s*(?:%|percent\b)?(?:\s+(?:of|are|is)\b)*(?:\s+(?:it|them))?\s*(?=\p{L}|$|[,;:])/gu
const SIMPLEST = /\b(?:simplest|lowest|simplify)\b/i

const numbersOf = (ratio: string): number[] => (ratio.match(new RegExp(NUMBER, 'g')) ?? []).map(Number)

function ratiosIn(text: string): { skeleton: string; found: number[][] } {
  const found: number[][] = []
  const plain = digitsForWords(plainMath(text.slice(0, 1000))).replace(/#/g, ' ')
  return { skeleton: plain.replace(RATIO, (all) => `#${found.push(numbersOf(all)) - 1}#`), found }
}

const same = (a: number[], b: number[]): boolean => a.length === b.length && a.every((value, i) => value === b[i])

const proportional = (a: number[], b: number[]): boolean =>
  a.length === b.length && a.every((value, i) => Math.abs(value * (b[0] ?? 0) - (b[i] ?? 0) * (a[0] ?? 0)) < 1e-9)

const RATIOS: Notation<number[]> = {
  read: (key) => (/:/.test(key) && key.length <= 40 ? onlyOne(ratiosIn(key)) : null),
  find(answer) {
    // “75 % dominant, 25 % recessive”, “¾ A, ¼ a”, “1 AA, 2 Aa, 1 aa”
    const told = digitsForWords(plainMath(answer.slice(0, 1000)))
    const shares = [...told.matchAll(SHARE)].map(([, top, bottom]) => Number(top) / Number(bottom ?? 1))
    const sum = shares.reduce((all, share) => all + share, 0)
    const counted = new RegExp(String.raw`^\W*(?:${SHARE.source}\p{L}+[\s,;:.]*(?:and\s+)?)+$`, 'u').test(told)
    if (shares.length > 1 && (counted || Math.abs(sum - 100) < 1 || Math.abs(sum - 1) < 0.01))
      return { skeleton: '#0#', found: [shares] }
    const { skeleton, found } = ratiosIn(answer.replace(/=/g, '\n'))
    const [, top, bottom] = /^\W*(\d+)\s*\/\s*(\d+)\W*$/.exec(plainMath(answer.slice(0, 1000))) ?? []
    if (found.length === 0 && top !== undefined) return { skeleton: '#0#', found: [[Number(top), Number(bottom)]] }
    return { skeleton: skeleton.replace(/\p{L}+\s*(?::\s*\p{L}+\s*)+/gu, ' '), found }
  },
  compare(key, given, prompt) {
    if (same(key, given)) return RIGHT
    const simplest = SIMPLEST.test(prompt)
    if (simplest && ratiosIn(prompt).found.some((one) => same(one, given))) return { ...WRONG, confidence: 0.8 }
    if (!proportional(key, given)) return WRONG
    if ([1, 100].some((whole) => Math.abs(given.reduce((sum, share) => sum + share, 0) - whole) < 0.01))
      return { ...RIGHT, confidence: 0.8 }
    return simplest || key.some((value) => !Number.isInteger(value)) ? HALF : { ...HALF, share: 0.75 }
  },
  otherwise: (answer) => exactJudgement(0, /^[\W\d]*$/.test(answer) ? 0.8 : UNSURE, 'exact_wrong'),
}

const ASKS = /\b(?:outputs?|print(?:s|ed)?|display(?:s|ed)?|shown\s+on\s+(?:the\s+)?screen)\b/i
const CODE =
  /\b(?:print|console\.log|cout|printf|System\.out|echo|puts|OUTPUT|DISPLAY)\b\s*[("'<]?|\b(?:program|code|function|loop|algorithm|pseudocode|script|snippet)\b/

/** Values on one line of a key, which may be printed on several. */
const VALUES = /^[ \t]*[-+]?[\d.]+(?:[ \t]*[ \t,;][ \t]*[-+]?[\d.]+){2,}[ \t]*$/

function linesOf(text: string): string[] {
  return text
    .slice(0, 2000)
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/^\s*(?:(?:the\s+)?(?:output|result|answer)(?:\s+is)?\s*:|it\s+(?:prints|outputs|displays)\s*:?)\s*/i, '')
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '')
}

const unquoted = (lines: string[]): string => lines.join('\n').replace(/^(["'])(.*)\1$/s, '$2')
const bare = (lines: string[]): string =>
  unquoted(lines)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Only where the prompt asks for a program's output and the key is no number. */
function judgeOutput(prompt: string, accepted: string[], answer: string): Judgement | null {
  if (!ASKS.test(prompt) || !CODE.test(prompt)) return null
  const keys = accepted.filter(
    (key) =>
      !/^\s*[-+]?[\d.,]+\s*$/.test(key) &&
      !VALUES.test(key) &&
      !/\p{L}+\s+\p{L}+\s+\p{L}+\s+\p{L}+\s+\p{L}+/u.test(key),
  )
  if (keys.length === 0 || keys.length < accepted.length) return null
  const [, , quoted] =
    /^\s*(?:it\s+)?(?:prints?|outputs?|displays?)\W*?(['"])([^'"\n]+)\1\s*[.,;]?\s*(?:\b(?:because|since|as)\b.*)?$/is.exec(
      answer.replace(/[‘’]/g, "'"),
    ) ?? []
  const given = linesOf(quoted ?? answer)
  return bestJudgement(
    keys.map((text) => {
      const key = linesOf(text)
      if (unquoted(key) === unquoted(given)) return verdict(true, 0.95)
      const compact = (lines: string[]) => unquoted(lines).replace(/,\s+/g, ',')
      if (/^\[.*\]$/.test(key.join('')) && compact(key) === compact(given)) return verdict(true, 0.85)
      if (bare(key) === bare(given)) return unclear(0.5)
      // Some of its lines, or explained: a person has to look.
      const some = key.some((line) => given.includes(line)) || bare(given).includes(bare(key))
      return exactJudgement(0, some ? UNSURE : 0.85, some ? 'unclear' : 'exact_wrong')
    }),
  )
}

interface Base {
  digits: RegExp
  asks: RegExp
  prefix: RegExp
}

const INTO = String.raw`(?:\b(?:in(?:to)?|to|as|using)\s+(?:an?\s+)?(?:\d+[- ]?bits?\s+)?(?:unsigned\s+|signed\s+|two'?s\s+complement\s+)?)`
const asks = (name: string) =>
  new RegExp(
    String.raw`${INTO}(?:${name})|\b(?:${name})\s+(?:of\b|for\b|number|representation|equivalent|form|value|digits?|result|code|addition|sum)\b(?!\s+\w*\s*[01A-F]*\s*(?:in)?to\b)`,
    'i',
  )
const TO_DECIMAL = /\b(?:in(?:to)?|to|as)\s+(?:an?\s+)?(?:decimal|denary|integer|base[- ]?(?:10|ten))\b/i

const BASES: Base[] = [
  { digits: /^[01]+$/, asks: asks('binary|base[- ]?(?:2|two)|\\d+[- ]bits?'), prefix: /^0b/i },
  { digits: /^[0-9a-f]+$/i, asks: asks('hex(?:adecimal)?|base[- ]?16'), prefix: /^(?:0x|#|&h)/i },
  { digits: /^[0-7]+$/, asks: asks('octal|base[- ]?8'), prefix: /^0o/i },
]
const WIDTH = /\b(\d+)[- ]?bits?\b/i

function digitsOf(text: string, { digits, prefix }: Base): string | null {
  const bare = text
    .normalize('NFKC')
    .trim()
    .replace(/^.*(?:=|→|->|\b(?:answer|ans|is|so|hence|gives)\b\s*:?)\s*/is, '')
    .replace(/\s*\(?\b(?:in\s+)?(?:binary|hex(?:adecimal)?|octal|base\s*(?:2|8|16))\b\)?\.?$/i, '')
    .replace(prefix, '')
    .replace(/^\(([^()]*)\)_?\{?(?:2|8|16)\}?$/, '$1')
    .replace(/_\{?(?:2|8|16)\}?$|(?<=[0-9a-f])h$/i, '')
    .replace(/[\s_]/g, '')
    .replace(/\.$/, '')
  return digits.test(bare) ? bare.toUpperCase() : null
}

function judgeDigits(prompt: string, accepted: string[], answer: string): Judgement | null {
  const base = BASES.find(
    ({ asks: asked, digits, prefix }) =>
      !TO_DECIMAL.test(prompt) &&
      asked.test(prompt) &&
      accepted.some((key) => digits.test(key.trim().replace(prefix, '').replace(/\s/g, ''))),
  )
  if (!base) return null
  const keys = accepted.flatMap((key) => digitsOf(key, base) ?? [])
  if (keys.length === 0) return null
  const marked = answer.replace(/[₀-₉]+/g, (index) => `_${[...index].map((c) => '₀₁₂₃₄₅₆₇₈₉'.indexOf(c)).join('')}`)
  const lines = marked.split('\n').filter((line) => line.trim() !== '')
  const given =
    withoutIndex(marked, base, keys) ??
    digitsOf(marked, base) ??
    digitsOf(lines.at(-1)?.split(/[,:;]/).at(-1) ?? '', base)
  if (given === null) return unclear()
  return bestJudgement(
    keys.map((key) => {
      if (key === given) return verdict(true, 0.95)
      const bare = (text: string) => text.replace(/^0+(?=.)/, '')
      if (bare(key) !== bare(given)) return verdict(false, 0.93)
      const wide = WIDTH.test(prompt) || key.startsWith('0')
      return wide ? unclear(0.5) : verdict(true, 0.9)
    }),
  )
}

/** “FF16”: the base written behind, where the rest is the key. */
function withoutIndex(text: string, base: Base, keys: string[]): string | null {
  const bare = digitsOf(text.trim().replace(/(?:16|2|8)$/, ''), base)
  return bare !== null && keys.includes(bare) ? bare : null
}

const JUDGES = [
  by(COEFFICIENTS),
  judgeDescription,
  judgeEuler,
  judgeWordEquation,
  judgeListedChoice,
  judgeOutput,
  by(LETTER_CODE),
  judgeDigits,
  by(CLOCK_TIME),
  by(DATE),
  by(UNIT),
  by(NUCLIDE),
  by(SYMBOL),
  by(MUSICAL_KEY),
  by(ROMAN_NUMERAL),
  by(CHARGE),
  by(ELECTRON_CONFIGURATION),
  by(LOGIC),
  by(SOLUTIONS),
  by(MATRIX),
  by(COMPLEXITY),
  by(REAL_SET),
  by(RATIOS),
  by(TUPLE),
]

/** In characters. */
const LONGEST_KEY = 400

export function judgeNotation(prompt: string, accepted: string[], answer: string): Judgement | null {
  if (accepted.every((key) => key.length > LONGEST_KEY)) return null
  if (accepted.some((key) => /[∀∃]/.test(key)))
    return bestJudgement(accepted.map((key) => judgeQuantified(key, answer)))
  for (const judge of JUDGES) {
    const judged = judge(prompt, accepted, answer)
    if (judged) return judged
  }
  return null
}
