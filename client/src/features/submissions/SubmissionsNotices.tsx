import type { Assignment } from '@assay/shared/assignments.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LinkButton, SecondaryButton, SubtleButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { useFileExport } from '../../components/files/useFileExport.ts'
import { downloadFile } from '../../lib/api/api-hooks.ts'
import { formatDate, plural } from '../../lib/format.ts'
import { coursePath, matchPath, regradesPath } from '../../paths.ts'
import { NamesHiddenNotice } from '../assignments/anonymous-grading/NamesHiddenNotice.tsx'
import { DoubtfulResultsNotice } from '../questions/DoubtfulResultsNotice.tsx'
import { OutdatedNotice } from '../rubrics/OutdatedNotice.tsx'
import type { GradingProcess } from '../runs/ProcessDialog.tsx'
import type { ListView } from './list/useListView.ts'
import classes from './SubmissionsPage.module.css'
import { useGradeByHand } from './useGradeByHand.ts'

/** A smaller class tells nothing of how its answers are put (`docs/grading.md`). */
const FEW_PAPERS = 5

interface Props {
  assignment: Assignment
  counts: SubmissionCounts
  process: GradingProcess
  grading: boolean
  view: ListView
}

/** The most urgent; others on demand, so that the list stays in place. */
export function SubmissionsNotices({ assignment, counts, process, grading, view }: Props) {
  const gradeByHand = useGradeByHand(assignment.id)
  const [allShown, showAll] = useState(false)
  const { held, failed, by_hand, outdated, regrade, unmatched, graded, reviewed } = counts
  const notices = [
    (assignment.work_deletion_at || assignment.work_deleted_at) && (
      <RetentionNotice key="retention" assignment={assignment} />
    ),
    !grading && reviewed < graded && assignment.doubtful_results && (
      <DoubtfulResultsNotice
        key="doubtful"
        assignmentId={assignment.id}
        doubts={assignment.doubtful_results}
        linksToAnswers
      />
    ),
    !grading && failed > 0 && <FailedNotice key="failed" counts={counts} process={process} />,
    held > 0 && (
      <Notice
        key="held"
        tone="warn"
        title={`${plural(held, 'paper needs', 'papers need')} a look first`}
        actions={
          view.order.status === 'held' ? undefined : (
            <SecondaryButton onClick={() => view.change({ status: 'held' })}>
              Show {held === 1 ? 'it' : 'them'}
            </SecondaryButton>
          )
        }
      >
        Something seems wrong, such as two students in one file. {held === 1 ? 'It is' : 'They are'} graded once you
        have decided.
      </Notice>
    ),
    !grading && by_hand > 0 && (
      <Notice
        key="by hand"
        tone="warn"
        title={`${plural(by_hand, 'paper has', 'papers have')} answers to grade by hand`}
        actions={<SecondaryButton onClick={() => void gradeByHand()}>Grade by hand</SecondaryButton>}
      >
        These answers couldn’t be found or read, or only you can grade them. Students see no total until you do.
      </Notice>
    ),
    !grading && outdated > 0 && (
      <OutdatedNotice
        key="outdated"
        assignmentId={assignment.id}
        outdated={outdated}
        process={process}
        shown={view.order.status === 'outdated'}
      />
    ),
    regrade > 0 && (
      <Notice
        key="regrade"
        title={plural(regrade, 'open regrade request')}
        actions={<LinkButton to={regradesPath(assignment.id)}>Answer requests</LinkButton>}
      >
        {regrade === 1 ? 'A student asks' : 'Students ask'} you to look at a grade again.
      </Notice>
    ),
    // Without a course there are no students to choose from, and publishing says so.
    unmatched > 0 && assignment.course_id !== null && (
      <Notice key="unmatched">
        {plural(unmatched, 'paper')} without a student.{' '}
        {graded === 0 && 'Process & Grade also reads the names on papers. '}
        {assignment.anonymous?.names_hidden ? (
          `Show names to match ${unmatched === 1 ? 'it' : 'them'}.`
        ) : (
          <Link to={matchPath(assignment.id)}>Match to {unmatched === 1 ? 'a student' : 'students'}</Link>
        )}
      </Notice>
    ),
    assignment.anonymous?.names_hidden && (
      <NamesHiddenNotice key="names" assignment={assignment}>
        Names are hidden while this assignment is graded. Papers have numbers instead.
      </NamesHiddenNotice>
    ),
    !grading && graded < FEW_PAPERS && reviewed < graded && (
      <Notice key="few" title="Few papers to compare with">
        With fewer than five papers, written answers are compared with the key alone, and the grader is less confident.
      </Notice>
    ),
  ].filter(Boolean)
  const others = notices.length - 1
  return (
    <div className={classes.notices}>
      {allShown ? notices : notices[0]}
      {others > 0 && (
        <SubtleButton size="compact-sm" aria-expanded={allShown} onClick={() => showAll(!allShown)}>
          {allShown ? 'Show less' : `Show ${plural(others, 'more notice')}`}
        </SubtleButton>
      )}
    </div>
  )
}

function RetentionNotice({ assignment }: { assignment: Assignment }) {
  const { id, course_id, work_deletion_at, work_deleted_at } = assignment
  const grades = useFileExport(
    () => downloadFile(exportGrades, { params: { assignmentId: id } }, `assignment_${id}_grades.csv`),
    'Failed to export grades. Please try again.',
  )
  const rule = course_id === null ? 'school’s' : 'course’s'
  if (work_deletion_at)
    return (
      <Notice
        tone="warn"
        title={`Student work will be deleted on ${formatDate(work_deletion_at)}`}
        actions={
          <>
            <SecondaryButton size="xs" loading={grades.busy} onClick={() => void grades.start()}>
              Export grades
            </SecondaryButton>
            {course_id !== null && (
              <LinkButton size="xs" to={coursePath(course_id, 'edit')}>
                Change the rule
              </LinkButton>
            )}
          </>
        }
      >
        Nothing has happened here for as long as the {rule} retention rule keeps student work. Papers, answers, grades
        and comments go; the assignment with its rubric stays. New activity takes this back.
      </Notice>
    )
  if (work_deleted_at)
    return (
      <Notice>
        Student work was deleted on {formatDate(work_deleted_at)} under the {rule} retention rule.
      </Notice>
    )
  return null
}

function FailedNotice({ counts, process }: { counts: SubmissionCounts; process: GradingProcess }) {
  const { failed, failed_files } = counts
  const others = failed - failed_files
  return (
    <Notice
      tone="warn"
      title={`${plural(failed, 'paper')} could not be read or graded`}
      actions={<SecondaryButton onClick={() => void process.start()}>Try again</SecondaryButton>}
    >
      {failed_files > 0 &&
        `${plural(failed_files, 'file')} cannot be read: upload ${failed_files === 1 ? 'it' : 'them'} anew. `}
      {others > 0 &&
        `Nothing is known to be wrong with ${plural(others, failed_files > 0 ? 'other file' : 'file')}: try again. `}
      The list says why. The other papers are graded.
    </Notice>
  )
}
