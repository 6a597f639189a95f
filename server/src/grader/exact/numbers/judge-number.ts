import { evaluateAt, normalizeFormula, readFormula } from '../formula.ts'
import { bestJudgement, exactJudgement, type Judgement, UNSURE, unclear, verdict } from '../judgement.ts'
import { compareQuantities, type NumberMatch, type Quantity, readQuantity, scanLikeKey } from '../quantity.ts'
import { isCounted, sameDimensions } from '../units/read-unit.ts'
import { asksFor, type PromptRequirements, promptRequirements, stated } from './prompt-requirements.ts'
import { type Claim, readClaim } from './read-claim.ts'
import type { WrittenQuantity } from './scan-quantities.ts'

const SURE = 0.97
const NOT_ALL_UNDERSTOOD = 0.8
const CONVERTED = 0.85
const ASKS_FOR_RANGE =
  /\b(?:between|from)\s+(?:which|what)\b|\b(?:what|which)\s+range\b|\brange\s+of\s+(?:\w+\s+)?(?:numbers|integers|values)\b/i
const UNITLESS = /\b(?:magnification|ratio|factor|index)\b/i
const COUNTED_BY = new Map(Object.entries({ pair: 2, couple: 2, dozen: 12, score: 20 }))

export function judgeNumber(prompt: string, accepted: string[], answer: string): Judgement {
  const requirements = promptRequirements(prompt)
  const judged = accepted.flatMap((text) => {
    const key = readQuantity(text)
    if (!key) return []
    // “5√2 ≈ 7.07”: the key may have either.
    const [, exact, rounded] = /^(.*[\dπ].*?)\s*(?:≈|\\approx(?![a-z]))([^≈]*)$/s.exec(answer) ?? []
    const decimal =
      key.decimals === 3 && /\d,\d{3}(?!\d)/.test(answer) ? answer.replace(/(\d),(\d{3})(?!\d)/, '$1.$2') : undefined
    const part =
      key.form === 'integer' ? /^(.*\d)\s+(?:out\s+)?of\s+(?:the\s+|all\s+)?\d+\b/s.exec(answer)?.[1] : undefined
    // “$12 an hour” for $12.
    const money = /^[$€£¥%]$/.test(key.unit)
      ? answer.replace(
          /(?<=[$€£¥]\s?\d[\d.,]*|%|per\s?cent)\s*(?:\/|\bper\b|\ban?\b|\beach\b|\bevery\b|p\.?a\b)\s*[a-z]*\.?/i,
          '',
        )
      : undefined
    // “4x bigger” for ×4
    const times = /^\s*[×x]/i.test(text) ? answer.replace(/(?<=\d)\s*[x×](?!\s*\d|\w)/i, ' ') : undefined
    return [answer, exact, rounded, decimal, money, part, times]
      .filter((said) => said !== undefined)
      .map((said) => {
        const judgement = judgeAgainst(key, text, requirements, said)
        const unsure = said === rounded || said === decimal
        return unsure ? { ...judgement, confidence: Math.min(judgement.confidence, 0.75) } : judgement
      })
  })
  return bestJudgement(judged) ?? unclear()
}

