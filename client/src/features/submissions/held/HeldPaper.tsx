import type { PaperProblemCode } from '@assay/shared/paper-problems.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { gradeAnyway, type Submission } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { ApiError, messageOf } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { toast } from '../../../lib/toast.ts'
import { ChooseStudent } from './ChooseStudent.tsx'
import classes from './HeldPaper.module.css'
import { SplitPaper } from './SplitPaper.tsx'

interface Props {
  submission: Submission
  reload: () => Promise<unknown>
}

/** What is settled by saying whose the paper is. */
const ownerProblems: ReadonlySet<PaperProblemCode> = new Set<PaperProblemCode>(['two_students', 'other_name'])

/** What seems wrong with a paper that is not graded until a teacher has decided, and the decision. */
export function HeldPaper({ submission, reload }: Props) {
  const { assignment_id: assignmentId, id, problems = [], names_hidden } = submission
  const decide = useSend(gradeAnyway)
  const process = useSend(processAssignment)
  const isOwnerInDoubt = !submission.student || problems.some(({ code }) => ownerProblems.has(code))
  const isTwoPapers = problems.some(({ code }) => code === 'two_students')
  const others = problems.flatMap(({ other_submission_id }) => other_submission_id ?? [])

  async function grade() {
    try {
      await decide.send({ params: { assignmentId, submissionId: id } })
    } catch {
      // Shown below.
      return
    }
    await start()
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
          <Button
            key={other}
            component={Link}
            to={`/assignments/${assignmentId}/submissions/${other}`}
            variant="default"
          >
            Open #{other}
          </Button>
        ))}
      </div>
      {decide.error && <p role="alert">{decide.error.message}</p>}
    </Notice>
  )
}
