import type { Assignment } from '@assay/shared/assignments.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import { listMatches, matchSubmissions, setSubmissionStudent, type UnmatchedPaper } from '@assay/shared/matches.ts'
import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { useMemo, useState } from 'react'
import { useGet, useGetAll, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { toast, tryWithToast } from '../../../lib/toast.ts'
import { selectableStudents } from '../../courses/selectable-students.ts'

export const PER_PAGE = 20

export interface SelectableStudent {
  id: number
  username: string
  full_name: string | null
}

export interface MatchedPaper {
  submission: SubmissionRow
  student: SelectableStudent
  others: number[]
}

/** The one student it may be, when nothing speaks against them. */
export function soleSuggestion({ suggestions }: UnmatchedPaper): SelectableStudent | null {
  const [first, second] = suggestions
  return first && !second && first.other_paper_id === null ? first.student : null
}

export function useMatching(assignment: Assignment, skip: number) {
  const assignmentId = assignment.id
  const inCourse = assignment.course_id !== null
  const papers = useGet(listMatches, { assignmentId }, { skip, limit: PER_PAGE }, { keepPreviousData: true })
  const roster = useGetAll(listCourseStudents, { courseId: assignment.course_id ?? 0 }, { enabled: inCourse })
  const choosable = useMemo(() => selectableStudents(roster.data ?? []), [roster.data])
  const put = useSend(setSubmissionStudent)
  const again = useSend(matchSubmissions)
  const refresh = useRevalidate()
  const [settled, setSettled] = useState<MatchedPaper[]>([])
  const [accepting, setAccepting] = useState(false)

  function give(paper: UnmatchedPaper, student: SelectableStudent): Promise<boolean> {
    const submissionId = paper.submission.id
    return tryWithToast('The student could not be assigned. Please try again.', async () => {
      const reply = await put.send({
        params: { assignmentId, submissionId },
        body: { student_id: student.id },
      })
      setSettled((before) => [{ submission: reply.submission, student, others: reply.other_paper_ids }, ...before])
      papers.patch((list) => list.filter(({ submission }) => submission.id !== submissionId))
    })
  }

  /** Reloads the current state, here and in the list this came from. */
  const renew = () => refresh(`/assignments/${assignmentId}`)

  return {
    papers,
    roster: choosable,
    settled,
    busy: put.sending || again.sending || accepting,
    async settle(paper: UnmatchedPaper, student: SelectableStudent) {
      const given = await give(paper, student)
      if (given) await renew()
      return given
    },
    takeBack: ({ submission }: MatchedPaper) =>
      tryWithToast('This could not be undone. Please try again.', async () => {
        const submissionId = submission.id
        await put.send({ params: { assignmentId, submissionId }, body: { student_id: null } })
        setSettled((before) => before.filter((one) => one.submission.id !== submissionId))
        await renew()
      }),
    async acceptAll() {
      setAccepting(true)
      let accepted = 0
      for (const paper of papers.data ?? []) {
        const student = soleSuggestion(paper)
        if (!student) continue
        // Stop at the first failure: the rest would fail for the same reason.
        if (!(await give(paper, student))) break
        accepted++
      }
      if (accepted > 0) toast.success(`${plural(accepted, 'suggestion')} accepted.`)
      await renew()
      setAccepting(false)
    },
    matchAgain: () =>
      tryWithToast('The papers could not be matched. Please try again.', async () => {
        const { matched, left, papers: found } = await again.send({ params: { assignmentId } })
        const now = found.flatMap((submission) =>
          submission.student ? [{ submission, student: submission.student, others: [] }] : [],
        )
        setSettled((before) => [...now, ...before])
        toast.info(
          matched === 0
            ? 'No more papers could be matched.'
            : `${plural(matched, 'paper')} matched; ${left} left without a student.`,
        )
        await renew()
      }),
  }
}
