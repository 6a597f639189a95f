import known from '../worded/names.json' with { type: 'json' }

const ELEMENTS = new Set([...Object.keys(known.elements), 'Md', 'No', 'Lr'])
export const ARROW = /\s*(?:→|⟶|➔|⇌|⇄|⇒|<-+>|<=+>|-+>|=+>?)\s*/
const STATE = /\s*\((aq|s|l|g)\)/gi

export interface Species {
  count: number
  /** `Ca(HO)2`: elements sorted within a group, so that (OH) equals (HO). */
  structure: string
  atoms: string
  charge: number
  state: string
}

/** One side for a formula, two for a reaction. */
export interface Reaction {
  sides: Species[][]
}

export function plainChemistry(text: string): string {
  return text
    .replace(/[⁰¹²³⁴-⁹]*[⁺⁻]/gu, (charge) => `^${charge.normalize('NFKC')}`)
    .normalize('NFKC')
    .replace(/⁄/g, '/')
    .replace(/[−–]/g, '-')
    .replace(/\(\s*\+?\s*\p{Ll}{3}[^()]*\)|[↓↑]/gu, '')
    .replace(/\\(?:long)?(?:rightarrow|to)\b|\\xrightarrow\{[^{}]*\}/g, '→')
    .replace(/\\rightleftharpoons|\\leftrightarrow/g, '⇌')
    .replace(/\\(?:ce|mathrm|text|mathit)\b|[${}]|\\[,;! ]/g, '')
    .replace(/_(\d)/g, '$1')
    .replace(/[⋅·•∙]/g, '.')
}

/** “H₂O”, “SO4^2-”, “2 H2 + O2 → 2 H2O”; null for anything else. */
export function readReaction(text: string): Reaction | null {
  if (text.length > 200) return null
  const plain = plainChemistry(text)
    .trim()
    .replace(/[.;,]$/, '')
  const sides = plain
    .split(ARROW)
    .map((side) => side.split(/\s+\+\s+|(?<!\^\d?)\+(?=\s*[\d/.]*[A-Z])|(?<=\^\d?[+-])\s*\+\s*/).map(readSpecies))
  if (sides.length > 2) return null
  const known = sides.map((side) => side.filter((one) => one !== null))
  return known.some((side, i) => side.length === 0 || side.length !== sides[i]?.length) ? null : { sides: known }
}

const CHARGE = /\s*\^?\s*\(?(?:(\d?)([+-]+)|([+-])(\d))\)?$/

/** The other reading of `SO42-`, whose digit may belong to the charge. */
export function ambiguousCharge(text: string): string | null {
  const [, formula = '', digit = '', sign = ''] = /^(.*[A-Za-z)]\d)(\d)([+-])$/.exec(plainChemistry(text).trim()) ?? []
  return formula === '' ? null : `${formula}^${digit}${sign}`
}

function readSpecies(text: string): Species | null {
  let state = ''
  let rest = text
    .trim()
    .replace(STATE, (_, sign: string) => {
      state = sign.toLowerCase()
      return ''
    })
    .trim()
  if (/^\d*\s*e\s*\^?\s*-$/.test(rest))
    return { count: Number(/^\d+/.exec(rest)?.[0] ?? 1), structure: 'e', atoms: 'e', charge: -1, state }
  let charge = 0
  const charged = CHARGE.exec(rest)
  if (charged && charged.index > 0) {
    const [all, digit, signs, sign, after] = charged
    // The digit before a sign is an index unless “^”, a bracket or a space sets it off.
    const setOff =
      /[\^(\s]/.test(all) || digit === '' || /\]\d[+-]$/.test(rest) || /^[A-Z][a-z]?\d[+-]$/.test(rest.trim())
    const size =
      digit !== undefined && digit !== '' && setOff ? Number(digit) : after ? Number(after) : (signs?.length ?? 1)
    charge = (signs ?? sign ?? '+').startsWith('-') ? -size : size
    rest = rest.slice(0, charged.index) + (setOff ? '' : (digit ?? ''))
  }
  const [, count = '', formula = ''] = /^(\d+\/\d+|\d*\.\d+|\d*)\s*(.+)$/s.exec(rest.replace(/\s+/g, ' ').trim()) ?? []
  const parsed = readFormula(formula.replace(/\s+/g, ''))
  return parsed && { count: countOf(count), ...parsed, charge, state }
}

function countOf(text: string): number {
  const [top = '', bottom] = text.split('/')
  return text === '' ? 1 : Number(top) / Number(bottom ?? 1)
}

function readFormula(formula: string): { structure: string; atoms: string } | null {
  const atoms = new Map<string, number>()
  const structure: string[] = []
  for (const part of formula.split('.')) {
    const [, times = '', body = ''] = /^(\d*)(.*)$/.exec(part) ?? []
    const read = readGroup(body.replace(/^\[(.*)\]$/, '$1'), Number(times || 1), atoms)
    if (read === null) return null
    structure.push(`${times || ''}${read}`)
  }
  const listed = [...atoms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([element, count]) => `${element}${count}`)
  return { structure: structure.sort().join('.'), atoms: listed.join('') }
}

function readGroup(body: string, times: number, atoms: Map<string, number>): string | null {
  const pattern = /([A-Z][a-z]?)(\d*)|[([]([^()[\]]+)[)\]](\d*)/y
  let structure = ''
  let at = 0
  while (at < body.length) {
    pattern.lastIndex = at
    const match = pattern.exec(body)
    if (!match) return null
    at = pattern.lastIndex
    const [, element, count = '', group, repeated = ''] = match
    if (element !== undefined) {
      if (!ELEMENTS.has(element)) return null
      atoms.set(element, (atoms.get(element) ?? 0) + Number(count || 1) * times)
      structure += `${element}${count === '1' ? '' : count}`
    } else if (group !== undefined) {
      const inner = readGroup(group, Number(repeated || 1) * times, atoms)
      if (inner === null) return null
      const parts = (group.match(/[A-Z][a-z]?\d*/g) ?? []).sort().join('')
      structure += `(${parts})${repeated}`
    }
  }
  return structure === '' ? null : structure
}

/** An index, arrow or charge, or two elements where the prompt asks for chemistry. */
export function isChemistry(text: string, prompt: string): boolean {
  const reaction = readReaction(text)
  if (!reaction) return false
  if (/[→⟶⇌]|->/.test(text)) return true
  const symbols = reaction.sides.flat().flatMap(({ structure }) => structure.match(/[A-Z][a-z]?/g) ?? [])
  const asked =
    /\b(?:chemical|formulae?|compound|molecule|ions?|element|symbol|equation|reaction|oxide|acid|salt|isotope)\b/i.test(
      prompt,
    )
  // “P = IV” is physics.
  if (text.includes('=')) return asked && /\d/.test(text) && /\+/.test(text)
  return asked && (symbols.length > 1 || /\d|[+-]$/.test(text.normalize('NFKC').replace(/−/g, '-')))
}
