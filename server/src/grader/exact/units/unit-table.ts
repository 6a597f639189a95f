/** A thing counted (“widget”) is a base of its own. */
export type Dimensions = Readonly<Record<string, number>>

/** In SI base units; `offset` is added first (°C to K). */
export interface Unit {
  dimensions: Dimensions
  factor: number
  offset?: number
}

const PREFIXES: Record<string, number> = {
  f: 1e-15,
  p: 1e-12,
  n: 1e-9,
  u: 1e-6,
  μ: 1e-6,
  m: 1e-3,
  c: 1e-2,
  d: 1e-1,
  h: 1e2,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
}
const WORD_PREFIXES: Record<string, number> = {
  femto: 1e-15,
  pico: 1e-12,
  nano: 1e-9,
  micro: 1e-6,
  milli: 1e-3,
  centi: 1e-2,
  deci: 1e-1,
  hecto: 1e2,
  kilo: 1e3,
  mega: 1e6,
  giga: 1e9,
  tera: 1e12,
}

/** `symbols | words | factor | dimensions`: those that take prefixes. */
const PREFIXED = `
m|metre meter|1|m
g|gram gramme|0.001|kg
s|second|1|s
A|ampere amp|1|A
K|kelvin|1|K
mol|mole|1|mol
cd|candela|1|cd
N|newton|1|kg m s-2
J|joule|1|kg m2 s-2
W|watt|1|kg m2 s-3
V|volt|1|kg m2 s-3 A-1
Ω|ohm|1|kg m2 s-3 A-2
S|siemens|1|kg-1 m-2 s3 A2
Pa|pascal|1|kg m-1 s-2
Hz|hertz|1|s-1
L l|litre liter|0.001|m3
C|coulomb|1|A s
F|farad|1|kg-1 m-2 s4 A2
T|tesla|1|kg s-2 A-1
H|henry|1|kg m2 s-2 A-2
Wb|weber|1|kg m2 s-2 A-1
lm|lumen|1|cd
lx|lux|1|cd m-2
eV|electronvolt|1.602176634e-19|kg m2 s-2
cal|calorie|4.184|kg m2 s-2
Wh||3600|kg m2 s-2
bar||100000|kg m-1 s-2
Bq|becquerel|1|s-1
Gy|gray|1|m2 s-2
Sv|sievert|1|m2 s-2
M|molar|1000|mol m-3
B|byte|8|bit
bit|bit|1|bit
bps||1|bit s-1
`
/** Without prefixes; singular words, a line for each reading of a name. */
const PLAIN = `
min|minute|60|s
h hr|hour|3600|s
d|day|86400|s
wk|week|604800|s
|fortnight|1209600|s
mo|month|2629800|s
y yr|year annum|31557600|s
|decade|315576000|s
|century centurie|3155760000|s
sec||1|s
cc||0.000001|m3
ha|hectare|10000|m2
|acre|4046.8564224|m2
t|tonne ton|1000|kg
amu u||1.66053906660e-27|kg
gm||0.001|kg
lb lbs|pound|0.45359237|kg
oz|ounce|0.028349523125|kg
|stone|6.35029318|kg
inch|inche|0.0254|m
ft|foot feet|0.3048|m
yd|yard|0.9144|m
mi|mile|1609.344|m
ly|light-year lightyear|9.4607304725808e15|m
AU||149597870700|m
Å|angstrom|1e-10|m
gal|gallon|0.003785411784|m3
pt|pint|0.000568|m3
mph||0.44704|m s-1
kph kmh||0.2777777777777778|m s-1
kn|knot|0.5144444444444445|m s-1
atm|atmosphere|101325|kg m-1 s-2
mmHg||133.322387415|kg m-1 s-2
torr||133.322368421|kg m-1 s-2
psi||6894.757293168|kg m-1 s-2
Cal||4184|kg m2 s-2
hp|horsepower|745.6998715822702|kg m2 s-3
rpm bpm||0.016666666666666666|s-1
rad|radian|1|angle
° deg|degree|0.017453292519943295|angle
rev|revolution turn|6.283185307179586|angle
rev|revolution turn rotation|1|rev
%|percent|0.01|
‰||0.001|
ppm||0.000001|
kΩ|kilohm|1000|kg m2 s-3 A-2
MΩ|megohm|1000000|kg m2 s-3 A-2
KB kB|kilobyte|8192|bit
KB kB|kilobyte|8000|bit
MB|megabyte|8388608|bit
MB|megabyte|8000000|bit
GB|gigabyte|8589934592|bit
GB|gigabyte|8000000000|bit
KiB||8192|bit
MiB||8388608|bit
GiB||8589934592|bit
dB|decibel|1|decibel
$ USD|dollar buck|1|dollar
|cent|0.01|dollar
€ EUR|euro|1|euro
|cent|0.01|euro
£ GBP|pound quid|1|sterling
p|penny pence penni|0.01|sterling
¥ JPY|yen|1|yen
₹ INR Rs|rupee|1|rupee
CHF|franc|1|franc
`
const CELSIUS: Unit = { dimensions: { K: 1 }, factor: 1, offset: 273.15 }
const FAHRENHEIT: Unit = { dimensions: { K: 1 }, factor: 5 / 9, offset: 459.67 }
/** What a lone letter or word may mean besides: 20 C, 68 F, 20 degrees, 2 h 30 m. */
const ALSO = new Map<string, Unit[]>(
  Object.entries({
    C: [CELSIUS],
    F: [FAHRENHEIT],
    celsius: [CELSIUS],
    centigrade: [CELSIUS],
    fahrenheit: [FAHRENHEIT],
    '°': [CELSIUS],
    degree: [CELSIUS],
    deg: [CELSIUS],
    m: [{ dimensions: { s: 1 }, factor: 60 }],
    '°C': [CELSIUS],
    '°F': [FAHRENHEIT],
  }),
)

