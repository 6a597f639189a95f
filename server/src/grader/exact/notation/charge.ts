import { digitsForWords, romanValue } from '../numbers/plain-math.ts'
import { thingNamed } from '../worded/named-things.ts'
import { HALF, type Notation, onlyOne, RIGHT, WRONG } from './judge-by-notation.ts'

interface Charge {
  size: number
  sign: 1 | -1 | 0
}

const ASKS = /\b(?:charges?|oxidation|valenc\w+|ions?)\b/i
const SIZE = String.raw`(\d{1,2}|[IV]{1,4})`
const BEFORE = new RegExp(String.raw`(?<![\p{L}\d])([+-])\s?${SIZE}(?![\p{L}\d])`, 'u')
const BEHIND = new RegExp(String.raw`(?:(?<![\p{L}\d])|(?<=\p{L}\^?[({]?))${SIZE}\s?([+-])(?![\d])`, 'u')
const ALONE = new RegExp(String.raw`(?<![\p{L}\d])${SIZE}(?![\p{L}\d])`, 'u')

const sizeOf = (text: string): number => (/\d/.test(text) ? Number(text) : (romanValue(text) ?? 0))

function chargesIn(answer: string): { skeleton: string; found: Charge[] } {
  const found: Charge[] = []
  const plain = digitsForWords(
    answer
      .replace(/[⁰¹²³⁴-⁹]*[⁺⁻]/gu, (sign) => `^${sign.normalize('NFKC')}`)
      .replace(/#/g, ' ')
      .replace(/[−–]/g, '-')
      .replace(/\b(?:plus|positive)\s+(?=\p{L}|\d)/giu, '+')
      .replace(/\b(?:minus|negative)\s+(?=\p{L}|\d)/giu, '-')
      .replace(/(?<=\p{L}|\d)\s+(?:plus|positive)\b/giu, '+')
      .replace(/(?<=\p{L}|\d)\s+(?:minus|negative)\b/giu, '-')
      .replace(/([+-])(?=[a-z]{3})/gi, '$1 '),
  )
  const put = (size: string, sign: string, before = '') => {
    const charge: Charge = { size: sizeOf(size), sign: sign === '+' ? 1 : sign === '-' ? -1 : 0 }
    return `${before}#${found.push(charge) - 1}#`
  }
  const last = plain.split(/=|\bso\b|→/).at(-1) ?? ''
  const skeleton = last
    .replace(new RegExp(BEFORE, 'gu'), (_, sign, size) => put(size, sign))
    .replace(new RegExp(BEHIND, 'gu'), (all, size, sign) => (/#/.test(all) ? all : put(size, sign)))
  if (found.length > 0) return { skeleton, found }
  const single = last.replace(/\b[A-Z][a-z]?\^?[({]?([+-])[)}]?(?![\d])/u, (_, sign) => put('1', sign))
  return { skeleton: found.length > 0 ? single : last.replace(ALONE, (_, size) => put(size, '')), found }
}

export const CHARGE: Notation<Charge> = {
  read(key, prompt) {
    if (!ASKS.test(prompt) || !/^\s*(?:[+−–-]\s?(?:\d|[IV]+)|\d\s?[+−–-])\s*$/.test(key)) return null
    return onlyOne(chargesIn(key))
  },
  find: chargesIn,
  compare(key, given, prompt) {
    if (key.size !== given.size || key.sign === -given.sign) return WRONG
    if (key.sign === given.sign) return RIGHT
    return key.sign > 0 && /\b(?:oxidation|valenc)/i.test(prompt) ? { ...RIGHT, confidence: 0.7 } : HALF
  },
}

interface Nuclide {
  element: string
  mass: number
  protons: number | null
}

const SIGNED = /(?:\^\{?(\d{1,3})\}?\s*(?:_\{?(\d{1,3})\}?)?\s*)\\?(?:mathrm|text)?\{?([A-Z][a-z]?)(?![a-z])\}?/g
const NAMED = /(?<!\p{L})(\p{L}{1,13})[\s-]*(?:with\s+(?:the\s+)?)?(?:mass\s+number\s*(?:of\s+)?)?(\d{1,3})(?!\d)/gu

function nuclidesIn(answer: string): { skeleton: string; found: Nuclide[] } {
  const found: Nuclide[] = []
  const put = (name: string, mass: string, protons?: string, all = '') => {
    const thing = thingNamed(name)
    return thing?.family === 'substance' && /^[A-Z][a-z]?$/.test(thing.id)
      ? `#${found.push({ element: thing.id, mass: Number(mass), protons: protons ? Number(protons) : null }) - 1}#`
      : all
  }
  const plain = answer
    .replace(/#|\$|[{}](?=\s*[_^{])/g, ' ')
    .replace(/[⁰¹²³⁴-⁹]+/gu, (mass) => `^${mass.normalize('NFKC')}`)
    .replace(/[₀-₉]+/gu, (protons) => `_${protons.normalize('NFKC')}`)
  const skeleton = plain
    .replace(SIGNED, (all, mass: string, protons: string | undefined, name: string) => put(name, mass, protons, all))
    .replace(NAMED, (all, name: string, mass: string) => put(name, mass, undefined, all))
  return { skeleton, found }
}

export const NUCLIDE: Notation<Nuclide> = {
  read(key, prompt) {
    if (!/\b(?:nuclides?|isotopes?|decay\w*|radioactiv\w+)\b/i.test(prompt) || !/[-^⁰¹²³⁴-⁹]/u.test(key)) return null
    return onlyOne(nuclidesIn(key))
  },
  find: nuclidesIn,
  compare(key, given) {
    if (key.element !== given.element || key.mass !== given.mass) return WRONG
    return given.protons !== null && key.protons !== null && key.protons !== given.protons ? HALF : RIGHT
  },
  otherwise: () => null,
}

type Configuration = ReadonlyMap<string, number>

const ORBITALS = '1s 2s 2p 3s 3p 4s 3d 4p 5s 4d 5p 6s 4f 5d 6p 7s 5f 6d 7p'.split(' ')
const CORES = new Map(Object.entries({ He: 2, Ne: 10, Ar: 18, Kr: 36, Xe: 54, Rn: 86 }))
const ORBITAL = String.raw`([1-7]\s?[spdf])\s?\^?[({]?(\d{1,2}?)[)}]?(?=[1-7]?\s?[spdf]|\D|$)[\s,.]*`
const WRITTEN = new RegExp(String.raw`\[\s*([HNAKXR][ergn])\s*\]\s*(?:${ORBITAL})*|(?:${ORBITAL})+`, 'g')

function core(electrons: number): Map<string, number> {
  const filled = new Map<string, number>()
  let left = electrons
  for (const orbital of ORBITALS) {
    const count = Math.min(left, 4 * 'spdf'.indexOf(orbital.charAt(1)) + 2)
    if (count > 0) filled.set(orbital, count)
    left -= count
  }
  return filled
}

function find(answer: string): { skeleton: string; found: Configuration[] } {
  const found: Configuration[] = []
  const skeleton = answer
    .replace(/#|\$|\\(?:[,;:! ]|mathrm|text)/g, ' ')
    .replace(/[⁰¹²³⁴-⁹]+/gu, (count) => `^${count.normalize('NFKC')} `)
    .replace(WRITTEN, (text, noble?: string) => {
      const filled = core(CORES.get(noble ?? '') ?? 0)
      for (const [, written = '', count] of text.matchAll(new RegExp(ORBITAL, 'g'))) {
        const orbital = written.replace(/\s/, '')
        filled.set(orbital, (filled.get(orbital) ?? 0) + Number(count))
      }
      return ` #${found.push(filled) - 1}# `
    })
  return { skeleton, found }
}

const written = (configuration: Configuration): string =>
  [...configuration]
    .map(([orbital, count]) => orbital + count)
    .sort()
    .join(' ')

/** `[Ar] 3d⁶ 4s²`: a noble gas stands for its electrons; order is free. */
export const ELECTRON_CONFIGURATION: Notation<Configuration> = {
  read: (key) => onlyOne(find(key)),
  find,
  compare: (key, given) => (written(key) === written(given) ? RIGHT : WRONG),
}
