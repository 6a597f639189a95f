import type { GradeHistory, SuggestionEntry } from '@assay/shared/grade-history.ts'
import { AiIcon, TeacherIcon } from '../../../components/display/Attribution.tsx'
import { formatDateTime, formatPercent, formatPoints } from '../../../lib/format.ts'
import { describeAuditEvent } from './audit-event-messages.ts'
import classes from './GradeHistory.module.css'
import type { HistoryEventData } from './history-events.ts'
import { LlmCalls } from './LlmCalls.tsx'
import { unusedCallsText } from './llm-call-messages.ts'

export function HistoryEvent({ event, history }: { event: HistoryEventData; history: GradeHistory }) {
  return (
    <li className={classes.event}>
      <span className={classes.mark}>{isByPerson(event) ? <TeacherIcon /> : <AiIcon />}</span>
      <div className={classes.words}>
        <time className={classes.when} dateTime={event.at}>
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
      <Suggestion suggestion={event.suggestion} again={event.again} final={history.final_score} />
      <LlmCalls calls={event.calls} />
    </>
  )
}

interface SuggestionProps {
  suggestion: SuggestionEntry
  again: boolean
  /** The score that counts. */
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
          <thead>
            <tr>
              <th scope="col">Criterion</th>
              <th scope="col">AI</th>
              <th scope="col">Confidence</th>
              {given && <th scope="col">Teacher</th>}
            </tr>
          </thead>
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

/** The newest suggestion is not what counts where the teacher decided otherwise, before it or after. */
function currentGradeNote(suggested: number | null, final: number | null): string {
  const overruled = final !== null && (suggested === null || formatPercent(final) !== formatPercent(suggested))
  return overruled ? ' (the teacher’s score counts)' : ' (current)'
}
