import { type ClassScan, type SplitWay, splitClassScan, splitWays } from '@assay/shared/class-scans.ts'
import { Button, Modal, NumberInput, Radio } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CancelButton, SecondaryButton } from '../../../components/display/buttons.tsx'
import { ErrorNotice } from '../../../components/feedback/Notice.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
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

interface SplitAgainProps {
  scan: ClassScan
  busy: boolean
  changed: (scan: ClassScan) => void
  reload: () => Promise<boolean>
}

export function SplitAgain({ scan, busy, changed, reload }: SplitAgainProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <SecondaryButton disabled={busy} onClick={() => setAsking(true)}>
        Split again
      </SecondaryButton>
      <Modal opened={asking} onClose={() => setAsking(false)} title="Split the scan again">
        <SplitForm scan={scan} close={() => setAsking(false)} changed={changed} reload={reload} />
      </Modal>
    </>
  )
}

function SplitForm({ scan, close, changed, reload }: Omit<SplitAgainProps, 'busy'> & { close: () => void }) {
  const [by, setBy] = useState<SplitWay>(scan.split.by)
  const [count, setCount] = useState<number | ''>(scan.split.pages_per_paper ?? '')
  const splitting = useSend(splitClassScan)

  function choose(way: SplitWay) {
    setBy(way)
    splitting.clear()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const params = { assignmentId: scan.assignment_id, scanId: scan.id }
    const pages_per_paper = by === 'page_count' && count !== '' ? count : null
    const after = await splitting.attempt({ params, body: { revision: scan.revision, by, pages_per_paper } })
    if (!after) return void reload()
    close()
    changed(after)
  }
  return (
    <form className={classes.splitForm} onSubmit={(event) => void submit(event)} aria-label="Split again">
      <SplitChoice ways={splitWays} by={by} setBy={choose} count={count} setCount={setCount} />
      <p className="plain">
        {scan.can_undo
          ? 'The scan is split from the start, without your changes. Undo brings them back.'
          : 'The scan is split from the start. Undo brings these papers back.'}{' '}
        Names are read again.
      </p>
      <ErrorNotice error={splitting.error} fallback="The scan was not split. Please try again." />
      <div className={classes.formButtons}>
        <CancelButton onClick={close} disabled={splitting.sending} />
        <Button type="submit" loading={splitting.sending} disabled={by === 'page_count' && count === ''}>
          Split again
        </Button>
      </div>
    </form>
  )
}
