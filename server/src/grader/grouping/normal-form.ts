import type { Question } from '@assay/shared/rubrics.ts'
import { findChoiceOptions } from '@assay/shared/rules/choice-options.ts'
import { isChemistry, plainChemistry } from '../exact/chemistry/read-reaction.ts'
import { readChoice } from '../exact/choices/judge-choice.ts'
import { truthValueOf } from '../exact/choices/judge-true-false.ts'
import { evaluateAt, type Formula, variablesOf } from '../exact/formula.ts'
import { sizeOf } from '../exact/formula-form.ts'
import { spokenToSymbols, withoutLabel, wordsIn } from '../exact/formula-readings.ts'
import { membersOf } from '../exact/list-members.ts'
import { promptRequirements } from '../exact/numbers/prompt-requirements.ts'
import { readClaim } from '../exact/numbers/read-claim.ts'
import { scanLikeKey } from '../exact/quantity.ts'
import { readRelation } from '../exact/relation.ts'
import { rewordInKeyTerms } from '../exact/worded/named-things.ts'
import { differencesBetween } from '../text/differences.ts'
import { isCode } from '../text/open-keys.ts'
import { DEFAULT_SIGNAL_SETTINGS } from '../text/signal-settings.ts'
import { labelsIn, statementOf } from '../text/statements.ts'
import { acceptedAnswers, directionOf, isNegated, termsOf, wordsOf } from '../text/terms.ts'
import { characterNgrams, dotProduct, type TextVector, tfIdfVectorOf } from '../text/text-vector.ts'
import { readInVersionLetters } from '../text/version-letters.ts'
import { casedWordsIn, normalWords } from './normal-words.ts'

type AskedQuestion = Pick<Question, 'prompt' | 'kind' | 'criteria'>

/** Longer answers are compared by words alone. */
const LONGEST_EXACT = 200
/** More words beside a letter or “true” give a reason. */
const MOST_BESIDE = 4
const REASONED = /\?|\b(?:because|since|as|due\s+to|cos)\b/i
const ASKS_FOR_FORM =
  /\b(?:expand|multiply\s+out|factor(?:i[sz]e)?|simplif\w*|simplest|the\s+subject|rearrange|express|in\s+terms\s+of|exact|write|form|surd|evaluate)\b/i

/** Gives answers the same text if and, as far as can be told, only if they say the same. */
export function normalFormOf(question: AskedQuestion): (text: string) => string {
  const keys = question.criteria.flatMap(acceptedAnswers)
  // Case and punctuation of a program matter.
  if (keys.some(isCode)) return (text) => `code ${text.replace(/\s+/g, ' ').trim()}`
  const cased = casedWordsIn(keys)
  const options = question.kind === 'choice' ? findChoiceOptions(question.prompt) : []
  const chemical = question.kind === 'formula' && keys.some((key) => isChemistry(key, question.prompt))
  const wordsOfKey = wordsIn(keys[0] ?? '')
  const exactly = (text: string): string | null => {
    switch (question.kind) {
      case 'choice':
        return normalChoice(text, options)
      case 'true_false':
        return normalTruthValue(text)
      case 'number':
        return normalNumber(text, question.prompt, keys[0] ?? '')
      case 'set':
      case 'ordered_list':
        return normalList(text, question, keys, cased)
      case 'formula':
        if (chemical) return `chemistry ${plainChemistry(text).replace(/\s+/g, '')}`
        return normalFormula(text, question.prompt, wordsOfKey) ?? normalNumber(text, question.prompt, keys[0] ?? '')
      default:
        return null
    }
  }
  return (text) =>
    (text.length <= LONGEST_EXACT ? exactly(text.trim()) : null) ?? `words ${normalWords(text, cased) || text.trim()}`
}

function normalChoice(text: string, options: ReturnType<typeof findChoiceOptions>): string | null {
  const own = readInVersionLetters(text)
  if (own) return `choice ${own.letter} of version ${own.version}`
  const { taken, denied, clear, plain } = readChoice(text, options)
  if (!clear || !plain || taken.size === 0 || denied.size > 0 || REASONED.test(text)) return null
  return `choice ${[...taken].sort().join('')}`
}

