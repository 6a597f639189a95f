import type { Assignment } from '@assay/shared/assignments.ts'
import { AiIcon, TeacherIcon } from '../../components/display/Attribution.tsx'
import { plural } from '../../lib/format.ts'
import classes from './StepsBar.module.css'

export function StepsBar({ steps, next }: { steps: Step[]; next: StepName | null }) {
  return (
    <ol className={classes.root} aria-label="Steps">
      {steps.map(({ name, count, by, done }) => (
        <li key={name} data-done={done || undefined} aria-current={name === next ? 'step' : undefined}>
          <strong>{name}</strong>
          <span>
            {by === 'ai' ? <AiIcon size={12} /> : <TeacherIcon size={12} />}
            <span className="visually-hidden">{by === 'ai' ? 'By the grader: ' : 'By teachers: '}</span>
            {count}
          </span>
        </li>
      ))}
    </ol>
  )
}

export const stepNames = ['Rubric', 'Read', 'Decide', 'Approve', 'Publish'] as const
export type StepName = (typeof stepNames)[number]

export interface Step {
  name: StepName
  count: string
  by: 'ai' | 'teacher'
  done: boolean
}

type Progress = Pick<Assignment, 'status' | 'rubric_checked'> & {
  /** `failed` includes papers that wait for a decision before they are graded. */
  counts: Pick<Assignment['counts'], 'submissions' | 'graded' | 'failed' | 'flagged' | 'reviewed' | 'unreleased'>
}

export function stepsOf({ status, rubric_checked, counts }: Progress): Step[] {
  const { submissions, graded, flagged, reviewed, unreleased } = counts
  const released = status === 'published' ? graded - unreleased : 0
  const of = (some: number, all: number) => ({ count: `${some} of ${all}`, done: all > 0 && some === all })
  return [
    { name: 'Rubric', by: 'teacher', count: rubric_checked ? 'checked' : 'to check', done: rubric_checked === true },
    { name: 'Read', by: 'ai', ...of(graded, submissions) },
    {
      name: 'Decide',
      by: 'teacher',
      count: flagged > 0 ? `${flagged} flagged` : 'none',
      done: graded > 0 && flagged === 0,
    },
    { name: 'Approve', by: 'teacher', ...of(reviewed, graded) },
    { name: 'Publish', by: 'teacher', ...of(released, graded) },
  ]
}

export function nextStep({ status, rubric_checked, counts }: Progress): StepName | null {
  const { submissions, graded, failed, reviewed, unreleased } = counts
  if (!rubric_checked && graded === 0) return 'Rubric'
  if (submissions > graded + failed) return 'Read'
  if (reviewed < graded) return counts.flagged > 0 ? 'Decide' : 'Approve'
  return graded > 0 && (status === 'draft' || unreleased > 0) ? 'Publish' : null
}

export function waitingFor(assignment: Assignment): string[] {
  const { counts, status } = assignment
  const { submissions, graded, failed, reviewed, unreleased, regrades } = counts
  const step = nextStep(assignment)
  const waiting: string[] = []
  if (regrades > 0) waiting.push(plural(regrades, 'regrade request'))
  if (step === 'Rubric') waiting.push('A rubric to check')
  if (submissions > graded + failed) waiting.push(`${plural(submissions - graded - failed, 'paper')} to grade`)
  if (failed > 0) waiting.push(`${plural(failed, 'paper')} that could not be read`)
  if (reviewed < graded) waiting.push(`${plural(graded - reviewed, 'paper')} to approve`)
  if (step === 'Publish')
    waiting.push(
      status === 'draft' ? `${plural(graded, 'grade')} to publish` : `${plural(unreleased, 'grade')} to release`,
    )
  return waiting
}
