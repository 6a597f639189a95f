import { getAssignment } from '@assay/shared/assignments.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import { setSubmissionStudent } from '@assay/shared/matches.ts'
import type { PaperProblemCode } from '@assay/shared/paper-problems.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { gradeAnyway, type Submission, splitPaper } from '@assay/shared/submissions.ts'
import { Button, NumberInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { LinkButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { ApiError, messageOf } from '../../../lib/api/api-error.ts'
import { useGet, useGetAll, useSend } from '../../../lib/api/api-hooks.ts'
import { toast } from '../../../lib/toast.ts'
import { submissionPath } from '../../../paths.ts'
import { selectableStudents } from '../../users/selectable-students.ts'
import { StudentSelect } from '../match/StudentSelect.tsx'
import classes from './HeldPaper.module.css'

const ownerProblems: ReadonlySet<PaperProblemCode> = new Set<PaperProblemCode>(['two_students', 'other_name'])

export function HeldPaper({ submission, reload }: { submission: Submission; reload: () => Promise<unknown> }) {
  const { assignment_id: assignmentId, id, problems = [], names_hidden } = submission
  const decide = useSend(gradeAnyway)
  const process = useSend(processAssignment)
  const isOwnerInDoubt = !submission.student || problems.some(({ code }) => ownerProblems.has(code))
  const isTwoPapers = problems.some(({ code }) => code === 'two_students')
  const others = problems.flatMap(({ other_submission_id }) => other_submission_id ?? [])

  async function grade() {
    if (await decide.attempt({ params: { assignmentId, submissionId: id } })) await start()
  }

  async function start(submission_ids = [id]) {
    try {
      await process.send({ params: { assignmentId }, body: { submission_ids } })
    } catch (error) {
      const waits = error instanceof ApiError && error.code === 'run_in_progress'
      toast.info(
        waits
          ? `Other papers are being graded. ${submission_ids.length > 1 ? 'These are' : 'This one is'} graded the next time.`
          : messageOf(error, 'Grading could not be started.'),
      )
    }
    await reload()
  }

  return (
    <Notice tone="warn" title="This paper needs a look first">
      <ul className={classes.problems}>
        {problems.map(({ code, pages, message, what_to_do }) => (
          <li key={`${code} ${pages.join(' ')}`}>
            <strong>{message}</strong> {what_to_do}
          </li>
        ))}
      </ul>
      {isTwoPapers && <SplitPaper submission={submission} split={start} />}
      {isOwnerInDoubt && !names_hidden && (
        <ChooseStudent submission={submission} chosen={(held) => (held ? reload() : start())} />
      )}
      <div className={classes.actions}>
        <Button
          variant={isTwoPapers ? 'default' : 'filled'}
          onClick={() => void grade()}
          loading={decide.sending || process.sending}
        >
          Grade anyway
        </Button>
        {others.map((other) => (
          <LinkButton key={other} to={submissionPath(assignmentId, other)}>
            Open #{other}
          </LinkButton>
        ))}
      </div>
      {decide.error && <p role="alert">{decide.error.message}</p>}
    </Notice>
  )
}

interface ChooseStudentProps {
  submission: Submission
  chosen: (held: boolean) => Promise<unknown>
}

/** Also for a paper that has a student: it may be the wrong one. */
function ChooseStudent({ submission, chosen }: ChooseStudentProps) {
  const { assignment_id: assignmentId, id: submissionId, student } = submission
  const courseId = useGet(getAssignment, { assignmentId }).data?.course_id ?? null
  const roster = useGetAll(listCourseStudents, { courseId: courseId ?? 0 }, { enabled: courseId !== null })
  const choosable = useMemo(() => selectableStudents(roster.data ?? []), [roster.data])
  const put = useSend(setSubmissionStudent)
  if (courseId === null) return null
  const label = student ? 'Choose the right student' : 'Choose the student'

  async function choose(studentId: number) {
    const reply = await put.attempt({ params: { assignmentId, submissionId }, body: { student_id: studentId } })
    if (reply) await chosen(reply.submission.held === true)
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

interface SplitPaperProps {
  submission: Submission
  split: (submissionIds: number[]) => Promise<unknown>
}

function SplitPaper({ submission, split }: SplitPaperProps) {
  const { assignment_id: assignmentId, id: submissionId, page_count, problems = [] } = submission
  const found = problems.find(({ code }) => code === 'two_students')?.second_begins_on
  const [page, setPage] = useState<number | string>(found ?? '')
  const send = useSend(splitPaper)
  const last = page_count ?? Number.POSITIVE_INFINITY
  if (last < 2) return null

  async function makeTwo() {
    const body = { second_begins_on: Number(page) }
    const papers = await send.attempt({ params: { assignmentId, submissionId }, body })
    if (!papers) return
    toast.success(`Split into two papers. The second one is submission #${papers.second.id}.`)
    await split([submissionId, papers.second.id])
  }
  return (
    <form
      className={classes.split}
      onSubmit={(event) => {
        event.preventDefault()
        void makeTwo()
      }}
    >
      <NumberInput
        label="The second paper begins on page"
        className={classes.page}
        min={2}
        max={last}
        clampBehavior="strict"
        value={page}
        onChange={setPage}
      />
      <Button type="submit" loading={send.sending} disabled={page === ''}>
        Split into two papers
      </Button>
      {send.error && <p role="alert">{send.error.message}</p>}
    </form>
  )
}
