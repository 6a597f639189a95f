import { CHEMISTRY } from './chemistry/judge-chemistry.ts'
import { isChemistry } from './chemistry/read-reaction.ts'
import { evaluateAt, isGreek, normalizeFormula, sizeOf, variablesOf } from './formula.ts'
import { asksForSubject, judgeFormulaForm } from './formula-form.ts'
import {
  afterOtherName,
  otherReadings,
  restoreExponents,
  spokenToSymbols,
  withoutLabel,
  wordsIn,
  wordsToSymbols,
} from './formula-readings.ts'
import { bestJudgement, exactJudgement, type Judgement, unclear, verdict } from './judgement.ts'
import { judgeBy } from './notation/judge-by-notation.ts'
import { judgeNumber } from './numbers/judge-number.ts'
import { readQuantity } from './quantity.ts'
import { compareRelations, type Relation, readRelation } from './relation.ts'

const INTEGRATES = /\b(?:integra|antiderivative|general\s+solution|differential\s+equation|primitive)|∫/i
const CONSTANT = /\+\s*[cCkKA]\s*$|\bconst(?:ant)?\b/
const OTHER_FORM = 0.89
const DENIED = /≠|!=|=\/=|\bnot\b|n['’]t\b/i

export function judgeFormula(prompt: string, accepted: string[], answer: string): Judgement {
  const chemical = accepted.filter((key) => isChemistry(key, prompt))
  if (chemical.length > 0) return judgeBy(CHEMISTRY, prompt, chemical, answer) ?? unclear()
  if (accepted.every((key) => readQuantity(key) !== null && !isFormulaKey(prompt, key)))
    return judgeNumber(prompt, accepted, answer)
  const judged = bestJudgement(accepted.map((key) => judgeAgainst(prompt, key, answer)))
  if (!judged) return unclear()
  if (judged.share > 0 && DENIED.test(answer)) return verdict(false, 0.6)
  return judged.share > 0 && isEither(answer) ? unclear(0.5) : judged
}

function judgeAgainst(prompt: string, key: string, answer: string): Judgement {
  const words = wordsIn(key)
  // “ATC = TC/Q”: one name, no product.
  const name = /^\s*([A-Z]{3,5})\s*=/.exec(key)?.[1]
  if (name) words.add(name.toLowerCase())
  const wanted = readRelation(withoutLabel(key), words)
  const given = formulaCandidatesIn(answer)
  const bare = (text: string) => normalizeFormula(text).replace(/\s+/g, '')
  if (!wanted) {
    const same = given.some((text) => bare(text) === bare(key))
    return same ? verdict(true, 0.95) : unclear()
  }
  const judge = (text: string) => judgeText(prompt, key, wanted, words, text)
  const best = bestJudgement(given.flatMap((text) => judge(text) ?? []))
  if (!best) return unclear()
  return best.share > 0 && endsOtherwise(answer, words, judge) ? unclear(0.5) : best
}

function judgeText(
  prompt: string,
  key: string,
  wanted: Relation,
  words: ReadonlySet<string>,
  text: string,
): Judgement | null {
  const found: Judgement[] = []
  // “m : V”
  const plain = spokenToSymbols(withoutLabel(text)).replace(
    /(?<=\b[A-Za-z]|\d|\)|=.*[a-z])\s*:\s*(?=[A-Za-zΔ]\b|\d|\(|(?<==.*)[a-z])/g,
    ' / ',
  )
  const readings: [string | null, string, number][] = [
    [plain, key, plain === withoutLabel(text) ? 0.96 : 0.88],
    [isSingleCase(key) ? normalizeFormula(plain).toLowerCase() : null, normalizeFormula(key).toLowerCase(), 0.9],
    [/[A-Za-z)]\d/.test(plain) && /\^|[²³]/.test(key) ? restoreExponents(plain) : null, key, 0.85],
    [wordsToSymbols(plain, key), key, 0.85],
    ...otherReadings(plain, key, words),
  ]
  for (const [reading, against, confidence] of readings) {
    if (reading === null) continue
    const its = against === key ? wanted : readRelation(withoutLabel(against), words)
    for (const tight of reading.includes('/') ? [false, true] : [false]) {
      const has = readRelation(withoutLabel(reading), words, tight)
      const sure = tight ? Math.min(confidence, 0.8) : confidence
      if (has && its) found.push(judgeRelation(prompt, its, has, sure), ...judgeOtherName(reading, its, words))
    }
    if (found.some(({ share }) => share === 1)) break
  }
  if (found.some(({ share }) => share === 1)) return bestJudgement(found)
  found.push(...judgeConstant(prompt, key, plain))
  // “2x/x² + 1” may mean that all of it is below.
  const bracketed = plain.replace(/\/\s*([^()/=]+)$/, '/($1)')
  const below = bracketed === plain ? null : readRelation(bracketed, words)
  if (below && compareRelations(wanted, below) === 'same') found.push(unclear(0.5))
  return bestJudgement(found)
}

