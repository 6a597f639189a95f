import { type Run, type RunWait, retryRun, stopRun } from '@assay/shared/runs.ts'
import { useEffect, useState } from 'react'
import { SecondaryButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { useSend } from '../../lib/api/api-hooks.ts'
import { formatCount, formatDateTime, formatDollars, formatDuration, formatTimeLeft, plural } from '../../lib/format.ts'
import { toast, tryWithToast } from '../../lib/toast.ts'
import classes from './RunBar.module.css'

export function RunBar(props: {
  run: Run | null
  failure: string | null
  starting: boolean
  changed: (run: Run) => void
}) {
  const { run } = props
  return (
    <div className={classes.area}>
      {/* Always present, so that screen readers announce what is added. */}
      <div role="status">
        {props.failure && !props.starting && (
          <Notice tone="warn" title="Grading stopped">
            {props.failure}
          </Notice>
        )}
        {props.starting && !run && <Notice>Starting processing...</Notice>}
        {run && (
          <span className="visually-hidden">
            {run.waiting ? `Waiting for the AI model. ${run.waiting.reason}` : `Grading ${plural(run.total, 'paper')}`}
          </span>
        )}
      </div>
      {run && <RunProgress run={run} changed={props.changed} />}
    </div>
  )
}

function RunProgress({ run, changed }: { run: Run; changed: (run: Run) => void }) {
  const stop = useSend(stopRun)
  const done = run.graded + run.failed + run.stopped
  const words = progressText(run, done, useSecondsLeft(run))
  const end = () =>
    tryWithToast('Grading could not be stopped.', async () => {
      changed(await stop.send({ params: { assignmentId: run.assignment_id, runId: run.id } }))
      toast.info('Grading stopped. Existing grades are kept.')
    })
  return (
    <section className={classes.root} aria-label="Grading">
      <div className={classes.row}>
        <span className={classes.words}>{words}</span>
        <RunCost run={run} />
        {run.failed > 0 && <span className={classes.failed}>{run.failed} failed</span>}
        <SecondaryButton size="xs" loading={stop.sending} onClick={() => void end()} className={classes.stop}>
          Stop
        </SecondaryButton>
      </div>
      <div
        className={classes.track}
        role="progressbar"
        aria-label="Papers graded"
        aria-valuemin={0}
        aria-valuemax={run.total}
        aria-valuenow={done}
        aria-valuetext={words}
        tabIndex={-1}
      >
        <div className={classes.read} style={{ width: `${(100 * run.read) / Math.max(1, run.total)}%` }} />
        <div className={classes.done} style={{ width: `${(100 * done) / Math.max(1, run.total)}%` }} />
      </div>
      {run.suggesting && (
        <div className={classes.cost}>
          Still reading {plural(run.total - run.read - run.failed, 'paper')}. Scores shown now may change when all have
          been read.
        </div>
      )}
      {run.waiting && <WaitingForLlmNotice run={run} waiting={run.waiting} changed={changed} />}
    </section>
  )
}

/** Counted down from the last report; null where it is unknown, as while a run waits. */
function useSecondsLeft(run: Run): number | null {
  const [reported, setReported] = useState({ run, at: Date.now() })
  const now = useNow()
  if (reported.run !== run) setReported({ run, at: Date.now() })
  if (run.seconds_left === null || run.waiting) return null
  return run.seconds_left - Math.max(0, now - reported.at) / 1000
}

/** A paper may take far longer than those before it: then nobody knows how long. */
const LATE_SECONDS = -3

function progressText(run: Run, done: number, seconds: number | null): string {
  const late = seconds !== null && seconds < LATE_SECONDS
  const left = seconds === null ? '' : late ? ', longer than expected' : `, ${formatTimeLeft(seconds)}`
  if (run.status === 'preparing') return 'Reading the blank assignment and the answer key'
  if (run.status === 'reading' && done === 0) return `Reading papers: ${run.read} of ${run.total}${left}`
  return `${done} of ${run.total}${left}`
}

function RunCost({ run: { graders, cost } }: { run: Run }) {
  const names = graders.join(', then ')
  const models = graders.some((name) => name !== 'offline') ? [`by ${names}`] : []
  const words = [...models, ...(cost ? [costText(cost)] : [])]
  return words.length > 0 && <span className={classes.cost}>{words.join(' · ')}</span>
}

function costText({ dollars, input_tokens, output_tokens, estimated }: NonNullable<Run['cost']>): string {
  if (dollars === null) return `${formatCount(input_tokens + output_tokens)} tokens so far`
  // Abandoned requests count with the most that may be charged.
  return `${estimated > 0 ? 'at most ' : ''}${formatDollars(dollars)} so far`
}

function WaitingForLlmNotice({ run, waiting, changed }: { run: Run; waiting: RunWait; changed: (run: Run) => void }) {
  const tryNow = useSend(retryRun)
  const now = useNow()
  const [pressedAt, setPressedAt] = useState<number | null>(null)
  const trying = pressedAt === waiting.tries

  async function again() {
    setPressedAt(waiting.tries)
    const hasAsked = await tryWithToast('Could not retry now. Please try again.', async () =>
      changed(await tryNow.send({ params: { assignmentId: run.assignment_id, runId: run.id } })),
    )
    if (!hasAsked) setPressedAt(null)
  }
  return (
    <div className={classes.waiting}>
      <Notice
        tone="warn"
        title={waiting.needs_settings ? 'Grading paused: change the settings to continue' : 'Waiting for the AI model'}
        actions={
          <SecondaryButton size="xs" loading={tryNow.sending || trying} onClick={() => void again()}>
            Try now
          </SecondaryButton>
        }
      >
        {waiting.reason}
        <p className={classes.when}>
          {/* The button's result is announced, the seconds are not. */}
          <span role="status">
            {trying && 'Contacting the AI model…'}
            {!trying && pressedAt !== null && 'Retried just now; it still fails. '}
          </span>
          {!trying && nextTryText(waiting.retry_at, now)} {waitingTimeText(waiting.since, now)}
        </p>
      </Notice>
    </div>
  )
}

function nextTryText(retryAt: string, now: number): string {
  const seconds = Math.ceil((Date.parse(retryAt) - now) / 1000)
  if (seconds <= 0) return 'Contacting the AI model…'
  if (seconds < 100) return `Next try in ${seconds} s.`
  if (seconds < 5400) return `Next try in ${Math.round(seconds / 60)} min.`
  return `Next try ${formatDateTime(retryAt)}.`
}

function waitingTimeText(since: string, now: number): string {
  const seconds = (now - Date.parse(since)) / 1000
  return seconds < 60 ? '' : `Waiting for ${formatDuration(seconds)}.`
}

/** In ms since 1970, each second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
