import { type Judgement, listJudgement, unclear, verdict } from '../judgement.ts'
import { sameMember } from '../list-members.ts'
import { type Found, HALF, type Notation, RIGHT, WRONG } from '../notation/judge-by-notation.ts'
import { plainMath } from '../numbers/plain-math.ts'
import { ARROW, ambiguousCharge, plainChemistry, type Reaction, readReaction, type Species } from './read-reaction.ts'

/** In a sentence: two capitals or more, or a digit or charge behind one. */
const TOKEN =
  /(?<![\p{L}\d(])\(?((?:\d+\s?)?(?:\[|\((?=[A-Z][a-zA-Z\d]*\)\d))?(?=[A-Za-z\d()[\]]*(?:[A-Z][a-z]?[A-Z(]|[A-Z][a-z]?\d|[A-Z][a-z]?\s?\^|[A-Z][a-z]?[+-]))(?:[A-Z][a-z]?\d*|\((?:[A-Z][a-z]?\d*)+\)\d*|\])+(?:\s?\^?\s?\(?\d?[+-]+\d?\)?)?(?:\((?:aq|s|l|g)\))?)\)?(?![\p{L}\d])/gu

interface Written {
  text: string
  reaction: Reaction
}

function reactionsIn(answer: string): Found<Written> {
  const told = answer.slice(0, 1000).replace(/(?<=\S),?\s+(?:because|since|as)\b.*$/s, '')
  const plain = plainChemistry(told).replace(/#/g, ' ')
  const found: Written[] = []
  const take = (text: string) => {
    const reaction = readReaction(text)
    return reaction ? `#${found.push({ text, reaction }) - 1}#` : null
  }
  const whole = take(plain.trim())
  if (whole) return { skeleton: whole, found }
  const lines = plain.split(/\n|,?\s*\bso\b\s*/).map((line) => {
    const direct = take(line.trim())
    if (direct) return direct
    const tail = /^(.*?(?::|\bis\b|\bequation\b|\banswer\b))\s*([^:]+)$/i.exec(line)
    const taken = tail ? take((tail[2] ?? '').trim()) : null
    if (taken) return `${tail?.[1]} ${taken}`
    return ARROW.test(line) ? line : line.replace(TOKEN, (all, text: string) => take(text) ?? all)
  })
  return { skeleton: lines.join('\n'), found }
}

export const CHEMISTRY: Notation<Written> = {
  read(text) {
    const reaction = readReaction(text)
    return reaction && { text, reaction }
  },
  find(answer, key, prompt) {
    const counts = answer.match(/\d+/g) ?? []
    const blanks =
      /_{2,}|\bbalance\b/i.test(prompt) &&
      /^[\d\s,;:/-]+$/.test(answer) &&
      counts.length === key.reaction.sides.flat().length
    const single = key.reaction.sides.length === 1
    const bare = single ? answer.replace(/(?<=[A-Z][a-z]?\d?)[=≡–-](?=[A-Z])/gu, '') : answer
    const told = reactionsIn(bare)
    if (!blanks) return bare === answer ? told : { ...told, skeleton: `${told.skeleton} with bonds` }
    let next = 0
    const sides = key.reaction.sides.map((side) => side.map((one) => ({ ...one, count: Number(counts[next++]) })))
    return { skeleton: '#0#', found: [{ text: answer, reaction: { sides } }] }
  },
  compare(key, given, prompt) {
    const match = matchOf(key.reaction, given.reaction)
    if (match === 'right') {
      const states = /\bstate\s+symbols?\b/i.test(prompt) && !sameStates(key.reaction, given.reaction)
      const doubled = Math.abs(countsOf(key.reaction) - countsOf(given.reaction)) > 1e-9
      const smallest = doubled && /\b(?:smallest|lowest|simplest)\b/i.test(prompt)
      return states || smallest ? HALF : { ...RIGHT, confidence: doubled ? 0.85 : 0.96 }
    }
    const other = ambiguousCharge(given.text)
    const reread = other === null ? null : readReaction(other)
    if (reread && matchOf(key.reaction, reread) === 'right') return { ...RIGHT, confidence: 0.8 }
    // Where the formulas are printed, the coefficients are all there is to do.
    if (match === 'counts_wrong' && /\bbalance\b/i.test(prompt) && ARROW.test(prompt))
      return { ...WRONG, confidence: 0.7 }
    if (match === 'counts_wrong') return { share: 0.4, confidence: 0.75, remark: 'not_balanced' }
    if (match === 'atoms_alike') return HALF
    if (bare(key.text) === bare(given.text)) return { ...HALF, share: 0.25 }
    return { ...WRONG, confidence: key.reaction.sides.length === given.reaction.sides.length ? 0.89 : 0.85 }
  },
  otherwise(answer, _, found, key) {
    // Wrong capitals or raised indices: the reading is clear, the notation is not.
    const alike = found.length === 0 && bare(key.text) === bare(answer)
    return unclear(alike ? 0.5 : 0)
  },
}

const countsOf = ({ sides }: Reaction): number => sides.flat().reduce((sum, { count }) => sum + count, 0)

type Match = 'right' | 'counts_wrong' | 'atoms_alike' | 'wrong'

function matchOf(key: Reaction, given: Reaction): Match {
  if (key.sides.length !== given.sides.length) return 'wrong'
  const written = (reaction: Reaction, name: (one: Species) => string) =>
    reaction.sides.map((side) => side.map(name).sort().join(' + ')).join(' → ')
  const whole = (reaction: Reaction) =>
    reaction.sides.length < 2 ? 1 : Math.min(...reaction.sides.flat().map(({ count }) => count))
  const [wholeKey, wholeGiven] = [whole(key), whole(given)]
  const named = ({ structure, charge }: Species) => `${structure}^${charge}`
  const counted = (by: number) => (one: Species) => `${(one.count / by).toFixed(6)}${named(one)}`
  if (written(key, counted(wholeKey)) === written(given, counted(wholeGiven))) return 'right'
  if (written(key, named) === written(given, named)) return key.sides.length > 1 ? 'counts_wrong' : 'wrong'
  const alike = ({ atoms, charge, count }: Species) => `${key.sides.length > 1 ? '' : count}${atoms}^${charge}`
  return written(key, alike) === written(given, alike) ? 'atoms_alike' : 'wrong'
}

const sameStates = (key: Reaction, given: Reaction): boolean => {
  const states = (reaction: Reaction) =>
    reaction.sides
      .flat()
      .map(({ structure, state }) => `${structure}${state}`)
      .sort()
      .join()
  return states(key) === states(given)
}

const bare = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_^{}$]/g, '')

const EQUATION = /→|⟶|⇌|-+>|=+>|[A-Z].*=.*[A-Z]/s
const LISTED = /^(?:[\s,;:./&()-]|\band\b|\b[a-z]\s*[=:]|\d+)+$/i

function coefficientsIn(text: string): number[] | null {
  if (EQUATION.test(text)) {
    const reaction = readReaction(plainChemistry(text))
    return reaction?.sides.flat().map(({ count }) => count) ?? null
  }
  const plain = plainMath(text.replace(/(?<=\d\s?)(?:[A-Z][a-z]?[\d₀-₉]*)+/g, ''))
  return LISTED.test(plain) ? (plain.match(/\d+(?:\.\d+)?/g) ?? []).map(Number) : null
}

/** The key's numbers are right; other numbers in the same ratio earn some of the points. */
export const COEFFICIENTS: Notation<number[]> = {
  read: (key, prompt) =>
    /\bbalanc|\bcoefficients?\b/i.test(prompt) && EQUATION.test(prompt) && !EQUATION.test(key)
      ? coefficientsIn(key)
      : null,
  find(answer) {
    const found = coefficientsIn(answer)
    return { skeleton: found ? '#0#' : answer, found: found ? [found] : [] }
  },
  compare(key, given) {
    const [ratio = 0] = given.map((count, i) => count / (key[i] ?? Number.NaN))
    const alike =
      key.length === given.length && key.every((count, i) => Math.abs(count * ratio - (given[i] ?? 0)) < 1e-9)
    return alike ? (ratio === 1 ? RIGHT : { ...HALF, share: 0.4 }) : { ...WRONG, confidence: 0.8 }
  },
  otherwise: () => null,
}

const MAKES =
  /\s*(?:[-=–]*[→⟶➔⇌]|[-=–]+>)\s*|\s+(?:\b(?:reacts?|to|and|which|then|combine[sd]?)\s+)*(?:makes?|gives?|forms?|produces?|yields?|becomes?|(?:turns?|converted|changed)\s+into)\s+/i
/** Written above an arrow, not a substance. */
const CONDITION = /^(?:light|sunlight|heat|energy|atp|enzymes?|chlorophyll|yeast|light energy|catalyst)$/i

const sidesOf = (text: string): string[][] =>
  text
    .replace(/\((?:\s*\+|[^()]*\p{Ll}{3})[^()]*\)/gu, ' ')
    .split(MAKES)
    .map((side) =>
      side
        .split(/\s*(?:\+|&|,|\band\b|\bwith\b|\bplus\b)\s*/)
        .map((one) => one.replace(/^\W*(?:the\s+)?|[\s.,;]+$/g, ''))
        .filter((one) => one !== ''),
    )

/** “Carbon dioxide + water → glucose + oxygen”, in any order within a side. Null where the key is none. */
export function judgeWordEquation(_: string, accepted: string[], answer: string): Judgement | null {
  const [key = ''] = accepted
  const wanted = sidesOf(key)
  const given = sidesOf(answer)
  if (accepted.length > 1 || !ARROW.test(key) || !/\+/.test(key) || wanted.length !== 2 || !/\p{L}{4}/u.test(key))
    return null
  if (given.length !== 2) return null
  const found = (from: number, to: number) =>
    (wanted[from] ?? []).filter((one) => given[to]?.some((other) => sameMember(one, other)))
  const matched = [...found(0, 0), ...found(1, 1)]
  const own = wanted.flat()
  const extra = given.flat().filter((one) => !CONDITION.test(one) && !own.some((other) => sameMember(other, one)))
  if ([...found(0, 1), ...found(1, 0)].some((one) => !matched.includes(one))) return verdict(false, 0.8)
  const share =
    Math.max(0, matched.length - extra.length) /
    own.filter((one) => !CONDITION.test(one) || matched.includes(one)).length
  return listJudgement(share, share === 1 ? 0.88 : 0.75, matched)
}
