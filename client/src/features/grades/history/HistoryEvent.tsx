import type { GradeHistory, SuggestionTold } from '@assay/shared/grade-history.ts'
import { AiMark, TeacherMark } from '../../../components/SaidBy.tsx'
import { formatMoment, formatPercent } from '../../../lib/format.ts'
import { formatPoints } from '../grade-words.ts'
import { deedTold } from './deed-words.ts'
import classes from './GradeHistory.module.css'
import type { HistoryEventTold } from './history-events.ts'
import { askedInVain } from './history-words.ts'
import { ModelCalls } from './ModelCalls.tsx'

export function HistoryEvent({ event, history }: { event: HistoryEventTold; history: GradeHistory }) {
  return (
    <li className={classes.event}>
      <span className={classes.mark}>{event.kind === 'deed' ? <TeacherMark /> : <AiMark />}</span>
      <div className={classes.words}>
        <time className={classes.when} dateTime={event.at}>
          {formatMoment(event.at)}
        </time>
        <What event={event} history={history} />
      </div>
    </li>
  )
}

function What({ event, history }: { event: HistoryEventTold; history: GradeHistory }) {
  if (event.kind === 'deed') {
    const { first, more, quote } = deedTold(event.entry, history)
    return (
      <>
        <strong>{first}</strong>
        {more.map((sentence) => (
          <span key={sentence}>{sentence}</span>
        ))}
        {quote && <blockquote className={classes.quote}>{quote}</blockquote>}
      </>
    )
  }
  if (event.kind === 'asked')
    return (
      <>
        <strong>{askedInVain(event.calls)}</strong>
        <ModelCalls calls={event.calls} />
      </>
    )
  return (
    <>
      <Suggestion suggestion={event.suggestion} again={event.again} final={history.final_score} />
      <ModelCalls calls={event.calls} />
    </>
  )
}

interface Suggested {
  suggestion: SuggestionTold
  again: boolean
  /** The score that counts. */
  final: number | null
}

function Suggestion({ suggestion, again, final }: Suggested) {
  const { grader, overall_score, stands, rubric_version, run_id, class_key, inputs, reasons, criteria } =
    suggestion
  const given = criteria.some(({ teacher_score }) => teacher_score !== undefined)
  return (
    <>
      <strong>
        {again && 'Graded again: '}
        {grader.name === 'offline' ? `${again ? 'the' : 'The'} built-in grader` : grader.name} suggested{' '}
        {formatPercent(overall_score)}
        {stands && standing(overall_score, final)}
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
          <caption>{given ? 'Points suggested, and what the teacher gave' : 'Points suggested'}</caption>
          <thead>
            <tr>
              <th scope="col">Criterion</th>
              <th scope="col">AI</th>
              <th scope="col">Sure</th>
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
function standing(suggested: number, final: number | null): string {
  const overruled = final !== null && formatPercent(final) !== formatPercent(suggested)
  return overruled ? ' (the teacher’s grade stands)' : ' (stands now)'
}
