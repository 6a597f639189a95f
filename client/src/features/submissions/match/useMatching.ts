import type { Assignment } from '@assay/shared/assignments.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import {
  acceptMatches,
  listMatches,
  matchSubmissions,
  setSubmissionStudent,
  type UnmatchedPaper,
} from '@assay/shared/matches.ts'
import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { useMemo, useState } from 'react'
import { useGet, useGetAll, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { toast, tryWithToast } from '../../../lib/toast.ts'
import { type SelectableStudent, selectableStudents } from '../../users/selectable-students.ts'

export const PER_PAGE = 20

export interface MatchedPaper {
  submission: SubmissionRow
  student: SelectableStudent
  others: number[]
}

/** Null where others are possible, or something speaks against them. */
export function soleSuggestion({ suggestions }: UnmatchedPaper): SelectableStudent | null {
  const [first, second] = suggestions
  return first && !second && first.other_paper_id === null ? first.student : null
}

const matchedPapers = (rows: SubmissionRow[]): MatchedPaper[] =>
  rows.flatMap((submission) => (submission.student ? [{ submission, student: submission.student, others: [] }] : []))

export function useMatching(assignment: Assignment, skip: number) {
  const assignmentId = assignment.id
  const inCourse = assignment.course_id !== null
  const papers = useGet(listMatches, { assignmentId }, { skip, limit: PER_PAGE }, { keepPreviousData: true })
  const roster = useGetAll(listCourseStudents, { courseId: assignment.course_id ?? 0 }, { enabled: inCourse })
  const choosable = useMemo(() => selectableStudents(roster.data ?? []), [roster.data])
  const put = useSend(setSubmissionStudent)
  const again = useSend(matchSubmissions)
  const accept = useSend(acceptMatches)
  const refresh = useRevalidate()
  const [settled, setSettled] = useState<MatchedPaper[]>([])

  function show(now: MatchedPaper[]) {
    const ids = new Set(now.map(({ submission }) => submission.id))
    setSettled((before) => [...now, ...before])
    papers.patch((list) => list.filter(({ submission }) => !ids.has(submission.id)))
  }

  const renew = () => refresh(`/assignments/${assignmentId}`)

  return {
    papers,
    roster: choosable,
    settled,
    busy: put.sending || again.sending || accept.sending,
    settle: ({ submission }: UnmatchedPaper, student: SelectableStudent) =>
      tryWithToast('The student could not be assigned. Please try again.', async () => {
        const params = { assignmentId, submissionId: submission.id }
        const reply = await put.send({ params, body: { student_id: student.id } })
        show([{ submission: reply.submission, student, others: reply.other_paper_ids }])
        await renew()
      }),
    takeBack: ({ submission }: MatchedPaper) =>
      tryWithToast('This could not be undone. Please try again.', async () => {
        const submissionId = submission.id
        await put.send({ params: { assignmentId, submissionId }, body: { student_id: null } })
        setSettled((before) => before.filter((one) => one.submission.id !== submissionId))
        await renew()
      }),
    acceptAll: () =>
      tryWithToast('The suggestions could not be accepted. Please try again.', async () => {
        const accepted = (papers.data ?? []).flatMap((paper) => {
          const student = soleSuggestion(paper)
          return student ? [{ submission_id: paper.submission.id, student_id: student.id }] : []
        })
        const { matched, papers: now } = await accept.send({ params: { assignmentId }, body: { accepted } })
        show(matchedPapers(now))
        toast.success(`${plural(matched, 'suggestion')} accepted.`)
        await renew()
      }),
    matchAgain: () =>
      tryWithToast('The papers could not be matched. Please try again.', async () => {
        const { matched, left, papers: found } = await again.send({ params: { assignmentId } })
        show(matchedPapers(found))
        toast.info(
          matched === 0
            ? 'No more papers could be matched.'
            : `${plural(matched, 'paper')} matched; ${left} left without a student.`,
        )
        await renew()
      }),
  }
}
