import { chooses } from '@assay/shared/rules/choice-options.ts'
import { bottomOf, hasAnswerSpace, type PlacedLine } from '../paper-lines.ts'
import type { LabelCandidate } from './label-candidates.ts'
import { readEach, readPoints } from './points.ts'

/** Names of features; what the candidate is taken for is put before them. */
export interface CandidateFacts {
  facts: string[]
  optionFacts: string[]
  words: Set<string>
  chooses: boolean
  each: boolean
  page: number
}

const ASKS =
  /\?|\b(?:explain|state|describe|name|give|calculate|find|define|list|draw|sketch|why|what|how|when|where|who|which|prove|show|compute|determine|discuss|compare|write|solve|outline|identify|label|complete|evaluate|derive|justify|suggest|estimate|work out|simplify|is|are|does|do|can|let|suppose|consider|use|using|true|false)\b/i
const INSTRUCTS =
  /\b(?:you (?:may|must|should|have|are|will|can)|do not|don['’]t|please|write (?:your|all|neatly|legibly)|answer (?:all|every|any|each|only)|this (?:exam|test|paper|quiz)|calculators?|instructions?|attempt|good luck|allowed|permitted|cheat|honou?r|dictionar|phones?|devices?|minutes|scratch|staple|turn in|hand in|submit|number the answers|start each|sheet)\b/i
const TASK =
  /^\W*(?:(?:briefly|now|then|also|next)\s+)?(?:explain|state|describe|name|give|calculate|find|define|list|draw|sketch|prove|show|compute|determine|discuss|compare|write|solve|outline|identify|label|complete|evaluate|derive|justify|suggest|estimate|work out|simplify|what|which|why|how|when|where|who|if|is|are|does|do|can|let|suppose|consider|use|using|for|in)\b/i
const CODE =
  /[;{}←]\s*$|^\s*(?:while|if|else|do|for|return|then|def|int|void|public|import|print)\b|[\w)\]]\s*(?:<-|←|:=|==|\+=)\s*\w|\w\.\w+\(/
const APART = 0.9 // of the line's height

const wordsOf = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).slice(0, 14))

export function describeCandidates(
  lines: readonly PlacedLine[],
  candidates: readonly LabelCandidate[],
): CandidateFacts[] {
  const margin = Math.min(...lines.map(({ box }) => box.x))
  const gap = usualGap(lines)
  const found = candidates.map((candidate, i) => {
    const line = lines[candidate.line] as PlacedLine
    const next = candidates.slice(i + 1).find((one) => one.line > candidate.line)
    const below = lines.slice(candidate.line + 1, Math.min(next?.line ?? lines.length, candidate.line + 5))
    const own = [candidate.rest, ...below.map(({ text }) => text)].join(' ')
    const rest = candidate.rest.trim()
    const above = lines[candidate.line - 1]
    const facts = [`rest:${restClass(rest)}`]
    const add = (name: string, is: boolean) => is && facts.push(name)
    add('asks', ASKS.test(own))
    add('question', own.includes('?'))
    add('instructs', INSTRUCTS.test(own))
    const fill = /^[\s_.…]{3,}$/.test(rest)
    add('fill', fill)
    add('namesPart', fill && /^a$/i.test(candidate.tokens.at(-1)?.style ?? ''))
    add('truth', /^\W*(?:true|false|yes|no|t|f)\b\W*$/i.test(rest))
    add('code', CODE.test(rest))
    add('wordless', !/\p{L}{2}/u.test(rest))
    const isLast = next?.line !== candidate.line
    const points =
      readPoints(candidate.rest) !== null || readPoints(line.text) !== null || (line.marks !== undefined && isLast)
    add('points', points)
    add('statement', !own.includes('?') && !points && !hasAnswerSpace({ text: own }) && !TASK.test(rest))
    add('pointsBelow', !points && below.some(({ text }) => readPoints(text) !== null || readEach(text) !== null))
    add('bold', candidate.bold)
    add('cell', candidate.cell > 0)
    add('right', candidate.x > line.pageWidth * 0.5)
    add('room', hasAnswerSpace({ text: own }) || roomBelow(line, lines[next?.line ?? lines.length], below))
    const apart =
      !above || above.page !== line.page
        ? 'page'
        : gapAbove(above, line) > gap + APART * line.box.height
          ? 'far'
          : 'near'
    facts.push(`above:${candidate.cell > 0 ? 'beside' : apart}`)
    const indent = candidate.x - margin
    facts.push(`indent:${indent < 8 ? 0 : indent < 30 ? 1 : indent < 80 ? 2 : 3}`)
    add('big', (candidate.tokens[0]?.ranks[0]?.rank ?? 0) > 60)
    add('numeric', /^[\d\s.,+\-−=()[\]]*$/.test(line.text))
    add('small', line.box.height < 7)
    add('ocr', line.source === 'ocr')
    add('section', candidate.section)
    add(`tokens:${candidate.tokens.length}`, true)
    const count = rest === '' ? 0 : rest.split(/\s+/).length
    const optionFacts = [
      `words:${count === 0 ? 0 : count < 5 ? 1 : count < 10 ? 2 : count < 16 ? 3 : 4}`,
      ...facts.filter((fact) => !/^(?:rest|indent)/.test(fact)),
    ]
    return {
      facts,
      optionFacts,
      words: wordsOf(own),
      chooses: chooses(own) && readEach(own) === null,
      each: readEach(own) !== null,
      page: line.page,
    }
  })
  addRunFacts(candidates, found, lines.at(-1)?.page ?? 1)
  return found
}

