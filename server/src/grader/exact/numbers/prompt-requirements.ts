import { LRUCache } from 'lru-cache'
import { readUnitAt, sameDimensions, type WrittenUnit } from '../units/read-unit.ts'
import { digitsForWords, plainMath } from './plain-math.ts'
import { scanQuantities, type WrittenQuantity } from './scan-quantities.ts'

export interface PromptRequirements {
  prompt: string
  /** Named in the prompt (“in km/h”), so it may be left out. */
  unit: WrittenUnit | null
  form: 'standard' | 'fraction' | 'simplest' | 'mixed' | 'decimal' | 'exact' | null
  decimalPlaces: number | null
  rounds: boolean
  approximate: boolean
  unsigned: boolean
  /** Repeating one of them is no answer. */
  stated: WrittenQuantity[]
}

const FORMS: [RegExp, PromptRequirements['form']][] = [
  [/\b(?:standard\s+(?:index\s+)?form|scientific\s+notation)\b/i, 'standard'],
  [/\bmixed\s+number\b/i, 'mixed'],
  [
    /\ba\s?√\s?b\b|\bas\s+small\s+as\s+possible\b|\b(?:simplest\s+(?:form|terms)|lowest\s+terms|simplify|simplified)\b/i,
    'simplest',
  ],
  [/\bas\s+an?\s+(?:\w+\s+)?fraction\b/i, 'fraction'],
  [/\bas\s+a\s+decimal\b/i, 'decimal'],
  [/\bin\s+terms\s+of\s+(?:π|pi)\b|\bin\s+surd\s+form\b|\bexact\s+(?:\w+)\b|\bin terms of π/i, 'exact'],
]
const UNIT_ASKED =
  /(?:\b(?:in|how\s+many|number\s+of)\b|\(|(?<=\b(?:convert|change|express)\b.*)\b(?:in)?to\b)\s*(?:the\s+)?(?=[A-Za-zΩμ°%$€£])/gis

/** A whole class answers the same prompt. */
const cache = new LRUCache({ max: 200, memoMethod: readRequirements })

export const promptRequirements = (prompt: string): PromptRequirements => cache.memo(prompt)

function readRequirements(whole: string): PromptRequirements {
  const prompt = whole.slice(0, 2000)
  const plain = digitsForWords(plainMath(prompt))
  const places = /(\d)\s*(?:decimal\s+places?|d\.?\s?p\b)/i.exec(plain)?.[1]
  return {
    prompt: whole,
    unit: unitAsked(plain),
    form: /\bdecimal\s+or\b|\bor\s+(?:as\s+)?(?:an?\s+)?(?:decimal|mixed|round)/i.test(prompt)
      ? null
      : (FORMS.find(([pattern]) => pattern.test(prompt))?.[1] ?? null),
    decimalPlaces: places === undefined ? null : Number(places),
    rounds: /^\W*(?:\(?\w{1,3}\)\s*)?round\b/i.test(prompt),
    approximate: /\b(?:approximate\w*|estimate|roughly|about\s+how|nearest|pH)\b/i.test(prompt),
    unsigned: /\belasticit/i.test(prompt),
    stated: scanQuantities(prompt).quantities,
  }
}

function unitAsked(prompt: string): WrittenUnit | null {
  for (const match of prompt.matchAll(UNIT_ASKED)) {
    const at = match.index + match[0].length
    const unit = readUnitAt(prompt, at)
    if (unit && (unit.written.length > 1 || /[°%$€£Ω]/.test(unit.written) || /^\s*[).?]/.test(prompt.slice(unit.end))))
      return unit
  }
  // “…… kg”, “Weight = N”: the unit stands behind the blank.
  const place = [...prompt.matchAll(/(?:[_.…]{3,}\s*|=[\s._…]*(?=[^\n=]{1,9}$))(?=[A-Za-zΩμ°%$€£])/gm)].at(-1)
  const unit = place ? readUnitAt(prompt, place.index + place[0].length) : null
  if (unit && (place?.[0].startsWith('=') ? prompt.slice(unit.end).trim() === '' : true)) return unit
  return /\b(?:percentage|per\s*cent)\b/i.test(prompt) ? readUnitAt('%', 0) : null
}

export const asksFor = ({ unit }: PromptRequirements, wanted: WrittenUnit): boolean =>
  (unit?.readings ?? []).some((one) =>
    wanted.readings.some((other) => sameDimensions(one, other) && Math.abs(one.factor / other.factor - 1) < 1e-9),
  )

export const stated = (requirements: PromptRequirements, wanted: WrittenUnit): boolean =>
  requirements.stated.some(({ unit }) => unit !== null && asksFor({ ...requirements, unit }, wanted))
