import type { SplitWay } from '@assay/shared/class-scans.ts'
import { NumberInput, Radio } from '@mantine/core'
import classes from './class-scans.module.css'

const labels = {
  automatic: 'Let Assay find where each paper begins',
  blank: 'Compare with the blank assignment; pages may be missing, turned or mixed up',
  separators: 'A separator sheet lies before each paper',
  page_count: 'One pile per student, same number of pages',
  empty_pages: 'An empty sheet lies between the papers',
} as const

interface Props<Way extends SplitWay | 'automatic'> {
  ways: readonly Way[]
  by: Way
  setBy: (by: Way) => void
  /** Pages in a paper, where it is split every so many. */
  count: number | ''
  setCount: (count: number | '') => void
}

export function SplitChoice<Way extends SplitWay | 'automatic'>({ ways, by, setBy, count, setCount }: Props<Way>) {
  return (
    <Radio.Group label="Split into papers" value={by} onChange={(value) => setBy(value as Way)}>
      <div className={classes.ways}>
        {ways.map((way) => (
          <Radio key={way} value={way} label={labels[way]} />
        ))}
        {by === 'page_count' && (
          <NumberInput
            label="Pages in a paper"
            min={1}
            max={200}
            value={count}
            onChange={(value) => setCount(typeof value === 'number' ? value : '')}
            w={140}
          />
        )}
      </div>
    </Radio.Group>
  )
}
