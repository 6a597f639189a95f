import {
  type AccuracyCheck,
  type AccuracyResult,
  type Agreement,
  applyBlindMarks,
  exportAccuracyCheck,
} from '@assay/shared/accuracy-checks.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { useFileExport } from '../../components/files/useFileExport.ts'
import { Panel } from '../../components/layout/Panel.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { downloadFile, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatDateTime, plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import classes from './accuracy.module.css'
import {
  advice,
  biasSentence,
  changeSentence,
  formatBias,
  formatKappa,
  formatShare,
  kappaInWords,
} from './accuracy-messages.ts'
import { MarksPlot } from './MarksPlot.tsx'
import { ReviewListPanel } from './ReviewListPanel.tsx'

interface Props {
  assignmentId: number
  check: AccuracyCheck
  startAgain: () => void
}

export function AccuracyResults({ assignmentId, check, startAgain }: Props) {
  const { result } = check
  const record = useFileExport(
    () => downloadFile(exportAccuracyCheck, { params: { assignmentId } }, `assignment_${assignmentId}_accuracy.json`),
    'The check could not be saved. Please try again.',
  )
  const again = (
    <Button variant="default" onClick={startAgain}>
      New check
    </Button>
  )
  if (!result)
    return (
      <Notice title="There is nothing to compare" actions={again}>
        Every answer of the sample was skipped, or has no suggestion any more.
      </Notice>
    )
  return (
    <>
      <section className={classes.summary} aria-label="Summary">
        <p className={classes.sentence}>{biasSentence(result.all)}</p>
        <p>{advice(result)}</p>
        {result.earlier && <p>{changeSentence(result, result.earlier)}</p>}
        <p className={classes.dim}>
          By {plural(result.marked, 'marked answer')} of {result.answers}, begun by {check.started_by} on{' '}
          {formatDateTime(check.started_at)}, compared with the suggestions as they are now.
          {result.left_out > 0 &&
            ` ${plural(result.left_out, 'mark')} left out: the question has changed, or there is no suggestion any more.`}
        </p>
        <div className={classes.buttons}>
          <UseMarks assignmentId={assignmentId} check={check} />
          {again}
          <Button
            variant="subtle"
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={record.busy}
            onClick={() => void record.start()}
          >
            Save as JSON
          </Button>
        </div>
      </section>
      <Figures result={result} />
      <ReviewListPanel assignmentId={assignmentId} checkId={check.id} />
    </>
  )
}

function UseMarks({ assignmentId, check }: Omit<Props, 'startAgain'>) {
  const apply = useSend(applyBlindMarks)
  const refresh = useRevalidate()
  const [failure, setFailure] = useState<string | null>(null)

  async function use() {
    setFailure(null)
    try {
      const body = await apply.send({ params: { assignmentId }, body: { check_id: check.id } })
      const left = body.left_alone > 0 ? ` ${body.left_alone} had points already.` : ''
      toast.success(`${plural(body.decided, 'answer')} got the points of your marks.${left}`)
      await refresh(`/assignments/${assignmentId}`)
    } catch (error) {
      setFailure(messageOf(error, 'The marks were not used. Please try again.'))
    }
  }

  return (
    <>
      <Button loading={apply.sending} onClick={() => void use()}>
        Use the marks as points
      </Button>
      {failure && <Notice tone="bad">{failure}</Notice>}
    </>
  )
}

const COLUMNS = ['Weighted kappa', 'At most a point off', 'Off on average', 'Too much or too little'] as const

function Figures({ result }: { result: AccuracyResult }) {
  return (
    <Panel title="How the grader and you agree">
      <div className={classes.figures}>
        <MarksPlot pairs={result.pairs} />
        <div className={classes.table}>
          <table className={classes.grid}>
            <caption className={classes.caption}>
              {result.marked < result.answers
                ? 'Of the marked answers; in brackets, 90 % bounds for all answers.'
                : 'All answers are marked, so these are exact.'}
            </caption>
            <thead>
              <tr>
                <th scope="col">Questions</th>
                {COLUMNS.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <Row name="All questions" agreement={result.all} />
              {result.questions.map(({ question_id, number, agreement, marked }) => (
                <Row key={question_id} name={`Question ${number}, ${marked} marked`} agreement={agreement} />
              ))}
            </tbody>
          </table>
        </div>
      </div>
      {result.all.kappa && (
        <p className={classes.dim}>
          A quadratic weighted kappa of 1 is one and the same person, 0 is chance. This one is{' '}
          {kappaInWords(result.all.kappa.value)}.
        </p>
      )}
    </Panel>
  )
}

function Row({ name, agreement }: { name: string; agreement: Agreement }) {
  const { kappa, within_one_level, mean_error, bias } = agreement
  const figures = [
    kappa && formatKappa(kappa),
    within_one_level && formatShare(within_one_level),
    mean_error && formatShare(mean_error),
    bias && formatBias(bias),
  ]
  return (
    <tr>
      <th scope="row">{name}</th>
      {COLUMNS.map((column, i) => (
        <td key={column} data-label={column}>
          {figures[i] ? (
            <span>
              {figures[i].value} {figures[i].bounds && <span className={classes.bounds}>({figures[i].bounds})</span>}
            </span>
          ) : (
            <span className={classes.dim}>all the same</span>
          )}
        </td>
      ))}
    </tr>
  )
}