function dimensionsOf(text: string): Dimensions {
  const found: Record<string, number> = {}
  for (const [, name = '', power] of text.matchAll(/([A-Za-z]+)(-?\d)?/g)) found[name] = Number(power ?? 1)
  return found
}

interface Entry {
  unit: Unit
  prefixed: boolean
}

function entriesOf(table: string, prefixed: boolean, symbols: Map<string, Entry[]>, words: Map<string, Entry[]>) {
  for (const line of table.trim().split('\n')) {
    const [short = '', long = '', factor = '', dimensions = ''] = line.split('|')
    const entry = { unit: { dimensions: dimensionsOf(dimensions), factor: Number(factor) }, prefixed }
    for (const name of short.split(' ').filter(Boolean)) symbols.set(name, [...(symbols.get(name) ?? []), entry])
    for (const name of long.split(' ').filter(Boolean)) words.set(name, [...(words.get(name) ?? []), entry])
  }
}

const SYMBOLS = new Map<string, Entry[]>()
const WORDS = new Map<string, Entry[]>()
entriesOf(PREFIXED, true, SYMBOLS, WORDS)
entriesOf(PLAIN, false, SYMBOLS, WORDS)

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

/** The usual reading first; empty when it is no unit. */
export function namedUnits(name: string): Unit[] {
  const exact = [...scaled(SYMBOLS.get(name), 1), ...(ALSO.get(name) ?? [])]
  if (exact.length > 0) return exact
  const prefixed = withPrefix(name, PREFIXES, SYMBOLS)
  if (prefixed.length > 0) return prefixed
  const lower = name.toLowerCase()
  // “lux”, “siemens” and “hertz” end in what others add for the plural.
  for (const word of [lower, singular(lower)]) {
    const named = [...scaled(WORDS.get(word), 1), ...(ALSO.get(word) ?? []), ...withPrefix(word, WORD_PREFIXES, WORDS)]
    if (named.length > 0) return named
  }
  // “kOhm”, “hrs”, “kgs”, “mins”.
  const mixed = withPrefix(lower, PREFIXES, WORDS)
  if (mixed.length > 0 && /ohm$/.test(lower)) return withPrefix(name.replace(/ohms?$/i, 'Ω'), PREFIXES, SYMBOLS)
  const plural = name.length > 2 && name.endsWith('s') ? namedUnits(name.slice(0, -1)) : []
  return plural
}

/** Wrong case, where only one unit fits: `kj`, `KM`, `pa`. */
export function unitsInOtherCase(name: string): Unit[] {
  if (name.length < 2 && name !== 'n') return []
  const wanted = name.toLowerCase()
  for (const [symbol, entries] of SYMBOLS) {
    if (!wanted.endsWith(symbol.toLowerCase())) continue
    const prefix = wanted.slice(0, wanted.length - symbol.length)
    // Milli and mega differ by their case alone.
    if (prefix === 'm' && name[0] !== 'm') continue
    const by = prefix === '' ? 1 : Object.hasOwn(PREFIXES, prefix) ? PREFIXES[prefix] : undefined
    const found = by === undefined ? [] : scaled(entries, by)
    if (found.length > 0) return found
  }
  return []
}
