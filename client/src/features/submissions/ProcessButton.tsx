import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { ConfirmModal } from '../../components/ConfirmModal.tsx'
import { plural } from '../../lib/format.ts'
import classes from './ProcessButton.module.css'
import type { Process } from './useProcess.ts'

/** Grades what has no grade yet; everything again only when asked for, and after a question. */
export function ProcessButton({
  counts,
  process,
  disabled,
}: {
  counts: SubmissionCounts
  process: Process
  disabled: boolean
}) {
  const [asking, setAsking] = useState(false)
  const fresh = counts.pending + counts.failed
  return (
    <div className={classes.pair}>
      <Button
        className={classes.main}
        disabled={disabled}
        loading={process.starting}
        onClick={() => void process.start()}
      >
        Process & Grade
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            className={classes.more}
            disabled={disabled || process.starting}
            aria-label="More ways to grade"
          >
            <IconChevronDown size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={fresh === 0} onClick={() => void process.start()}>
            Grade {plural(fresh, 'paper')} without a grade
          </Menu.Item>
          <Menu.Item disabled={counts.graded === 0} onClick={() => setAsking(true)}>
            Grade everything again…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmModal
        opened={asking}
        close={() => setAsking(false)}
        title={`Grade ${plural(counts.all, 'paper')} again?`}
        confirmLabel={`Grade ${plural(counts.all, 'paper')}`}
        onConfirm={() => process.start({ force: true })}
      >
        <p>The suggested scores and feedback are made anew and replace the ones there are.</p>
        <p>Your own overrides stay. Grades that change are held back from students until you release them.</p>
      </ConfirmModal>
    </div>
  )
}
