import {
  type GradeHistory,
  getGradeHistory,
  type LlmCallEntry,
  type SuggestionEntry,
} from '@assay/shared/grade-history.ts'
import { pointsInWords } from '@assay/shared/rules/points.ts'
import { IconDownload } from '@tabler/icons-react'
import { AiIcon, TeacherIcon } from '../../../components/display/Attribution.tsx'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { TableHead } from '../../../components/layout/DataTable.tsx'
import { LoadError, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { saveBlob } from '../../../lib/files/save-blob.ts'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDollars,
  formatPercent,
  formatPoints,
} from '../../../lib/format.ts'
import { describeAuditEvent } from './audit-event-messages.ts'
import classes from './GradeHistoryView.module.css'
import { type HistoryEventData, historyEventsOf, llmCallText, llmCostText, unusedCallsText } from './history-events.ts'

export function GradeHistoryView({ ids }: { ids: { assignmentId: number; submissionId: number } }) {
  const history = useGet(getGradeHistory, ids)
  if (history.data) return <LoadedHistory history={history.data} />
  if (history.error)
    return <LoadError error={history.error} retry={history.reload} title="Failed to Load the History" />
  return <RowSkeletons count={4} label="Loading the history" />
}

function LoadedHistory({ history }: { history: GradeHistory }) {
  const { paper, submission_id, calls, final_score_after_review: score, points } = history
  const events = historyEventsOf(history)
  return (
    <div className="wide-stack">
      <p className={classes.about}>
        {paper.file_name}, handed in {formatDateTime(paper.handed_in_at)}.{' '}
        {score === null ? (
          'It has no grade yet. '
        ) : (
          <>
            The grade is <strong>{formatPercent(score)}</strong>
            {points && ` (${pointsInWords(points)})`} now.{' '}
          </>
        )}
        {calls.length > 0 ? llmCostText(history.cost) : 'No AI model was used. This paper never left the server.'}
      </p>
      {events.length > 0 && (
        <ol className={classes.events}>
          {events.map((event) => (
            <HistoryEvent key={event.key} event={event} history={history} />
          ))}
        </ol>
      )}
      <SecondaryButton
        leftSection={<IconDownload size={18} aria-hidden />}
        className={classes.save}
        onClick={() =>
          saveBlob(
            new Blob([JSON.stringify(history, null, 2)], { type: 'application/json' }),
            `submission_${submission_id}_history.json`,
          )
        }
      >
        Save as JSON
      </SecondaryButton>
    </div>
  )
}

function HistoryEvent({ event, history }: { event: HistoryEventData; history: GradeHistory }) {
  return (
    <li className={classes.event}>
      <span className={classes.mark}>{isByPerson(event) ? <TeacherIcon /> : <AiIcon />}</span>
      <div className={classes.words}>
        <time className="hint" dateTime={event.at}>
          {formatDateTime(event.at)}
        </time>
        <EventBody event={event} history={history} />
      </div>
    </li>
  )
}

const isByPerson = (event: HistoryEventData) => event.kind === 'audit' && event.entry.actor.role !== 'system'

function EventBody({ event, history }: { event: HistoryEventData; history: GradeHistory }) {
  if (event.kind === 'audit') {
    const { headline, details, quote } = describeAuditEvent(event.entry, history)
    return (
      <>
        <strong>{headline}</strong>
        {details.map((sentence) => (
          <span key={sentence}>{sentence}</span>
        ))}
        {quote && <blockquote className={classes.quote}>{quote}</blockquote>}
      </>
    )
  }
  if (event.kind === 'asked')
    return (
      <>
        <strong>{unusedCallsText(event.calls)}</strong>
        <LlmCalls calls={event.calls} />
      </>
    )
  return (
    <>
      <Suggestion suggestion={event.suggestion} again={event.again} final={history.final_score_after_review} />
      <LlmCalls calls={event.calls} />
    </>
  )
}

