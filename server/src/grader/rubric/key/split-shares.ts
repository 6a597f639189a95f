import { plainMath } from '../../exact/numbers/plain-math.ts'
import { readQuantity } from '../../exact/quantity.ts'
import { readUnit } from '../../exact/units/read-unit.ts'
import type { KeyAnswer } from './key-lines.ts'

/** In the order of their criteria, as the last one with a number is compared as the result. */
const ASPECTS = {
  Working: 'workings?|methods?|calculations?|substitutions?|formulas?|formulae|equations?|steps?',
  'Significant figures': String.raw`significant\s+figures?|sig\.?\s*figs?|s\.?\s?f|rounding|precision`,
  Number: String.raw`numbers?|(?:numerical\s+)?(?:values?|answers?|results?)|figures?|magnitudes?`,
  Sign: String.raw`(?:(?:minus|negative|plus)\s+)?signs?`,
  Unit: 'units?',
}
type Aspect = keyof typeof ASPECTS
const aspects = Object.keys(ASPECTS) as Aspect[]
const isNamed = (aspect: Aspect, name: string) => new RegExp(`^(?:${ASPECTS[aspect]})$`, 'i').test(name)

const WORTH = ['½', 'one', 'two', 'three', 'four']
const SHARE = String.raw`(\d|${WORTH.join('|')})\s*(?:marks?|points?|pts?)?\s+for\s+(?:(?:an?|the|its|correct|right|using|showing|giving)\s+)*(${Object.values(ASPECTS).join('|')})(?![\p{L}\d])\.?`
const SHARES = new RegExp(
  String.raw`[([]?(?:\b(?:marks?|points?|award)\s*:\s*)?(?<![\p{L}\d.])${SHARE}(?:\s*(?:[,;+&]|\band\b|\bplus\b)*\s*${SHARE})+\s*[)\]]?\.?`,
  'iu',
)

/** Takes “(2 for the number, 1 for the unit)” out of an answer with a number, for a note. */
export function takeShares(text: string, { notes }: Pick<KeyAnswer, 'notes'>): string {
  const [shares] = SHARES.exec(text) ?? []
  const rest = shares ? text.replace(shares, ' ').trim() : ''
  if (!shares || !/\d/.test(rest)) return text
  notes.push(shares)
  return rest
}

/** Such a note, if it adds up to the question's points, makes a criterion of each part of a number. */
export function splitByShares(answer: KeyAnswer, worth: number | null): void {
  const [only, second] = answer.criteria
  const at = answer.notes.findIndex((note) => SHARES.test(note))
  const note = answer.notes[at] ?? ''
  const shares = [...(SHARES.exec(note)?.[0] ?? '').matchAll(new RegExp(SHARE, 'giu'))].map(
    ([, points = '', name = '']) => ({
      points: /\d/.test(points) ? Number(points) : WORTH.indexOf(points.toLowerCase()) || 0.5,
      aspect: aspects.find((aspect) => isNamed(aspect, name)),
    }),
  )
  const sum = shares.reduce((total, { points }) => total + points, 0)
  if (second || shares.length === 0 || sum !== (worth ?? only?.points ?? answer.points ?? sum)) return
  const accepted = [only?.expected ?? answer.expected, ...(only?.alternatives ?? []), ...answer.alternatives]
  const named = new Set(shares.map(({ aspect }) => aspect))
  const parts = accepted.map((text) => partsOf(text, named))
  if (named.size < shares.length || !named.has('Number')) return
  if (shares.some(({ aspect }) => !aspect || !parts[0]?.[aspect])) return
  answer.criteria = aspects.flatMap((text) => {
    const share = shares.find(({ aspect }) => aspect === text)
    const [expected = '', ...alternatives] = new Set(parts.flatMap((one) => one[text] ?? []))
    return share
      ? [{ text, expected, alternatives, points: share.points, ...(text === 'Number' && { code: 'A' }) }]
      : []
  })
  answer.alternatives = []
  const rest = note.replace(SHARES, '').trim()
  answer.notes.splice(at, 1, ...(rest === '' ? [] : [rest]))
}

/** All ways to write each; without those that cannot be told. */
function partsOf(text: string, named: ReadonlySet<Aspect | undefined>): Partial<Record<Aspect, string[]>> {
  const [, working = '', result = ''] = /^(.*(?:[=≈→]|\b(?:is|are|equals)\b))?\s*(.*?)[.\s]*$/su.exec(text) ?? []
  const [signed, unit] = named.has('Unit') ? splitUnit(result) : [result, '']
  if (!readQuantity(signed)) return readUnit(plainMath(result)) ? { Unit: [result] } : {}
  const numbers = [signed, result].map((one) => (named.has('Sign') ? one.replace(/^[-−–+]\s*/, '') : one))
  const figures = (/[\d.]+/.exec(signed)?.[0] ?? '').replace(/^[0.]+|\./g, '').length
  if (named.has('Significant figures'))
    numbers.push(...numbers.map((one) => one.replace(/\.0+(?!\d)|(?<=\.\d+)0+(?!\d)/, '')))
  return {
    Working: [/\d.*[-+*/×÷−–^]/.test(working) ? working.replace(/\W+$/, '') : 'correct working'],
    'Significant figures': [`${figures} significant figures`],
    Number: numbers,
    Sign: [signed],
    ...(unit === '' ? {} : { Unit: [unit] }),
  }
}

/** Of “12.5 m/s²” or “$20”; the unit is empty where there is none. */
function splitUnit(text: string): [number: string, unit: string] {
  const [, currency, amount] = /^([£$€¥])\s*(.+)$/.exec(text) ?? []
  if (currency && amount) return [amount, currency]
  for (const { index } of text.matchAll(/(?<=[\d\s)])(?=[\p{L}°%‰])/gu)) {
    const [number, unit] = [text.slice(0, index).trim(), text.slice(index).trim()]
    if (readQuantity(number) && readUnit(plainMath(unit))) return [number, unit]
  }
  return [text, '']
}
