import { thingNamed } from '../worded/named-things.ts'
import { HALF, type Notation, onlyOne, RIGHT, WRONG } from './judge-by-notation.ts'

/** An atom by its mass number. */
interface Nuclide {
  element: string
  mass: number
  /** Null where it is not written. */
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

/** `²²²₈₆Rn`, “Rn-222”, “radon-222”. */
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