interface SuggestionProps {
  suggestion: SuggestionEntry
  again: boolean
  final: number | null
}

function Suggestion({ suggestion, again, final }: SuggestionProps) {
  const { grader, overall_score, current, rubric_version, run_id, class_key, inputs, reasons, criteria } = suggestion
  const given = criteria.some(({ teacher_score }) => teacher_score !== undefined)
  return (
    <>
      <strong>
        {again && 'Graded again: '}
        {grader.name === 'offline' ? `${again ? 'the' : 'The'} built-in grader` : grader.name} suggested{' '}
        {overall_score === null ? 'no score' : formatPercent(overall_score)}
        {current && currentGradeNote(overall_score, final)}
      </strong>
      {reasons.map((reason) => (
        <span key={reason}>{reason}</span>
      ))}
      <details className={classes.more}>
        <summary>Technical details</summary>
        <dl className={classes.facts}>
          <dt>Grader</dt>
          <dd>
            {grader.name}, version {grader.version}
          </dd>
          <dt>Rubric</dt>
          <dd>version {rubric_version}</dd>
          <dt>Run</dt>
          <dd>
            {run_id}, class <code>{class_key}</code>
          </dd>
          {Object.entries(inputs ?? {}).map(([what, hash]) => (
            <div key={what}>
              <dt>SHA-256 of the {what}</dt>
              <dd>
                <code>{hash}</code>
              </dd>
            </div>
          ))}
        </dl>
        <table className={classes.points}>
          <caption>{given ? 'Points suggested, and what the teacher gave' : 'Points suggested'}</caption>
          <TableHead columns={['Criterion', 'AI', 'Confidence', ...(given ? ['Teacher'] : [])]} />
          <tbody>
            {criteria.map((one) => (
              <tr key={one.criterion_id}>
                <th scope="row">{one.criterion_text}</th>
                <td>
                  {formatPoints(one.score)} / {formatPoints(one.max_score)}
                </td>
                <td>{Math.round(one.confidence * 100)} %</td>
                {given && <td>{one.teacher_score === undefined ? '–' : formatPoints(one.teacher_score)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

/** The newest suggestion does not count where the teacher decided otherwise. */
function currentGradeNote(suggested: number | null, final: number | null): string {
  const overruled = final !== null && (suggested === null || formatPercent(final) !== formatPercent(suggested))
  return overruled ? ' (the teacher’s score counts)' : ' (current)'
}

function LlmCalls({ calls }: { calls: LlmCallEntry[] }) {
  return calls.map((call) => (
    <details key={call.id} className={classes.more}>
      <summary>{llmCallText(call)}</summary>
      <dl className={classes.facts}>
        <dt>Model</dt>
        <dd>
          {call.provider}/{call.model}, prompt version {call.prompt_version}
        </dd>
        <dt>Tokens</dt>
        <dd>
          {formatCount(call.input_tokens)} in, {formatCount(call.output_tokens)} out
          {call.dollars !== null && `, ${formatDollars(call.dollars)}`}
        </dd>
        {withKeys(call.inputs).map(({ key, kind, sha256, bytes }) => (
          <div key={key}>
            <dt>
              SHA-256 of {kind === 'picture' ? 'an image' : `the ${kind}`} ({formatBytes(bytes)})
            </dt>
            <dd>
              <code>{sha256}</code>
            </dd>
          </div>
        ))}
      </dl>
      {call.raw !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className={classes.raw} tabIndex={0} aria-label="The answer as the AI model wrote it">
          <pre>{call.raw}</pre>
        </section>
      )}
    </details>
  ))
}

function withKeys(inputs: LlmCallEntry['inputs']) {
  const seen = new Map<string, number>()
  return inputs.map((input) => {
    const times = (seen.get(input.sha256) ?? 0) + 1
    seen.set(input.sha256, times)
    return { ...input, key: `${input.sha256} ${times}` }
  })
}
