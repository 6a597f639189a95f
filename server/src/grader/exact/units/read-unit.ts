import { type Dimensions, namedUnits, type Unit, unitsInOtherCase } from './unit-table.ts'

/** Every reading, the usual one first. */
export interface WrittenUnit {
  written: string
  readings: Unit[]
  end: number
}

const TOKEN =
  / *(°\s?[CFNSEW](?![A-Za-z])|°|[%‰$€£¥₹]|(?:(?:giga|mega|kilo|deci|centi|milli|micro|nano|pico)-)?[A-Za-zΩμÅ]+)/uy
const POWER = /\^?\(?([-+]?[1-9])\)?(?![\d.,]*\d)/y
const JOIN =
  / *(?:[/*⋅]|\bper\b|\b(?:an?|each|every)\b(?=\s+(?:second|minute|hour|day|week|month|year)\b)) *\(?| *\.(?=[A-Za-z])| +(?=[A-Za-zΩμ°])|-(?=(?:hour|second|met(?:re|er))s?\b)|(?=°)/uy
const SQUARE = new Map(Object.entries({ square: 2, sq: 2, cubic: 3, cu: 3 }))
const RAISED = / +(squared|cubed)\b/y
const NO_UNIT = /^(?:a|an|in|at|as|is|it|so|am|pm|to|by|of|no|i|or|and|then|per|turn|turns|stone|stones|gray|mole)$/
const NO_THING = /^(?:and|but|the|was|has|had|for|with|than|then|took|needs?|lasts?)$/i
const MAX_PARTS = 5
const HUNDREDS = / *(1(?:[ ,]?0){2,6}) */y
const RATE = / *([a-z]{3,})?(?= *(?:\/ *[a-zμ]|\b(?:per|an?|each|every) +[a-z]))/iuy

/** Null when none begins at `at`; `things` count as units (“widgets per hour”). */
export function readUnitAt(
  text: string,
  at: number,
  things: ReadonlySet<string> = new Set(),
  strict = false,
): WrittenUnit | null {
  let end = at
  let readings: Unit[] = [{ dimensions: {}, factor: 1 }]
  let sign = 1
  let parts = 0
  while (parts < MAX_PARTS) {
    const part = readPart(text, end, things, parts > 0, strict) ?? (parts === 0 ? thingAt(text, end, strict) : null)
    if (!part) break
    const raised = part.readings.map((unit) => ({ unit, by: sign * part.power }))
    if (parts > 0 && raised.some(({ unit }) => unit.offset !== undefined && unit.factor !== 1)) break
    readings = combined(readings, raised, parts === 0)
    end = part.end
    parts++
    JOIN.lastIndex = end
    const join = JOIN.exec(text)
    if (!join) break
    // “6 L per 100 km”
    HUNDREDS.lastIndex = JOIN.lastIndex
    const by = /[/]|per/.test(join[0]) ? HUNDREDS.exec(text) : null
    const next = by ? HUNDREDS.lastIndex : JOIN.lastIndex
    const divides = /[/]|per|an?|e[av]/.test(join[0])
    if (!readPart(text, next, things, true, strict)) break
    if (divides) sign = -1
    if (by) readings = readings.map((unit) => ({ ...unit, factor: unit.factor / Number(by[1]) }))
    end = next
  }
  if (parts === 0) return null
  if (/\([^)]*$/.test(text.slice(at, end)) && text[end] === ')') end++
  return { written: text.slice(at, end).trim(), readings, end }
}

function thingAt(text: string, at: number, strict: boolean): { readings: Unit[]; power: number; end: number } | null {
  RATE.lastIndex = at
  const found = RATE.exec(text)
  if (!found || (found[1] && NO_THING.test(found[1]))) return null
  JOIN.lastIndex = RATE.lastIndex
  if (!JOIN.test(text) || !readPart(text, JOIN.lastIndex, new Set(), true, false)) return null
  const dimensions = found[1] ? { [singularNoun(found[1])]: 1 } : {}
  // A key's “1/T” is no number of teslas.
  if (
    strict &&
    !found[1] &&
    !/^ *(?:\/|per|an?|each|every) *(?:s|min|h|hr|d|day|y|yr|year|second|minute|hour|week|month)\b/i.test(
      text.slice(at),
    )
  )
    return null
  return { readings: [{ dimensions, factor: 1 }], power: 1, end: RATE.lastIndex }
}

function readPart(text: string, at: number, things: ReadonlySet<string>, later: boolean, strict: boolean) {
  TOKEN.lastIndex = at
  const token = TOKEN.exec(text)
  if (!token) return null
  let end = TOKEN.lastIndex
  let name = (token[1] ?? '').replace(/°\s/, '°')
  let power = 1
  const square = SQUARE.get(name.toLowerCase())
  if (square !== undefined) {
    TOKEN.lastIndex = end
    const unit = TOKEN.exec(text)
    if (!unit) return null
    name = unit[1] ?? ''
    end = TOKEN.lastIndex
    power = square
  }
  if (/^deg(?:rees?)?$|^°$/i.test(name)) {
    const scale = /\s*(celsius|centigrade|fahrenheit|[CF])\b/iy
    scale.lastIndex = end
    const found = scale.exec(text)
    if (found) {
      name = /^f/i.test(found[1] ?? '') ? '°F' : '°C'
      end = scale.lastIndex
    }
  }
  if (name === 'k' && /^\s+ohms?\b/i.test(text.slice(end))) {
    end = text.indexOf('hm', end) + 2 + (/^s/.test(text.slice(text.indexOf('hm', end) + 2)) ? 1 : 0)
    name = 'kΩ'
  }
  if (name === 'in' && !later && /^\s*(?:$|[.,;)^\n])/.test(text.slice(end))) name = 'inch'
  if (NO_UNIT.test(name) && !(later ? name === 'mole' : /^(?:mole|stone|gray)s?$/i.test(name))) return null
  POWER.lastIndex = end
  const raised = POWER.exec(text)
  if (raised) {
    power *= Number(raised[1])
    end = POWER.lastIndex
  } else {
    RAISED.lastIndex = end
    const worded = RAISED.exec(text)
    if (worded) {
      power *= worded[1] === 'squared' ? 2 : 3
      end = RAISED.lastIndex
    }
  }
  // “ms⁻²” is metres per second squared, not milliseconds.
  const fused = power < 0 ? /^([kcm]?m|mol|N|J|C|W)(s|m|K|kg)$/.exec(name) : null
  if (fused) {
    const [first] = namedUnits(fused[1] ?? '')
    const [second] = namedUnits(fused[2] ?? '')
    if (first && second) return { readings: combined([first], [{ unit: second, by: power }], false), power: 1, end }
  }
  const thing = singularNoun(name)
  if (things.has(thing)) return { readings: [{ dimensions: { [thing]: 1 }, factor: 1 }], power, end }
  const readings = namedUnits(name)
  if (readings.length > 0) return { readings, power, end }
  // kWh, Nm, Ns: two symbols without a gap.
  for (let i = 1; i < Math.min(name.length, 4); i++) {
    const [first] = namedUnits(name.slice(0, i))
    const [second] = namedUnits(name.slice(i))
    if (first && second && /^[NJWVACk]|mol/.test(name) && name.length <= 4)
      return { readings: combined([first], [{ unit: second, by: 1 }], false), power, end }
  }
  const loose = strict ? [] : unitsInOtherCase(name)
  return loose.length > 0 ? { readings: loose, power, end } : null
}

function combined(left: Unit[], right: { unit: Unit; by: number }[], alone: boolean): Unit[] {
  return left.flatMap((a) =>
    right.map(({ unit, by }) => {
      const dimensions: Record<string, number> = { ...a.dimensions }
      for (const [name, power] of Object.entries(unit.dimensions))
        dimensions[name] = (dimensions[name] ?? 0) + power * by
      const product = { dimensions: trimmed(dimensions), factor: a.factor * unit.factor ** by }
      return alone && by === 1 && unit.offset !== undefined ? { ...product, offset: unit.offset } : product
    }),
  )
}

const trimmed = (dimensions: Dimensions): Dimensions =>
  Object.fromEntries(Object.entries(dimensions).filter(([, power]) => power !== 0))

export const singularNoun = (word: string): string =>
  word
    .toLowerCase()
    .replace(/^(?:people|persons|inhabitants?|residents?)$/, 'person')
    .replace(/ies$/, 'y')
    .replace(/(?<=(?:s|x|ch|sh))es$/, '')
    .replace(/(?<=[^s])s$/, '')

export const sameDimensions = (a: Unit, b: Unit): boolean =>
  JSON.stringify(Object.entries(a.dimensions).sort()) === JSON.stringify(Object.entries(b.dimensions).sort())

const BASES = /^(?:m|kg|s|A|K|mol|cd|bit|angle|dollar|euro|sterling|yen|rupee|franc|decibel)$/
const measured = ({ dimensions, factor }: Unit): Unit => ({
  dimensions: Object.fromEntries(Object.entries(dimensions).filter(([name]) => BASES.test(name))),
  factor,
})
const counts = ({ dimensions }: Unit): boolean => Object.keys(dimensions).some((name) => !BASES.test(name))

/** “72 per minute” may be beats, and “50 cycles per second” are hertz. */
export const measuresAlike = (a: Unit, b: Unit): boolean =>
  sameDimensions(a, b) ||
  (counts(a) !== counts(b) &&
    Object.keys(measured(a).dimensions).length > 0 &&
    sameDimensions(measured(a), measured(b)))

export const isCounted = (unit: Unit): boolean =>
  unit.factor === 1 && Object.values(unit.dimensions).join() === '1' && counts(unit)

export const sameUnit = (a: WrittenUnit, b: WrittenUnit): boolean =>
  a.readings.some((one) => b.readings.some((other) => sameDimensions(one, other) && one.factor === other.factor))

export function readUnit(text: string, things?: ReadonlySet<string>): WrittenUnit | null {
  const unit = readUnitAt(text, 0, things)
  return unit && text.slice(unit.end).trim() === '' ? unit : null
}
