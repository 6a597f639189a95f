const ELEMENTS = new Set(
  `H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru
  Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn
  Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr`.split(/\s+/),
)
const ARROW = /\s*(?:→|⟶|➔|⇌|⇄|<->|<=>|-+>|=+>?)\s*/
const SPECIES = /^(\d+)?\s*((?:\((?:[A-Z][a-z]?\d*)+\)\d*|\[[^\]]+\]\d*|[A-Z][a-z]?\d*)+)(\^?\(?\d*[+-]\)?)?$/

/** A species with how many of it; several on each side for a reaction. */
interface Reaction {
  sides: { count: number; species: string }[][]
}

/** “H₂O”, “SO4^2-”, “2 H2 + O2 → 2 H2O”; null when it is none. Upper and lower case tell Co from CO. */
function readChemistry(text: string): Reaction | null {
  if (text.length > 160) return null
  const plain = text
    .replace(/[⁰¹²³⁴-⁹]*[⁺⁻]/gu, (charge) => `^${charge.normalize('NFKC')}`)
    .normalize('NFKC')
    .replace(/−/g, '-')
    .replace(/\\(?:rightarrow|to)\b|\\ce|[${}]/g, (sign) => (sign.startsWith('\\r') || sign === '\\to' ? '→' : ''))
    .replace(/_(\d)/g, '$1')
    .replace(/\s*\((?:aq|s|l|g)\)/gi, '')
    .trim()
    .replace(/[.;,]$/, '')
  const sides = plain.split(ARROW).map((side) => side.split(/\s+\+\s+|\+(?=\s*\d*[A-Z])/).map(speciesOf))
  if (sides.length > 2) return null
  const known = sides.map((side) => side.filter((one) => one !== null))
  if (known.some((side, i) => side.length === 0 || side.length !== sides[i]?.length)) return null
  return { sides: known }
}

function speciesOf(text: string): { count: number; species: string } | null {
  const match = SPECIES.exec(text.trim())
  if (!match) return null
  const [, count, formula = '', charge = ''] = match
  const symbols = formula.match(/[A-Z][a-z]?/g) ?? []
  if (!symbols.every((symbol) => ELEMENTS.has(symbol))) return null
  return {
    count: Number(count ?? 1),
    species: formula + charge.replace(/[\^()]/g, '').replace(/^1(?=[+-])/, ''),
  }
}

/** Whether a text can be nothing but chemistry: an index, an arrow, a charge, or two elements where the prompt asks for it. */
export function isChemistry(text: string, prompt: string): boolean {
  const reaction = readChemistry(text)
  if (!reaction) return false
  const species = reaction.sides.flat()
  const symbols = species.flatMap(({ species: name }) => name.match(/[A-Z][a-z]?/g) ?? [])
  if (/[→⟶⇌]|->/.test(text)) return true
  const asked = /\b(?:chemical|formula|compound|molecule|ion|element|symbol|equation|reaction|oxide|acid)\b/i.test(
    prompt,
  )
  return asked && (symbols.length > 1 || /\d|[+-]$/.test(text))
}

type ChemistryMatch = 'right' | 'counts_wrong' | 'case_wrong' | 'wrong'

export function compareChemistry(key: string, given: string): ChemistryMatch {
  const wanted = readChemistry(key)
  const has = readChemistry(given)
  if (!wanted) return 'wrong'
  if (!has) return bare(key) === bare(given) ? 'case_wrong' : 'wrong'
  const sides = (reaction: Reaction, counted: boolean) => {
    // 4 H2 + 2 O2 is 2 H2 + O2 twice over.
    const whole = reaction.sides.flat().reduce((a, { count }) => gcd(a, count), 0)
    return reaction.sides
      .map((side) =>
        side
          .map(({ count, species }) => `${counted ? count / whole : ''}${species}`)
          .sort()
          .join(' + '),
      )
      .join(' → ')
  }
  if (sides(wanted, true) === sides(has, true)) return 'right'
  if (sides(wanted, false) === sides(has, false)) return 'counts_wrong'
  return bare(key) === bare(given) ? 'case_wrong' : 'wrong'
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
const bare = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_^(){}$]/g, '')
