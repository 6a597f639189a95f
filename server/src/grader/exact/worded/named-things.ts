export interface NamedThing {
  id: string
  family: 'substance' | 'letter' | 'month' | 'day'
  form: 'name' | 'sign'
}

const LETTERS = `alpha α Α; beta β Β; gamma γ Γ; delta δ Δ; epsilon ε Ε; zeta ζ Ζ; eta η Η; theta θ Θ; iota ι Ι; kappa κ Κ; lambda λ Λ; mu μ Μ;
  nu ν Ν; xi ξ Ξ; pi π Π; rho ρ Ρ; sigma σ Σ; tau τ Τ; upsilon υ Υ; phi φ Φ; chi χ Χ; psi ψ Ψ; omega ω Ω`
const MONTHS = `january jan; february feb; march mar; april apr; may; june jun; july jul; august aug; september sept sep; october oct; november nov;
  december dec`
const DAYS = `monday mon; tuesday tue tues; wednesday wed weds; thursday thu thur thurs; friday fri; saturday sat; sunday sun`

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

/** Null for anything else. */
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
      // “May” and “sun” are words.
      if (!thing || (!lone && (thing.family === 'month' || thing.family === 'day'))) continue
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

/** Small letters are taken for capitals where a digit tells a formula. */
function plainFormula(text: string): string {
  const plain = subscriptsDown(text)
    .replace(/[\s_]/g, '')
    .replace(/\((?:aq|s|l|g)\)$/, '')
  return /^[chon\d]+$/.test(plain) && /\d/.test(plain) ? plain.toUpperCase() : plain
}

/** Ours, as libraries bring megabytes of isotopes. Salts are combined from their ions. */
interface Substance {
  names: string[]
  formulas: string[]
}

const ELEMENTS = `H hydrogen He helium Li lithium Be beryllium B boron C carbon N nitrogen O oxygen F fluorine Ne neon Na sodium Mg magnesium
  Al aluminium Si silicon P phosphorus S sulfur Cl chlorine Ar argon K potassium Ca calcium Sc scandium Ti titanium V vanadium Cr chromium
  Mn manganese Fe iron Co cobalt Ni nickel Cu copper Zn zinc Ga gallium Ge germanium As arsenic Se selenium Br bromine Kr krypton Rb rubidium
  Sr strontium Y yttrium Zr zirconium Nb niobium Mo molybdenum Tc technetium Ru ruthenium Rh rhodium Pd palladium Ag silver Cd cadmium
  In indium Sn tin Sb antimony Te tellurium I iodine Xe xenon Cs caesium Ba barium La lanthanum Ce cerium Pr praseodymium Nd neodymium
  Pm promethium Sm samarium Eu europium Gd gadolinium Tb terbium Dy dysprosium Ho holmium Er erbium Tm thulium Yb ytterbium Lu lutetium
  Hf hafnium Ta tantalum W tungsten Re rhenium Os osmium Ir iridium Pt platinum Au gold Hg mercury Tl thallium Pb lead Bi bismuth
  Po polonium At astatine Rn radon Fr francium Ra radium Ac actinium Th thorium Pa protactinium U uranium Np neptunium Pu plutonium
  Am americium Cm curium Bk berkelium Cf californium Es einsteinium Fm fermium`
const DIATOMIC = new Set(['H', 'N', 'O', 'F', 'Cl', 'Br', 'I'])