function judgeRelation(prompt: string, wanted: Relation, has: Relation, confidence: number): Judgement {
  const match = compareRelations(wanted, has)
  if (match === 'same') {
    const sameSize = sizeOf(wanted.right ?? wanted.left) === sizeOf(has.right ?? has.left)
    const sure = sameSize ? confidence : Math.min(confidence, OTHER_FORM)
    return judgeFormulaForm(prompt, wanted, has) ?? verdict(true, sure)
  }
  if (match === 'rearranged') {
    if (!asksForSubject(prompt)) return exactJudgement(1, Math.min(confidence, OTHER_FORM), 'exact_right')
    return judgeFormulaForm(prompt, wanted, has) ?? unclear(0.5)
  }
  if (isRounded(wanted, has)) return verdict(true, 0.65)
  // It may be the right value in another form.
  const isNumber = has.sign === null && variablesOf(has.left).size === 0
  return verdict(false, isNumber ? OTHER_FORM : 0.8)
}

function isRounded(wanted: Relation, has: Relation): boolean {
  const [key, given] = [wanted.right ?? wanted.left, has.right ?? has.left]
  if ([...variablesOf(key)].some((name) => name !== 'e') || given.kind !== 'number' || Number.isInteger(given.value))
    return false
  const off = Math.abs(evaluateAt(key, new Map([['e', Math.E]])) - given.value)
  return off <= 0.5001 * 10 ** -(String(given.value).split('.')[1]?.length ?? 0) && off <= 0.01 * Math.abs(given.value)
}

function judgeOtherName(text: string, wanted: Relation, words: ReadonlySet<string>): Judgement[] {
  const other = afterOtherName(text)
  if (!other || wanted.sign !== '=' || wanted.left.kind !== 'variable') return []
  const rest = readRelation(other.rest, words)
  if (!rest || compareRelations(wanted, rest) !== 'same' || variablesOf(rest.left).has(other.name)) return []
  const kin = other.name.toLowerCase().includes(wanted.left.name.toLowerCase()[0] ?? '')
  return [verdict(true, kin ? 0.9 : 0.7)]
}

/** Any letter will do; without a constant of integration the answer is incomplete. */
function judgeConstant(prompt: string, key: string, text: string): Judgement[] {
  if (!INTEGRATES.test(`${prompt} ${key}`) || !(CONSTANT.test(key) || CONSTANT.test(text))) return []
  const without = (formula: string) =>
    formula.replace(/\+\s*(?:[a-zA-Z]|const(?:ant)?)(?:_?\d)?\s*\.?$/, '').replace(/^\s*[a-zA-Z]\s*\+/, '')
  const added = CONSTANT.test(key)
  const [, letter = ''] = /\+\s*([a-zA-Z])\s*\.?$/.exec(text) ?? []
  if (!added && (/\b(?:evaluate|definite|from|between|limits)\b/i.test(prompt) || `${key} ${prompt}`.includes(letter)))
    return []
  const wanted = readRelation(added ? without(key) : key)
  const has = readRelation(without(text))
  if (!wanted || !has) return []
  if (compareRelations(wanted, has) === 'same')
    return without(text) === text ? [exactJudgement(0.5, 0.7, 'exact_wrong')] : [verdict(true, 0.92)]
  const number = readRelation(text.replace(/[+-]\s*\d+\s*$/, ''))
  return number && compareRelations(wanted, number) === 'same' ? [unclear(0.5)] : []
}

