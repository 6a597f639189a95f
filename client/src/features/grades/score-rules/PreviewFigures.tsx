import type { Assignment } from '@assay/shared/assignments.ts'
import { describeAdjustment } from '@assay/shared/rules/adjust-score.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { type DatesToPreview, previewDates, type ScoreRulesPreview } from '@assay/shared/score-rules.ts'
import { VisuallyHidden } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import { TableHead } from '../../../components/layout/DataTable.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { formatPercent, plural } from '../../../lib/format.ts'
import classes from './PreviewFigures.module.css'

interface Props {
  preview: ScoreRulesPreview
  assignment: Pick<Assignment, 'status' | 'lms_names'>
  /** Takes the focus as it appears, scrolled to there. */
  focused?: ScrollLogicalPosition
}

export function PreviewFigures({ preview, assignment, focused }: Props) {
  const { papers, mean_before, mean_after } = preview
  const heading = useId()
  const root = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new preview takes it
  useEffect(() => {
    if (!focused) return
    root.current?.focus({ preventScroll: true })
    root.current?.scrollIntoView?.({ block: focused })
  }, [preview, focused])
  return (
    <section className={classes.root} aria-labelledby={heading} ref={root} tabIndex={-1}>
      <h3 id={heading} className={classes.heading}>
        Preview
      </h3>
      <ul className={classes.facts}>
        {papers === 0 ? (
          <li>No paper is completely graded yet. The rules apply to papers as they are graded.</li>
        ) : (
          factsOf(preview).map((fact) => <li key={fact}>{fact}</li>)
        )}
        {mean_before !== null && mean_after !== null && (
          <li>
            Mean {formatPercent(mean_before)} → <strong>{formatPercent(mean_after)}</strong>
          </li>
        )}
        <li>{releasedText(preview, assignment)}</li>
      </ul>
      {papers > 0 && <Histogram preview={preview} />}
    </section>
  )
}

function factsOf({ adjustment, papers, changed, penalized, limited }: ScoreRulesPreview): string[] {
  return [
    ...(adjustment ? [`All scores: ${describeAdjustment(adjustment)}`] : []),
    `${changed} of ${plural(papers, 'paper')} ${changed === 1 ? 'changes' : 'change'}`,
    ...(penalized > 0
      ? [`${plural(penalized, 'paper')} ${penalized === 1 ? 'loses' : 'lose'} points for being late`]
      : []),
    ...(limited > 0 ? [`${plural(limited, 'paper')} ${limited === 1 ? 'stops' : 'stop'} at 100 % or 0 %`] : []),
  ]
}

function releasedText(
  { released, released_changed: count }: ScoreRulesPreview,
  { status, lms_names = [] }: Props['assignment'],
): string {
  if (status !== 'published' || released === 0)
    return 'No scores are released yet, so students see nothing of this now.'
  if (count === 0) return `None of the ${plural(released, 'released score')} changes`
  const lms = lms_names.length > 0 ? `; the new scores are sent to ${listOf(lms_names)}` : ''
  return `${count} of ${plural(released, 'released score')} ${count === 1 ? 'changes' : 'change'}. Their students see it at once and are told by mail${lms}.`
}

const tenthLabel = (tenth: number) => (tenth === 9 ? '90–100' : `${tenth * 10}–${tenth * 10 + 9}`)

function Histogram({ preview: { before, after } }: { preview: ScoreRulesPreview }) {
  const most = Math.max(1, ...before, ...after)
  const height = (count: number) => ({ height: `${(count / most) * 100}%` })
  return (
    <figure className="plain">
      <div className={classes.bars} aria-hidden>
        {before.map((count, tenth) => (
          <div key={tenthLabel(tenth)} className={classes.tenth}>
            <span className={classes.pair}>
              <span className={classes.before} style={height(count)} />
              <span className={classes.after} style={height(after[tenth] ?? 0)} />
            </span>
            <span className={classes.label}>{tenth * 10}</span>
          </div>
        ))}
      </div>
      <figcaption className={classes.legend} aria-hidden>
        <span className={classes.keyBefore}>Now</span>
        <span className={classes.keyAfter}>After</span>
        <span>Papers by score in percent</span>
      </figcaption>
      <VisuallyHidden>
        <table>
          <caption>Papers by score in percent</caption>
          <TableHead columns={['Score', 'Now', 'After']} />
          <tbody>
            {before.map((count, tenth) => (
              <tr key={tenthLabel(tenth)}>
                <th scope="row">{tenthLabel(tenth)}</th>
                <td>{count}</td>
                <td>{after[tenth]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  )
}

/** Shows which released scores other dates would change. @param dates without a field: none were changed */
export function useDatesPreview({ id, status }: Pick<Assignment, 'id' | 'status'>, dates: DatesToPreview) {
  const ask = useSend(previewDates)
  const [shown, setShown] = useState<{ of: string; preview: ScoreRulesPreview } | null>(null)
  const key = JSON.stringify(dates)
  const preview = shown?.of === key ? shown.preview : null

  /** False where the dates change released scores that were not shown yet; shows them. */
  async function mayBeSaved() {
    if (preview || status !== 'published' || Object.keys(dates).length === 0) return true
    const found = await ask.send({ params: { assignmentId: id }, body: dates })
    if (found.released_changed === 0) return true
    setShown({ of: key, preview: found })
    return false
  }

  return { preview, mayBeSaved }
}
