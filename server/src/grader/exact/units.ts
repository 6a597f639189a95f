/** What a unit measures and how many base units it holds; `offset` is added first (°C to K). */
interface Unit {
  dimension: string
  factor: number
  offset?: number
}

const PREFIXES: Record<string, number> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  µ: 1e-6,
  μ: 1e-6,
  m: 1e-3,
  c: 1e-2,
  d: 1e-1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
}

/** Symbols that take prefixes. */
const SYMBOLS: Record<string, Unit> = {
  m: { dimension: 'length', factor: 1 },
  g: { dimension: 'mass', factor: 1e-3 },
  s: { dimension: 'time', factor: 1 },
  N: { dimension: 'force', factor: 1 },
  J: { dimension: 'energy', factor: 1 },
  W: { dimension: 'power', factor: 1 },
  V: { dimension: 'voltage', factor: 1 },
  A: { dimension: 'current', factor: 1 },
  Ω: { dimension: 'resistance', factor: 1 },
  Pa: { dimension: 'pressure', factor: 1 },
  Hz: { dimension: 'frequency', factor: 1 },
  L: { dimension: 'volume', factor: 1e-3 },
  l: { dimension: 'volume', factor: 1e-3 },
  mol: { dimension: 'amount', factor: 1 },
  C: { dimension: 'charge', factor: 1 },
  F: { dimension: 'capacitance', factor: 1 },
  eV: { dimension: 'energy', factor: 1.602176634e-19 },
  B: { dimension: 'bytes', factor: 1 },
  bit: { dimension: 'bytes', factor: 0.125 },
}

const NAMED: Record<string, Unit> = {
  min: { dimension: 'time', factor: 60 },
  h: { dimension: 'time', factor: 3600 },
  hr: { dimension: 'time', factor: 3600 },
  K: { dimension: 'temperature', factor: 1 },
  '°c': { dimension: 'temperature', factor: 1, offset: 273.15 },
  '°f': { dimension: 'temperature', factor: 5 / 9, offset: 459.67 },
  t: { dimension: 'mass', factor: 1000 },
  '%': { dimension: 'share', factor: 0.01 },
  '°': { dimension: 'angle', factor: Math.PI / 180 },
  rad: { dimension: 'angle', factor: 1 },
  $: { dimension: 'dollar', factor: 1 },
  '€': { dimension: 'euro', factor: 1 },
  '£': { dimension: 'pound', factor: 1 },
}

/** Words to symbols, in the singular. */
const WORDS: Record<string, string> = {
  metre: 'm',
  meter: 'm',
  gram: 'g',
  gramme: 'g',
  second: 's',
  sec: 's',
  minute: 'min',
  hour: 'h',
  newton: 'N',
  joule: 'J',
  watt: 'W',
  volt: 'V',
  amp: 'A',
  ampere: 'A',
  ohm: 'Ω',
  pascal: 'Pa',
  hertz: 'Hz',
  litre: 'L',
  liter: 'L',
  mole: 'mol',
  coulomb: 'C',
  kelvin: 'K',
  celsius: '°c',
  fahrenheit: '°f',
  percent: '%',
  degree: '°',
  radian: 'rad',
  tonne: 't',
  byte: 'B',
  dollar: '$',
  euro: '€',
}
const WORD_PREFIXES: Record<string, string> = {
  milli: 'm',
  centi: 'c',
  kilo: 'k',
  mega: 'M',
  micro: 'µ',
  nano: 'n',
  giga: 'G',
}

function plainUnit(text: string): Unit | null {
  const named = NAMED[text] ?? NAMED[text.toLowerCase()]
  if (named && text !== 'C' && text !== 'F') return named
  const lower = text.toLowerCase().replace(/(?<=..)s$/, '')
  const word = WORDS[lower] ?? (lower === 'hert' ? 'Hz' : undefined)
  if (word) return NAMED[word] ?? SYMBOLS[word] ?? null
  for (const [prefix, symbol] of Object.entries(WORD_PREFIXES)) {
    const base = lower.startsWith(prefix) ? WORDS[lower.slice(prefix.length)] : undefined
    if (base) return plainUnit(symbol + base)
  }
  for (const [symbol, unit] of Object.entries(SYMBOLS)) {
    if (!text.endsWith(symbol)) continue
    const prefix = PREFIXES[text.slice(0, -symbol.length)]
    if (prefix !== undefined) return { ...unit, factor: unit.factor * prefix }
  }
  return null
}

/**
 * A unit as written: `km/h`, `m s^-1`, `kg·m/s²`, `°C`, `metres per second`. Null when it is none we know:
 * then units can only be compared as text.
 */
export function readUnit(text: string): Unit | null {
  const plain = text
    .trim()
    .replace(/[²³]/g, (sign) => (sign === '²' ? '^2' : '^3'))
    .replace(/⁻¹/g, '^-1')
    .replace(/⁻\^2|⁻²/g, '^-2')
    .replace(/\bper\b/g, '/')
    .replace(/\bdeg(?:rees?)?\s*(C|F|celsius|fahrenheit)\b/gi, (_, scale: string) => `°${scale[0] ?? ''}`)
    .replace(/°\s*([CF])\b/gi, (_, scale: string) => `°${scale.toLowerCase()}`)
  if (plain === '') return null
  const whole = plainUnit(plain)
  if (whole) return whole
  // kilometres per hour, written short.
  if (/^kph$|^kmh$/i.test(plain)) return { dimension: 'length·time^-1', factor: 1 / 3.6 }
  let factor = 1
  const powers = new Map<string, number>()
  let sign = 1
  for (const token of plain.split(/\s*([/*·×])\s*|\s+/).filter((part) => part)) {
    if (token === '/') {
      sign = -1
      continue
    }
    if (/^[*·×]$/.test(token)) continue
    const match = /^(.*?)(?:\^?\(?(-?\d)\)?)?$/.exec(token)
    const unit = plainUnit(match?.[1] ?? '')
    if (!unit || unit.offset) return null
    const power = sign * Number(match?.[2] ?? 1)
    factor *= unit.factor ** power
    powers.set(unit.dimension, (powers.get(unit.dimension) ?? 0) + power)
  }
  const dimension = [...powers].filter(([, power]) => power !== 0).sort()
  return {
    dimension: dimension.map(([name, power]) => (power === 1 ? name : `${name}^${power}`)).join('·'),
    factor,
  }
}
