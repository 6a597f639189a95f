import { useEffect, useRef } from 'react'
import { scrollWithinContainer } from '../../lib/scroll-within-container.ts'
import type { HighlightSelection } from '../submissions/review/useHighlightSelection.ts'
import classes from './TranscribedLineRow.module.css'
import { confidenceText, type TranscribedLine } from './transcribed-lines.ts'

interface Props {
  line: TranscribedLine
  places: HighlightSelection
  choose: (group: string) => void
  /** The answer says itself how surely its one line was read. */
  only?: boolean
}

/** A line as it was read. Pressed, the paper shows where it stands; chosen on the paper, it comes into view here. */
export function TranscribedLineRow({ line, places, choose, only = false }: Props) {
  const { group, text, confidence, poor } = line
  const chosen = places.chosen === group
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
      data-poor={poor || undefined}
      data-pointed={places.pointed === group || undefined}
      ref={row}
      onClick={() => choose(group)}
      onPointerEnter={() => places.point(group)}
      onPointerLeave={() => places.point(null)}
    >
      <span className={classes.text}>{text}</span>
      {poor && !only && <span className={classes.sure}>{confidenceText(confidence)}</span>}
    </button>
  )
}
