import { type Notation, onlyOne, RIGHT, WRONG } from './judge-by-notation.ts'

/** Electrons by orbital, such as `3d`. */
type Configuration = ReadonlyMap<string, number>

/** In the order in which they fill. */
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

/** `[Ar] 3d⁶ 4s²`: noble gases stand for their electrons, and the order is free. */
export const ELECTRON_CONFIGURATION: Notation<Configuration> = {
  read: (key) => onlyOne(find(key)),
  find,
  compare: (key, given) => (written(key) === written(given) ? RIGHT : WRONG),
}
