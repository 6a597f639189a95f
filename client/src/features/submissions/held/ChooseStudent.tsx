import { getAssignment } from '@assay/shared/assignments.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import { setSubmissionStudent } from '@assay/shared/matches.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { useMemo } from 'react'
import { useGet, useGetAll, useSend } from '../../../lib/api/api-hooks.ts'
import { selectableStudents } from '../../courses/selectable-students.ts'
import { StudentSelect } from '../match/StudentSelect.tsx'
import classes from './HeldPaper.module.css'

interface Props {
  submission: Submission
  /** `held`: something else has to be decided still. */
  chosen: (held: boolean) => Promise<unknown>
}

/** Whose a held paper is, for one that has a student as well: it may be the wrong one. */
export function ChooseStudent({ submission, chosen }: Props) {
  const { assignment_id: assignmentId, id: submissionId, student } = submission
  const courseId = useGet(getAssignment, { assignmentId }).data?.course_id ?? null
  const roster = useGetAll(listCourseStudents, { courseId: courseId ?? 0 }, { enabled: courseId !== null })
  const choosable = useMemo(() => selectableStudents(roster.data ?? []), [roster.data])
  const put = useSend(setSubmissionStudent)
  if (courseId === null) return null
  const label = student ? 'Choose the right student' : 'Choose the student'

  async function choose(studentId: number) {
    try {
      const reply = await put.send({ params: { assignmentId, submissionId }, body: { student_id: studentId } })
      await chosen(reply.submission.held === true)
    } catch {
      // Shown below.
    }
  }

  return (
    <div className={classes.student}>
      <p className={classes.label} aria-hidden>
        {label}
      </p>
      <StudentSelect
        label={label}
        roster={choosable}
        disabled={put.sending || !roster.data}
        choose={({ id }) => void choose(id)}
      />
      {roster.error && <p role="alert">The roster could not be loaded. Please try again.</p>}
      {put.error && <p role="alert">{put.error.message}</p>}
    </div>
  )
}
