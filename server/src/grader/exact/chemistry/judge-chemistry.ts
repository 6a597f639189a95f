import { bestJudgement, exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'
import { readStance } from '../notation/read-stance.ts'
import { ARROW, ambiguousCharge, plainChemistry, type Reaction, readReaction, type Species } from './read-reaction.ts'

/** What looks like a formula within a sentence: two capitals or more, or a digit or charge behind one. */
const TOKEN =
  /(?<![\p{L}\d(])\(?((?:\d+\s?)?(?:\[|\((?=[A-Z][a-zA-Z\d]*\)\d))?(?=[A-Za-z\d()[\]]*(?:[A-Z][a-z]?[A-Z(]|[A-Z][a-z]?\d|[A-Z][a-z]?\s?\^|[A-Z][a-z]?[+-]))(?:[A-Z][a-z]?\d*|\((?:[A-Z][a-z]?\d*)+\)\d*|\])+(?:\s?\^?\s?\(?\d?[+-]+\d?\)?)?(?:\((?:aq|s|l|g)\))?)\)?(?![\p{L}\d])/gu

interface Found {
  text: string
  reaction: Reaction
}

/** Formulas and equations, replaced by `#0#` in the skeleton. */
function reactionsIn(answer: string): { skeleton: string; found: Found[] } {
  const plain = plainChemistry(answer.slice(0, 1000)).replace(/#/g, ' ')
  const found: Found[] = []
  const take = (text: string) => {
    const reaction = readReaction(text)
    return reaction ? `#${found.push({ text, reaction }) - 1}#` : null
  }
  const whole = take(plain.trim())
  if (whole) return { skeleton: whole, found }
  const lines = plain.split('\n').map((line) => {
    const direct = take(line.trim())
    if (direct) return direct
    const tail = /^(.*?(?::|\bis\b|\bequation\b|\banswer\b))\s*([^:]+)$/i.exec(line)
    const taken = tail ? take((tail[2] ?? '').trim()) : null
    if (taken) return `${tail?.[1]} ${taken}`
    return ARROW.test(line) ? line : line.replace(TOKEN, (all, text: string) => take(text) ?? all)
  })
  return { skeleton: lines.join('\n'), found }
}

export function judgeChemistry(prompt: string, keys: string[], answer: string): Judgement {
  const { skeleton, found } = reactionsIn(answer)
  const wanted = keys.map((text) => ({ text, reaction: readReaction(text) }))
  if (found.length === 0) {
    // Small letters for capitals, indices set high: read well, written badly.
    const alike = keys.some((key) => bare(key) === bare(answer))
    return exactJudgement(alike ? 0.5 : 0, UNSURE, 'unclear')
  }
  const stance = readStance(skeleton, prompt, (i, j) => found[i]?.text !== found[j]?.text)
  const meant = stance.meant === null ? undefined : found[stance.meant]
  if (!meant) return exactJudgement(0, UNSURE, 'unclear')
  return (
    bestJudgement(
      wanted.map(({ text, reaction }) => {
        if (!reaction) return exactJudgement(0, UNSURE, 'unclear')
        const judged = judgeAgainst(reaction, meant, text, prompt)
        if (stance.denied) return exactJudgement(0, judged.share === 1 ? 0.92 : 0.6, 'exact_wrong')
        return stance.understood ? judged : { ...judged, confidence: Math.min(judged.confidence, 0.8) }
      }),
    ) ?? exactJudgement(0, UNSURE, 'unclear')
  )
}

function judgeAgainst(key: Reaction, meant: Found, text: string, prompt: string): Judgement {
  const match = matchOf(key, meant.reaction)
  if (match === 'right') {
    const states = /\bstate\s+symbols?\b/i.test(prompt) && !sameStates(key, meant.reaction)
    return states ? exactJudgement(0.5, UNSURE, 'unclear') : exactJudgement(1, 0.96, 'exact_right')
  }
  const other = ambiguousCharge(meant.text)
  const reread = other === null ? null : readReaction(other)
  if (reread && matchOf(key, reread) === 'right') return exactJudgement(1, 0.8, 'exact_right')
  if (match === 'counts_wrong') return exactJudgement(0.5, 0.75, 'not_balanced')
  if (match === 'atoms_alike') return exactJudgement(0.5, UNSURE, 'unclear')
  // Co is not CO.
  if (bare(text) === bare(meant.text)) return exactJudgement(0.25, UNSURE, 'unclear')
  return exactJudgement(0, key.sides.length === meant.reaction.sides.length ? 0.92 : 0.85, 'exact_wrong')
}

type Match = 'right' | 'counts_wrong' | 'atoms_alike' | 'wrong'

function matchOf(key: Reaction, given: Reaction): Match {
  if (key.sides.length !== given.sides.length) return 'wrong'
  const written = (reaction: Reaction, name: (one: Species) => string) =>
    reaction.sides.map((side) => side.map(name).sort().join(' + ')).join(' → ')
  // 4 H2 + 2 O2 is 2 H2 + O2 twice over; two molecules are not one.
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
