import { substances } from './substances.ts'

/** A thing with names and signs of its own. */
export interface NamedThing {
  id: string
  family: 'substance' | 'letter' | 'month' | 'day'
  /** Was it written by its name or by its sign? */
  form: 'name' | 'sign'
}

const LETTERS = `alpha α Α; beta β Β; gamma γ Γ; delta δ Δ; epsilon ε Ε; zeta ζ Ζ; eta η Η; theta θ Θ; iota ι Ι; kappa κ Κ; lambda λ Λ; mu μ Μ;
  nu ν Ν; xi ξ Ξ; pi π Π; rho ρ Ρ; sigma σ Σ; tau τ Τ; upsilon υ Υ; phi φ Φ; chi χ Χ; psi ψ Ψ; omega ω Ω`
const MONTHS = `january jan; february feb; march mar; april apr; may; june jun; july jul; august aug; september sept sep; october oct; november nov;
  december dec`
const DAYS = `monday mon; tuesday tue tues; wednesday wed weds; thursday thu thur thurs; friday fri; saturday sat; sunday sun`

/** Names to what they name, and the longest name in words. */
interface Dictionary {
  names: Map<string, NamedThing>
  signs: Map<string, NamedThing>
}

let dictionary: Dictionary | null = null

function dictionaryOf(): Dictionary {
  if (dictionary) return dictionary
  const names = new Map<string, NamedThing>()
  const signs = new Map<string, NamedThing>()
  for (const { names: own, formulas } of substances()) {
    const id = formulas[0] ?? ''
    for (const name of own) names.set(name.toLowerCase(), { id, family: 'substance', form: 'name' })
    for (const formula of formulas) signs.set(formula, { id, family: 'substance', form: 'sign' })
  }
  for (const line of LETTERS.split(/;\s*/)) {
    const [name = '', ...forms] = line.trim().split(/\s+/)
    names.set(name, { id: name, family: 'letter', form: 'name' })
    for (const form of forms) if (!/[A-Z]/.test(form)) signs.set(form, { id: name, family: 'letter', form: 'sign' })
  }
  const listed: [string, NamedThing['family']][] = [
    [MONTHS, 'month'],
    [DAYS, 'day'],
  ]
  for (const [list, family] of listed)
    for (const line of list.split(/;\s*/)) {
      const [name = '', ...short] = line.trim().split(/\s+/)
      for (const form of [name, ...short]) names.set(form, { id: name, family, form: 'name' })
    }
  dictionary = { names, signs }
  return dictionary
}

/** What a whole text names; null for anything else. */
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

/** The things a text names, in order; of overlapping names the longest. `signsToo`: a lone capital is an element. */
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
      // “May” and “sun” are words.
      if (!thing || (!lone && (thing.family === 'month' || thing.family === 'day'))) continue
      found.push({ thing, from: first.index, to })
      i += length - 1
      break
    }
  }
  for (const match of plain.matchAll(FORMULA)) {
    const formula = match[1] ?? ''
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

/** Small letters are taken for capitals where a digit tells a formula. */
function plainFormula(text: string): string {
  const plain = subscriptsDown(text)
    .replace(/[\s_]/g, '')
    .replace(/\((?:aq|s|l|g)\)$/, '')
  return /^[chon\d]+$/.test(plain) && /\d/.test(plain) ? plain.toUpperCase() : plain
}
