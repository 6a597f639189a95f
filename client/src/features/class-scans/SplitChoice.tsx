import type { SplitWay } from '@assay/shared/class-scans.ts'
import { NumberInput, Radio } from '@mantine/core'
import classes from './class-scans.module.css'

const labels = {
  automatic: 'Automatically (by printed codes, separator sheets or the pages of the blank)',
  blank: 'By printed codes or the pages of the blank (missing, turned and mixed-up pages are noticed)',
  separators: 'At separator sheets',
  page_count: 'Every so many pages',
  empty_pages: 'At empty sheets between the papers',
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