function formulaCandidatesIn(answer: string): string[] {
  const text = answer.slice(0, 1000).replace(/^\W*(?:about|approximately|approx\.?|roughly)\s+/i, '')
  const lines = text.split(/\n|\bso\b|∴|⇒|=>/)
  const tails = lines.flatMap((line) => /(?:\bis\b|:|\bgives?\b|\bget\b)\s*(.+)$/i.exec(line)?.[1] ?? [])
  const within = [
    ...text.matchAll(/(?<![\p{L}])[\p{L}\d(][\p{L}\d_^(){}²³⁰-⁹₀-₉\s*·×/+\-−.√π]{0,40}=[^,;.\n=]{1,60}/gu),
  ].map(([found]) => found.replace(/\s(?:because|since|so|where|which|and|as)\b.*$/i, ''))
  const shortened = within.map((found) => found.replace(/^.*\s(?=\S+\s*=)/, ''))
  const [, told = '', letter = '', stands = ''] =
    /^(.*=.*?),?\s+(?:with|where)\s+([A-Za-z])\s*=\s*([^=]+)$/s.exec(text) ?? []
  const whole = told.replace(new RegExp(`(?<![A-Za-z\\\\])${letter || '$'}(?![A-Za-z_])`, 'g'), ` (${stands.trim()}) `)
  const all = [text, whole, ...lines, ...tails, ...within, ...shortened]
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return [...new Set(all)].slice(0, 40)
}

function endsOtherwise(answer: string, words: ReadonlySet<string>, judge: (text: string) => Judgement | null): boolean {
  const lines = answer.split('\n').filter((line) => line.trim() !== '')
  const last = lines.at(-1) ?? ''
  if (lines.length < 2) return false
  const has = readRelation(withoutLabel(spokenToSymbols(last)), words)
  return has !== null && has.sign !== null && (judge(last)?.share ?? 0) === 0
}

function isEither(answer: string): boolean {
  const said = answer.replace(/\bmaybe\b/gi, '').split(/\bor\b/i)
  const [one, other] = said.map((text) => readRelation(withoutLabel(text)))
  return one !== null && one !== undefined && !!other && compareRelations(one, other) === 'different'
}

function isSingleCase(key: string): boolean {
  const letters = new Set(key.match(/[A-Za-z]/g) ?? [])
  return [...letters].every((letter) => letter !== letter.toUpperCase() || !letters.has(letter.toLowerCase()))
}

const FUNCTION = /(?<![A-Za-z])(?:(?:arc)?(?:sin|cos|tan)|sqrt|cbrt|ln|log|exp|abs|pi)(?![a-z])/g

/** A variable with a sign or operator; long names only in equations such as “speed = distance / time”. */
export function isFormulaKey(prompt: string, key: string): boolean {
  if (key.length > 100) return false
  if (isChemistry(key, prompt)) return true
  const plain = normalizeFormula(key)
    .replace(FUNCTION, ' ')
    .replace(/\b[A-Za-z]+\b/g, (word) => (isGreek(word) ? 'x' : word))
  if (/^[-+]?\d+(?:\.\d+)?\s?[a-z]{1,2}$/.test(plain.trim()) && !/(?:st|nd|rd|th)$/.test(plain)) return true
  const called = /(?:sin|cos|tan|ln|log|sqrt|exp)\s*\(/.test(normalizeFormula(key))
  if ((!called && !/[-+*/^=<>≤≥]/.test(plain)) || !/[A-Za-z]/.test(plain)) return false
  const words = wordsIn(plain)
  const worded = words.size > 0
  if (worded && (!/=/.test(plain) || !/[-+*/^]/.test(plain) || /[A-Za-z]{2,}\s+[A-Za-z]{2,}/.test(plain))) return false
  const relation = readRelation(withoutLabel(key), words)
  if (!relation) return false
  const names = variablesOf(relation.left)
  return (relation.right ? variablesOf(relation.right, names) : names).size > 0
}