function judgeAgainst(key: Quantity, text: string, requirements: PromptRequirements, answer: string): Judgement {
  const { prompt } = requirements
  const label = /^\s*(\p{L})\s*[=≈]/u.exec(text)?.[1] ?? null
  const scan = scanLikeKey(answer, text)
  const claim = readClaim(scan, label, prompt)
  if (isUnevaluated(key, answer)) return unclear(0.5)
  const matches = claim.quantities.map((quantity) => matchFor(key, quantity, claim, requirements))
  const [only = 'wrong'] = matches
  const [quantity] = claim.quantities
  const fits = matches.some((match) => match !== 'wrong' && match !== 'near')
  if (claim.algebra) return unclear()
  // “±5” says −5 as well, and one number is no range.
  const signed = !key.explicit && /^[^#\d]*(?:±|\+\s?\/\s?-)\s*#\d+#[^#]*$/.test(scan.skeleton)
  if (fits && (signed || (key.explicit && claim.stance === 'said' && ASKS_FOR_RANGE.test(prompt)))) return unclear(0.25)
  const judgeSeveral = (): Judgement => {
    if (!fits) return verdict(false, 0.8)
    // “P = 4.8 W, t = 300 s, E = 1440 J”: one has the unit asked for.
    const alike = claim.quantities.flatMap((one, i) =>
      one.unit &&
      key.measure &&
      one.unit.readings.some((unit) => key.measure?.readings.some((own) => sameDimensions(unit, own)))
        ? [matches[i]]
        : [],
    )
    if (alike.length === 1 && alike[0] === 'right') return verdict(true, NOT_ALL_UNDERSTOOD)
    if (matches.every((match) => match === 'right')) return verdict(true, NOT_ALL_UNDERSTOOD)
    // The question's own numbers may be repeated: “1, 1, 2, 3, 5”.
    const fresh = matches.filter(
      (_, i) => !requirements.stated.some(({ value }) => value === claim.quantities[i]?.value),
    )
    if (fresh.length === 1 && fresh[0] === 'right' && !/\bor\b/.test(answer)) return verdict(true, 0.7)
    if (/\bor\b/.test(answer)) return verdict(false, 0.6)
    return unclear(claim.quantities.length > 2 ? 0.25 : 0.5)
  }
  switch (claim.stance) {
    case 'none':
      return unclear()
    case 'denied':
      return verdict(false, fits ? NOT_ALL_UNDERSTOOD : 0.6)
    case 'compared':
      return verdict(false, claim.understood ? 0.85 : 0.75)
    case 'ranged':
      return judgeRange(key, claim.quantities, matches)
    case 'several':
      return judgeSeveral()
    case 'hedged': {
      if (!fits) return verdict(false, 0.75)
      const rounded =
        key.explicit || requirements.approximate || key.decimals !== 0 || (key.measure !== null && !isCount(key))
      if (!rounded || !quantity || !claim.understood) return unclear(0.5)
      const judged = judgeMatch(only, key, quantity, claim, requirements)
      return { ...judged, confidence: Math.min(judged.confidence, 0.85) }
    }
    case 'said':
      // The right number elsewhere in the answer may be the one that is meant.
      if (only === 'wrong' && scan.quantities.some((one) => mentions(key, one))) return unclear()
      if (!quantity) return unclear()
      claim.understood &&= scan.quantities.length < 2
      return judgeMatch(only, key, quantity, claim, requirements)
  }
}

function isUnevaluated(key: Quantity, answer: string): boolean {
  const formula = /log|ln|sin|cos|tan/i.test(answer) ? readFormula(normalizeFormula(answer)) : null
  return formula !== null && Math.abs(evaluateAt(formula, new Map()) - key.value) < 1e-9
}

const mentions = (key: Quantity, given: WrittenQuantity): boolean =>
  compareQuantities(key, given) === 'right' ||
  (given.parts.length > 1 && given.parts.includes(key.value)) ||
  given.raw.split(' ').some((digits) => Number(digits) === key.value)

function matchFor(key: Quantity, quantity: WrittenQuantity, claim: Claim, asked: PromptRequirements): NumberMatch {
  const { prompt } = asked
  const match = compareQuantities(key, quantity)
  // 23 pairs are 46.
  const each = COUNTED_BY.get(claim.after.toLowerCase().replace(/s$/, ''))
  if (each && !key.measure)
    return match === 'right' ? 'scale_wrong' : compareQuantities(key, { ...quantity, value: quantity.value * each })
  // “23.5°” may be north or south.
  if (/^°\s?[NSEW]/.test(key.unit) && quantity.unit?.written === '°' && quantity.value === Math.abs(key.value))
    return 'unit_missing'
  // A magnification has no unit.
  if (match === 'right' && !key.measure && quantity.unit && UNITLESS.test(prompt)) return 'unit_wrong'
  if (match !== 'unit_missing') return match
  const counted = isCount(key)
  const hasUnit = key.measure !== null && asksFor(asked, key.measure)
  const named = counted && prompt.toLowerCase().includes(key.unit.toLowerCase().replace(/s$/, ''))
  if (claim.after !== '' && !claim.understood) return 'unit_wrong'
  const degrees = key.unit === '°' && /\b(?:angles?|bearing|rotat\w+)\b/i.test(prompt)
  return hasUnit || named || counted || degrees ? 'right' : match
}

const isCount = ({ measure, unit }: Quantity): boolean =>
  measure !== null && /^[a-z]{2,}$/i.test(unit) && measure.readings.every(isCounted)

function judgeRange(key: Quantity, ends: WrittenQuantity[], matches: NumberMatch[]): Judgement {
  const [from, to] = ends.length > 1 ? ends.map((end) => end.value) : (ends[0]?.parts ?? [])
  const within =
    from !== undefined && to !== undefined && key.value >= Math.min(from, to) && key.value <= Math.max(from, to)
  return exactJudgement(0, within || matches.includes('right') ? UNSURE : 0.85, within ? 'unclear' : 'exact_wrong')
}

function judgeMatch(
  match: NumberMatch,
  key: Quantity,
  given: WrittenQuantity,
  claim: Claim,
  requirements: PromptRequirements,
): Judgement {
  const sure = (confidence: number) => (claim.understood ? confidence : Math.min(confidence, NOT_ALL_UNDERSTOOD))
  switch (match) {
    case 'right': {
      const form = judgeForm(key, given, requirements)
      if (form) return form
      const unasked =
        !key.measure &&
        given.unit &&
        requirements.unit &&
        !asksFor(requirements, given.unit) &&
        given.unit.written !== '%'
      const converted = given.unit !== null && key.measure !== null && given.unit.written !== key.unit
      const otherForm = key.form !== given.form && !(key.form === 'integer' && given.form === 'decimal')
      const unitAdded = !key.measure && given.unit !== null && given.unit.written !== '%'
      const confidence = (converted && given.value !== key.value) || otherForm || unitAdded ? CONVERTED : SURE
      const cased = converted && given.unit?.written.toLowerCase() === key.unit.toLowerCase()
      return exactJudgement(1, unasked ? 0.6 : sure(cased ? CONVERTED : confidence), 'exact_right')
    }
    case 'rounded':
      return judgeForm(key, given, requirements) ?? verdict(true, 0.65)
    case 'coarse':
      if (requirements.decimalPlaces !== null && given.decimals < requirements.decimalPlaces) return verdict(false, 0.7)
      return exactJudgement(0.75, 0.6, 'exact_right')
    case 'unit_missing':
      // The question already gives this unit, so few teachers miss it.
      if (key.measure && stated(requirements, key.measure)) return exactJudgement(1, sure(0.75), 'exact_right')
      return judgeForm(key, given, requirements) ?? exactJudgement(0.75, sure(0.85), 'unit_missing')
    case 'unit_wrong':
      return exactJudgement(0.5, claim.understood ? 0.8 : UNSURE, 'unit_wrong')
    case 'scale_wrong':
      return exactJudgement(0, 0.75, 'unit_wrong')
    case 'near':
      return exactJudgement(requirements.approximate ? 1 : 0, requirements.approximate ? 0.6 : 0.75, 'exact_wrong')
    case 'wrong':
      // Elasticities are often written without their sign.
      if (requirements.unsigned && given.value === -key.value) return unclear(0.5)
      return exactJudgement(
        0,
        Math.abs(given.value) === Math.abs(key.value) ||
          (given.unit !== null && !key.measure) ||
          (/[-+*/^√π!]/.test(given.shape.replace(/^[-+]/, '')) && given.form === 'expression')
          ? 0.8
          : sure(0.95),
        'exact_wrong',
      )
  }
}

/** The share for a right value in the wrong form. Null where the form is fine. */
function judgeForm(
  key: Quantity,
  given: WrittenQuantity,
  { form, decimalPlaces, rounds, stated }: PromptRequirements,
): Judgement | null {
  const half = unclear(0.5)
  const sameForm = key.form === given.form || (key.form === 'integer' && given.form === 'decimal')
  const repeats = stated.some(
    (one) => one.value === given.value && one.shape === given.shape && one.form === given.form,
  )
  const converted = given.unit !== null && !stated.some(({ unit }) => unit?.written === given.unit?.written)
  if (repeats && !converted && (key.form !== given.form || given.value !== key.value)) return verdict(false, 0.7)
  if (/^n\^n$/.test(given.shape) && key.form === 'integer') return verdict(true, 0.6)
  if (given.form === 'expression' && key.form !== 'expression')
    return unclear(key.unit !== null && given.unit === null ? 0.25 : 0.6)
  if (decimalPlaces !== null && given.form !== key.form && /π|root/.test(`${given.shape} ${given.form}`)) return half
  if (form === 'standard') {
    const mantissa = Math.abs(given.parts[0] ?? 0)
    return given.form !== 'scientific' || (mantissa > 0 && (mantissa < 1 || mantissa >= 10) && given.parts.length > 1)
      ? half
      : null
  }
  if (
    decimalPlaces !== null &&
    Number.isFinite(given.decimals) &&
    given.decimals > Math.max(decimalPlaces, key.decimals)
  )
    return rounds ? verdict(false, 0.7) : half
  const [top = 1, bottom = 1] = given.parts
  const reducible =
    given.form === 'fraction' && Number.isInteger(top) && Number.isInteger(bottom) && gcd(top, bottom) > 1
  if (given.form === 'fraction' && bottom === 1) return half
  if (given.unit?.written === '%' && form !== null) return verdict(true, 0.6)
  if (form === 'mixed') return sameForm ? null : half
  if (form === 'simplest' || form === 'fraction') {
    if (key.form === 'root' && given.form === 'root') return sameRoot(key, given) ? null : half
    if (!sameForm && !(key.form === 'integer' && !reducible)) return key.form === 'root' ? unclear(0.4) : half
    return reducible && form === 'simplest' ? half : null
  }
  if (form === 'decimal') return sameForm || given.form === 'decimal' ? null : half
  if (form === 'exact' && key.form !== 'integer')
    return given.form === key.form || !Number.isFinite(given.decimals) ? null : unclear(0.4)
  // “10/4” for 2.5 is not worked out; 5/2 is as good.
  if (reducible && (key.form === 'decimal' || key.form === 'integer') && stated.some((one) => one.value === top))
    return half
  return null
}

const sameRoot = (key: Quantity, given: WrittenQuantity): boolean =>
  [...key.parts].sort().join() === [...given.parts].sort().join()

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b))
