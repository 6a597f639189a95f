import { exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'
import type { Quantity } from '../quantity.ts'
import type { PromptRequirements } from './prompt-requirements.ts'
import type { WrittenQuantity } from './scan-quantities.ts'

/** The right value in a form the question does not take: 0.75 for a fraction, 12/18 in lowest terms, a sum not worked out. */
export function judgeForm(
  key: Quantity,
  given: WrittenQuantity,
  { form, decimalPlaces, rounds, stated }: PromptRequirements,
): Judgement | null {
  const half = exactJudgement(0.5, UNSURE, 'unclear')
  const sameForm = key.form === given.form || (key.form === 'integer' && given.form === 'decimal')
  const repeats = stated.some(
    (one) => one.value === given.value && one.shape === given.shape && one.form === given.form,
  )
  if (repeats && key.form !== given.form) return exactJudgement(0, 0.7, 'exact_wrong')
  if (repeats && given.value !== key.value) return exactJudgement(0, 0.7, 'exact_wrong')
  if (given.form === 'expression' && key.form !== 'expression') return exactJudgement(0.25, UNSURE, 'unclear')
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
    return rounds ? exactJudgement(0, 0.7, 'exact_wrong') : half
  const [top = 1, bottom = 1] = given.parts
  const reducible =
    given.form === 'fraction' && Number.isInteger(top) && Number.isInteger(bottom) && gcd(top, bottom) > 1
  const improper = given.form === 'fraction' && bottom === 1
  if (improper) return half
  if (given.unit?.written === '%' && form !== null) return exactJudgement(1, 0.6, 'exact_right')
  if (form === 'mixed') return sameForm ? null : half
  if (form === 'simplest' || form === 'fraction') {
    if (key.form === 'root' && given.form === 'root') return sameRoot(key, given) ? null : half
    if (!sameForm && !(key.form === 'integer' && !reducible)) return half
    return reducible && form === 'simplest' ? half : null
  }
  if (form === 'decimal') return sameForm ? null : half
  if (form === 'exact' && key.form === 'root') return given.form === 'root' ? null : half
  if (key.form === 'root' && given.form !== 'root') return half
  // “10/4” is not worked out where the key says 2.5; 5/2 is as good.
  if (reducible && (key.form === 'decimal' || key.form === 'integer') && stated.some((one) => one.value === top))
    return half
  return null
}

/** 2√12 is 4√3 not yet simplified. */
const sameRoot = (key: Quantity, given: WrittenQuantity): boolean =>
  [...key.parts].sort().join() === [...given.parts].sort().join()

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b))
