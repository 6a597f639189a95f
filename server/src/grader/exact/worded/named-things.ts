// Our own table, as libraries bring megabytes of isotopes.
import known from './names.json' with { type: 'json' }

interface NamedThing {
  id: string
  family: 'substance' | 'letter' | 'month' | 'day' | 'place'
  form: 'name' | 'sign'
}

interface Dictionary {
  names: Map<string, NamedThing>
  signs: Map<string, NamedThing>
}

let dictionary: Dictionary | null = null

function dictionaryOf(): Dictionary {
  if (dictionary) return dictionary
  const names = new Map<string, NamedThing>()
  const signs = new Map<string, NamedThing>()
  const addSubstance = (name = '', id = '', ...otherFormulas: string[]) => {
    names.set(name.toLowerCase(), { id, family: 'substance', form: 'name' })
    for (const formula of [id, ...otherFormulas]) signs.set(formula, { id, family: 'substance', form: 'sign' })
  }
  for (const [symbol, name] of Object.entries(known.elements))
    addSubstance(name, symbol, ...(DIATOMIC.has(symbol) ? [`${symbol}2`] : []))
  for (const [name, formula] of known.compounds) addSubstance(name, formula)
  for (const cation of known.cations) for (const anion of known.anions) addSubstance(...saltOf(cation, anion))
  for (const [name = '', ...forms] of known.letters) {
    names.set(name, { id: name, family: 'letter', form: 'name' })
    for (const form of forms) if (!/[A-Z]/.test(form)) signs.set(form, { id: name, family: 'letter', form: 'sign' })
  }
  for (const [family, list] of [
    ['month', known.months],
    ['day', known.days],
    ['place', known.places],
  ] as const)
    for (const forms of list) for (const form of forms) names.set(form, { id: forms[0] ?? '', family, form: 'name' })
  dictionary = { names, signs }
  return dictionary
}

export function thingNamed(text: string): NamedThing | null {
  const { names, signs } = dictionaryOf()
  const plain = text.trim().replace(/[.,;:]+$/, '')
  return signs.get(plainFormula(plain)) ?? names.get(plainName(plain)) ?? null
}

export interface Mention {
  thing: NamedThing
  from: number
  to: number
}

const WORD = /\p{L}+(?:\([IV]+\))?/gu
const FORMULA =
  /(?<![\p{L}\d])(?:\d+\s?)?((?:[A-Z][a-z]?\d*|\((?:[A-Z][a-z]?\d*)+\)\d*)+|[Cc][Oo]2|[Hh]2[Oo]|[hocn]2|[α-ωΑ-Ω])(?:\s?\((?:aq|s|l|g)\))?(?![\p{L}\d])/gu
const LONGEST_NAME = 3

/** In order; the longest of overlapping names. `lone`: months, days and single capitals count too. */
export function mentionsIn(text: string, lone: boolean): Mention[] {
  const { names, signs } = dictionaryOf()
  const plain = subscriptsDown(text)
  const found: Mention[] = []
  const words = [...plain.matchAll(WORD)]
  for (let i = 0; i < words.length; i++) {
    for (let length = LONGEST_NAME; length > 0; length--) {
      const last = words[i + length - 1]
      const first = words[i]
      if (!first || !last) continue
      const to = last.index + last[0].length
      const thing = names.get(plainName(plain.slice(first.index, to)))
      if (!thing || (!lone && thing.family !== 'substance' && thing.family !== 'letter')) continue
      found.push({ thing, from: first.index, to })
      i += length - 1
      break
    }
  }
  for (const match of plain.matchAll(FORMULA)) {
    const formula = (match[1] ?? '').replace(/^\(([^()]*)\)$/, '$1')
    const telling = /\d|[A-Z].*[A-Z]|[α-ω]/i.test(formula) && !/^[A-Z]?[a-z]*$/.test(formula)
    const thing = telling || lone ? signs.get(plainFormula(formula)) : undefined
    const from = match.index + match[0].indexOf(formula)
    if (thing && !found.some((one) => one.from < from + formula.length && from < one.to))
      found.push({ thing, from, to: from + formula.length })
  }
  return found.sort((a, b) => a.from - b.from)
}

export const subscriptsDown = (text: string): string =>
  text.replace(/[₀-₉]/gu, (digit) => String('₀₁₂₃₄₅₆₇₈₉'.indexOf(digit))).replace(/µ/g, 'μ')

const plainName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/\s+\(/g, '(')
    .replace(/sulph/g, 'sulf')
    .replace(/aluminum/g, 'aluminium')
    .replace(/cesium/g, 'caesium')
    .replace(/\((i+v?|v)\)/g, (roman) => roman.toUpperCase())

/** Small letters become capitals where a digit tells a formula. */
function plainFormula(text: string): string {
  const plain = subscriptsDown(text)
    .replace(/[\s_]/g, '')
    .replace(/\((?:aq|s|l|g)\)$/, '')
  return /^[chon\d]+$/.test(plain) && /\d/.test(plain) ? plain.toUpperCase() : plain
}

const DIATOMIC = new Set(['H', 'N', 'O', 'F', 'Cl', 'Br', 'I'])

function saltOf(positive: (string | number)[], negative: (string | number)[]): [string, string] {
  const [cation = '', plus = '', anion = '', minus = ''] = [...positive.slice(0, 2), ...negative.slice(0, 2)].map(
    String,
  )
  const [up, down] = [Number(positive[2]), Number(negative[2])]
  const whole = up === down ? up : up * down
  const counted = (ion: string, count: number) =>
    count === 1 ? ion : /[A-Z].*[A-Z]|[A-Z]\d/.test(ion) ? `(${ion})${count}` : `${ion}${count}`
  return [`${cation} ${anion}`, counted(plus, whole / up) + counted(minus, whole / down)]
}

export function rewordInKeyTerms(answer: string, keys: readonly string[]): string {
  const wanted = new Map<string, string>()
  for (const key of keys) {
    const plain = subscriptsDown(key)
    for (const { thing, from, to } of mentionsIn(plain, false))
      if (!wanted.has(thing.id)) wanted.set(thing.id, plain.slice(from, to))
  }
  if (wanted.size === 0) return answer
  const plain = subscriptsDown(answer)
  return mentionsIn(plain, false)
    .toReversed()
    .reduce((text, { thing, from, to }) => {
      const term = wanted.get(thing.id)
      return term === undefined ? text : `${text.slice(0, from)}${term}${text.slice(to)}`
    }, plain)
}
