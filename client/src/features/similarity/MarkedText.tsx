import classes from './similarity.module.css'

interface Props {
  text: string
  /** Of characters, in any order; none overlaps another. */
  ranges: [start: number, end: number][]
}

/** A text with some of its words marked, by more than their colour. */
export function MarkedText({ text, ranges }: Props) {
  const sorted = ranges.toSorted((a, b) => a[0] - b[0])
  let at = 0
  const parts = sorted.flatMap(([start, end]) => {
    const before = { start: at, words: text.slice(at, start), shared: false }
    at = end
    return [before, { start, words: text.slice(start, end), shared: true }]
  })
  return (
    <p className={classes.text}>
      {[...parts, { start: at, words: text.slice(at), shared: false }].map(({ start, words, shared }) =>
        shared ? <mark key={start}>{words}</mark> : <span key={`${start}-own`}>{words}</span>,
      )}
    </p>
  )
}
