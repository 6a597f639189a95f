import { useEffect, useRef } from 'react'
import { scrollWithinContainer } from '../../lib/scroll-within-container.ts'
import type { HighlightSelection } from '../submissions/review/useHighlightSelection.ts'
import classes from './TranscribedLineRow.module.css'
import { confidenceText, type TranscribedLine } from './transcribed-lines.ts'

interface Props {
  line: TranscribedLine
  highlightSelection: HighlightSelection
  select: (group: string) => void
  /** The answer says itself how surely its one line was read. */
  isOnlyLine?: boolean
}

/** A line as it was read. Pressed, the paper shows where it is; chosen on the paper, it comes into view here. */
export function TranscribedLineRow({ line, highlightSelection, select, isOnlyLine = false }: Props) {
  const { group, text, confidence, lowConfidence } = line
  const chosen = highlightSelection.selected === group
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Chosen on the paper, it may be far down the list.
    if (chosen && row.current) scrollWithinContainer(row.current)
  }, [chosen])
  return (
    <button
      type="button"
      className={classes.root}
      aria-pressed={chosen}
      data-poor={lowConfidence || undefined}
      data-pointed={highlightSelection.hovered === group || undefined}
      ref={row}
      onClick={() => select(group)}
      onPointerEnter={() => highlightSelection.hover(group)}
      onPointerLeave={() => highlightSelection.hover(null)}
    >
      <span className={classes.text}>{text}</span>
      {lowConfidence && !isOnlyLine && <span className={classes.sure}>{confidenceText(confidence)}</span>}
    </button>
  )
}
