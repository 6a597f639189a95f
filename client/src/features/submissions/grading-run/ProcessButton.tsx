import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { plural } from '../../../lib/format.ts'
import classes from './ProcessButton.module.css'
import type { GradingProcess } from './useGradingProcess.ts'

/** Grades what has no grade yet; everything again only when asked for. */
export function ProcessButton({
  counts,
  process,
  disabled,
  secondary,
}: {
  counts: SubmissionCounts
  process: GradingProcess
  disabled: boolean
  secondary: boolean
}) {
  const variant = secondary ? 'default' : 'filled'
  const fresh = counts.pending + counts.failed
  return (
    <div className={classes.pair}>
      <Button
        className={classes.main}
        variant={variant}
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
            variant={variant}
            disabled={disabled || process.starting}
            aria-label="More ways to grade"
          >
            <IconChevronDown size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={fresh === 0} onClick={() => void process.start()}>
            {fresh === 0 ? 'Every paper has a grade' : `Grade ${plural(fresh, 'paper')} without a grade`}
          </Menu.Item>
          <Menu.Item disabled={counts.graded === 0} onClick={() => void process.start({ unreviewed: true })}>
            Regrade using my decisions…
          </Menu.Item>
          <Menu.Item disabled={counts.graded === 0} onClick={() => void process.start({ force: true })}>
            Regrade everything…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
