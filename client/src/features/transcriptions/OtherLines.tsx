import type { Transcription } from '@assay/shared/transcriptions.ts'
import type { HighlightSelection } from '../submissions/review/useHighlightSelection.ts'
import classes from './OtherLines.module.css'
import { TranscribedLineRow } from './TranscribedLineRow.tsx'
import { otherLines } from './transcribed-lines.ts'

interface Props {
  transcription: Transcription
  highlightSelection: HighlightSelection
  select: (group: string) => void
}

/** What is on the pages beside the answers: print, names, and what may belong to an answer after all. */
export function OtherLines({ transcription, highlightSelection, select }: Props) {
  const lines = otherLines(transcription)
  if (lines.length === 0) return null
  const pages = [...Map.groupBy(lines, ({ page }) => page)]
  // Chosen on the paper, a line must be there to be seen.
  const open = lines.some(({ group }) => group === highlightSelection.selected)
  return (
    <details className={classes.root} open={open || undefined}>
      <summary>Other lines on the page ({lines.length})</summary>
      {pages.map(([page, own]) => (
        <div key={page}>
          {pages.length > 1 && <h3 className={classes.page}>Page {page}</h3>}
          {own.map((line) => (
            <TranscribedLineRow key={line.group} line={line} highlightSelection={highlightSelection} select={select} />
          ))}
        </div>
      ))}
    </details>
  )
}