function normalTruthValue(text: string): string | null {
  const given = truthValueOf(text)
  return given?.sure && wordsOf(text).length <= MOST_BESIDE ? `truth ${given.value}` : null
}

function normalNumber(text: string, prompt: string, key: string): string | null {
  // 00101 is a code.
  if (/(?<![\d.,])0\d/.test(text)) return null
  const scan = scanLikeKey(text, key)
  const [quantity] = scan.quantities
  if (!quantity || scan.quantities.length > 1 || quantity.form === 'expression') return null
  const claim = readClaim(scan, null, prompt)
  if (claim.stance !== 'said' || !claim.understood || claim.algebra || claim.after !== '') return null
  const { form, decimalPlaces, rounds, unit: asked } = promptRequirements(prompt)
  const shape = form !== null || decimalPlaces !== null || rounds ? ` ${quantity.form} ${quantity.decimals}` : ''
  const written = quantity.unit ?? asked
  const [unit] = written?.readings ?? []
  if (!unit) return `number ${rounded(quantity.value)}${written?.written ?? ''}${shape}`
  const dimensions = Object.entries(unit.dimensions)
    .filter(([, power]) => power !== 0)
    .map(([base, power]) => `${base}${power}`)
    .sort()
  const inBaseUnits = (quantity.value + (unit.offset ?? 0)) * unit.factor
  // An angle and a percentage have no dimensions, but are no bare numbers.
  const name = dimensions.join('.') || written?.written
  return `number ${rounded(inBaseUnits)} ${name}${shape}`
}

