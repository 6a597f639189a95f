import type { SuggestionTold } from '@assay/shared/grade-history.ts'
import { AiMark, TeacherMark } from '../../../components/SaidBy.tsx'
import { formatMoment, formatPercent } from '../../../lib/format.ts'
import { changesOf, deedOf } from '../../admin/audit/audit-words.ts'
import { formatPoints } from '../grade-words.ts'
import classes from './GradeHistory.module.css'
import type { HistoryEventTold } from './history-events.ts'
import { ModelCalls } from './ModelCalls.tsx'

export function HistoryEvent({ event }: { event: HistoryEventTold }) {
  return (
    <li className={classes.event}>
      <span className={classes.mark}>{event.kind === 'deed' ? <TeacherMark /> : <AiMark />}</span>
      <div className={classes.words}>
        <time className={classes.when} dateTime={event.at}>
          {formatMoment(event.at)}
        </time>
        <What event={event} />
      </div>
    </li>
  )
}

function What({ event }: { event: HistoryEventTold }) {
  if (event.kind === 'deed') {
    const { entry } = event
    const who = entry.actor.full_name ?? entry.actor.username ?? `User ${entry.actor.id}`
    return (
      <>
        <strong>
          {deedOf(entry.action)} by {who}
        </strong>
        {changesOf(entry).map((change) => (
          <span key={change.field}>
            <span className={classes.field}>{change.field}</span> {change.from} → {change.to}
          </span>
        ))}
      </>
    )
  }
  if (event.kind === 'asked') return <ModelCalls calls={event.calls} />
  return (
    <>
      <Suggestion suggestion={event.suggestion} />
      <ModelCalls calls={event.calls} />
    </>
  )
}

function Suggestion({ suggestion }: { suggestion: SuggestionTold }) {
  const { grader, overall_score, stands, rubric_version, run_id, class_key, inputs, reasons, criteria } =
    suggestion
  return (
    <>
      <strong>
        {grader.name === 'offline' ? 'The built-in grader' : grader.name} suggested{' '}
        {formatPercent(overall_score)}
        {stands ? ' (stands now)' : ''}
      </strong>
      {reasons.map((reason) => (
        <span key={reason}>{reason}</span>
      ))}
      <details className={classes.more}>
        <summary>What it was made from</summary>
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
          <caption>Points suggested</caption>
          <tbody>
            {criteria.map((one) => (
              <tr key={one.criterion_id}>
                <th scope="row">{one.criterion_text}</th>
                <td>
                  {formatPoints(one.score)} / {formatPoints(one.max_score)}
                </td>
                <td>{Math.round(one.confidence * 100)} % sure</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