const COMPOUNDS = `water H2O; carbon dioxide CO2; carbon monoxide CO; methane CH4; ethane C2H6; propane C3H8; butane C4H10; ethene C2H4;
  ethylene C2H4; propene C3H6; butene C4H8; ethyne C2H2; benzene C6H6; methanol CH3OH; ethanol C2H5OH; ethanol CH3CH2OH; propanol C3H7OH;
  methanoic acid HCOOH; ethanoic acid CH3COOH; acetic acid CH3COOH; propanoic acid C2H5COOH; glucose C6H12O6; sucrose C12H22O11;
  ammonia NH3; hydrazine N2H4; nitrogen dioxide NO2; dinitrogen tetroxide N2O4; nitrous oxide N2O; dinitrogen monoxide N2O; dinitrogen oxide N2O; sulfur dioxide SO2; sulfur trioxide SO3;
  hydrogen chloride HCl; hydrochloric acid HCl; hydrogen bromide HBr; hydrobromic acid HBr; hydrogen iodide HI; hydrogen fluoride HF;
  hydrogen sulfide H2S; hydrogen peroxide H2O2; sulfuric acid H2SO4; sulfurous acid H2SO3; nitric acid HNO3; nitrous acid HNO2;
  phosphoric acid H3PO4; carbonic acid H2CO3; ozone O3; silicon dioxide SiO2; silica SiO2; phosphine PH3; boron trifluoride BF3;
  carbon tetrachloride CCl4; chloroform CHCl3; copper sulfate CuSO4; copper oxide CuO; copper carbonate CuCO3; copper chloride CuCl2;
  copper nitrate Cu(NO3)2; copper hydroxide Cu(OH)2; silver nitrate AgNO3; silver chloride AgCl; silver bromide AgBr; silver iodide AgI;
  iron oxide Fe2O3; iron oxide Fe3O4; iron sulfide FeS; manganese dioxide MnO2; potassium permanganate KMnO4;
  potassium manganate(VII) KMnO4; potassium dichromate K2Cr2O7; lead oxide PbO; lead nitrate Pb(NO3)2; lead iodide PbI2;
  hydroxide OH-; ammonium NH4+; carbonate CO3^2-; sulfate SO4^2-; nitrate NO3-`

type Ion = [name: string, formula: string, charge: number]
const CATIONS: Ion[] = [
  ['lithium', 'Li', 1],
  ['sodium', 'Na', 1],
  ['potassium', 'K', 1],
  ['ammonium', 'NH4', 1],
  ['magnesium', 'Mg', 2],
  ['calcium', 'Ca', 2],
  ['barium', 'Ba', 2],
  ['strontium', 'Sr', 2],
  ['zinc', 'Zn', 2],
  ['aluminium', 'Al', 3],
  ['iron(II)', 'Fe', 2],
  ['iron(III)', 'Fe', 3],
  ['copper(I)', 'Cu', 1],
  ['copper(II)', 'Cu', 2],
  ['lead(II)', 'Pb', 2],
  ['nickel', 'Ni', 2],
  ['cobalt', 'Co', 2],
]
const ANIONS: Ion[] = [
  ['fluoride', 'F', 1],
  ['chloride', 'Cl', 1],
  ['bromide', 'Br', 1],
  ['iodide', 'I', 1],
  ['hydroxide', 'OH', 1],
  ['nitrate', 'NO3', 1],
  ['nitrite', 'NO2', 1],
  ['hydrogencarbonate', 'HCO3', 1],
  ['hydrogen carbonate', 'HCO3', 1],
  ['bicarbonate', 'HCO3', 1],
  ['ethanoate', 'CH3COO', 1],
  ['oxide', 'O', 2],
  ['sulfide', 'S', 2],
  ['sulfate', 'SO4', 2],
  ['sulfite', 'SO3', 2],
  ['carbonate', 'CO3', 2],
  ['phosphate', 'PO4', 3],
  ['nitride', 'N', 3],
]

function saltOf([cation, plus, up]: Ion, [anion, minus, down]: Ion): [string, string] {
  const whole = up === down ? 1 : up * down
  const counted = (ion: string, count: number) =>
    count === 1 ? ion : /[A-Z].*[A-Z]|[A-Z]\d/.test(ion) ? `(${ion})${count}` : `${ion}${count}`
  return [`${cation} ${anion}`, counted(plus, whole / up) + counted(minus, whole / down)]
}

function build(): Substance[] {
  const words = ELEMENTS.split(/\s+/)
  const elements = words.flatMap((symbol, i): Substance[] =>
    i % 2 === 0
      ? [{ names: [words[i + 1] ?? ''], formulas: DIATOMIC.has(symbol) ? [symbol, `${symbol}2`] : [symbol] }]
      : [],
  )
  const written = COMPOUNDS.split(/;\s*/).map((line): [string, string] => {
    const at = line.trim().lastIndexOf(' ')
    return [line.trim().slice(0, at), line.trim().slice(at + 1)]
  })
  const salts = CATIONS.flatMap((cation) => ANIONS.map((anion) => saltOf(cation, anion)))
  // Two names of one formula are two names of one thing.
  const compounds = Map.groupBy([...written, ...salts], ([, formula]) => formula)
  return [
    ...elements,
    ...[...compounds].map(([formula, all]) => ({
      names: [...new Set(all.map(([name]) => name))],
      formulas: [formula],
    })),
  ]
}

let built: Substance[] | null = null
const substances = (): Substance[] => (built ??= build())
