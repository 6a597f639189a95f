import units from './units.json' with { type: 'json' }

/** A thing counted (“widget”) is a base of its own. */
export type Dimensions = Readonly<Record<string, number>>

/** In SI base units; `offset` is added first (°C to K). */
export interface Unit {
  dimensions: Dimensions
  factor: number
  offset?: number
}

/** Second meanings of a letter or word: 20 C, 68 F, 20 degrees, 2 h 30 m. */
const ALSO = new Map(Object.entries(units.also).map(([name, unit]): [string, Unit[]] => [name, [unit]]))

function dimensionsOf(text: string): Dimensions {
  const found: Record<string, number> = {}
  for (const [, name = '', power] of text.matchAll(/([A-Za-z]+)(-?\d)?/g)) found[name] = Number(power ?? 1)
  return found
}

interface Entry {
  unit: Unit
  prefixed: boolean
}

const PREFIXES: Record<string, number> = units.prefixes
const WORD_PREFIXES: Record<string, number> = units.wordPrefixes
const SYMBOLS = new Map<string, Entry[]>()
const WORDS = new Map<string, Entry[]>()

for (const [table, prefixed] of [[units.prefixed, true] as const, [units.plain, false] as const])
  for (const [short, long, factor, dimensions] of table) {
    const entry = { unit: { dimensions: dimensionsOf(String(dimensions)), factor: Number(factor) }, prefixed }
    const add = (to: Map<string, Entry[]>, names: string | number | undefined) => {
      for (const name of String(names).split(' ').filter(Boolean)) to.set(name, [...(to.get(name) ?? []), entry])
    }
    add(SYMBOLS, short)
    add(WORDS, long)
  }

const scaled = (entries: Entry[] | undefined, by: number): Unit[] =>
  (entries ?? [])
    .filter(({ prefixed }) => prefixed || by === 1)
    .map(({ unit }) => ({ ...unit, factor: unit.factor * by }))

function withPrefix(name: string, prefixes: Record<string, number>, table: Map<string, Entry[]>): Unit[] {
  for (const [prefix, by] of Object.entries(prefixes)) {
    if (!name.startsWith(prefix)) continue
    const found = scaled(table.get(name.slice(prefix.length).replace(/^-/, '')), by)
    if (found.length > 0) return found
  }
  return []
}

const singular = (word: string) => word.replace(/(?<=..)s$/, '')

/** The usual reading first; empty for no unit. */
export function namedUnits(name: string): Unit[] {
  const exact = [...scaled(SYMBOLS.get(name), 1), ...(ALSO.get(name) ?? [])]
  if (exact.length > 0) return exact
  const prefixed = withPrefix(name, PREFIXES, SYMBOLS)
  if (prefixed.length > 0) return prefixed
  const lower = name.toLowerCase()
  // “lux”, “siemens” and “hertz” end as plurals do.
  for (const word of [lower, singular(lower)]) {
    const named = [...scaled(WORDS.get(word), 1), ...(ALSO.get(word) ?? []), ...withPrefix(word, WORD_PREFIXES, WORDS)]
    if (named.length > 0) return named
  }
  const mixed = withPrefix(lower, PREFIXES, WORDS)
  if (mixed.length > 0 && /ohm$/.test(lower)) return withPrefix(name.replace(/ohms?$/i, 'Ω'), PREFIXES, SYMBOLS)
  return name.length > 2 && name.endsWith('s') ? namedUnits(name.slice(0, -1)) : []
}

/** Wrong case, where only one unit fits: `kj`, `KM`, `pa`. */
export function unitsInOtherCase(name: string): Unit[] {
  if (name.length < 2 && name !== 'n') return []
  const wanted = name.toLowerCase()
  for (const [symbol, entries] of SYMBOLS) {
    if (!wanted.endsWith(symbol.toLowerCase())) continue
    const prefix = wanted.slice(0, wanted.length - symbol.length)
    // Milli and mega differ by case alone.
    if (prefix === 'm' && name[0] !== 'm') continue
    const by = prefix === '' ? 1 : Object.hasOwn(PREFIXES, prefix) ? PREFIXES[prefix] : undefined
    const found = by === undefined ? [] : scaled(entries, by)
    if (found.length > 0) return found
  }
  return []
}
