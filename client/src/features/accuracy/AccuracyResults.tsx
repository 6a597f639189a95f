import type { AccuracyCheck, AccuracyResult, Agreement, Estimate } from '@assay/shared/accuracy-checks.ts'
import { applyBlindMarks, exportAccuracyCheck, SAMPLE_SIZES } from '@assay/shared/accuracy-checks.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { SecondaryButton, SubtleButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { useFileExport } from '../../components/files/useFileExport.ts'
import { TableHead } from '../../components/layout/DataTable.tsx'
import { Panel } from '../../components/layout/Page.tsx'
import { downloadFile, useAttempt, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatDateTime, formatPoints, plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import classes from './accuracy.module.css'
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
  const again = <SecondaryButton onClick={startAgain}>New check</SecondaryButton>
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
        <p className="dim">
          By {plural(result.marked, 'marked answer')} of {result.answers}, begun by {check.started_by} on{' '}
          {formatDateTime(check.started_at)}, compared with the suggestions as they are now.
          {result.left_out > 0 &&
            ` ${plural(result.left_out, 'mark')} left out: the question has changed, or there is no suggestion any more.`}
        </p>
        <div className={classes.buttons}>
          <UseMarks assignmentId={assignmentId} check={check} />
          {again}
          <SubtleButton
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={record.busy}
            onClick={() => void record.start()}
          >
            Save as JSON
          </SubtleButton>
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
  const { attempt, failure } = useAttempt('The marks were not used. Please try again.')
  const use = () =>
    attempt(async () => {
      const body = await apply.send({ params: { assignmentId }, body: { check_id: check.id } })
      const left = body.left_alone > 0 ? ` ${body.left_alone} had points already.` : ''
      toast.success(`${plural(body.decided, 'answer')} got the points of your marks.${left}`)
      await refresh(`/assignments/${assignmentId}`)
    })
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
            <TableHead columns={['Questions', ...COLUMNS]} />
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
        <p className={classes.kappa}>
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
            <span className="dim">all the same</span>
          )}
        </td>
      ))}
    </tr>
  )
}

const SIZE = 220
const MARGIN = 28
const at = (share: number) => MARGIN + share * (SIZE - 2 * MARGIN)

function MarksPlot({ pairs }: Pick<AccuracyResult, 'pairs'>) {
  const above = pairs.filter(({ suggested, marked }) => suggested > marked + 1e-9).length
  const below = pairs.filter(({ suggested, marked }) => suggested < marked - 1e-9).length
  return (
    <figure className={classes.plot}>
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={`Of ${pairs.length} marked answers, the suggestion is higher than your mark for ${above}, lower for ${below} and the same for ${pairs.length - above - below}.`}
      >
        <rect x={at(0)} y={at(0)} width={at(1) - at(0)} height={at(1) - at(0)} className={classes.frame} />
        <line x1={at(0)} y1={at(1)} x2={at(1)} y2={at(0)} className={classes.same} />
        {pairs.map(({ position, marked, suggested, of }) => (
          <circle key={position} cx={at(marked / of)} cy={at(1 - suggested / of)} r={5} className={classes.point} />
        ))}
        <text x={SIZE / 2} y={SIZE - 8} textAnchor="middle" className={classes.axis}>
          your mark
        </text>
        <text x={12} y={SIZE / 2} textAnchor="middle" transform={`rotate(-90 12 ${SIZE / 2})`} className={classes.axis}>
          suggested
        </text>
      </svg>
      <figcaption>
        <details>
          <summary>All marks</summary>
          <ul className={classes.pairs}>
            {pairs.map(({ position, number, marked, suggested, of }) => (
              <li key={position}>
                Question {number}: you {formatPoints(marked)}, suggested {formatPoints(suggested)} of {formatPoints(of)}
              </li>
            ))}
          </ul>
        </details>
      </figcaption>
    </figure>
  )
}

const percent = (share: number) => Math.round(Math.abs(share) * 100)
const between = (low: number, high: number) =>
  percent(low) === percent(high) ? `about ${percent(low)} %` : `${percent(low)} to ${percent(high)} %`

function biasSentence({ bias }: Agreement): string | null {
  if (!bias) return null
  if (bias.low > 0.005)
    return `The grader is too generous: on average it gives ${between(bias.low, bias.high)} of the points too much.`
  if (bias.high < -0.005)
    return `The grader is too strict: on average it gives ${between(bias.high, bias.low)} of the points too little.`
  return `The grader is neither too strict nor too generous as far as this sample tells: between ${percent(bias.low)} % of the points too little and ${percent(bias.high)} % too much on average.`
}

function changeSentence({ all, decided }: AccuracyResult, earlier: NonNullable<AccuracyResult['earlier']>): string {
  const { changed } = earlier
  const what = `${changed} of these suggestions ${changed === 1 ? 'has' : 'have'} changed since you marked.`
  if (decided > 0)
    return `${what} The grader may have learned from ${decided === 1 ? 'one of them that has points' : `the ${decided} of them that have points`}, so it may look better here than it is. Start a new check to be sure.`
  const then = earlier.all.mean_error
  return then && all.mean_error
    ? `${what} Then the grader was off by ${percent(then.value)} % on average, now it is by ${percent(all.mean_error.value)} %.`
    : what
}

/** Landis and Koch (1977). */
function kappaInWords(kappa: number): string {
  if (kappa > 0.8) return 'almost perfect'
  if (kappa > 0.6) return 'substantial'
  if (kappa > 0.4) return 'moderate'
  if (kappa > 0.2) return 'fair'
  return kappa >= 0 ? 'slight' : 'poor'
}

/** By the worse bound: a few marks that agree say little of the others. */
function advice({ all: { kappa, mean_error }, marked }: AccuracyResult): string {
  const isEnough = marked >= SAMPLE_SIZES.least
  if (isEnough && mean_error && mean_error.high <= 0.1)
    return 'The suggestions are close to what you would give. Look at the flagged papers and approve the others.'
  if (isEnough && kappa && kappa.low > 0.4)
    return 'The suggestions rank answers much as you do, but single ones may be off. Look at the papers below before you approve the others.'
  return 'Do not rely on the suggestions yet. Decide a few answers of each question first: the grader learns from them. Then the figures here follow.'
}

/** No bounds where all answers are marked, or all marks differ alike. */
function withBounds({ value, low, high }: Estimate, format: (number: number) => string, formatLow = format) {
  return { value: format(value), bounds: low === high ? null : `${formatLow(low)} to ${format(high)}` }
}

const formatShare = (estimate: Estimate) =>
  withBounds(
    estimate,
    (share) => `${percent(share)} %`,
    (share) => String(percent(share)),
  )

const signed = (share: number) => `${share > 0.005 ? '+' : share < -0.005 ? '−' : ''}${percent(share)} %`
const formatBias = (estimate: Estimate) => withBounds(estimate, signed)

const decimal = (number: number) => number.toFixed(2).replace('-', '−')
const formatKappa = (estimate: Estimate) => withBounds(estimate, decimal)
