import { romanValue } from '../../layout/question-labels.ts'
import type { SheetSegment } from './sheet-segments.ts'

const NEAR_LABELS = 26 // points; farther right it is part of an answer
const PART_INDENT = 60 // points
const BEAM = 24
const CONTINUED = 1.5
/** “4. a list of …”: an article, without a stop. */
const ARTICLE = 1.5

interface FollowedSegment {
  segment: SheetSegment
  /** -1 before the first label. */
  index: number
  labelled: boolean
  end: number
}

interface Reading {
  score: number
  path: readonly string[]
  index: number
  seen: bigint
  state: string
  styles: { number?: string; letter?: string }
  previous: Reading | null
  labelled: boolean
  end: number
}

interface Choice {
  path: readonly string[]
  index: number
  used: number
}

/** Chooses which numbers and letters at line starts are labels so that the most are in sequence. */
export function followSheetLabels(
  segments: readonly SheetSegment[],
  paths: readonly (readonly string[])[],
): FollowedSegment[] {
  const sheet = new SheetLabels(segments, paths)
  let readings: Reading[] = [
    { score: 0, path: [], index: -1, seen: 0n, state: '', styles: {}, previous: null, labelled: false, end: 0 },
  ]
  const mayBeLabelled = new Set(segments.filter((segment) => segment.labels.length > 0))
  for (const segment of mayBeLabelled) {
    const best = new Map<string, Reading>()
    for (const reading of readings)
      for (const next of sheet.readingsAfter(reading, segment))
        if ((best.get(next.state)?.score ?? Number.NEGATIVE_INFINITY) < next.score) best.set(next.state, next)
    readings = [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, BEAM)
  }
  const followed: FollowedSegment[] = []
  let reading: Reading | null = readings[0] ?? null
  for (const segment of segments.toReversed()) {
    if (!reading) break
    const own = mayBeLabelled.has(segment)
    followed.push({ segment, index: reading.index, labelled: own && reading.labelled, end: own ? reading.end : 0 })
    if (own) reading = reading.previous
  }
  return followed.reverse()
}

class SheetLabels {
  readonly #indexes = new Map<string, number>()
  readonly #whole: ReadonlySet<string>
  readonly #explicitOnly: boolean
  readonly #margins: Map<string, number>

  constructor(segments: readonly SheetSegment[], paths: readonly (readonly string[])[]) {
    for (const [index, path] of paths.entries())
      for (const length of path.keys()) {
        const start = path.slice(0, length + 1).join(' ')
        if (!this.#indexes.has(start)) this.#indexes.set(start, index)
      }
    this.#whole = new Set(paths.map((path) => path.join(' ')))
    const named = segments.filter(({ explicit, labels }) => explicit && this.#indexUnder([labels[0]?.value ?? '']) >= 0)
    // Who writes “Q1”, “Q2” means something else by “1.”.
    this.#explicitOnly = named.length >= 2
    this.#margins = new Map(
      [...Map.groupBy(segments, columnOf)].map(([column, own]) => [
        column,
        Math.min(...own.filter(({ labels, inline }) => !inline && labels[0]?.kind === 'number').map(({ x }) => x)),
      ]),
    )
  }

  readingsAfter(reading: Reading, segment: SheetSegment): Reading[] {
    const choices = this.#choicesFor(reading, segment)
    const ignored: Reading = {
      ...reading,
      score: reading.score - this.#costOfIgnoring(choices, segment),
      previous: reading,
      labelled: false,
      end: 0,
    }
    return [
      ignored,
      ...choices.flatMap((choice) => {
        const gain = this.#gainOf(choice, reading, segment)
        if (gain === null) return []
        const kind = segment.labels[0]?.kind ?? 'number'
        const seen = reading.seen | (1n << BigInt(choice.index))
        return [
          {
            score: reading.score + gain,
            path: choice.path,
            index: choice.index,
            seen,
            state: `${choice.path.join(' ')}|${seen}`,
            styles: { ...reading.styles, [kind]: styleOf(segment) },
            previous: reading,
            labelled: true,
            end: segment.labels[choice.used - 1]?.end ?? 0,
          },
        ]
      }),
    ]
  }

  #choicesFor({ path: at }: Reading, { labels }: SheetSegment): Choice[] {
    const values = labels.map(({ value }) => value)
    const lengths = values.map((_, i) => values.length - i)
    const starts = labels[0]?.kind === 'number' ? [[]] : at.map((_, i) => at.slice(0, at.length - i))
    return starts.flatMap((start) =>
      lengths.flatMap((used) => {
        const path = [...start, ...values.slice(0, used)]
        const index = this.#indexUnder(path)
        return index < 0 ? [] : [{ path, index, used }]
      }),
    )
  }