function addRunFacts(candidates: readonly LabelCandidate[], facts: readonly CandidateFacts[], pages: number): void {
  const runs = findRuns(candidates)
  const worded = runs.some(
    (run) => run.length >= 2 && candidates[run[0] ?? 0]?.tokens[0]?.style === 'Q1' && !candidates[run[0] ?? 0]?.section,
  )
  for (const own of runs) {
    const share = (name: string) => quarters(own.filter((i) => facts[i]?.facts.includes(name)).length / own.length)
    const at = own.map((i) => facts[i]?.page ?? 1)
    const [first, last] = [own[0] ?? 0, own.at(-1) ?? 0]
    const style = candidates[first]?.tokens[0]?.style
    const reach = pages < 2 ? 'one' : quarters((Math.max(...at) - Math.min(...at)) / (pages - 1))
    const count = own.length
    const longer = runs.some(
      (other) => other.length >= count && (other[0] ?? 0) > last && countsQuestions(candidates[other[0] ?? 0]),
    )
    const named = [
      `runAsks:${share('asks')}`,
      `runQuestions:${share('question')}`,
      `runPoints:${share('points')}`,
      `runInstructs:${share('instructs')}`,
      `runRest:${share('wordless')}`,
      `runCode:${share('code')}`,
      `runReach:${reach}`,
      `runLength:${count < 2 ? 1 : count < 4 ? 2 : count < 9 ? 3 : 4}`,
      ...(longer ? ['longerRunBelow'] : []),
      ...(worded && style !== 'Q1' ? ['amongWorded'] : []),
      ...(runs[0] === own ? ['firstRun'] : []),
    ]
    for (const i of own) {
      facts[i]?.facts.push(...named)
      facts[i]?.optionFacts.push(...named)
    }
  }
}

const countsQuestions = (candidate: LabelCandidate | undefined) => /1/.test(candidate?.tokens[0]?.style ?? '')

function findRuns(candidates: readonly LabelCandidate[]): number[][] {
  const runs: number[][] = []
  const open = new Map<string, { run: number[]; rank: number }>()
  for (const [i, { tokens }] of candidates.entries()) {
    const [token] = tokens
    if (!token) continue
    const last = open.get(token.style)
    const follows =
      last &&
      token.ranks.some(
        ({ rank }) => rank === last.rank + 1 || rank === last.rank + 2 || (rank === last.rank && tokens.length > 1),
      )
    const rank = follows
      ? Math.max(...token.ranks.map((one) => one.rank).filter((one) => one <= last.rank + 2 && one >= last.rank))
      : (token.ranks.at(-1)?.rank ?? 0)
    if (follows) {
      last.run.push(i)
      last.rank = rank
    } else {
      const run = [i]
      runs.push(run)
      // A stray number must not end a run that goes on below it.
      if (!last || rank === 1) open.set(token.style, { run, rank })
    }
  }
  return runs
}

const quarters = (share: number) => Math.min(3, Math.floor(share * 4))

function restClass(rest: string): string {
  if (rest === '') return 'none'
  if (!/\p{L}{2}/u.test(rest))
    return /^[([]\s*\d{1,3}\s*(?:p|pts?|points?|marks?)?[)\].]*$/i.test(rest) ? 'mark' : 'math'
  const size = rest.length > 30 ? 'long' : 'short'
  return `${size}${/^["“'‘(]?\p{Lu}/u.test(rest) ? 'Upper' : /^["“'‘(]?\p{Ll}/u.test(rest) ? 'Lower' : 'Other'}`
}

const gapAbove = (above: PlacedLine, line: PlacedLine) => line.box.y - bottomOf(above)

function usualGap(lines: readonly PlacedLine[]): number {
  const gaps = lines.flatMap((line, i) => {
    const above = lines[i - 1]
    return above && above.page === line.page && line.box.y > above.box.y ? [gapAbove(above, line)] : []
  })
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length * 0.4)] ?? 0
}

function roomBelow(line: PlacedLine, next: PlacedLine | undefined, below: readonly PlacedLine[]): boolean {
  const last = below.at(-1) ?? line
  if (!next) return false
  if (next.page !== last.page) return bottomOf(last) < last.pageHeight * 0.7
  return next.box.y - bottomOf(last) > 3 * line.box.height
}