function normalList(
  text: string,
  { kind, prompt }: AskedQuestion,
  keys: readonly string[],
  cased: ReadonlySet<string>,
): string | null {
  if (/[<>≤≥]/.test(text) || /\b(?:not|n't|no|except|without|never)\b/i.test(text)) return null
  const members = membersOf(text, membersOf(keys[0] ?? ''))
  if (members.length === 0 || members.some((member) => wordsOf(member).length > 6)) return null
  const forms = members.map((member) => normalNumber(member, prompt, '') ?? normalWords(member, cased))
  if (forms.some((form) => form === '')) return null
  return kind === 'set' ? `set ${[...new Set(forms)].sort().join(' | ')}` : `list ${forms.join(' | ')}`
}

/** Null where it is none, or its form counts. */
function normalFormula(text: string, prompt: string, words: ReadonlySet<string>): string | null {
  if ((text.match(/[=<>≤≥]/g)?.length ?? 0) > 1) return null
  const relation = readRelation(withoutLabel(spokenToSymbols(text.replace(/\.\s*$/, ''))), words)
  if (!relation) return null
  const sides = [relation.left, relation.right].map((side) => side && signatureOf(side))
  const [left, right] = sides
  if (left === undefined || right === undefined) return null
  const size = ASKS_FOR_FORM.test(prompt)
    ? ` ${[relation.left, relation.right].map((side) => side && sizeOf(side))}`
    : ''
  if (relation.sign === null || right === null) return left && `formula ${left}${size}`
  const turned = relation.sign === '=' && (left ?? '') > right
  return `formula ${turned ? `${right} = ${left}` : `${left} ${relation.sign} ${right}`}${size}`
}

const POINTS = 4

/** Values at a few odd points. */
function signatureOf(formula: Formula): string | null | undefined {
  const names = [...variablesOf(formula)].sort()
  if (names.length > 12) return undefined
  const values = Array.from({ length: POINTS }, (_, i) => {
    // By name, so that one missing on one side moves no other.
    const at = new Map(names.map((name) => [name, 0.3 + (((i + 1) * (hashOfName(name) + 2) * Math.SQRT2) % 2.9)]))
    return evaluateAt(formula, at)
  })
  return values.every(Number.isFinite) ? `${names.join(',')}:${values.map(rounded).join(',')}` : undefined
}

const hashOfName = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7)

const rounded = (value: number): string => (Object.is(value, -0) ? 0 : Number(value.toPrecision(9))).toString()

/** All terms count up to SHORT, only the key's beyond LONG, as long answers say other things too. */
const SHORT = 10
const LONG = 24
/** Least cosines of like answers, chosen on public answers (`docs/grading.md`). */
const LIKE_IN_WORDS = 0.4
const LIKE_IN_KEY_TERMS = 0.95
/** Weight of a different score: such answers are unlike, however worded. */
const BY_SCORE = 0.5

interface Answer {
  words: TextVector
  pieces: TextVector
  keyTerms: TextVector
  terms: number
  text: string
  share: number
}

export class AnswerLikeness {
  readonly #answers: Answer[]
  readonly #labels: ReadonlySet<string>
  /** Answers that differ in negation, direction or symbols told by case are never alike. */
  readonly blocks: readonly string[]

  /** `share`: expected points, 0..1. `idf`: how rare a term is among the paper's questions. */
  constructor(
    question: AskedQuestion,
    answers: readonly { text: string; share: number | null }[],
    idf: (term: string) => number,
  ) {
    const { questionTermFactor: demoted } = DEFAULT_SIGNAL_SETTINGS
    const keys = question.criteria.flatMap(acceptedAnswers)
    const keyTerms = new Set(keys.flatMap(termsOf))
    const cased = casedWordsIn(keys)
    const asked = {
      terms: new Set(termsOf(question.prompt)),
      pieces: new Set(characterNgrams(wordsOf(question.prompt))),
    }
    const weight = (term: string) => idf(term) * (asked.terms.has(term) ? demoted : 1)
    const weightOfPiece = (piece: string) => (asked.pieces.has(piece) ? demoted : 1)
    this.#labels = labelsIn([question.prompt, ...keys])
    const plain = answers.map(({ text }) => rewordInKeyTerms(text, question.kind === 'text' ? keys : []))
    const terms = plain.map(termsOf)
    this.#answers = plain.map((text, i) => ({
      words: tfIdfVectorOf(terms[i] ?? [], weight),
      pieces: tfIdfVectorOf(characterNgrams(wordsOf(text)), weightOfPiece),
      keyTerms: tfIdfVectorOf(
        (terms[i] ?? []).filter((term) => keyTerms.has(term)),
        weight,
      ),
      terms: new Set(terms[i]).size,
      text,
      share: answers[i]?.share ?? 0.5,
    }))
    this.blocks = plain.map((text, i) => {
      const symbols = (text.match(/\p{L}+/gu) ?? []).filter((word) => cased.has(word.toLowerCase()))
      return [
        isNegated(text),
        (this.#answers[i]?.terms ?? 0) <= SHORT && wordsOf(text).some(directionOf),
        symbols,
      ].join(' ')
    })
  }

  termsOf(index: number): TextVector {
    return this.#answers[index]?.words ?? new Map()
  }

  /** “low to high” for “high to low”; in long answers that cannot be told. */
  contradict(a: number, b: number): boolean {
    const [one, other] = [this.#answers[a], this.#answers[b]]
    if (!one || !other || Math.max(one.terms, other.terms) >= LONG) return false
    return differencesBetween(statementOf(one.text, this.#labels), statementOf(other.text, this.#labels)).size > 0
  }

  /** −1.5 to .6; from 0 up two answers are alike. */
  between(a: number, b: number): number {
    const [one, other] = [this.#answers[a], this.#answers[b]]
    if (!one || !other || this.blocks[a] !== this.blocks[b]) return -1
    const terms = Math.sqrt(one.terms * other.terms)
    const long = Math.min(1, Math.max(0, (terms - SHORT) / (LONG - SHORT)))
    let like = 0
    if (long < 1) {
      const cosine = (dotProduct(one.words, other.words) + dotProduct(one.pieces, other.pieces)) / 2
      like += (1 - long) * (cosine - BY_SCORE * Math.abs(one.share - other.share) - LIKE_IN_WORDS)
    }
    if (long > 0) like += long * (dotProduct(one.keyTerms, other.keyTerms) - LIKE_IN_KEY_TERMS)
    return like
  }
}
