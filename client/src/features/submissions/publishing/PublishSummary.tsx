import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { IconAlertTriangle, IconCircle, IconFlag, IconPencil, IconUserQuestion } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { plural } from '../../../lib/format.ts'
import classes from './PublishSummary.module.css'

interface Props {
  counts: SubmissionCounts
  inCourse: boolean
  releasing?: boolean
  /** That it goes to the LMS as well. */
  children?: ReactNode
}

/** What publishing does, and what one may want to see to first. */
export function PublishSummary({ counts, inCourse, releasing = false, children }: Props) {
  const seen = releasing ? counts.unreleased_matched : counts.graded - counts.graded_unmatched
  return (
    <>
      {inCourse ? (
        <p>
          <strong>{visibilityText(seen, releasing)}</strong> They also see that AI was used and how to request a
          regrade.
        </p>
      ) : (
        <p>
          <strong>This assignment has no course, so students cannot see it</strong> or its grades, published or not.
        </p>
      )}
      {children}
      <ul className={classes.list}>
        <Concern show={counts.flagged > 0} icon={<IconFlag size={16} aria-hidden />} tone="warn">
          {plural(counts.flagged, 'grade')} flagged and not reviewed yet
        </Concern>
        <Concern show={counts.by_hand > 0} icon={<IconPencil size={16} aria-hidden />} tone="warn">
          {plural(counts.by_hand, 'paper has', 'papers have')} answers to grade by hand; until you do,{' '}
          {counts.by_hand === 1 ? 'its student sees' : 'their students see'} no total
        </Concern>
        <Concern show={counts.failed > 0} icon={<IconAlertTriangle size={16} aria-hidden />} tone="bad">
          {plural(counts.failed, 'paper')} failed and {counts.failed === 1 ? 'has' : 'have'} no grade
        </Concern>
        <Concern show={counts.pending > 0} icon={<IconCircle size={16} aria-hidden />}>
          {plural(counts.pending, 'paper')} not graded yet;{' '}
          {counts.pending === 1 ? 'its grade stays hidden' : 'their grades stay hidden'} until you release{' '}
          {counts.pending === 1 ? 'it' : 'them'}
        </Concern>
        <Concern show={inCourse && counts.graded_unmatched > 0} icon={<IconUserQuestion size={16} aria-hidden />}>
          {plural(counts.graded_unmatched, 'graded paper')} {counts.graded_unmatched === 1 ? 'belongs' : 'belong'} to no
          enrolled student, so nobody can see {counts.graded_unmatched === 1 ? 'its grade' : 'their grades'}
        </Concern>
      </ul>
    </>
  )
}

function visibilityText(seen: number, releasing: boolean): string {
  if (seen > 0)
    return `${plural(seen, 'student')} will see ${seen === 1 ? 'their grade' : 'their grades'} and feedback.`
  return releasing ? 'Students will see nothing new.' : 'Students will see the assignment, but no grades yet.'
}

function Concern(props: { show: boolean; icon: ReactNode; tone?: 'warn' | 'bad'; children: ReactNode }) {
  if (!props.show) return null
  return (
    <li data-tone={props.tone}>
      {props.icon}
      <span>{props.children}</span>
    </li>
  )
}
