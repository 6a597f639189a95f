import type { Assignment } from '@assay/shared/assignments.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { LinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { useFileExport } from '../../components/files/useFileExport.ts'
import { downloadFile } from '../../lib/api/api-hooks.ts'
import { formatDate } from '../../lib/format.ts'

export function RetentionNotice({ assignment }: { assignment: Assignment }) {
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
              <LinkButton size="xs" to={`/courses/${course_id}/edit`}>
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