  #costOfIgnoring(choices: readonly Choice[], segment: SheetSegment): number {
    if (choices.length === 0) return 0
    if (segment.explicit) return 2
    return segment.labels[0]?.kind === 'number' && isSet(segment, 1) && !segment.inline ? 0.5 : 0
  }

  #gainOf(choice: Choice, reading: Reading, segment: SheetSegment): number | null {
    const kind = segment.labels[0]?.kind
    const moved = this.#gainOfMove(choice, reading, segment)
    if (moved === null) return null
    const style = reading.styles[kind ?? 'number']
    const set = isSet(segment, choice.used)
    let gain = moved + (choice.used - 1) * 0.75
    if (segment.explicit) gain += 3
    else if (this.#explicitOnly && kind === 'number') gain -= 3
    if (set) gain += 1.5
    if (segment.apart) gain += 1.5
    if (!set && !segment.apart && !segment.explicit) gain -= costOfBareLabel(segment, choice)
    if (endsInArticle(segment, choice)) gain -= ARTICLE
    if (style) gain += style === styleOf(segment) ? 0.4 : -0.4
    const rest = segment.text.slice(segment.labels[choice.used - 1]?.end ?? 0)
    if (!this.#whole.has(choice.path.join(' ')) && rest.trim() !== '' && choice.used === segment.labels.length)
      gain -= 0.7
    const indent = NEAR_LABELS + (kind === 'letter' ? PART_INDENT : 0)
    if (!segment.inline && segment.x > (this.#margins.get(columnOf(segment)) ?? 0) + indent) gain -= 2
    if (segment.inline) gain -= 0.3
    return gain
  }

  #gainOfMove({ path, index, used }: Choice, reading: Reading, segment: SheetSegment): number | null {
    const here = reading.index
    const goesOn = here >= 0 && path.length > reading.path.length && startsWith(path, reading.path)
    if (segment.continued) return CONTINUED
    // “1 mark for …” within question 1 says nothing new.
    if (index === here && !goesOn) return segment.explicit ? -0.5 : null
    if (index === here) return 1.5
    if ((reading.seen >> BigInt(index)) & 1n) return segment.explicit ? -0.5 : -4
    if (index === here + 1) return 2
    if (here < 0) return 1
    const bare = segment.labels[0]?.kind === 'letter' && used === 1
    if (index < here) return bare ? -3 : segment.explicit ? -0.3 : -1
    return Math.max(-1.5, 1 - 0.3 * (index - here - 1)) - (bare ? 0.5 : 0)
  }

  #indexUnder(path: readonly string[]): number {
    return this.#indexes.get(path.join(' ')) ?? -1
  }
}

const columnOf = ({ line, x }: SheetSegment): string => `${line.page} ${x > line.pageWidth * 0.45 ? 'right' : 'left'}`

const styleOf = ({ labels, explicit }: SheetSegment): string => (explicit ? 'Q' : (labels[0]?.style ?? ''))

function isSet({ labels, text }: SheetSegment, used: number): boolean {
  const own = labels.slice(0, used)
  if (own.some(({ style }) => style.length > 1 && style !== 'Q')) return true
  // “2b 15 mm”: one question, where nothing sets the number off.
  return used > 1 && /^\W{0,2}\d{1,2}[a-z]/i.test(text)
}

function endsInArticle({ labels, explicit, text }: SheetSegment, { used }: Choice): boolean {
  const [first] = labels
  const last = labels[used - 1]
  if (used < 2 || explicit || first?.style.length === 1 || last?.value !== 'a' || last.style.length > 1) return false
  return /\s$/.test(text.slice(0, last.end)) && /^\p{Ll}/u.test(text.slice(last.end))
}

function costOfBareLabel({ labels, text }: SheetSegment, { used }: Choice): number {
  const [first] = labels
  const rest = text.slice(labels[used - 1]?.end ?? 0).trim()
  if (first?.kind === 'letter') {
    if (/A/.test(first.style)) return 2.5
    return romanValue(first.value) > 1 && used === 1 ? 2.5 : 1
  }
  if (rest === '') return 0
  if (/^[+*×/÷%^<>≤≥·−-]/u.test(rest)) return 2.5
  return /^\p{Ll}{2}/u.test(rest) ? 1.5 : 0.2
}

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((value, level) => path[level] === value)
