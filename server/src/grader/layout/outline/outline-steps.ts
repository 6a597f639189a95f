import type { PreparedDocument } from './prepared-document.ts'

export interface Step {
  candidate: number
  kind: 'none' | 'section' | 'question' | 'option'
  path: string[]
  section: string | null
  end: number
  restart: boolean
  features: number[]
}

export const stepOf = (candidate: number, kind: Step['kind'], rest: Partial<Step>): Step => ({
  candidate,
  kind,
  path: [],
  section: null,
  end: 0,
  restart: false,
  features: [],
  ...rest,
})

export interface OutlineEntry {
  kind: 'question' | 'section'
  row: number
  from: number // in the row's text
  end: number
  path: string[]
  section: string | null
  /** Counts from 1 where numbers start anew. */
  sectionIndex: number
  anew: boolean
  /** Of the rubric's question when a blank is read again. */
  id?: string | null
  /** By the learned weights; above 0 more speaks for it than against. */
  score?: number
}

/** `2 b`, and `a 1` for “A 1”. */
export const levelsOf = (number: string): string[] =>
  number
    .toLowerCase()
    .replace(/^(\S+) \(part (\d+)\)/, '$2 $1')
    .split(/[\s.]+/)

export const nodesOf = (numbers: readonly string[]): Set<string> =>
  new Set(numbers.map(levelsOf).flatMap((levels) => levels.map((_, i) => levels.slice(0, i + 1).join(' '))))

export const pathsOfStep = ({ path, section }: Step): string[] => {
  const own = path.join(' ').toLowerCase()
  return section === null ? [own] : [own, `${section} ${own}`]
}

/** With the section's name, too, where sections number anew. */
export function pathsOf(steps: readonly Step[]): Set<string> {
  const questions = steps.filter(({ kind }) => kind === 'question')
  const anew = questions.some(({ restart }, i) => restart && i > 0)
  const inSections = questions.filter(({ section }) => anew && section)
  const plain = questions.map(({ path }) => path.join(' '))
  return new Set([...plain, ...inSections.map(({ section, path }) => `${section} ${path.join(' ')}`)])
}

/** The share of a run's labels that must look like a list for it to hold no questions. */
const MOSTLY = 0.7

/** Drops a cover's instructions and table of points, and an answer sheet, which repeats labels without words. */
export function withoutLists(steps: readonly Step[], { candidates, facts }: PreparedDocument): Step[] {
  const parts: Step[][] = [[]]
  for (const step of steps) {
    if (step.kind === 'question' && step.restart && parts.at(-1)?.some(({ kind }) => kind === 'question'))
      parts.push([])
    parts.at(-1)?.push(step)
  }
  const share = (part: readonly Step[], test: (step: Step) => boolean) => {
    const questions = part.filter(({ kind }) => kind === 'question')
    return questions.length === 0 ? 0 : questions.filter(test).length / questions.length
  }
  const instructs = ({ candidate }: Step) =>
    facts[candidate]?.facts.some((fact) => /^runInstructs:[23]$/.test(fact)) === true
  const labelOnly = ({ candidate, end }: Step) => (candidates[candidate]?.rest ?? '').trim() === '' && end > 0
  const tableRow = ({ candidate }: Step) => /^[\s\d_./]*$/.test(candidates[candidate]?.rest ?? '')
  return parts.flatMap((part, i) => {
    const before = new Set(parts.slice(0, i).flatMap((one) => one.map(({ path }) => path.join(' '))))
    const list = i < parts.length - 1 && (share(part, instructs) > MOSTLY || share(part, tableRow) > MOSTLY)
    const sheet = i > 0 && share(part, (step) => labelOnly(step) && before.has(step.path.join(' '))) > MOSTLY
    return list || sheet ? part.filter(({ kind }) => kind === 'section') : part
  })
}
