import type { Assignment } from '@assay/shared/assignments.ts'
import { Link } from 'react-router-dom'
import { Notice } from '../../components/feedback/Notice.tsx'
import { formatDate } from '../../lib/format.ts'

/** Says when an assignment's student work is to be deleted under the retention rule, or was; nothing elsewhere. */
export function WorkDeletionNotice({ assignment }: { assignment: Assignment }) {
  const { work_deletes_at, work_deleted_at, course_id } = assignment
  if (work_deletes_at)
    return (
      <Notice tone="warn">
        All student work of this assignment will be deleted on {formatDate(work_deletes_at)}, because nothing has
        happened here for long. To keep the grades, export them.{' '}
        {course_id !== null && <Link to={`/courses/${course_id}/edit`}>Change the course’s rule</Link>}
      </Notice>
    )
  if (work_deleted_at)
    return (
      <Notice>
        Student work from before {formatDate(work_deleted_at)} was deleted on that day under the course’s retention
        rule.
      </Notice>
    )
  return null
}
